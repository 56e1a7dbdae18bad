/** One read-only SQL statement over the published tables: `make sql`. */
import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  DuckDBTypeId,
  StatementType,
} from "@duckdb/node-api";
import { UsageError } from "../../errors.ts";
import { openDatabase } from "../database.ts";
import type { Generation } from "../generation.ts";
import { readAsOf, readPublished } from "../retention/read-as-of.ts";
import { type Column, csvText, jsonText, type SqlFormat, tableText } from "./sql-output.ts";
import { quoteLiteral } from "../../contract/sql-text.ts";
import { createViews, withDescriptions } from "./described-views.ts";

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
 * Runs one SELECT-like statement (SELECT, WITH, FROM, DESCRIBE, SHOW TABLES, SUMMARIZE …) over the current or an earlier generation and yields the result
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
    const { text, columns } = await prepareStatement(connection, statement, format);
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

/** Checks the statement, and wraps it so that every value comes as text. */
async function prepareStatement(
  connection: DuckDBConnection,
  sql: string,
  format: SqlFormat,
): Promise<{ text: string; columns: Column[] }> {
  if (sql === "") throw new UsageError("no SQL statement was given");
  const statements = await asUsage(() => connection.extractStatements(sql));
  if (statements.count !== 1) throw new UsageError(`one statement at a time: these are ${statements.count}`);
  const statement = await asUsage(() => statements.prepare(0));
  try {
    // EXPLAIN ANALYZE would run what it explains.
    if (statement.statementType !== StatementType.SELECT) {
      throw new UsageError(
        "only statements that read are allowed: SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE",
      );
    }
    if (statement.parameterCount > 0)
      throw new UsageError("the statement has parameters, but there are no values for them");
    const columns = columnsOf(statement);
    const values = columns.map((column, at) => valueText(column, `c${at}`, format));
    const names = columns.map((_, at) => `c${at}`);
    // The line break ends a trailing comment.
    return { text: `SELECT ${values.join(", ")} FROM (${sql}\n) AS answer(${names.join(", ")})`, columns };
  } finally {
    statement.destroySync();
  }
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

/** DuckDB's errors are about the user's statement. */
async function asUsage<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
