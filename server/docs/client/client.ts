/**
 * Generates a typed client from the OpenAPI document, as one module: its types and a table of its operations, with the fixed runtime.ts between them.
 */
import { readFile } from "node:fs/promises";
import { EVENT_STREAM } from "../../response/representations/events.ts";
import type { Schema } from "../../openapi/schema.ts";

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
      {
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
        readonly "x-formats"?: object;
        readonly "x-since"?: object;
      }
    >
  >;
}

/** A stream has no pages, no end, and no past. */
const NOT_OF_STREAMS = ["limit", "offset", "until", "asOf"];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What the client has a function for: its type, and its row in the table of operations. */
interface ClientFunction {
  readonly name: string;
  readonly comment: string;
  readonly type: string;
  readonly operation: { readonly path: string; readonly hasQuery?: true; readonly isStream?: true };
}

/** A single value may be given without an array. */
function toParameterType({ schema, name, required, description }: Parameter): string {
  const type =
    schema["type"] === "array" ? `${toType(schema["items"] as Schema)} | readonly ${toType(schema)}` : toType(schema);
  return `${toComment(description)}readonly ${toKey(name)}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};\n`;
}

function toFunctions(
  path: string,
  { operationId, summary, parameters, responses }: Operation,
): { queryType: string; functions: readonly ClientFunction[] } {
  const result = toType(responses["200"]?.content?.["application/json"]?.schema ?? {});
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  // They change what a response is.
  const query = parameters.filter(
    ({ in: place, name }) =>
      place === "query" &&
      name !== "format" &&
      name !== "explain" &&
      !(name === "since" && responses["200"]?.["x-since"]),
  );
  const hasQuery = query.length > 0;
  const queryName = `${capital(operationId)}Query`;
  const queryType = hasQuery
    ? `export interface ${queryName} {\n${indent(query.map(toParameterType).join(""))}}\n`
    : "";
  const isOptional = query.every(({ required }) => !required);
  const args = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(hasQuery ? [`query${isOptional ? "?" : ""}: ${queryName}`] : []),
    "call?: CallOptions",
  ];
  const isStreamed = EVENT_STREAM in (responses["200"]?.["x-formats"] ?? {});
  const operation = { path, ...(hasQuery ? { hasQuery: true as const } : {}) };
  const list: ClientFunction = {
    name: `${operationId}${isStreamed ? "List" : ""}`,
    comment: summary,
    type: `(${args.join(", ")}) => Promise<${result}>`,
    operation,
  };
  const omitted = NOT_OF_STREAMS.map((name) => JSON.stringify(name)).join(" | ");
  const stream: ClientFunction = {
    name: operationId,
    comment: "Each element as soon as it is published; begins with those after `since`, and resumes by itself",
    type: `(query?: Omit<${queryName}, ${omitted}>, call?: EventOptions) => AsyncGenerator<${result}[number], void, undefined>`,
    operation: { ...operation, isStream: true },
  };
  return { queryType, functions: isStreamed ? [stream, list] : [list] };
}

/** The client in TypeScript, and the same in JavaScript. Operations without a JSON response are left out. */
export async function toClient(document: Record<string, unknown>): Promise<{ ts: string; js: string }> {
  const { info, paths, components } = document as unknown as {
    info: { title: string; version: string };
    paths: Record<string, { get: Operation }>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths)
    .filter(([, { get }]) => get.responses["200"]?.content?.["application/json"])
    .map(([path, { get }]) => toFunctions(path, get));
  const functions = operations.flatMap((one) => one.functions);
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${toComment(schema["description"])}export type ${name} = ${toType(schema)};\n`,
  );
  const queryTypes = operations.map(({ queryType }) => queryType).filter((type) => type !== "");
  const members = functions.map(({ name, comment, type }) => `${toComment(comment)}readonly ${name}: ${type};\n`);
  const client = `/** One function per operation. Each throws a ServiceError for an error response. */\nexport type Client = {\n${indent(members.join(""))}};\n`;
  const rows = functions.map(({ name, operation }) => `  ${name}: ${JSON.stringify(operation)},\n`);
  const table = `const OPERATIONS = {\n${rows.join("")}};\n`;
  const title = `/** Typed client of the ${info.title}, version ${info.version}, generated from its OpenAPI document. It needs only \`fetch\`. */\n`;
  const create = (signature: string, cast: string) =>
    `export const createClient = ${signature} => connect(OPERATIONS, options)${cast};\n`;
  const typed = create("(options: ClientOptions = {}): Client", " as Client");
  return {
    ts: [title, ...schemas, ...queryTypes, client, await readRuntime("ts"), table, typed].join("\n"),
    js: [title, await readRuntime("js"), table, create("(options = {})", "")].join("\n"),
  };
}

/** `make setup` puts the source beside what it compiles. */
async function readRuntime(extension: "ts" | "js"): Promise<string> {
  const text = await readFile(new URL(`runtime.${extension}`, import.meta.url), "utf8");
  return text.slice(text.indexOf("export ")).replace("export function connect", "function connect");
}

const literals = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

/** Escapes the end of a comment. */
const toComment = (text: unknown): string =>
  typeof text === "string" ? `/** ${text.replaceAll("*/", "*\\/")} */\n` : "";

/** @throws TypeError for a schema of an unknown kind */
function toType(schema: Schema): string {
  const { $ref, anyOf, const: literal, enum: values, type } = schema as Record<string, never> & Schema;
  if (typeof $ref === "string") return ($ref as string).split("/").at(-1) ?? "unknown";
  // Beside a type of its own, anyOf lists forms of it.
  if (Array.isArray(anyOf) && type === undefined) return [...new Set((anyOf as Schema[]).map(toType))].join(" | ");
  if (literal !== undefined) return literals([literal]);
  if (Array.isArray(values)) return literals(values);
  if (Array.isArray(type)) return (type as string[]).map((one) => toType({ ...schema, type: one })).join(" | ");
  switch (type as string | undefined) {
    case "string":
    case "boolean":
    case "null":
      return type as unknown as string;
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = toType(schema["items"] as Schema);
      return item.includes("|") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return toObjectType(schema);
    case undefined:
      return "unknown";
    default:
      throw new TypeError(`no TypeScript type for a schema of type ${String(type)}`);
  }
}

function toObjectType({ properties, required, additionalProperties }: Schema): string {
  const requiredNames = new Set(required as string[] | undefined);
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>).map(
    ([name, field]) =>
      `${toComment(field["description"])}${toKey(name)}${requiredNames.has(name) ? "" : "?"}: ${toType(field)};\n`,
  );
  if (fields.length > 0) return `{\n${indent(fields.join(""))}}`;
  if (typeof additionalProperties === "object") return `Record<string, ${toType(additionalProperties as Schema)}>`;
  return additionalProperties === false ? "Record<string, never>" : "Record<string, unknown>";
}

const toKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");
