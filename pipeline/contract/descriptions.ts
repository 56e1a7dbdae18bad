/** The descriptions of columns, as they are declared with `.describe()`. */
import type { z } from "zod";
import { duckdbColumns, type Table } from "./table.ts";

/** Its own description, or that of the value inside a nullable one. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const { innerType } = schema.def as unknown as { innerType?: z.ZodType };
  return schema.description ?? (innerType && descriptionOf(innerType));
}

export interface DescribedColumn {
  readonly name: string;
  /** As DuckDB writes it. */
  readonly type: string;
  readonly description: string;
}

/** A table's columns in the order of declaration. */
export function describedColumns({ row }: Pick<Table, "row">): DescribedColumn[] {
  return duckdbColumns(row.shape).map(({ name, type }) => ({
    name,
    type,
    description: descriptionOf(row.shape[name] as z.ZodType) ?? "",
  }));
}
