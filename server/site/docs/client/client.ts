/** Generates a typed client from the OpenAPI document, as one module. */
import { EVENT_STREAM } from "../../../response/formats/format.ts";
import { indent, toComment, toKey, toType } from "./client-types.ts";
import type { Schema } from "../openapi/schema.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema: Schema }>>; readonly "x-formats"?: object }
    >
  >;
}

/** A stream has no pages, no end, and no past. */
const NOT_OF_STREAMS = ["limit", "offset", "until", "asOf"];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A single value may be given without an array. */
function toParameterType({ schema, name, required, description }: Parameter): string {
  const type =
    schema["type"] === "array" ? `${toType(schema["items"] as Schema)} | readonly ${toType(schema)}` : toType(schema);
  return `${toComment(description)}readonly ${toKey(name)}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};\n`;
}

function toFunction(
  path: string,
  { operationId, summary, parameters, responses }: Operation,
): { type: string; code: string } {
  const result = toType(responses["200"]?.content?.["application/json"]?.schema ?? {});
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  // They change what a response is.
  const query = parameters.filter(
    ({ in: place, name }) => place === "query" && name !== "format" && name !== "explain",
  );
  const queryType = `${capital(operationId)}Query`;
  const isOptional = query.every(({ required }) => !required);
  const type =
    query.length > 0 ? `export interface ${queryType} {\n${indent(query.map(toParameterType).join(""))}}\n` : "";
  const args = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(query.length > 0 ? [`query: ${queryType}${isOptional ? " = {}" : ""}`] : []),
    "call: CallOptions = {}",
  ];
  const address = `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``;
  const isStreamed = EVENT_STREAM in (responses["200"]?.["x-formats"] ?? {});
  const list = `${toComment(summary)}${operationId}${isStreamed ? "List" : ""}: (${args.join(", ")}): Promise<${result}> =>\n  request<${result}>(${address}, ${query.length > 0 ? "query" : "{}"}, call),\n`;
  if (!isStreamed) return { type, code: list };
  const omitted = NOT_OF_STREAMS.map((name) => JSON.stringify(name)).join(" | ");
  const events = `${toComment("Each element as soon as it is published; begins with those after `since`, and resumes by itself")}${operationId}: (query: Omit<${queryType}, ${omitted}> = {}, call: EventOptions = {}): AsyncGenerator<${result}[number], void, undefined> =>\n  events<${result}[number]>(${address}, query, call),\n`;
  return { type, code: events + list };
}

/** Operations without a JSON response are left out. */
export function toClient(document: Record<string, unknown>): string {
  const { info, paths, components } = document as unknown as {
    info: { title: string; version: string };
    paths: Record<string, { get: Operation }>;
    components: { schemas: Record<string, Schema> };
  };
  const functions = Object.entries(paths)
    .filter(([, { get }]) => get.responses["200"]?.content?.["application/json"])
    .map(([path, { get }]) => toFunction(path, get));
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${toComment(schema["description"])}export type ${name} = ${toType(schema)};\n`,
  );
  return [
    `/** Typed client of the ${info.title}, version ${info.version}, generated from its OpenAPI document. It needs only \`fetch\`. */\n`,
    ...types,
    ...functions.map(({ type }) => type).filter((type) => type !== ""),
    SHARED,
    `/** One function per operation. @throws ServiceError for an error response */\nexport function createClient(options: ClientOptions = {}) {\n${indent(REQUEST)}\n  return {\n${indent(indent(functions.map(({ code }) => code).join("")))}  };\n}\n\nexport type Client = ReturnType<typeof createClient>;\n`,
  ].join("\n");
}

const SHARED = `export interface ClientOptions {
  /** URL of the service, such as \`https://data.example.edu\`; by default, in a browser, the page's host. */
  readonly baseUrl?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global \`fetch\`. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Receives the headers of a success: \`X-Total-Count\`, \`Link\`, \`Warning\`, \`ETag\`. */
  readonly onHeaders?: (headers: Headers) => void;
}

export interface EventOptions extends Pick<CallOptions, "signal"> {
  /** Resumes after this event. */
  readonly lastEventId?: string;
  /** Receives the id of each event, to resume from later. */
  readonly onId?: (id: string) => void;
  /** Milliseconds before a broken connection is opened again. */
  readonly retryMs?: number;
}

/** An error response, with the server's message. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  /** The body; undefined when it is not the service's, such as a proxy's. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.message ?? \`The service responded with status \${status}.\`);
    this.status = status;
    this.problem = problem;
  }
}
`;

const REQUEST = `const { baseUrl = "", headers = {}, fetch: send = globalThis.fetch } = options;

function toUrl(path: string, query: object): string {
  const search = new URLSearchParams();
  // String() joins arrays with commas.
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return \`\${baseUrl.replace(/\\/$/, "")}\${path}\${text && "?"}\${text}\`;
}

async function request<T>(path: string, query: object, { signal, onHeaders }: CallOptions): Promise<T> {
  const response = await send(toUrl(path, query), {
    headers: { Accept: "application/json", ...headers },
    ...(signal ? { signal } : {}),
  });
  if (response.ok) {
    onHeaders?.(response.headers);
    return (await response.json()) as T;
  }
  throw await toError(response);
}

async function toError(response: Response): Promise<ServiceError> {
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  return new ServiceError(response.status, typeof problem?.message === "string" ? problem : undefined);
}

async function* events<T>(path: string, query: object, { signal, lastEventId, onId, retryMs = 2000 }: EventOptions): AsyncGenerator<T, void, undefined> {
  let last = lastEventId;
  for (;;) {
    try {
      const response = await send(toUrl(path, query), {
        headers: { Accept: "text/event-stream", ...headers, ...(last === undefined ? {} : { "Last-Event-ID": last }) },
        ...(signal ? { signal } : {}),
      });
      if (!response.ok || !response.body) throw await toError(response);
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      try {
        for (let text = ""; ;) {
          const { done, value } = await reader.read();
          if (done) break;
          const blocks = (text + decoder.decode(value, { stream: true })).split("\\n\\n");
          text = blocks.pop() ?? "";
          for (const block of blocks) {
            last = /^id: (.*)$/m.exec(block)?.[1] ?? last;
            if (last !== undefined) onId?.(last);
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data !== undefined) yield JSON.parse(data) as T;
          }
        }
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    } catch (error) {
      // Another attempt does not change what was wrong with the request.
      if (signal?.aborted || (error instanceof ServiceError && error.status < 500 && error.status !== 429)) throw error;
    }
    await new Promise((done) => setTimeout(done, retryMs));
  }
}
`;
