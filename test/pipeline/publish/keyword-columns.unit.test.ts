/** A statement that fails at a column whose name is a keyword says how the column is written. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { columnBefore, keywordAdvice } from "../../../pipeline/publish/sql/keyword-columns.ts";

const KEYWORDS = ["at", "select", "order", "from"];
/** `|` is where DuckDB cannot go on; at the end of the text it does not say. */
const before = (marked: string) => {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  return columnBefore(
    text,
    position === text.length ? undefined : Buffer.from(text.slice(0, position)).length,
    KEYWORDS,
  );
};

test.each([
  "SELECT min(at|) FROM changes",
  "SELECT AT |FROM changes",
  "SELECT 'é', max(year), at\n|from changes",
  "FROM changes WHERE |at > now()",
  "FROM changes ORDER BY at|",
])("%s", (statement) => expect(before(statement)).toBe("at"));

test.each(["SELECT 'at' |FROM", "SELECT order |FROM changes", "SELECT year |FROM changes", "|", "FROM flat |x"])(
  "not %s",
  (statement) => expect(before(statement)).toBeUndefined(),
);

test("the advice says how the column is written, and its second name", async () => {
  const runAndReadAll = async () => ({ getRowsJson: () => KEYWORDS.map((keyword) => [keyword]) });
  const connection = { runAndReadAll } as unknown as DuckDBConnection;
  const advice = ': at is a keyword of SQL; the column is written "at", or changedAt in changes';
  const statement = "SELECT at, year FROM changes";
  expect(await keywordAdvice(connection, statement, "9")).toBe(advice);
  expect(await keywordAdvice(connection, "FROM changes ORDER BY at", undefined)).toBe(advice);
  expect(await keywordAdvice(connection, statement, "16")).toBe("");
});

test("a word in a comment or in quotes is no column", () => {
  expect(before("SELECT 1 /* at */ |FROM changes")).toBeUndefined();
  expect(before("SELECT max(at -- a comment\n|FROM changes")).toBe("at");
  expect(before("SELECT '-- ' , at|, x FROM changes")).toBe("at");
});
