/** Renders an endpoint as a markdown page, from the same record as its OpenAPI operation. */
import { z } from "zod";
import type { DocumentedMode } from "../../response/mode.ts";
import { BASE, type Endpoint } from "../../response/endpoint.ts";
import { nameHere, OTHER_NAMES } from "../../response/other-names.ts";
import type { Shape } from "../../response/shapes/shape.ts";
import { operationId, toOperation } from "../../openapi/operation.ts";
import { type Schema, withForms } from "../../openapi/schemas.ts";
import { toSharedErrors } from "../../openapi/error-responses.ts";

/** Returns the path of a page: `/docs/coursesById.md`. */
export const markdownPath = (endpoint: Pick<Endpoint, "path">): string => `/docs/${operationId(endpoint.path)}.md`;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}
interface Operation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
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

function fieldsOf({ schema }: Shape): string[] {
  return [...fieldsIn(z.toJSONSchema(schema, { override: withForms }) as Schema)];
}

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

/** Lists the names of the parameters in other systems. */
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
export function toMarkdown(endpoint: Endpoint, mode: DocumentedMode, base: string): string {
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
${fieldsOf(endpoint.returns).join("\n")}
${single ? `\nWith ${single.of.join(" and ")} it is one object:\n\n${fieldsOf(single.returns).join("\n")}\n` : ""}
## Errors

| status | when | message, for example |
|---|---|---|
${errorsOf(operation, mode).join("\n")}
`;
}
