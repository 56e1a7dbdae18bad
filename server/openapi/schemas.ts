/** The schemas of the OpenAPI document, generated from the contract. */
import { z } from "zod";
import { formOf } from "../../pipeline/contract/forms.ts";
import type { DocumentedMode } from "../response/mode.ts";
import { VALID_REQUEST_ID } from "../telemetry/observation.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { Explanation } from "../response/explain/shape.ts";
import { NAMED_PARTS } from "../response/shapes/shapes.ts";

/** A schema object of OpenAPI. */
export type Schema = Readonly<Record<string, unknown>>;

export const referTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const EXPLANATION = "Explanation";

function problem(mode: DocumentedMode): Schema {
  const properties = {
    statusCode: { type: "integer", description: "the HTTP status" },
    error: { type: "string", description: "the status text" },
    message: {
      type: "string",
      description: "for people: names every invalid parameter, its value and the allowed values",
    },
    requestId: { type: "string", pattern: VALID_REQUEST_ID.source, description: "the same as X-Request-Id" },
    timestamp: { type: "string", format: "date-time", description: "when the error occurred" },
    ...mode.problem.properties,
  };
  return {
    type: "object",
    description: "The body of every error",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/**
 * Simplifies a schema for generators: removes zod's bounds of safe integers and patterns next to a format, and marks
 * numbers as double precision. Alternatives exclude each other, so `anyOf` becomes `oneOf`, except for nullable values.
 */
export function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Without a format, generators for Go and Java use single precision.
  if (jsonSchema.type === "number") jsonSchema.format = "double";
  const { anyOf } = jsonSchema;
  if (
    anyOf === undefined ||
    anyOf.some((alternative) => typeof alternative === "object" && alternative.type === "null")
  )
    return;
  delete jsonSchema.anyOf;
  jsonSchema.oneOf = anyOf;
}

/**
 * Adds the form that the contract declares for a column to its description. A `pattern` would be a guarantee, but other
 * values of upstreams are published too.
 */
export function withForms({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  tidy({ jsonSchema });
  const schema = zodSchema as z.ZodType;
  const { innerType } = schema.def as unknown as { innerType?: z.ZodType };
  const form = formOf(innerType ?? schema);
  if (form === undefined) return;
  // A nullable value states its description once, next to both of its types.
  for (const alternative of jsonSchema.anyOf ?? []) delete (alternative as { description?: string }).description;
  const { description } = jsonSchema;
  jsonSchema.description = `${description === undefined ? "" : `${description}; `}usually of the form \`${form}\``;
}

export function toSchemas(endpoints: readonly Endpoint[], mode: DocumentedMode): Record<string, Schema> {
  const named = z.registry<{ id: string }>();
  const returned = endpoints
    .flatMap(({ returns, single }) => [returns, ...(single ? [single.returns] : [])])
    .map(({ name, schema }) => [name, schema]);
  const shapes = {
    ...Object.fromEntries(returned),
    ...NAMED_PARTS,
    [EXPLANATION]: Explanation,
    ...mode.shapes,
  };
  for (const [id, shape] of Object.entries(shapes)) named.add(shape as z.ZodType, { id });
  const { schemas } = z.toJSONSchema(named, { uri: (id) => `#/components/schemas/${id}`, override: withForms });
  const all = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _schema, $id: _id, ...bare } = schema;
    return [name, bare];
  });
  return { ...Object.fromEntries(all), Problem: problem(mode) };
}
