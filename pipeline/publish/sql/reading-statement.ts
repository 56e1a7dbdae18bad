/** The statements of `make sql`: one that reads, also where DuckDB makes several of it. */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { UsageError } from "../../errors.ts";

const ALLOWED = "SELECT, WITH, FROM, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN";

/**
 * Prepares the one statement of a text. PIVOT becomes a statement that creates a temporary type with the values it found, and one that reads.
 * @throws UsageError unless it is one statement that only reads
 */
export async function prepareReading(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  if (sql === "") throw new UsageError("no SQL statement was given");
  const statements = await asUsage(() => connection.extractStatements(sql));
  const last = statements.count - 1;
  // The word does not occur: no statement that creates can be the user's own.
  const isOfPivot = (type: StatementType) => type === StatementType.CREATE && !/\bcreate\b/i.test(sql);
  for (let at = 0; at < last; at++) {
    const made = await asUsage(() => statements.prepare(at));
    try {
      if (!isOfPivot(made.statementType)) throw new UsageError("one statement at a time, and only one that reads");
      await asUsage(() => made.run());
    } finally {
      made.destroySync();
    }
  }
  const statement = await asUsage(() => statements.prepare(last));
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

const EXPLAIN = /^explain\s+(?:analyze\s+|\([\w\s,]*\)\s*)?/i;

/**
 * The plan of a statement as rows of key and text; undefined if `sql` is no EXPLAIN. EXPLAIN ANALYZE runs what it explains.
 * @throws UsageError unless what it explains only reads
 */
export async function explain(connection: DuckDBConnection, sql: string): Promise<string[][] | undefined> {
  if (!EXPLAIN.test(sql)) return undefined;
  (await prepareReading(connection, sql.replace(EXPLAIN, ""))).destroySync();
  const statements = await asUsage(() => connection.extractStatements(sql));
  for (let at = 0; at < statements.count; at++) {
    const statement = await asUsage(() => statements.prepare(at));
    const result = await asUsage(() => statement.runAndReadAll());
    if (statement.statementType === StatementType.EXPLAIN) return result.getRowsJson() as string[][];
  }
  return undefined;
}

/** DuckDB's errors are about the user's statement; one line of them says what is wrong. */
export async function asUsage<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const line = text
      .replace(/^Failed to \w+ statements?: /, "")
      .replace(/\n\s*LINE \d+:[^]*$/, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    throw new UsageError(line, { cause: error });
  }
}
