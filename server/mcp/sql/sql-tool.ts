/** The tool `sql`: SELECT statements over the published tables and views. */
import { z } from "zod";
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import type { Store } from "../../snapshot/store.ts";
import { nothingServed, Problem } from "../../response/problem.ts";
import { firstThatFit, fits, MAX_ANSWER_BYTES, type Result } from "../answer.ts";
import { ToolProblem } from "../call.ts";
import { type Arguments, type Definition, toDefinition } from "../tool.ts";
import { SQL_LIMITS } from "./limits.ts";
import type { SqlRunner } from "./run-statement.ts";

const { rows: MOST } = SQL_LIMITS;
const TABLES = [...TABLE_NAMES, ...VIEWS.map(({ name }) => name)];

export const sqlDefinition: Definition = toDefinition(
  { name: "sql", title: "SQL over the published tables" },
  `For totals, rankings and comparisons that no other tool has: one SELECT statement in DuckDB's SQL. The tables and views are ${TABLES.join(", ")}. SELECT "table", "column", type, description FROM columns describes them. At most ${MOST} rows, and some seconds.`,
  {
    statement: {
      type: "string",
      description: "a SELECT statement",
      examples: ["SELECT department, avg(averageGPA) AS gpa FROM grades GROUP BY ALL ORDER BY gpa DESC LIMIT 20"],
    },
  },
  ["statement"],
  z.array(z.record(z.string(), z.unknown())).describe("rows as objects"),
);

const toRest = (total: number, shown: number): string =>
  `${total} rows match; the first ${shown} are shown, which is what an answer holds. The same statement with ORDER BY and OFFSET ${shown} brings the next ones, and fewer columns more rows.`;

interface SqlCaller {
  readonly sql: SqlRunner;
  readonly store: Store;
  readonly artifactsDir: string;
  /** Whose statement it is. */
  readonly client: string;
  readonly signal: AbortSignal;
}

/** @throws Problem, ToolProblem */
export async function callSql(
  given: Arguments,
  { sql, store, artifactsDir, client, signal }: SqlCaller,
): Promise<Result> {
  const { statement, ...others } = given;
  if (typeof statement !== "string" || statement.trim() === "")
    throw new Problem(400, 'Parameter "statement" not provided');
  if (Object.keys(others).length > 0) throw new Problem(400, "The only parameter is statement.");
  const snapshot = store.current();
  if (!snapshot) throw nothingServed(store.mismatch());
  const { total, rows } = await sql.run({ artifactsDir, snapshot: snapshot.id, sql: statement }, client, signal);
  const result = { snapshot: snapshot.id, total, warnings: [] };
  if (rows) {
    const all = { ...result, data: rows };
    const shown = fits(all)
      ? all
      : firstThatFit(rows, (first) => ({ ...all, data: first, narrow: toRest(total, first.length) }));
    if (shown) return shown;
    throw new ToolProblem(`a row is longer than the ${MAX_ANSWER_BYTES} bytes of an answer: select fewer columns`);
  }
  return {
    ...result,
    narrow: `${total} rows match, and a result has at most ${MOST}: none are shown. Narrow by WHERE, GROUP BY or LIMIT.`,
  };
}
