/** What an endpoint returns. */
import type { z } from "zod";
import { RESPONSE_EXAMPLES } from "./examples.ts";
import { type ShapeName, SHAPES } from "./shapes.ts";

export interface Shape {
  /** In the documentation and in generated clients. */
  readonly name: string;
  /** A list is paged; a list of flat objects, and one such object, need no layout of their own for CSV and Parquet. */
  readonly schema: z.ZodType;
  /** An example of a response, with invented people. */
  readonly example: unknown;
}

/** One of the shapes that COMPAT=1, the site or CSV and Parquet know by their names. */
export const shapeOf = (name: ShapeName): Shape => ({ name, schema: SHAPES[name], example: RESPONSE_EXAMPLES[name] });
