/**
 * Loads a published table into memory: a DuckDB table of the filtered columns, and the rows as JSON texts by their row
 * id.
 */
import { z } from "zod";
import { tableRows } from "../../../pipeline/contract/sql-text.ts";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { duckdbType } from "../../../pipeline/contract/table.ts";
import { constant, type Fragment, name, sql, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import { filesOf, type PublishedSnapshot, type TermPart } from "../generation.ts";

/** Declares how a table is loaded; every string is constant SQL over the contract's columns. */
export interface Loading<C extends string = string> {
  readonly table: TableName;
  /** The columns for filters and sums, each with its expression over the published columns. */
  readonly columns: Readonly<Record<C, string>>;
  /** The order of responses, a total order. The column `row_id` is the number of a row in it. */
  readonly orderBy: string;
  /** The order in which the rows are stored, if it differs from that of responses. */
  readonly clusteredBy?: string;
  /** The JSON of a row. Responses are assembled from these texts; selecting them from a table takes twice as long. */
  readonly record?: string;
}

/** The columns that a condition uses, as SQL. */
export type Columns<C extends string = string> = Readonly<Record<C, Fragment>>;

/** Returns the columns of the loaded table, and the same as expressions over the published rows. */
export function columnsOf<C extends string>({
  columns,
}: Pick<Loading<C>, "columns">): Readonly<Record<"loaded" | "published", Columns<C>>> {
  const columnsBy = (toSql: (column: string, expression: string) => string) =>
    Object.fromEntries(
      Object.entries<string>(columns).map(([column, expression]) => [column, constant(toSql(column, expression))]),
    ) as Columns<C>;
  return {
    loaded: columnsBy((column) => column),
    published: columnsBy((column, expression) => (column === expression ? column : `(${expression})`)),
  };
}

export interface Loaded {
  readonly from: Fragment;
  /** The JSON of rows by row id. */
  readonly records: readonly string[];
  /** The length of the records. */
  readonly bytes: number;
  drop(): Promise<void>;
}

/** Selects the rows of the given files with the contract's columns; no rows if there are no files. */
export function publishedRows(table: TableName, files: readonly string[]): Fragment {
  return constant(tableRows(TABLES[table], files));
}

/** Selects the rows of a snapshot's table, or of its partitions of a term. */
export const rowsOf = (published: PublishedSnapshot, table: TableName, term?: TermPart): Fragment =>
  publishedRows(table, filesOf(published, table, term).paths);

/** Converts in-memory rows, such as a live result, to a relation with these columns; bound as a single JSON text. */
export const givenRows = (columns: z.ZodRawShape, rows: readonly object[]): Fragment =>
  sql`(SELECT unnest(CAST(${JSON.stringify(rows)}::JSON AS ${constant(duckdbType(z.object(columns)))}[]), max_depth := 2))`;

/** Selects all columns of the published rows that meet every condition, by default in the order of responses. */
export const selectPublished = (
  { table, orderBy }: Pick<Loading, "table" | "orderBy">,
  conditions: readonly Fragment[],
  order: Fragment = constant(orderBy),
): Fragment => sql`SELECT * FROM ${name(table)} ${where(conditions)} ORDER BY ${order}`;

export type LoadMore<More> = (pool: Pool, table: Fragment) => Promise<More>;

let loads = 0;

export async function load<More extends object = object>(
  pool: Pool,
  { columns, record, orderBy, clusteredBy }: Omit<Loading, "table">,
  rows: Fragment,
  loadMore: LoadMore<More> = () => Promise.resolve({} as More),
): Promise<Loaded & More> {
  const table = name(`loaded_${++loads}`);
  const drop = async () => void (await pool.columns(sql`DROP TABLE IF EXISTS ${table}`, LOADING));
  const numbered = numberRows(rows, orderBy);
  const expressions = Object.entries(columns).map(([column, expression]) => `${expression} AS "${column}"`);
  const clustered = clusteredBy === undefined ? sql`` : sql`ORDER BY ${constant(clusteredBy)}`;
  try {
    await pool.columns(
      sql`CREATE TABLE ${table} AS SELECT row_id, ${constant(expressions.join(", "))} FROM ${numbered} ${clustered}`,
      LOADING,
    );
    const records = record === undefined ? [] : await readRecords(pool, record, numbered);
    const bytes = records.reduce((sum, { length }) => sum + length, 0);
    return { ...(await loadMore(pool, table)), from: table, records, bytes, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Reads the JSON of rows by `row_id`, in chunks, so that it does not block the event loop. */
export async function readRecords(pool: Pool, record: string, numbered: Fragment): Promise<readonly string[]> {
  const records: string[] = [];
  const statement = sql`SELECT row_id, (${constant(record)})::VARCHAR FROM ${numbered}`;
  for await (const [rowIds = [], texts = []] of pool.chunks(statement, LOADING))
    for (const [i, rowId] of rowIds.entries()) records[rowId as number] = texts[i] as string;
  return records;
}

/** Numbers rows from 0 on, in a total order. */
export const numberRows = (rows: Fragment, orderBy: string): Fragment =>
  sql`(SELECT (row_number() OVER (ORDER BY ${constant(orderBy)}) - 1)::INTEGER AS row_id, * FROM ${rows})`;

/** Returns `to_json({…})` of columns under their own names, or of `name: expression` pairs. */
export function jsonObject(fields: readonly (string | readonly [name: string, expression: string])[]): string {
  const pairs = fields.map((field) => (typeof field === "string" ? [field, `"${field}"`] : field));
  return `to_json({${pairs.map(([key, expression]) => `'${key}': ${expression}`).join(", ")}})`;
}
