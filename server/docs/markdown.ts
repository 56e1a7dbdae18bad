/**
 * `/llms.txt`, and a markdown page per endpoint, for programs that read text. A page is rendered from the same record as
 * the endpoint's OpenAPI operation.
 */
import { z } from "zod";
import type { DocumentedMode } from "../response/mode.ts";
import { BASE, type Endpoint } from "../response/endpoint.ts";
import { nameHere, OTHER_NAMES } from "../response/other-names.ts";
import type { Shape } from "../response/shapes/shape.ts";
import type { Page, Pages } from "../pages/page.ts";
import { serveStatic } from "../pages/content.ts";
import type { CurrentTerm } from "../pages/current-term.ts";
import { operationId, toOperation } from "../openapi/operation.ts";
import type { DocumentedParts } from "../openapi/openapi.ts";
import { type Schema, withForms } from "../openapi/schemas.ts";
import { toSharedErrors } from "../openapi/error-responses.ts";

/** Returns the path of a page: `/docs/coursesById.md`. */
const markdownPath = (endpoint: Pick<Endpoint, "path">): string => `/docs/${operationId(endpoint.path)}.md`;

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}
interface Operation {
  readonly parameters: readonly (Readonly<Record<"name" | "in" | "description", string>> & {
    readonly required: boolean;
    readonly schema: Schema;
  })[];
  readonly responses: Readonly<Record<string, Response>>;
}

/** Escapes a text for a table cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (text: string): string => `\`${text}\``;

function allowedValues({ type, items, enum: values, pattern, minimum, maximum, default: byDefault }: Schema): string {
  const item = (items ?? {}) as Schema;
  const listed = (values ?? item["enum"]) as readonly string[] | undefined;
  const form = pattern ?? item["pattern"];
  return [
    type === "array" ? "list, separated by commas" : String(type ?? ""),
    ...(listed ? [listed.join(", ")] : []),
    ...(form ? [code(String(form))] : []),
    ...(minimum === undefined ? [] : [`from ${minimum as number}`]),
    ...(maximum === undefined ? [] : [`to ${maximum as number}`]),
    ...(byDefault === undefined ? [] : [`default ${String(byDefault)}`]),
  ].join("; ");
}

/**
 * Lists fields such as `schools[].departments[].deptCode`, with types and descriptions; recursive schemas are listed
 * once.
 */
function* fieldsIn(schema: Schema, path = "", isListed = path === ""): Generator<string> {
  const { type, properties, items, anyOf, oneOf, additionalProperties, description } = schema;
  const about = typeof description === "string" ? `: ${description}` : "";
  const variants = (anyOf ?? oneOf ?? []) as readonly Schema[];
  const types = [type, ...variants.map((variant) => variant["type"])].filter((name) => typeof name === "string");
  if (!isListed) yield `- ${code(path)}${types.length > 0 ? ` (${types.join(" or ")})` : ""}${about}`;
  for (const [name, field] of Object.entries((properties ?? {}) as Record<string, Schema>))
    yield* fieldsIn(field, path === "" ? name : `${path}.${name}`);
  for (const variant of variants) if (variant["properties"] ?? variant["items"]) yield* fieldsIn(variant, path, true);
  if (items) yield* fieldsIn(items as Schema, `${path}[]`);
  if (typeof additionalProperties === "object") yield* fieldsIn(additionalProperties as Schema, `${path}.*`);
}

const fieldsOf = ({ schema }: Shape): string =>
  [...fieldsIn(z.toJSONSchema(schema, { override: withForms }) as Schema)].join("\n");

function exampleOf({ path, id, example = {} }: Endpoint): string {
  const query = new URLSearchParams(example as Record<string, string>);
  return `${BASE}${path.replace(":id", () => encodeURIComponent(id?.example ?? ""))}${query.size > 0 ? `?${query}` : ""}`;
}

function errorsOf({ responses }: Operation, mode: DocumentedMode): string[] {
  const shared = toSharedErrors(mode) as unknown as Record<string, Response>;
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400 || status === "default")
    .map(([status, response]) => {
      const { description, content } = shared[response.$ref?.split("/").at(-1) ?? ""] ?? response;
      const example = content?.["application/json"]?.example as { message: string } | undefined;
      return `| ${status} | ${cell(description)} | ${cell(example?.message ?? "")} |`;
    });
}

