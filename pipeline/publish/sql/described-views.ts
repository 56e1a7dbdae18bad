/** The published tables as views, with a description of each table and column. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { describedColumns } from "../../contract/descriptions.ts";
import { quoteIdentifier, quoteLiteral, tableRows } from "../../contract/sql-text.ts";
import type { Table } from "../../contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../contract/tables.ts";
import { aliasColumns, aliasDescriptions, COLUMNS, descriptionsOf, VIEWS } from "../../contract/views.ts";
import type { TableFiles } from "../../store/published.ts";

interface DescribedView {
  readonly name: string;
  readonly about: string;
  readonly select: string;
  /** Names with descriptions. */
  readonly columns: readonly (readonly [string, string])[];
}

/**
 * Creates a view for each table of the contract, empty when it is not published; also the contract's views, and
 * `columns` with the descriptions.
 */
export async function createViews(connection: DuckDBConnection, { folder, files }: TableFiles): Promise<void> {
  const tables = TABLE_NAMES.map((name): DescribedView => {
    const table: Table = TABLES[name];
    const paths = files.filter((file) => file.table === name).map(({ path }) => `${folder}/${path}`);
    return {
      name,
      about: table.about,
      select: `SELECT *${aliasColumns(name)} FROM ${tableRows(table, paths)}`,
      columns: [
        ...describedColumns(table).map((column) => [column.name, column.description] as const),
        ...Object.entries(aliasDescriptions(name)),
      ],
    };
  });
  const all = [...tables, ...VIEWS.map((view) => ({ ...view, columns: Object.entries(descriptionsOf(view)) }))];
  const columns = { ...COLUMNS, select: columnsSelect(all) };
  await connection.run([...all, columns].map(viewStatements).join("\n"));
}

const viewStatements = ({ name, about, select }: Omit<DescribedView, "columns">): string => {
  const view = quoteIdentifier(name);
  return `CREATE VIEW ${view} AS ${select}; COMMENT ON VIEW ${view} IS ${quoteLiteral(about)};`;
};

/** A COMMENT ON COLUMN statement for each description would take longer than everything else. */
function columnsSelect(views: readonly DescribedView[]): string {
  const descriptions = views.flatMap(({ name, columns }) =>
    columns.map(([column, text]) => `(${[name, column, text].map(quoteLiteral).join(", ")})`),
  );
  return `SELECT table_name AS "table", column_name AS "column", data_type AS "type", description FROM duckdb_columns()
    LEFT JOIN (VALUES ${descriptions.join(", ")}) AS described(table_name, column_name, description) USING (table_name, column_name)
    WHERE NOT internal ORDER BY table_name, column_index`;
}

/** A statement that lists the tables and views with their descriptions. */
export const TABLE_LIST: string = `SELECT * FROM (VALUES ${[
  ...TABLE_NAMES.map((name) => ({ name, about: TABLES[name].about })),
  ...VIEWS,
  COLUMNS,
]
  .map(({ name, about }) => `(${quoteLiteral(name)}, ${quoteLiteral(about)})`)
  .join(", ")}) AS listed(name, about) ORDER BY name`;

/** DuckDB's DESCRIBE omits the descriptions. */
export function withDescriptions(sql: string): string {
  const [, name] = /^desc(?:ribe)?\s+"?(\w+)"?$/i.exec(sql.trim()) ?? [];
  const relation = [...TABLE_NAMES, ...VIEWS.map((view) => view.name)].find(
    (candidate) => candidate === name?.toLowerCase(),
  );
  return relation === undefined
    ? sql
    : `SELECT "column" AS column_name, "type" AS column_type, description FROM columns WHERE "table" = ${quoteLiteral(relation)}`;
}
