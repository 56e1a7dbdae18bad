/** A read-only SQL shell over the published tables: `make sql`. */
import { type DuckDBConnection, type DuckDBPreparedStatement, type DuckDBResult, DuckDBTypeId } from "@duckdb/node-api";
import { openDatabase } from "../../store/database.ts";
import { UsageError } from "../../errors.ts";
import type { TableFiles } from "../../store/published.ts";
import { quoteLiteral } from "../../contract/sql-text.ts";
import { createViews, withDescriptions } from "./described-views.ts";
import { explain, prepareReading, toReading } from "./reading-statement.ts";
import { finiteJson } from "./json-numbers.ts";
import { asUsage } from "./sql-error.ts";
import { type Column, rowsText, type SqlFormat, type SqlOutput } from "./sql-output.ts";
import type { Allowed } from "./statement-problem.ts";
import { splitStatements } from "./statement-text.ts";

export interface SqlOptions {
  readonly memoryLimit?: string;
  readonly threads?: number;
  readonly tempFolder: string;
  /** Refuses SHOW and EXPLAIN, which reveal more than the published data. */
  readonly selectOnly?: boolean;
}

export interface SqlShell {
  /**
   * Runs a statement that reads (SELECT, WITH, FROM, PIVOT, DESCRIBE, SHOW TABLES, SUMMARIZE, EXPLAIN …) and yields the
   * result as text, in chunks.
   * @throws UsageError for a statement that fails, is not a single statement, or is not read-only
   */
  run(sql: string, output: SqlOutput): AsyncGenerator<string>;
  /** Ends the running statement with a UsageError. */
  interrupt(): void;
  /** The names of tables and views, and of columns, and SQL's keywords. */
  names(): Promise<{ tables: string[]; columns: string[]; keywords: string[] }>;
  close(): void;
}

/**
 * Opens a snapshot. Each table of the contract is a view, empty when it is not published. Statements can read only
 * these files.
 */
export async function openSqlShell(tables: TableFiles, options: SqlOptions): Promise<SqlShell> {
  const { memoryLimit = "1GB", threads = 2, tempFolder, selectOnly = false } = options;
  const allowed: Allowed = { aboutTables: !selectOnly };
  const { connection, close } = await openDatabase({ memoryLimit, threads, tempFolder });
  try {
    await createViews(connection, tables);
    await lockDown(connection, tables);
  } catch (error) {
    close();
    throw error;
  }
  let interrupting: NodeJS.Timeout | undefined;
  const throwIfInterrupted = () => {
    if (interrupting) throw new UsageError("interrupted");
  };
  return {
    close,
    async *run(sql, output) {
      try {
        for await (const text of runStatement(connection, sql, output, allowed)) {
          yield text;
          throwIfInterrupted();
        }
      } catch (error) {
        throwIfInterrupted();
        throw error;
      } finally {
        clearInterval(interrupting);
        interrupting = undefined;
      }
    },
    interrupt() {
      // DuckDB ignores an interrupt while no query of the statement is running.
      interrupting ??= setInterval(() => connection.interrupt(), 50);
      connection.interrupt();
    },
    async names() {
      const read = async (select: string) =>
        (await connection.runAndReadAll(select)).getRowsJson().map(([name]) => String(name));
      return {
        tables: await read(`SELECT DISTINCT "table" FROM columns`),
        columns: await read(`SELECT DISTINCT "column" FROM columns`),
        keywords: await read("SELECT keyword_name FROM duckdb_keywords()"),
      };
    },
  };
}

async function* runStatement(
  connection: DuckDBConnection,
  sql: string,
  output: SqlOutput,
  allowed: Allowed,
): AsyncGenerator<string> {
  const { statements, rest } = splitStatements(sql);
  const [first = "", ...more] = rest === "" ? statements : [...statements, rest];
  if (first === "") throw new UsageError("no SQL statement was given");
  // DuckDB decides whether several texts are one statement.
  const statement = withDescriptions(more.length === 0 ? first : sql);
  const plan = await explain(connection, statement, allowed);
  if (plan !== undefined) return yield* planText(plan, output);
  const reading = await toReading(connection, statement, allowed);
  const { text, columns } = await asText(connection, reading, output.format, allowed);
  const rows = await asUsage(() => connection.stream(text), text, 1);
  yield* rowsText(columns, readBatches(rows, text, columns), output);
}

/** An expression may fail only at a later row. */
async function* readBatches(
  result: DuckDBResult,
  text: string,
  columns: readonly Column[],
): AsyncGenerator<(string | null)[][]> {
  const hasNested = columns.some(({ nested }) => nested);
  const finite = (value: string | null, column: number) =>
    value !== null && columns[column]?.nested ? finiteJson(value) : value;
  const batches = result.yieldRowsJson();
  for (;;) {
    const { done, value } = await asUsage(() => batches.next(), text, 1);
    if (done) return;
    const batch = value as (string | null)[][];
    yield hasNested ? batch.map((row) => row.map(finite)) : batch;
  }
}

/** From here on DuckDB opens only the snapshot's files, and nothing changes its settings. */
async function lockDown(connection: DuckDBConnection, { folder, files }: TableFiles): Promise<void> {
  const paths = files.map(({ path }) => quoteLiteral(`${folder}/${path}`));
  await connection.run(`SET allowed_paths = [${paths.join(", ")}]`);
  await connection.run("SET allowed_directories = []");
  await connection.run("SET enable_external_access = false");
  await connection.run("SET autoload_known_extensions = false");
  // Report errors with their position in the statement.
  await connection.run("SET errors_as_json = true");
  await connection.run("SET lock_configuration = true");
}

/** Wraps the statement, on separate lines, so that every value is returned as text. */
async function asText(
  connection: DuckDBConnection,
  sql: string,
  format: SqlFormat,
  allowed: Allowed,
): Promise<{ text: string; columns: Column[] }> {
  const statement = await prepareReading(connection, sql, allowed);
  try {
    const columns = columnsOf(statement);
    const values = columns.map((column, index) => valueText(column, `c${index}`, format));
    const names = columns.map((_, index) => `c${index}`);
    return { text: `SELECT ${values.join(", ")} FROM (\n${sql}\n) AS answer(${names.join(", ")})`, columns };
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

/** A plan is a picture of many lines, which a table would merge. */
async function* planText(plan: readonly string[][], output: SqlOutput): AsyncGenerator<string> {
  const batches = async function* (rows: readonly string[][]) {
    yield rows;
  };
  if (output.format === "json")
    yield* rowsText(PLAN_COLUMNS, batches(plan.map((row) => row.map((text) => JSON.stringify(text)))), output);
  else if (output.format === "csv") yield* rowsText(PLAN_COLUMNS, batches(plan), output);
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
  return Array.from({ length: statement.columnCount }, (_, column) => {
    const type = statement.columnTypeId(column);
    return {
      name: statement.columnName(column),
      nested: NESTED.has(type),
      numeric: NUMERIC.has(type),
      floating: FLOATING.has(type),
    };
  });
}

/** Nested values are JSON in every format. JSON has no infinity and no NaN, at any depth. */
function valueText({ nested, floating }: Column, value: string, format: SqlFormat): string {
  if (format !== "json") return nested ? `to_json(${value})::VARCHAR` : `${value}::VARCHAR`;
  return floating ? `CASE WHEN isfinite(${value}) THEN to_json(${value})::VARCHAR END` : `to_json(${value})::VARCHAR`;
}
