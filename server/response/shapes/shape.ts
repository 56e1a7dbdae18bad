/** What an endpoint returns. */
import type { z } from "zod";

export interface Shape {
  /** In the documentation and in generated clients. */
  readonly name: string;
  /** A list is paged; a list of flat objects, and one such object, need no layout of their own for CSV and Parquet. */
  readonly schema: z.ZodType;
  /** An example of a response, with invented people. */
  readonly example: unknown;
}

/** An example that is none of its schema does not compile. */
export const shape = <S extends z.ZodType>(schema: S, example: z.infer<S>) => ({ schema, example });
