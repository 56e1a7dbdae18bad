/**
 * An empty copy of every published table. Statements are checked against it before files are fetched, so that unknown
 * names are reported at once with suggestions. Statements that read no rows, such as DESCRIBE, run on it.
 */
import type { AsyncDuckDBConnection } from "@duckdb/duckdb-wasm";
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";

const SHAPES = "shapes";

const name = (text: string) => `"${text.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

type Tables = BulkManifest["tables"];

/** The columns of a table, and behind them their second names. */
export const columnsOf = ({ columns }: Tables[string]) => [
  ...columns.map(({ name: column, type, description }) => ({ name: column, type, description })),
  ...columns.flatMap(({ alias, ...column }) =>
    alias === undefined ? [] : [{ ...column, name: alias, description: `second name of \`${column.name}\`` }],
  ),
];

/** The columns of all tables and views with their descriptions. */
function columnsView(views: NonNullable<BulkManifest["views"]>): string {
  const described = views.flatMap(({ name: view, descriptions = {} }) =>
    Object.entries(descriptions).map(([column, text]) => `(${[view, column, text].map(literal).join(", ")})`),
  );
  const ofViews = described.length > 0 ? `(VALUES ${described.join(", ")})` : "(SELECT '', '', '')";
  return `CREATE VIEW columns AS SELECT table_name AS "table", column_name AS "column", data_type AS "type", coalesce(comment, text) AS description
    FROM duckdb_columns() LEFT JOIN ${ofViews} AS described(relation, name, text) ON relation = table_name AND name = column_name
    WHERE NOT internal AND database_name = '${SHAPES}' ORDER BY table_name, column_index`;
}

export async function createShapes(
  connection: AsyncDuckDBConnection,
  { tables, views = [] }: BulkManifest,
): Promise<void> {
  const statements = Object.entries(tables).flatMap(([table, shape]) => {
    const columns = columnsOf(shape);
    return [
      `CREATE TABLE ${name(table)} (${columns.map((column) => `${name(column.name)} ${column.type}`).join(", ")})`,
      ...columns.map(
        (column) => `COMMENT ON COLUMN ${name(table)}.${name(column.name)} IS ${literal(column.description)}`,
      ),
    ];
  });
  await connection.query(`DETACH DATABASE IF EXISTS ${SHAPES}; ATTACH ':memory:' AS ${SHAPES}`);
  await overShapes(connection, async () => {
    await connection.query(statements.join(";\n"));
    for (const view of views) await connection.query(`CREATE VIEW ${name(view.name)} AS ${view.select}`);
    await connection.query(columnsView(views));
  });
}

/** Runs with the tables' shapes in the place of the tables. */
export async function overShapes<T>(connection: AsyncDuckDBConnection, action: () => Promise<T>): Promise<T> {
  await connection.query(`USE ${SHAPES}`);
  try {
    return await action();
  } finally {
    await connection.query("USE memory");
  }
}

/** @throws Error for a statement that names what is not there */
export const checkNames = (connection: AsyncDuckDBConnection, statement: string): Promise<void> =>
  overShapes(connection, async () => {
    try {
      await (await connection.prepare(statement)).close();
    } catch (error) {
      // DuckDB makes several statements of a PIVOT, whose columns are known only when there are rows.
      if (!String(error).includes("multiple statements")) throw error;
      await connection.query(statement).catch((problem: unknown) => {
        if (String(problem).includes("Catalog Error")) throw problem;
      });
    }
  });
