/** The published tables that the statement of an endpoint reads, as SQL. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { VIEWS } from "../../pipeline/contract/views.ts";
import { constant, type Fragment, listed, name, sql } from "../duckdb/sql.ts";
import { filesOf, type PublishedSnapshot } from "../snapshot/generation.ts";
import { publishedRows } from "../snapshot/loading/loading.ts";
import type { Statement } from "./endpoint.ts";

/**
 * Returns a `WITH` clause: the tables that a statement reads, from the snapshot's files or from the upstream's rows, and
 * the views over them.
 */
export function withTables(published: PublishedSnapshot, { reads, live }: Pick<Statement, "reads" | "live">): Fragment {
  const returned: ReadonlyMap<TableName, Fragment> = new Map(
    live ? [["sections", live.sections] as const, ["headings", live.headings] as const] : [],
  );
  const rows = new Map([...rowsOf(published, reads), ...returned]);
  const tables = [...rows].map(([table, from]) => {
    // Materialize upstream rows, so that their JSON is parsed only once.
    const materialization = constant(returned.has(table) ? "MATERIALIZED" : "NOT MATERIALIZED");
    return sql`${name(table)} AS ${materialization} (FROM ${from})`;
  });
  const views = VIEWS.filter((view) => view.tables.every((table) => rows.has(table as TableName))).map(
    (view) => sql`${name(view.name)} AS NOT MATERIALIZED (${constant(view.select)})`,
  );
  return sql`WITH ${listed([...tables, ...views])}`;
}

function rowsOf(published: PublishedSnapshot, reads: Statement["reads"]): Map<TableName, Fragment> {
  const paths = new Map<TableName, Set<string>>();
  for (const { table, term } of reads) {
    const files = paths.get(table) ?? new Set();
    for (const path of filesOf(published, table, term).paths) files.add(path);
    paths.set(table, files);
  }
  return new Map([...paths].map(([table, files]) => [table, publishedRows(table, [...files])]));
}
