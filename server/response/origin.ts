/** The tables of a snapshot under the names that statements over published tables use. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { aliasColumns, VIEWS } from "../../pipeline/contract/views.ts";
import { constant, type Fragment, listed, name, sql } from "../duckdb/sql.ts";
import { filesOf, type Generation } from "../snapshot/generation.ts";
import { publishedRows } from "../snapshot/loading/loading.ts";
import type { PublishedOrigin } from "./endpoint.ts";

/** `WITH …`: the files that an origin reads as tables, and the views over them. */
export function withTables(generation: Generation, reads: PublishedOrigin["reads"]): Fragment {
  const paths = new Map<TableName, Set<string>>();
  for (const { table, term } of reads) {
    const files = paths.get(table) ?? new Set();
    for (const path of filesOf(generation, table, term).paths) files.add(path);
    paths.set(table, files);
  }
  const tables = [...paths].map(
    ([table, files]) =>
      sql`${name(table)} AS NOT MATERIALIZED (SELECT *${constant(aliasColumns(table))} FROM ${publishedRows(table, [...files])})`,
  );
  const views = VIEWS.filter((view) => view.tables.every((table) => paths.has(table as TableName))).map(
    (view) => sql`${name(view.name)} AS NOT MATERIALIZED (${constant(view.select)})`,
  );
  return sql`WITH ${listed([...tables, ...views])}`;
}

/** The rows of a response, one after another, as a relation. */
export const originRows = (generation: Generation, { reads, statement, flat = statement }: PublishedOrigin): Fragment =>
  sql`(${withTables(generation, reads)} FROM (${flat}))`;
