import { expect, test } from "vitest";
import { readFormat, rowsText, type SqlOutput } from "../../../pipeline/publish/sql/sql-output.ts";
import type { Column } from "../../../pipeline/publish/sql/table-text.ts";

const text = (name: string): Column => ({ name, nested: false, numeric: false, floating: false });
const number = (name: string): Column => ({ ...text(name), numeric: true });

async function written(output: SqlOutput, columns: readonly Column[], ...batches: (string | null)[][][]) {
  const rows = async function* () {
    yield* batches;
  };
  let all = "";
  for await (const part of rowsText(columns, rows(), output)) all += part;
  return all;
}

test("table: aligned, numbers to the right, one line a row, whole values", async () => {
  const columns = [text("text"), number("number"), text("none")];
  const rows = [
    ["é", "7", null],
    ["two\nlines", "1234", "x".repeat(100)],
  ];
  expect((await written({ format: "table" }, columns, rows)).split("\n")).toEqual([
    "text       number  none",
    `─────────  ──────  ${"─".repeat(100)}`,
    "é               7  NULL",
    `two lines    1234  ${"x".repeat(100)}`,
    "(2 rows)",
    "",
  ]);
});

test("table on a terminal: the widest columns are cut first, then lines", async () => {
  const columns = ["a", "b", "c"].map(text);
  const row = ["x".repeat(30), "short", "y".repeat(20)];
  expect((await written({ format: "table", screen: 40 }, columns, [row])).split("\n")).toEqual([
    "a                b      c",
    `${"─".repeat(15)}  ${"─".repeat(5)}  ${"─".repeat(15)}`,
    `${"x".repeat(14)}…  short  ${"y".repeat(14)}…`,
    "(1 row, cut to the terminal; the format line shows everything)",
    "",
  ]);
  const wide = await written({ format: "table", screen: 20 }, columns, [row]);
  for (const line of wide.split("\n").slice(0, 3)) expect([...line].length).toBeLessThanOrEqual(20);
  expect(await written({ format: "table", screen: 40 }, [text("a")], [["x"], ["y"]])).toBe("a\n─\nx\ny\n(2 rows)\n");
});

test("table on a terminal: 200 rows, and a note when there are more", async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => [String(i)]);
  const lines = async (...counts: number[]) =>
    (await written({ format: "table", screen: 80 }, [number("n")], ...counts.map(rows))).split("\n");
  expect((await lines(150, 50)).slice(-3)).toEqual([" 49", "(200 rows)", ""]);
  const more = await lines(150, 50, 1);
  expect([more.length, more.at(-2)]).toEqual([
    2 + 200 + 2,
    "(the first 200 rows; the formats csv, json and line give all)",
  ]);
});

test("table: rows after those that are measured are there, too", async () => {
  const many = Array.from({ length: 12_000 }, () => ["x"]);
  const lines = (await written({ format: "table" }, [text("a")], many, [["longer"]])).split("\n");
  expect([lines.length, lines.at(-3), lines.at(-2)]).toEqual([2 + 12_001 + 2, "longer", "(12001 rows)"]);
});

test("line: names aligned, nothing cut, further lines below the first", async () => {
  const columns = [text("a"), text("comment"), text("none")];
  const row = ["x".repeat(500), "two\nlines\u0007", null];
  expect(await written({ format: "line" }, columns, [row], [["1", "", "z"]])).toBe(
    [
      `      a = ${"x".repeat(500)}`,
      "comment = two",
      "          lines",
      "   none = NULL",
      "",
      "      a = 1",
      "comment =",
      "   none = z",
      "",
    ].join("\n"),
  );
  expect(await written({ format: "line" }, columns, [])).toBe("(0 rows)\n");
});

test("a format has one of four names", () => {
  expect(["TABLE", "csv", "Json", "line"].map(readFormat)).toEqual(["table", "csv", "json", "line"]);
  expect(() => readFormat("xml")).toThrow("FORMAT must be one of table, csv, json, line");
});
