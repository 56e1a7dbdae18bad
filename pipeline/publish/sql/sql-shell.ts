/** One read-only SQL statement over the published tables: `make sql`. */
import { type DuckDBConnection, type DuckDBPreparedStatement, type DuckDBResult, DuckDBTypeId } from "@duckdb/node-api";
import { openDatabase } from "../database.ts";
import { type Generation, readPublished } from "../../generations/generation.ts";
import { readAsOf } from "../../generations/retained.ts";
import { type Column, csvText, jsonText, type SqlFormat, tableText } from "./sql-output.ts";
import { quoteLiteral } from "../../contract/sql-text.ts";
import { createViews, withDescriptions } from "./described-views.ts";
import { asUsage, explain, prepareReading } from "./reading-statement.ts";

export interface SqlOptions {
  readonly memoryLimit?: string;
  readonly threads?: number;
  /** The number of rows in the table format. */
  readonly tableRows?: number;
  readonly tempFolder: string;
  /** A snapshot id, a campus day or a time: the statement runs over the snapshot that was current then. */
  readonly asOf?: string;
}

/**
 * Runs one statement that reads (SELECT, WITH, FROM, PIVOT, DESCRIBE, SHOW TABLES, SUMMARIZE, EXPLAIN …) over the current or an earlier generation and yields the result
 * as text, in chunks. Each table of the contract is a view, empty when it is not published. The statement can read the generation's files only.
 * @throws UsageError when nothing is published or retained, and for a statement that fails, is not one, or is not read-only
 */
export async function* runSql(
  artifacts: string,
  sql: string,
  format: SqlFormat,
  options: SqlOptions,
): AsyncGenerator<string> {
  const { asOf, memoryLimit = "1GB", threads = 2, tableRows = 200, tempFolder } = options;
  const generation = asOf === undefined ? await readPublished(artifacts) : await readAsOf(artifacts, asOf, new Date());
  const database = await openDatabase({ memoryLimit, threads, tempFolder });
  try {
    const { connection } = database;
    await createViews(connection, generation);
    await lockDown(connection, generation);
    const statement = withDescriptions(sql.trim().replace(/[\s;]+$/, ""));
    const plan = await explain(connection, statement);
    if (plan !== undefined) return yield* planText(plan, format);
    const { text, columns } = await asText(connection, statement, format);
    const rows = await asUsage(() => connection.stream(text));
    const batches = readBatches(rows);
    if (format === "json") yield* jsonText(columns, batches);
    else if (format === "csv") yield* csvText(columns, batches);
    else yield* tableText(columns, batches, tableRows);
  } finally {
    database.close();
  }
}

/** An expression may fail at a later row only. */
async function* readBatches(result: DuckDBResult): AsyncGenerator<(string | null)[][]> {
  const batches = result.yieldRowsJson();
  for (;;) {
    const { done, value } = await asUsage(() => batches.next());
    if (done) return;
    yield value as (string | null)[][];
  }
}

async function lockDown(connection: DuckDBConnection, { folder }: Generation): Promise<void> {
  await connection.run(`SET allowed_directories = [${quoteLiteral(`${folder}/`)}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

/** Wraps the statement so that every value comes as text. */
async function asText(
  connection: DuckDBConnection,
  sql: string,
  format: SqlFormat,
): Promise<{ text: string; columns: Column[] }> {
  const statement = await prepareReading(connection, sql);
  try {
    const columns = columnsOf(statement);
    const values = columns.map((column, at) => valueText(column, `c${at}`, format));
    const names = columns.map((_, at) => `c${at}`);
    // The line break ends a trailing comment.
    return { text: `SELECT ${values.join(", ")} FROM (${sql}\n) AS answer(${names.join(", ")})`, columns };
  } finally {
    statement.destroySync();
  }
}

const PLAN_COLUMNS: readonly Column[] = ["explain_key", "explain_value"].map((name) => ({
  name,
  nested: false,
  numeric: false,
  floating: false,
}));

/** A plan is a picture of many lines, which a table would run together. */
async function* planText(plan: readonly string[][], format: SqlFormat): AsyncGenerator<string> {
  const batches = async function* (rows: readonly string[][]) {
    yield rows;
  };
  if (format === "json")
    yield* jsonText(PLAN_COLUMNS, batches(plan.map((row) => row.map((text) => JSON.stringify(text)))));
  else if (format === "csv") yield* csvText(PLAN_COLUMNS, batches(plan));
  else yield plan.map(([, text = ""]) => `${text.trimEnd()}\n`).join("\n");
}

const NESTED = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.UNION,
]);
const FLOATING = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE]);
const NUMERIC = new Set([
  ...FLOATING,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
]);

function columnsOf(statement: DuckDBPreparedStatement): Column[] {
  return Array.from({ length: statement.columnCount }, (_, at) => {
    const type = statement.columnTypeId(at);
    return {
      name: statement.columnName(at),
      nested: NESTED.has(type),
      numeric: NUMERIC.has(type),
      floating: FLOATING.has(type),
    };
  });
}

/** Nested values are JSON in every format. JSON has no infinity and no NaN. */
function valueText({ nested, floating }: Column, value: string, format: SqlFormat): string {
  if (format !== "json") return nested ? `to_json(${value})::VARCHAR` : `${value}::VARCHAR`;
  return floating ? `CASE WHEN isfinite(${value}) THEN to_json(${value})::VARCHAR END` : `to_json(${value})::VARCHAR`;
}
