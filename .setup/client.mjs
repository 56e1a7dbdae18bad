/**
 * The typed client of each mode of the server, as one module: the types of its OpenAPI document by `openapi-typescript`, a function for each operation with a
 * JSON response, and the fixed `runtime.ts` between them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = "server/docs/client";
const RUNTIME = fileURLToPath(new URL(`../${FOLDER}/runtime.ts`, import.meta.url));
/** They change what a response is. */
const OF_OTHER_RESPONSES = ["format", "explain"];
/** A stream has no pages, no end, and no past. */
const NOT_OF_STREAMS = ["limit", "offset", "until", "asOf"];
const JSON_TYPE = "application/json";
/** What `since` of the manifest asks for instead of it. */
const MANIFEST_CHANGES_TYPE = "application/vnd.academic-data.manifest-delta+json";

const comment = (text) => `/** ${text.replaceAll("*/", "*\\/")} */\n`;
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** What the client shows of an operation. */
function shown({ operationId, summary, parameters, responses: { 200: success } }) {
  const isShown = ({ in: place, name }) =>
    place !== "header" &&
    !OF_OTHER_RESPONSES.includes(name) &&
    !(name === "since" && MANIFEST_CHANGES_TYPE in success.content);
  const { description, content } = success;
  return {
    operationId,
    summary,
    parameters: parameters.filter(isShown),
    responses: { 200: { description, content: { [JSON_TYPE]: content[JSON_TYPE] } } },
  };
}

/** The members of the client's type for an operation, their rows in the table of operations, and the type of their query. */
function functionsOf(path, { operationId, summary, parameters }, isStreamed) {
  const operation = `operations["${operationId}"]`;
  const query = parameters.filter(({ in: place }) => place === "query");
  const hasQuery = query.length > 0;
  const Query = `${capital(operationId)}Query`;
  const args = [
    ...parameters.filter(({ in: place }) => place === "path").map(({ name }) => `${name}: string`),
    ...(hasQuery ? [`query${query.some(({ required }) => required) ? "" : "?"}: ${Query}`] : []),
    "call?: CallOptions",
  ];
  const row = { path, ...(hasQuery ? { hasQuery } : {}) };
  const list = {
    name: `${operationId}${isStreamed ? "List" : ""}`,
    about: summary,
    type: `(${args.join(", ")}) => Promise<Result<${operation}>>`,
    row,
  };
  const stream = {
    name: operationId,
    about: "Each element as soon as it is published; begins with those after `since`, and resumes by itself",
    type: `(query?: Omit<${Query}, ${NOT_OF_STREAMS.map((name) => `"${name}"`).join(" | ")}>, call?: EventOptions) => AsyncGenerator<Result<${operation}>[number], void, undefined>`,
    row: { ...row, isStream: true },
  };
  return {
    functions: isStreamed ? [stream, list] : [list],
    queryType: hasQuery ? `export type ${Query} = Query<${operation}>;\n` : "",
  };
}

async function toClient({ info, paths, components: { schemas } }) {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const operations = Object.entries(paths)
    .filter(([, { get }]) => get.responses[200]?.content?.[JSON_TYPE])
    .map(([path, { get }]) => ({
      path,
      get: shown(get),
      isStreamed: "text/event-stream" in (get.responses[200]["x-formats"] ?? {}),
    }));
  const document = {
    openapi: "3.1.0",
    info,
    paths: Object.fromEntries(operations.map(({ path, get }) => [path, { get }])),
    components: { schemas },
  };
  const types = astToString(
    await openapiTS(document, { rootTypes: true, rootTypesNoSchemaPrefix: true, emptyObjectsUnknown: true }),
  );
  const made = operations.map(({ path, get, isStreamed }) => functionsOf(path, get, isStreamed));
  const functions = made.flatMap((one) => one.functions);
  const members = functions.map(({ name, about, type }) => `  ${comment(about)}  readonly ${name}: ${type};\n`);
  const rows = functions.map(({ name, row }) => `  ${name}: ${JSON.stringify(row)},\n`);
  const runtime = readFileSync(RUNTIME, "utf8");
  return [
    comment(
      `Typed client of the ${info.title}, version ${info.version}, generated from its OpenAPI document. It needs only \`fetch\`.`,
    ),
    types,
    made.map(({ queryType }) => queryType).join(""),
    `/** One function per operation. Each throws a ServiceError for an error response. */\nexport type Client = {\n${members.join("")}};\n`,
    runtime.slice(runtime.indexOf("export ")).replace("export function connect", "function connect"),
    `const OPERATIONS = {\n${rows.join("")}};\n`,
    `export const createClient = (options: ClientOptions = {}): Client => connect(OPERATIONS, options) as Client;\n`,
  ].join("\n");
}

/** @param programs the folder of the compiled programs; the clients are written beside the page that serves them */
export async function writeClients(programs) {
  const load = (name) => import(pathToFileURL(join(programs, name)).href);
  const { toDocument } = await load("server/docs/pages.js");
  const modes = await load("server/modes.js");
  const { transform } = await import("esbuild");
  await import("./older-typescript.mjs");
  for (const mode of [modes.plain, modes.compat]) {
    const { name } = mode.documented;
    const client = await toClient(toDocument(mode));
    const { code } = await transform(client, { loader: "ts", target: "es2022", tsconfigRaw: {} });
    writeFileSync(join(programs, FOLDER, `${name}.ts`), client);
    writeFileSync(join(programs, FOLDER, `${name}.js`), client.slice(0, client.indexOf("\n\n") + 2) + code);
  }
}
