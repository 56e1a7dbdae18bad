/** A typed client in one module, made from the OpenAPI document: what it says is what the client can ask and gets. */
import { indent, toComment, toKey, toType } from "./client-types.ts";
import type { Schema } from "./schema.ts";

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
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A list of one may be given as its one item. */
function toParameterType({ schema, name, required, description }: Parameter): string {
  const type =
    schema["type"] === "array" ? `${toType(schema["items"] as Schema)} | readonly ${toType(schema)}` : toType(schema);
  return `${toComment(description)}readonly ${toKey(name)}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};\n`;
}

/** The types of one operation's question, and its function. */
function toFunction(
  path: string,
  { operationId, summary, parameters, responses }: Operation,
): { type: string; code: string } {
  const result = toType(responses["200"]?.content?.["application/json"]?.schema ?? {});
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  // The client reads JSON, whatever other formats there are.
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "format");
  const question = `${capital(operationId)}Query`;
  const isOptional = query.every(({ required }) => !required);
  const type =
    query.length > 0 ? `export interface ${question} {\n${indent(query.map(toParameterType).join(""))}}\n` : "";
  const args = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(query.length > 0 ? [`query: ${question}${isOptional ? " = {}" : ""}`] : []),
    "call: CallOptions = {}",
  ];
  const address = `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``;
  const code = `${toComment(summary)}${operationId}: (${args.join(", ")}): Promise<${result}> =>\n  ask<${result}>(${address}, ${query.length > 0 ? "query" : "{}"}, call),\n`;
  return { type, code };
}

/** The whole module; it needs nothing but `fetch`. Operations without a JSON answer are left out. */
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
    `/** Typed client of the ${info.title}, version ${info.version}, made from its OpenAPI document. It needs nothing but \`fetch\`. */\n`,
    ...types,
    ...functions.map(({ type }) => type).filter((type) => type !== ""),
    SHARED,
    `/** Every operation as a function. @throws ServiceError for an answer that is no success */\nexport function createClient(options: ClientOptions = {}) {\n${indent(ASK)}\n  return {\n${indent(indent(functions.map(({ code }) => code).join("")))}  };\n}\n\nexport type Client = ReturnType<typeof createClient>;\n`,
  ].join("\n");
}

const SHARED = `export interface ClientOptions {
  /** Where the service is, such as \`https://data.example.edu\`; in a browser the page's own host when absent. */
  readonly baseUrl?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Gives up when it aborts. */
  readonly signal?: AbortSignal;
  /** Gets the head of a success: \`X-Total-Count\` and \`Link\` of a part of an array, \`Warning\`, \`ETag\`. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** An answer that is no success; the message is the server's. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  /** The server's body; undefined when something between here and there answered in another form. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.message ?? \`The service answered with status \${status}.\`);
    this.status = status;
    this.problem = problem;
  }
}
`;

const ASK = `const { baseUrl = "", headers = {}, fetch: send = globalThis.fetch } = options;

async function ask<T>(path: string, query: object, { signal, onHeaders }: CallOptions): Promise<T> {
  const search = new URLSearchParams();
  // A list as text has commas between its items.
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    if (value !== undefined) search.set(name, String(value));
  const question = search.toString();
  const response = await send(\`\${baseUrl.replace(/\\/$/, "")}\${path}\${question && "?"}\${question}\`, {
    headers: { Accept: "application/json", ...headers },
    ...(signal ? { signal } : {}),
  });
  if (response.ok) {
    onHeaders?.(response.headers);
    return (await response.json()) as T;
  }
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  throw new ServiceError(response.status, typeof problem?.message === "string" ? problem : undefined);
}
`;
