/** The shape of an endpoint's responses. */
import type { z } from "zod";

export interface Shape {
  /** The name in the documentation and in generated clients. */
  readonly name: string;
  /** A list is paged. Flat objects, alone or in a list, need no special layout for CSV and Parquet. */
  readonly schema: z.ZodType;
  /** An example of a response, with invented people. */
  readonly example: unknown;
}

/** Declares a shape; an example that does not match its schema does not compile. */
export const shape = <S extends z.ZodType>(schema: S, example: z.infer<S>) => ({ schema, example });
