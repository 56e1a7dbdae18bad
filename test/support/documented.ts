/** Compares every JSON answer of the server to a test with the OpenAPI document: path, status, headers, body. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { compat as compatMode, plain as plainMode } from "../../server/modes.ts";
import { toDocument } from "../../server/docs/pages.ts";

export interface SeenAnswer {
  readonly method: string;
  /** The path on the wire, without the query. */
  readonly path: string;
  /** True when the body has only the fields that the query selects. */
  readonly hasFields?: boolean;
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** The body without content encoding; empty if there is none. */
  readonly text: string;
}

type Json = Record<string, unknown>;
interface Answer {
  headers: Record<string, Json>;
  content?: Record<string, { schema: Json }>;
  "x-formats"?: Record<string, { schema: Json }>;
}
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, Json>; headers: Record<string, Json>; responses: Record<string, Answer> };
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: Parameter[];
  responses: Record<string, Answer & { description: string }>;
}
export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  style?: string;
  explode?: boolean;
  schema: Json;
  example?: unknown;
}

/** Headers of the connection, and of the media type: no part of an operation's description. */
const OF_THE_WIRE = ["connection", "content-type", "date", "keep-alive", "transfer-encoding"];

/** Refusals of what never reaches an operation: the `default` of all of them. */
const BEFORE_ALL = [405, 408, 417, 431];

/**
 * Knows one document; schemas are compiled when they are first needed. `validateSchema` takes seconds in each process:
 * the tests of the document itself do it.
 */
export function openJudge(document: OpenApiDocument, { validateSchema = true } = {}) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema });
  addFormats.default(ajv);
  const inAjv = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')) as object;
  ajv.addSchema({ $id: "document", $defs: inAjv(document.components.schemas) });
  const compiled = new Map<string, ValidateFunction>();
  const patterns = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(
      `^${template
        .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
        .replace("{path}", ".+")
        .replace(/\{\w+\}/g, "[^/]+")}/?$`,
    ),
  }));

  function check(schema: Json, value: unknown, what: string): void {
    const key = JSON.stringify(schema);
    let validate = compiled.get(key);
    if (!validate) compiled.set(key, (validate = ajv.compile(inAjv(schema))));
    if (!validate(value))
      throw new Error(
        `${what} is not what the OpenAPI document says: ${ajv.errorsText(validate.errors).slice(0, 500)}`,
      );
  }

  const follow = <T>(of: T | { $ref: string }): T => {
    if (typeof (of as { $ref?: unknown }).$ref !== "string") return of as T;
    const steps = (of as { $ref: string }).$ref.split("/").slice(1);
    return steps.reduce<unknown>((at, step) => (at as Json)[step], document) as T;
  };

  function expectedOf({ method, path, status }: SeenAnswer): Answer {
    const { responses } = document.components;
    if (BEFORE_ALL.includes(status)) return responses["EarlyError"] as Answer;
    // A fixed path goes before one with variable parts.
    const [pattern] = patterns
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")));
    const operation = document.paths[pattern?.template ?? ""]?.get;
    if (!operation) {
      if (status === 414) return responses["AddressTooLong"] as Answer;
      if (status === 404) return responses["EarlyError"] as Answer;
      throw new Error(`${method} ${path} gave ${status}, but is no path of the OpenAPI document`);
    }
    const answer = operation.responses[status];
    if (!answer) throw new Error(`${method} ${path} gave ${status}, which the OpenAPI document does not name`);
    return follow(answer);
  }

  return {
    check,
    follow,
    /** @throws Error that says what differs */
    judge(seen: SeenAnswer): void {
      const what = `${seen.method} ${seen.path} ${seen.status}`;
      const expected = expectedOf(seen);
      const headers = new Map([...seen.headers].map(([name, value]) => [name.toLowerCase(), value]));
      const documented = new Map(
        Object.entries(expected.headers).map(([name, of]) => [name.toLowerCase(), follow<Json>(of)]),
      );
      for (const [name, { required, schema }] of documented) {
        const value = headers.get(name);
        if (value === undefined && required === true) throw new Error(`${what} lacks the header ${name}`);
        const type = (schema as Json)["type"];
        if (value !== undefined)
          check(schema as Json, type === "integer" ? Number(value) : value, `${name} of ${what}`);
      }
      for (const name of headers.keys())
        if (!documented.has(name) && !OF_THE_WIRE.includes(name))
          throw new Error(`${what} has the header ${name}, which the OpenAPI document does not name`);
      if (seen.method === "HEAD" || seen.text === "") return;
      const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
      const content = expected.content?.[type];
      if (!content) throw new Error(`${what} is ${type}, which the OpenAPI document does not name`);
      if (/[/+]json$/.test(type)) check(content.schema, JSON.parse(seen.text), what);
    },
  };
}

/** An answer with only some `fields` lacks required ones. */
const withoutRequired = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => (key === "required" && Array.isArray(value) ? undefined : value)),
  ) as OpenApiDocument;

const judges = new Map<string, ReturnType<typeof openJudge>>();

function judgeOf(isWrapped: boolean, hasFields: boolean) {
  const key = `${isWrapped} ${hasFields}`;
  let judge = judges.get(key);
  if (!judge) {
    const whole = toDocument(isWrapped ? compatMode : plainMode) as unknown as OpenApiDocument;
    judge = openJudge(hasFields ? withoutRequired(whole) : whole, { validateSchema: false });
    judges.set(key, judge);
  }
  return judge;
}

/** Answers below this path are compared; OPTIONS has no description of its own. */
const DESCRIBED = /^\/(v1\/(rest|data|snapshots|openapi\.json)|health|ready)/;

/**
 * Compares one answer with the document; one whose body the server wraps, with the document of COMPAT=1.
 * @throws Error that says what differs
 */
export function expectDocumented(seen: SeenAnswer): void {
  if (!DESCRIBED.test(seen.path) || seen.method === "OPTIONS") return;
  const isAlias = seen.path.includes("/websoc") && seen.status !== 404;
  const isWrapped = isAlias || /"success":(true|false)\}$/.test(seen.text.slice(-16));
  judgeOf(isWrapped, seen.hasFields ?? false).judge(seen);
}

const asksToExplain = (address: string): boolean => /[?&]explain=true(&|$)/.test(address);

/** Returns the same response, whose body is compared when the test reads it. */
export function seenByTests(response: Response, path: string, init: RequestInit = {}): Response {
  const seen = {
    method: init.method ?? "GET",
    path: `/v1/rest${path.split("?")[0]}`,
    hasFields: /[?&]fields=/.test(path) && response.ok && !asksToExplain(path),
    status: response.status,
    headers: [...response.headers],
  };
  const readText = response.text.bind(response);
  const read = async (): Promise<string> => {
    const text = await readText();
    expectDocumented({ ...seen, text });
    return text;
  };
  // Status and headers count, whether or not the body is read.
  expectDocumented({ ...seen, text: "" });
  return Object.assign(response, { text: read, json: async () => JSON.parse(await read()) as unknown });
}
