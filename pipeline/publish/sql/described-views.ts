/** The published tables as views, with a description of each table and column. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { describedColumns } from "../../contract/descriptions.ts";
import { quoteIdentifier, quoteLiteral, tableRows } from "../../contract/sql-text.ts";
import type { Table } from "../../contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../contract/tables.ts";
import { aliasColumns, COLUMN_ALIASES, VIEWS } from "../../contract/views.ts";
import type { Generation } from "../../generations/generation.ts";

/** Each table of the contract is a view with its descriptions; empty when it is not published. */
export async function createViews(connection: DuckDBConnection, { folder, manifest }: Generation): Promise<void> {
  for (const name of TABLE_NAMES) {
    const table: Table = TABLES[name];
    const paths = manifest.files.filter((file) => file.table === name).map(({ path }) => `${folder}/${path}`);
    const aliases = Object.entries(COLUMN_ALIASES[name] ?? {});
    const columns = [
      ...describedColumns(table).map((column) => [column.name, column.description] as const),
      ...aliases.map(([column, alias]) => [alias, `second name of \`${column}\``] as const),
    ];
    await createView(connection, {
      name,
      about: table.about,
      select: `SELECT *${aliasColumns(name)} FROM ${tableRows(table, paths)}`,
      columns,
    });
  }
  for (const { descriptions, ...view } of VIEWS) {
    const described = await connection.runAndReadAll(`SELECT column_name FROM (DESCRIBE ${view.select})`);
    const columns = described.getRowsJson().map(([name]) => [String(name), descriptions[String(name)] ?? ""] as const);
    await createView(connection, { ...view, columns });
  }
  await connection.run(COLUMNS_VIEW);
}

const COLUMNS_VIEW = `CREATE VIEW columns AS SELECT table_name AS "table", column_name AS "column", data_type AS "type", comment AS description
  FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index;
  COMMENT ON VIEW columns IS 'one row a column of a table or view, with its description'`;

interface CommentedView {
  readonly name: string;
  readonly about: string;
  readonly select: string;
  /** Names and descriptions. */
  readonly columns: readonly (readonly [string, string])[];
}

async function createView(
  connection: DuckDBConnection,
  { name, about, select, columns }: CommentedView,
): Promise<void> {
  const view = quoteIdentifier(name);
  const comments = columns.map(
    ([column, text]) => `COMMENT ON COLUMN ${view}.${quoteIdentifier(column)} IS ${quoteLiteral(text)};`,
  );
  await connection.run(
    `CREATE VIEW ${view} AS ${select}; COMMENT ON VIEW ${view} IS ${quoteLiteral(about)}; ${comments.join(" ")}`,
  );
}

/** DuckDB's own DESCRIBE leaves the descriptions out. */
export function withDescriptions(sql: string): string {
  const [, name] = /^desc(?:ribe)?\s+"?(\w+)"?$/i.exec(sql.trim()) ?? [];
  const known = [...TABLE_NAMES, ...VIEWS.map((view) => view.name)].find((one) => one === name?.toLowerCase());
  return known === undefined
    ? sql
    : `SELECT "column" AS column_name, "type" AS column_type, description FROM columns WHERE "table" = ${quoteLiteral(known)}`;
}
