/**
 * Loads a published table into memory: a narrow DuckDB table of the filtered columns, and the rows as JSON, both
 * numbered by `row_id`.
 */
import { z } from "zod";
import { tableRows } from "../../../pipeline/contract/sql-text.ts";
import { TABLES, type TableName } from "../../../pipeline/contract/tables.ts";
import { duckdbType } from "../../../pipeline/contract/table.ts";
import { constant, type Fragment, name, sql, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import type { Pace } from "../event-loop-yielder.ts";
import { filesOf, type Generation, type TermPart } from "../generation.ts";
import { readJsonRows, type JsonRows } from "./json-rows.ts";
import { settleAll } from "../settle-all.ts";

/** Declares how a table is loaded; every string is constant SQL over the contract's columns. */
export interface Loading<R extends string = string, C extends string = string> {
  readonly table: TableName;
  /**
   * The columns of the narrow table, each with its expression over the published columns. `row_id`, the row's number in
   * the order below, is added.
   */
  readonly columns: Readonly<Record<C, string>>;
  /** A total order: the order of row ids, and so of responses. */
  readonly orderBy: string;
  /** The order in which the narrow table stores its rows, if it differs from that of the row ids. */
  readonly clusteredBy?: string;
  readonly jsonColumns: Readonly<Record<R, string>>;
}

/** The columns that a condition uses, as SQL. */
export type Columns<C extends string = string> = Readonly<Record<C, Fragment>>;

/** Returns the columns of the loaded table, and the same as expressions over the published rows. */
export function columnsOf<C extends string>({
  columns,
}: Pick<Loading<string, C>, "columns">): Readonly<Record<"loaded" | "published", Columns<C>>> {
  const columnsBy = (toSql: (column: string, expression: string) => string) =>
    Object.fromEntries(
      Object.entries<string>(columns).map(([column, expression]) => [column, constant(toSql(column, expression))]),
    ) as Columns<C>;
  return {
    loaded: columnsBy((column) => column),
    published: columnsBy((column, expression) => (column === expression ? column : `(${expression})`)),
  };
}

export interface Loaded<R extends string = string> {
  readonly from: Fragment;
  readonly jsonRows: Readonly<Record<R, JsonRows>>;
  readonly bytes: number;
  drop(): Promise<void>;
}

/** Selects the rows of the given files with the contract's columns; no rows if there are no files. */
export function publishedRows(table: TableName, files: readonly string[]): Fragment {
  return constant(tableRows(TABLES[table], files));
}

/** Selects the rows of a generation's table, or of its partitions of a term. */
export const rowsOf = (generation: Generation, table: TableName, term?: TermPart): Fragment =>
  publishedRows(table, filesOf(generation, table, term).paths);

/** Converts in-memory rows, such as a live result, to a relation with these columns; bound as a single JSON text. */
export const givenRows = (columns: z.ZodRawShape, rows: readonly object[]): Fragment =>
  sql`(SELECT unnest(CAST(${JSON.stringify(rows)}::JSON AS ${constant(duckdbType(z.object(columns)))}[]), max_depth := 2))`;

/** Selects all columns of the published rows that meet every condition, by default in the order of responses. */
export const selectPublished = (
  { table, orderBy }: Pick<Loading, "table" | "orderBy">,
  conditions: readonly Fragment[],
  order: Fragment = constant(orderBy),
): Fragment => sql`SELECT * FROM ${name(table)} ${where(conditions)} ORDER BY ${order}`;

export type LoadMore<More> = (pool: Pool, wide: Fragment) => Promise<More & { drop?: () => Promise<void> }>;

let loads = 0;

export async function load<R extends string, More extends object = object>(
  pool: Pool,
  loading: Loading<R>,
  rows: Fragment,
  loadMore: LoadMore<More> = () => Promise.resolve({} as More),
  createPace?: () => Pace,
): Promise<Loaded<R> & More> {
  const number = ++loads;
  const narrow = name(`narrow_${number}`);
  const { numbered, done } = await numberRows(pool, loading.orderBy, rows, name(`wide_${number}`));
  try {
    const columns = Object.entries(loading.columns).map(([column, expression]) => `${expression} AS "${column}"`);
    const clustered = loading.clusteredBy === undefined ? sql`` : sql`ORDER BY ${constant(loading.clusteredBy)}`;
    const jsonRows = {} as Record<R, JsonRows>;
    const [more] = await settleAll([
      loadMore(pool, numbered),
      pool.columns(
        sql`CREATE TABLE ${narrow} AS SELECT * FROM (SELECT ${constant(["row_id", ...columns].join(", "))} FROM ${numbered}) ${clustered}`,
        LOADING,
      ),
      ...(Object.entries(loading.jsonColumns) as [R, string][]).map(async ([key, expression]) => {
        jsonRows[key] = await readJsonRows(pool, constant(expression), numbered, createPace);
      }),
    ]);
    const dropAll = async () => void (await settleAll([drop(pool, narrow), more.drop?.()]));
    const bytes = Object.values<JsonRows>(jsonRows).reduce((sum, rows) => sum + rows.bytes.length, 0);
    return { ...more, from: narrow, jsonRows, bytes, drop: dropAll };
  } catch (error) {
    await drop(pool, narrow);
    throw error;
  } finally {
    await done();
  }
}

const drop = async (pool: Pool, table: Fragment) =>
  void (await pool.columns(sql`DROP TABLE IF EXISTS ${table}`, LOADING));

/**
 * Numbers the rows. Published rows that are already sorted are read from their files by every consumer; others are
 * sorted into a temporary table, which `done` drops.
 */
async function numberRows(
  pool: Pool,
  orderBy: string,
  rows: Fragment,
  wide: Fragment,
): Promise<{ numbered: Fragment; done: () => Promise<void> }> {
  const order = constant(orderBy);
  const withRowId = (over: Fragment) =>
    sql`(SELECT (row_number() OVER (${over}) - 1)::INTEGER AS row_id, * FROM ${rows} ${over})`;
  // In-memory rows are a single bound text: reading them twice would parse it twice.
  const isPublished = rows.values.length === 0;
  const [[isInOrder] = []] = !isPublished
    ? []
    : await pool.columns(
        sql`SELECT coalesce(bool_and(coalesce(before <= key, before IS NULL)), TRUE)
          FROM (SELECT key, lag(key) OVER () AS before FROM (SELECT row(${order}) AS key FROM ${rows}))`,
        LOADING,
      );
  if (isInOrder === true) return { numbered: withRowId(sql``), done: () => Promise.resolve() };
  await pool.columns(sql`CREATE TABLE ${wide} AS FROM ${withRowId(sql`ORDER BY ${order}`)}`, LOADING);
  return { numbered: wide, done: () => drop(pool, wide) };
}

/** Returns `to_json({…})` of columns under their own names, or of `name: expression` pairs. */
export function jsonObject(fields: readonly (string | readonly [name: string, expression: string])[]): string {
  const pairs = fields.map((field) => (typeof field === "string" ? [field, `"${field}"`] : field));
  return `to_json({${pairs.map(([key, expression]) => `'${key}': ${expression}`).join(", ")}})`;
}
