import { expect, test } from "vitest";
import { readFormat, rowsText, type SqlOutput } from "../../../pipeline/publish/sql/sql-output.ts";
import type { Column } from "../../../pipeline/publish/sql/sql-output.ts";

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
  const lines = (await written({ format: "table" }, [text("a")], many, [["longer"], ["last"]])).split("\n");
  expect([lines.length, ...lines.slice(-4)]).toEqual([2 + 12_002 + 2, "longer", "last", "(12002 rows)", ""]);
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

test("csv: quoted as RFC 4180 says, with a header; null is empty, an empty text is not", async () => {
  const columns = ["a", "b, c"].map(text);
  expect(
    await written(
      { format: "csv" },
      columns,
      [
        ["x", null],
        ["", 'say "hi"'],
      ],
      [["two\nlines", "y\rz"]],
    ),
  ).toBe('a,"b, c"\nx,\n"","say ""hi"""\n"two\nlines","y\rz"\n');
  expect(await written({ format: "csv" }, columns)).toBe('a,"b, c"\n');
});

test("json: one object a line; a name that comes again has a number", async () => {
  const columns = ["a", 'q"', "a", "a"].map(text);
  expect(
    await written(
      { format: "json" },
      columns,
      [],
      [["1", null, '"x"', "2"]],
      [],
      [
        ["3", "4", "5", "6"],
        ["7", "8", "9", "0"],
      ],
    ),
  ).toBe(
    '[\n{"a":1,"q\\"":null,"a_2":"x","a_3":2},\n{"a":3,"q\\"":4,"a_2":5,"a_3":6},\n{"a":7,"q\\"":8,"a_2":9,"a_3":0}\n]\n',
  );
  expect(await written({ format: "json" }, columns, [])).toBe("[]\n");
});

test("table: what controls a terminal is one blank; the width counts characters", async () => {
  expect(
    await written({ format: "table", screen: 9 }, [text("a")], [["x\u0000\u001by"], ["😀".repeat(9)], ["z".repeat(9)]]),
  ).toBe(`a\n${"─".repeat(9)}\nx y\n${"😀".repeat(9)}\n${"z".repeat(9)}\n(3 rows)\n`);
  expect(await written({ format: "table" }, [text("a")])).toBe("a\n─\n(0 rows)\n");
});

test("table: 10,000 rows are held to measure the columns, and no more", async () => {
  const batches = [5000, 5000, 1].map((count) => Array.from({ length: count }, () => ["x"]));
  let asked = 0;
  const rows = async function* () {
    for (const batch of batches) {
      asked++;
      yield batch;
    }
  };
  const parts: number[] = [];
  for await (const _ of rowsText([text("a")], rows(), { format: "table" })) parts.push(asked);
  expect(parts).toEqual([2, 3, 3]);
});

test("line: each kind of line end begins a further line", async () => {
  expect(await written({ format: "line" }, [text("a")], [["1\r\n2\r3\u00004"], ["5"]])).toBe(
    "a = 1\n    2\n    3 4\n\na = 5\n",
  );
});
