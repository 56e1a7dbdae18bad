/** The body of a request with `explain=true`, as an extension like `x-formats`: generated clients would take a second schema for the type. */
import { z } from "zod";
import { Explanation } from "../../response/explain/shape.ts";
import { enveloped } from "./compat.ts";
import type { Schema } from "./schema.ts";
import { tidy } from "./schemas.ts";

/** Its place in the document. */
export const EXPLANATION = "x-explanation";

export function toExplanation(compat: boolean): Schema {
  const { $schema: _schema, ...schema } = z.toJSONSchema(Explanation, { override: tidy });
  return compat ? enveloped(schema) : schema;
}
