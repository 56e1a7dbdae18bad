/** The tool `sql`: SELECT statements over the published tables and views. */
import type { Tool } from "@modelcontextprotocol/server";
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import { Problem, servedSnapshot } from "../../response/problem.ts";
import { fits, MAX_ANSWER_BYTES, type Result } from "../answer.ts";
import { type Caller, ToolProblem } from "../call.ts";
import { ANNOTATIONS, type Arguments } from "../tool.ts";
import type { SqlRows } from "./limits.ts";
import type { SqlRunner } from "./run-statement.ts";

const TABLES = [...TABLE_NAMES, ...VIEWS.map(({ name }) => name)];

export const sqlDefinition: Tool = {
  name: "sql",
  title: "SQL over the published tables",
  description: `For totals, rankings and comparisons that no other tool has: one SELECT statement in DuckDB's SQL, of some seconds. The tables and views are ${TABLES.join(", ")}. FROM columns describes all of their columns, FROM columns WHERE "table" = 'grades' those of one.`,
  inputSchema: {
    type: "object",
    properties: {
      statement: {
        type: "string",
        examples: [
          "SELECT department, round(avg(averageGPA), 2) AS gpa FROM grades GROUP BY ALL ORDER BY gpa DESC LIMIT 20",
        ],
      },
    },
    required: ["statement"],
    additionalProperties: false,
  },
  annotations: ANNOTATIONS,
};

/** Converts rows to a result: as objects, or, if they do not all fit, as lists without repeated names. */
export function toResult(snapshot: string, { total, rows }: SqlRows): Result {
  const result = { snapshot, total, warnings: [] };
  const all = { ...result, data: rows };
  if (rows.length === total && fits(all)) return all;
  const lists = rows.map((row) => Object.values(row) as unknown[]);
  const toPart = (data: readonly unknown[]): Result => ({
    ...{ ...result, columns: Object.keys(rows[0] ?? {}), data },
    ...(data.length < total ? { narrow: toRest(total, data.length) } : {}),
  });
  const first = firstThatFit(lists, toPart);
  if (!first)
    throw new ToolProblem(`a row is longer than the ${MAX_ANSWER_BYTES} bytes of an answer: select fewer columns`);
  return first;
}

/** Returns the result with as many of its first elements as fit; undefined when not even one fits. */
function firstThatFit<T>(elements: readonly T[], toResult: (shown: readonly T[]) => Result): Result | undefined {
  let [least, most] = [0, elements.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(toResult(elements.slice(0, middle)))) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? undefined : toResult(elements.slice(0, least));
}

const toRest = (total: number, shown: number): string =>
  `${total} rows match; the first ${shown} are shown, which is what an answer holds. The same statement with ORDER BY and OFFSET ${shown} brings the next ones, and fewer columns more rows.`;

/** @throws Problem, ToolProblem */
export async function callSql(
  args: Arguments,
  { sql, store, client, signal }: Pick<Caller, "store" | "signal"> & { sql: SqlRunner; client: string },
): Promise<Result> {
  const { statement, ...others } = args;
  if (typeof statement !== "string" || statement.trim() === "")
    throw new Problem(400, 'Parameter "statement" not provided');
  if (Object.keys(others).length > 0) throw new Problem(400, "The only parameter is statement.");
  const snapshot = servedSnapshot(store);
  return toResult(snapshot.id, await sql.run(snapshot.published, statement, client, signal));
}
