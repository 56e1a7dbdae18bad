/** The schemas of the OpenAPI document: every shape, and every named part of one, made from the contract. */
import { z } from "zod";
import { COMPAT_PROBLEM } from "./compat.ts";
import { COMPAT_PARTS, COMPAT_SHAPES } from "../../response/compat/shapes.ts";
import type { Schema } from "./schema.ts";
import { VALID_REQUEST_ID } from "../../telemetry/request-id.ts";
import { NAMED_PARTS, SHAPES } from "../../response/shapes.ts";

/** The body of every answer that is an error. */
const problem = (compat: boolean): Schema => ({
  type: "object",
  description: "What went wrong; the same form for every error",
  properties: {
    statusCode: { type: "integer", description: "the HTTP status" },
    error: { type: "string", description: "the status in words" },
    message: {
      type: "string",
      description: "for people: names every parameter that is wrong, what it got and what is allowed",
    },
    requestId: { type: "string", pattern: VALID_REQUEST_ID.source, description: "the same as X-Request-Id" },
    timestamp: { type: "string", format: "date-time", description: "when it went wrong" },
    ...(compat ? COMPAT_PROBLEM.schemas : {}),
  },
  required: ["statusCode", "error", "message", "requestId", "timestamp", ...(compat ? ["success"] : [])],
  additionalProperties: false,
});

/** What JSON schema of zod says without need: the bounds of safe integers, and a long pattern beside `format: date`. */
export function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === "date") delete jsonSchema.pattern;
}

/** Name → schema. An object never has a field that its schema lacks. */
export function toSchemas(compat: boolean): Record<string, Schema> {
  const named = z.registry<{ id: string }>();
  const shapes = { ...SHAPES, ...NAMED_PARTS, ...(compat ? { ...COMPAT_SHAPES, ...COMPAT_PARTS } : {}) };
  for (const [id, shape] of Object.entries(shapes)) named.add(shape as z.ZodType, { id });
  const { schemas } = z.toJSONSchema(named, { uri: (id) => `#/components/schemas/${id}`, override: tidy });
  const all = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _schema, $id: _id, ...bare } = schema;
    return [name, bare];
  });
  return { ...Object.fromEntries(all), Problem: problem(compat) };
}
