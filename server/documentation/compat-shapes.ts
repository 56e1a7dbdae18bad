/** What COMPAT=1 changes in bodies, as schemas and in examples. */
import { COMPAT_INSTRUCTOR_FIELDS } from "../compat.ts";
import { SANE_REQUEST_ID } from "../operations/request-id.ts";
import type { ShapeName } from "../shapes.ts";
import type { Schema } from "./schemas.ts";

/** A successful body stands in an envelope. */
export const enveloped = (payload: Schema): Schema => ({
  type: "object",
  properties: {
    statusCode: { const: 200 },
    timestamp: { type: "string", description: "such as `04/Mar/2026:21:04:09 +0000`" },
    requestId: { type: "string", pattern: SANE_REQUEST_ID.source, description: "the same as X-Request-Id" },
    payload,
    success: { const: true },
  },
  required: ["statusCode", "timestamp", "requestId", "payload", "success"],
  additionalProperties: false,
});

/** The example of an answer in its envelope. */
export function envelopedExample(returns: ShapeName, answer: unknown): unknown {
  const older = (person: unknown) => ({
    ...(person as Record<string, unknown>),
    ...Object.fromEntries(
      COMPAT_INSTRUCTOR_FIELDS.map(([name, of]) => [name, (person as Record<string, unknown>)[of]]),
    ),
  });
  const payload =
    returns === "Instructor" ? older(answer) : returns === "Instructors" ? (answer as unknown[]).map(older) : answer;
  return {
    statusCode: 200,
    timestamp: "21/Nov/2026:08:00:00 +0000",
    requestId: "6f1c8a52-3b0e-4b6e-9a3f-2f6d1f0c7e11",
    payload,
    success: true,
  };
}

/** An instructor has the older key too. */
export function withOlderKeys(instructor: Schema): Schema {
  const older = COMPAT_INSTRUCTOR_FIELDS.map(([name, of]) => [
    name,
    { type: "string", description: `the same as ${of}` },
  ]);
  return {
    ...instructor,
    properties: { ...(instructor["properties"] as object), ...Object.fromEntries(older) },
    required: [...(instructor["required"] as string[]), ...COMPAT_INSTRUCTOR_FIELDS.map(([name]) => name)],
  };
}