function otherNamesOf({ params }: Endpoint): string {
  const paramNames = Object.keys(params);
  const names = OTHER_NAMES.flatMap(([elsewhere]) => elsewhere).filter((name) => !paramNames.includes(name));
  const pairs = names.flatMap((name) => {
    const here = nameHere(name, paramNames);
    return here ? [`${code(name)} is ${here.split(" and ").map(code).join(" and ")}`] : [];
  });
  return `Of the names that other systems use, ${pairs.join(", ")}.\n\n`;
}

/** @param base the path prefix of the installation, with a slash at both ends */
function toMarkdown(endpoint: Endpoint, mode: DocumentedMode, base: string): string {
  const prefix = base.slice(0, -1);
  const operation = toOperation(endpoint, mode) as unknown as Operation;
  const example = operation.responses["200"]?.content?.["application/json"]?.example;
  const parameters = operation.parameters.map(
    ({ name, in: location, required, description, schema }) =>
      `| ${code(name)} | ${location}${required ? ", required" : ""} | ${cell(allowedValues(schema))} | ${cell(description)} |`,
  );
  const single = endpoint.single;
  return `# GET ${prefix}${BASE}${endpoint.path}

${endpoint.summary}.

## Parameters

| name | in | value | meaning |
|---|---|---|---|
${parameters.join("\n")}

${otherNamesOf(endpoint)}## Example

\`\`\`
GET ${prefix}${exampleOf(endpoint)}
\`\`\`

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`

## Response
${mode.placeOfFields}
${fieldsOf(endpoint.returns)}
${single ? `\nWith ${single.of.join(" and ")} it is one object:\n\n${fieldsOf(single.returns)}\n` : ""}
## Errors

| status | when | message, for example |
|---|---|---|
${errorsOf(operation, mode).join("\n")}
`;
}

const OTHERS = {
  "/mcp": "Model Context Protocol: the same data as tools, with SQL over the published tables",
  "/v1/openapi.json": "OpenAPI description of everything",
  "/client.ts": "typed client in TypeScript",
  "/v1/data/manifest.json": "every published Parquet file, with the columns of every table",
  "/v1/snapshots": "the snapshots that `asOf` can name",
  "/status": "freshness, terms and rows",
} as const;

/** Lists links. The text of a link is the full address, because some programs request it literally. */
const toList = (base: string, links: readonly (readonly [name: string, path: string, about: string])[]): string =>
  links.map(([name, path, about]) => `- [${base}${name.slice(1)}](${base}${path.slice(1)}): ${about}`).join("\n");

function toIndex(endpoints: readonly Endpoint[], base: string, term: string | undefined): string {
  const pages = endpoints.map((endpoint) => [BASE + endpoint.path, markdownPath(endpoint), endpoint.summary] as const);
  const named = term === undefined ? "" : `\n\nStudents are choosing classes for ${term}: use it if no term is named.`;
  const others = Object.entries(OTHERS).map(([path, about]) => [path, path, about] as const);
  return `# Academic Data REST Service

> A university's public academic data as read-only JSON: the schedule of classes, grades, courses, instructors, calendar, enrollment.

All requests are GET. Values of parameters that are lists are separated by commas; the others take one value. Invalid values are a 400 that names what is allowed; unknown parameters and values are named in a \`Warning\` header with suggestions. Array responses take \`limit\` and \`offset\`, all JSON responses \`fields\` and \`asOf\`. \`finalExam.month\` is zero-based: January is 0.${named}

## Endpoints

${toList(base, pages)}

## Others

${toList(base, others)}
`;
}

/** Serves a text that is rendered on first use, because few of these pages are ever requested. */
const textPage = (type: string, make: () => string): Page =>
  serveStatic({
    bytes: () => Promise.resolve(Buffer.from(make())),
    type: `${type}; charset=utf-8`,
    cacheControl: "public, max-age=300",
  });

export function createMarkdownPages(
  { endpoints, documented }: DocumentedParts,
  base: string,
  currentTerm: CurrentTerm,
): Pages {
  const pages = endpoints.map((endpoint): [string, Page] => [
    markdownPath(endpoint),
    textPage("text/markdown", () => toMarkdown(endpoint, documented, base)),
  ]);
  // The term changes with the day and the snapshot.
  const index: Page = async (request) => {
    const term = await currentTerm();
    return textPage("text/plain", () => toIndex(endpoints, base, term))(request);
  };
  return { "/llms.txt": index, ...Object.fromEntries(pages) };
}
