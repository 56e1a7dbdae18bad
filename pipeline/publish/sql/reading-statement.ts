/**
 * A single statement of a text: its tables and functions are checked before DuckDB binds any of it, because binding
 * alone can call functions and touch files.
 */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { UsageError } from "../../errors.ts";
import { keywordAdvice } from "./keyword-columns.ts";
import { type Node, nodesOf, type Parsed, parseStatement, queryText } from "./parsed-statement.ts";
import { type NamedValues, nameValues } from "./pivot-values.ts";
import { asUsage, parserError } from "./sql-error.ts";
import { type Allowed, statementProblem } from "./statement-problem.ts";
import { blanked, GAP, splitStatements } from "./statement-text.ts";

const ALLOWED = "SELECT, WITH, FROM, VALUES, PIVOT, UNPIVOT, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN";
const refusal = ({ aboutTables }: Allowed): UsageError =>
  new UsageError(
    aboutTables ? `only statements that read are allowed: ${ALLOWED}` : "only SELECT statements are allowed",
  );

const oneAtATime = ({ aboutTables }: Allowed): UsageError =>
  new UsageError(`one statement at a time${aboutTables ? ", and only one that reads" : ""}`);

/**
 * Returns the text to run instead of `sql`, which differs only by a name for each list of values that PIVOT determines
 * by itself.
 * @throws UsageError unless it is a single statement that only reads, and uses only what is allowed
 */
export async function toReading(connection: DuckDBConnection, sql: string, allowed: Allowed): Promise<string> {
  const parsed = await parseStatement(connection, sql);
  if (parsed.error_type !== "not implemented") {
    await check(connection, parsed, sql, allowed);
    return sql;
  }
  const { text, named } = nameValues(sql);
  const whole = await parseStatement(connection, text);
  await check(connection, whole, text, allowed);
  for (const values of named) await createPivotValues(connection, whole, values, allowed);
  return text;
}

/** Do not use DuckDB's other parser, statement by statement, which calls the functions of a PRAGMA. */
async function check(
  connection: DuckDBConnection,
  { error, error_type, error_message = "", position, statements = [] }: Parsed,
  sql: string,
  allowed: Allowed,
): Promise<void> {
  const { statements: ended, rest } = splitStatements(sql);
  if (ended.length + (rest === "" ? 0 : 1) > 1 && error_type !== "parser") throw oneAtATime(allowed);
  if (error && error_type === "not implemented") throw refusal(allowed);
  if (error) throw parserError(error_message, position, sql, await keywordAdvice(connection, sql, position));
  if (statements.length === 0) throw new UsageError("no SQL statement was given");
  if (statements.length > 1) throw oneAtATime(allowed);
  const problem = statementProblem(statements, allowed);
  if (problem !== undefined) throw new UsageError(problem);
}

/** Creates the values of a PIVOT as a type, from which DuckDB creates its columns. */
async function createPivotValues(
  connection: DuckDBConnection,
  { statements = [] }: Parsed,
  { name, query }: NamedValues,
  allowed: Allowed,
): Promise<void> {
  for (const { node, scope } of nodesOf(statements)) {
    if (node["type"] !== "PIVOT") continue;
    const pivot = (node["pivots"] as Node[]).find((entry) => entry["pivot_enum"] === name);
    if (!pivot) continue;
    const values =
      query === undefined
        ? await foundValues(connection, node["source"], (pivot["pivot_expressions"] as Node[])[0])
        : await parseQuery(connection, `SELECT CAST(value AS VARCHAR) FROM (\n${query}\n) AS given(value)`);
    const text = await queryText(connection, { ...values, cte_map: { map: [...scope.values()] } });
    await check(connection, await parseStatement(connection, text), text, allowed);
    const create = `CREATE OR REPLACE TEMP TYPE ${name} AS ENUM (\n${text}\n)`;
    await asUsage(() => connection.run(create), "");
  }
}

async function parseQuery(connection: DuckDBConnection, sql: string): Promise<Node> {
  const { statements: [statement] = [] } = await parseStatement(connection, sql);
  if (!statement) throw new UsageError("the values of PIVOT must be given by a list or by one SELECT statement");
  return (statement as { node: Node }).node;
}

/** The distinct values of an expression over a FROM clause, in order. */
async function foundValues(connection: DuckDBConnection, source: unknown, expression: unknown): Promise<Node> {
  const query = "SELECT DISTINCT CAST(value AS VARCHAR) FROM source WHERE value IS NOT NULL ORDER BY 1";
  const isValue = (part: unknown) => (part as Node | null)?.["class"] === "COLUMN_REF";
  const named = JSON.stringify(await parseQuery(connection, query));
  const node = JSON.parse(named, (_, part: unknown) => (isValue(part) ? expression : part)) as Node;
  return { ...node, from_table: source };
}

/**
 * Prepares the result of `toReading`.
 * @throws UsageError unless it only reads
 */
export async function prepareReading(
  connection: DuckDBConnection,
  reading: string,
  allowed: Allowed,
): Promise<DuckDBPreparedStatement> {
  const statement = await asUsage(() => connection.prepare(reading), reading);
  if (statement.statementType === StatementType.SELECT) return statement;
  statement.destroySync();
  throw refusal(allowed);
}

const EXPLAIN = new RegExp(String.raw`^${GAP}explain\b${GAP}(analyze\b|\(\s*(?:analyze|format)\b[\w\s,]*\))?`, "i");

/**
 * Returns the plan of a statement as rows of key and text; undefined if `sql` is not an EXPLAIN. EXPLAIN ANALYZE runs
 * the explained statement.
 * @throws UsageError unless the explained statement only reads
 */
export async function explain(
  connection: DuckDBConnection,
  sql: string,
  allowed: Allowed,
): Promise<string[][] | undefined> {
  const [head, how = ""] = EXPLAIN.exec(sql) ?? [];
  if (head === undefined) return undefined;
  if (!allowed.aboutTables) throw refusal(allowed);
  // Do not pass the original text: run exactly what was checked.
  const text = `EXPLAIN ${how}\n${await toReading(connection, blanked(head) + sql.slice(head.length), allowed)}`;
  const result = await asUsage(() => connection.runAndReadAll(text), text, 1);
  return result.getRowsJson() as string[][];
}
