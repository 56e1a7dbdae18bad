/** The statements of `make sql`: one that reads, also where DuckDB makes several of it. */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { UsageError } from "../../errors.ts";
import { asUsage } from "./sql-error.ts";
import { blanked, GAP } from "./statement-text.ts";

const ALLOWED = "SELECT, WITH, FROM, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN";

/**
 * Functions that change the session or write files, also in a SELECT and with its configuration locked. The last two run other statements, whose text may be
 * put together when they run. A name is refused wherever it stands: nothing that hides a text from us but not from DuckDB can help.
 */
const CHANGING =
  /\b(?:(?:en|dis)able_(?:logging|profiling|peg_parser)|write_log|truncate_duckdb_logs|json_execute_serialized_sql|query\b(?:["\s]|--[^\n]*\n|\/\*[^]*?\*\/)*\()/i;

/**
 * Prepares the one statement of a text. PIVOT becomes statements that create temporary types with the values they find, and one that reads.
 * @throws UsageError unless it is one statement that only reads
 */
export async function prepareReading(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = await asUsage(() => connection.extractStatements(sql), sql);
  // A statement inside parentheses reads, and no other follows it: only PIVOT is several then.
  const isOne = await connection.extractStatements(`FROM (\n${sql}\n)`).catch(() => undefined);
  if (!isOne && statements.count > 1) throw new UsageError("one statement at a time, and only one that reads");
  if (!isOne) throw new UsageError(`only statements that read are allowed: ${ALLOWED}`);
  const [name] = CHANGING.exec(sql) ?? [];
  if (name !== undefined) throw new UsageError(`the function ${/^\w+/.exec(name)?.[0]} is not allowed`);
  const last = statements.count - 1;
  for (let at = 0; at < last; at++) {
    const type = await asUsage(() => statements.prepare(at), sql);
    try {
      await asUsage(() => type.run(), sql);
    } finally {
      type.destroySync();
    }
  }
  const statement = await asUsage(() => statements.prepare(last), sql);
  const problem =
    statement.statementType !== StatementType.SELECT
      ? `only statements that read are allowed: ${ALLOWED}`
      : statement.parameterCount > 0
        ? "the statement has parameters, but there are no values for them"
        : undefined;
  if (problem === undefined) return statement;
  statement.destroySync();
  throw new UsageError(problem);
}

const EXPLAIN = new RegExp(String.raw`^${GAP}explain\b${GAP}(analyze\b|\(\s*(?:analyze|format)\b[\w\s,]*\))?`, "i");

/**
 * The plan of a statement as rows of key and text; undefined if `sql` is no EXPLAIN. EXPLAIN ANALYZE runs what it explains.
 * @throws UsageError unless what it explains only reads
 */
export async function explain(connection: DuckDBConnection, sql: string): Promise<string[][] | undefined> {
  const [head, how = ""] = EXPLAIN.exec(sql) ?? [];
  if (head === undefined) return undefined;
  const explained = blanked(head) + sql.slice(head.length);
  (await prepareReading(connection, explained)).destroySync();
  // Not the text itself: what was checked is what runs.
  const text = `EXPLAIN ${how}\n${explained}`;
  const statements = await asUsage(() => connection.extractStatements(text), text, 1);
  for (let at = 0; at < statements.count; at++) {
    const statement = await asUsage(() => statements.prepare(at), text, 1);
    const result = await asUsage(() => statement.runAndReadAll(), text, 1);
    if (statement.statementType === StatementType.EXPLAIN) return result.getRowsJson() as string[][];
  }
  return undefined;
}
