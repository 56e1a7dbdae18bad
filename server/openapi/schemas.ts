/** The schemas of the OpenAPI document, generated from the contract. */
import { z } from "zod";
import { formOf } from "../../pipeline/contract/forms.ts";
import type { DocumentedMode } from "../response/mode.ts";
import { EXPLANATION } from "./formats.ts";
import type { Schema } from "./schema.ts";
import { VALID_REQUEST_ID } from "../telemetry/observation.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { Explanation } from "../response/explain/shape.ts";
import { NAMED_PARTS } from "../response/shapes/shapes.ts";

const PROBLEM_FIELDS = ["statusCode", "error", "message", "requestId", "timestamp"];

const problem = ({ problem: { properties } }: DocumentedMode): Schema => ({
  type: "object",
  description: "The body of every error",
  properties: {
    statusCode: { type: "integer", description: "the HTTP status" },
    error: { type: "string", description: "the status text" },
    message: {
      type: "string",
      description: "for people: names every invalid parameter, its value and the allowed values",
    },
    requestId: { type: "string", pattern: VALID_REQUEST_ID.source, description: "the same as X-Request-Id" },
    timestamp: { type: "string", format: "date-time", description: "when the error occurred" },
    ...properties,
  },
  required: [...new Set([...PROBLEM_FIELDS, ...Object.keys(properties)])],
  additionalProperties: false,
});

/**
 * What generators read well: without zod's bounds of safe integers and its patterns beside a format, numbers in double precision; alternatives exclude each other, so they are
 * `oneOf`, except that a value may be null.
 */
export function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // By default a number is of single precision in Go and Java.
  if (jsonSchema.type === "number") jsonSchema.format = "double";
  const { anyOf } = jsonSchema;
  if (anyOf === undefined || anyOf.some((one) => typeof one === "object" && one.type === "null")) return;
  delete jsonSchema.anyOf;
  jsonSchema.oneOf = anyOf;
}

/** Descriptions with the form that the contract declares for a column: a `pattern` would promise it, and what upstreams write otherwise is published too. */
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
  // What may be null says it once, beside both of its types.
  for (const one of jsonSchema.anyOf ?? []) delete (one as { description?: string }).description;
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
