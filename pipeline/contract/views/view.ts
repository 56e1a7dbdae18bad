/** What an SQL view over the published tables declares. */
import { describedColumns } from "../descriptions.ts";
import { deptCode } from "../rows/fields.ts";
import type { Table } from "../table.ts";

export interface View {
  readonly name: string;
  readonly about: string;
  /** The tables of the contract that it reads. */
  readonly tables: readonly string[];
  /**
   * A plain SELECT over them by their names and first column names, so that every engine that holds DuckDB's views holds it. A year, quarter or month
   * of its rows is that of the tables' rows.
   */
  readonly select: string;
  /** By column. */
  readonly descriptions: Readonly<Record<string, string>>;
}

/** The descriptions of a table's columns by name, and that of `department`, as views call what some tables have as `deptCode`. */
export const descriptionsOf = (table: Table): Record<string, string> => ({
  department: deptCode().description ?? "",
  ...Object.fromEntries(describedColumns(table).map(({ name, description }) => [name, description])),
});
