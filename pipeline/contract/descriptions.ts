/** The descriptions of columns, which `.describe()` declares. */
import type { z } from "zod";
import { duckdbColumns, type Table } from "./table.ts";

/** The description of the schema, or of the value inside a nullable one. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const { innerType } = schema.def as unknown as { innerType?: z.ZodType };
  return schema.description ?? (innerType && descriptionOf(innerType));
}

export interface DescribedColumn {
  readonly name: string;
  /** The type in DuckDB's spelling. */
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
