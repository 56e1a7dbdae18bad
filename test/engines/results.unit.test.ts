/** The results of `make engines` that artifacts/ENGINES.md shows, and the comparison behind them. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { duckdbColumns } from "../../pipeline/contract/table.ts";
import { TABLES } from "../../pipeline/contract/tables.ts";
import { ANALYSTS, sortAnswers } from "./analysts.ts";
import { EXAMPLE_ANSWERS, missingValues } from "./example-answers.ts";
import { examplesIn } from "./documented-examples.ts";
import { compareAnswers, SCRIPTS } from "./engine.ts";
import { fractionCell } from "./fractions.ts";
import { compareTypes } from "./column-types.ts";
import { clientsTable } from "./versions.ts";
import type { Answers } from "./world.ts";

const [readme = "", clients = "", engines = ""] = await Promise.all(
  ["README", "CLIENTS", "ENGINES"].map((name) =>
    readFile(new URL(`../../artifacts/${name}.md`, import.meta.url), "utf8"),
  ),
);
const pages = [readme, clients, engines].join("\n");
const results = /<!-- engines -->([^]*)<!-- \/engines -->/.exec(engines)?.[1] ?? "";
const linesOf = (text: string): number => text.trimEnd().split("\n").length;

test("the README has at most 100 lines, and the page for Python, R, the browser and notebooks 75", () => {
  expect(linesOf(readme)).toBeLessThanOrEqual(100);
  expect(linesOf(clients)).toBeLessThanOrEqual(75);
});

test("artifacts/ENGINES.md has a row of every engine, and all of them gave the API's answers", () => {
  for (const [engine] of SCRIPTS)
    expect(results).toMatch(new RegExp(`^\\| ${engine} +\\| [^|]+\\|( +same +\\|){5}`, "m"));
});

test("every reader of Parquet makes the API's numbers of the averages without a cast, or has no such function", () => {
  const [, table = ""] = /\nAverages in the files, .*:\n\n([^]*?)\n\n/.exec(results) ?? [];
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThanOrEqual(12);
  for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| \S[^|]* \| same \| (same|–) \| same \| same \|$/);
  const cell = (value: unknown) =>
    fractionCell({ expected: { mean: 3.5, above: 2, value: 3.78 } }, { version: "1", mean: value }, "mean");
  expect([3.5 + 1e-12, 3.51, "Decimal 3.51", undefined].map(cell)).toEqual(["same", "3.51", '"Decimal 3.51"', "–"]);
});

test("every example that is not marked ran", () => {
  const count = examplesIn(pages).length;
  expect(count).toBeGreaterThan(12);
  const [, ran, newer] =
    /- Examples: (\d+) of \1 ran as printed(?:; (\d+) newer ones were run by themselves)?\./.exec(results) ?? [];
  expect(Number(ran) + Number(newer ?? 0)).toBe(count);
  const marked = [...pages.matchAll(/^```(?:python|sql|r|js)\n.*\(not run here/gm)];
  expect(marked).toHaveLength(2);
  // Every example on the short page is included.
  expect(examplesIn(clients)).toHaveLength((clients.match(/^```\w+$/gm) ?? []).length);
});

test("every example of the short page has an answer to be compared with, and what is missing in print is found", () => {
  expect(Object.keys(EXAMPLE_ANSWERS)).toEqual(examplesIn(clients).map(({ title }) => title));
  const printed = "│ ART  │ 3.6667 │ 1,234 │\n│ I&C SCI │ 2.5 │ 7_000 │";
  expect(
    missingValues(printed, [
      ["ART", 3.666_666, 1234],
      ["I&C SCI", 2.5, 7000],
      [null, 2.503, 1234],
    ]),
  ).toEqual([]);
  expect(missingValues(printed, [["ARTS", 3.66, 1235]])).toEqual(["ARTS", 3.66, 1235]);
});

test("test/README.md has every client, engine and generator with the version that is installed", async () => {
  const page = await readFile(new URL("../README.md", import.meta.url), "utf8");
  expect(page).toContain(clientsTable());
  expect(clientsTable()).toMatch(/\bduckdb 1\.\S+,.*\bpolars \d.*\btrino-server \d+ /);
});

test("views and statements run in both major versions of DuckDB", () => {
  for (const major of ["1", "2"])
    expect(results).toMatch(new RegExp(`^- DuckDB ${major}\\.\\S+ for Python: (\\d+) of \\1 views`, "m"));
});

test("the analyses have the same rows in every engine, but for what one cannot do", () => {
  for (const [engine] of ANALYSTS)
    expect(results).toMatch(new RegExp(`^- ${engine} \\S+: \\d+ of 25 analyses as printed(?!.*DIFFER).*\\.$`, "m"));
});

test("an analysis is the same, spelled otherwise, beyond an engine, or a problem", () => {
  const expected = new Map([
    ["grade_trend", [["2024", 3.25, null]]],
    ["prerequisite_depth", [[0, 1]]],
    ["empty", []],
    ["longer", [[1]]],
  ]);
  const answers = {
    grade_trend: { rows: [["2024", 3.25 + 1e-12, null]], adapted: true },
    prerequisite_depth: { error: "no plan" },
    empty: { rows: [] },
    longer: { rows: [[1], [2]] },
  };
  const problems = ["empty: there is nothing to compare", "longer: 2 rows, not 1"];
  expect(sortAnswers("Apache Spark, Parquet", expected, answers)).toEqual({
    unchanged: [],
    adapted: ["grade_trend"],
    beyond: ["prerequisite_depth"],
    problems,
  });
  expect(
    sortAnswers("DuckDB", expected, { ...answers, grade_trend: { rows: [["2024", 3.26, null]] } }).problems,
  ).toEqual([
    'grade_trend: row 1 is ["2024",3.26,null], not ["2024",3.25,null]',
    "prerequisite_depth: no plan",
    ...problems,
  ]);
});

test("readers saw no error and no mixed version, and schemathesis found no failure", () => {
  expect(results.match(/during 200 exports: [1-9]\d* reads, 0 errors, 0 mixed versions/g)).toHaveLength(2);
  expect(results).toMatch(
    /^- DuckLake over HTTP, .* during 100 publications: [1-9]\d* reads, .* 0 errors, 0 mixed snapshots\.$/m,
  );
  expect(results.match(/^- schemathesis, .*, no failure\.$/gm)).toHaveLength(2);
});

test("the official suite of the Model Context Protocol found no failure, in this server and in prescribed tools", () => {
  const suites = [...results.matchAll(/^- Model Context Protocol, .* against (.+): (.+), no failure\.$/gm)];
  expect(suites.map(([, server]) => server)).toEqual(["this server", "prescribed tools"]);
  for (const [, , scenarios] of suites)
    for (const name of ["server-initialize", "tools-list", "dns-rebinding-protection"])
      expect(scenarios).toContain(name);
});

test("the table that Trino declares has the contract's columns and types", () => {
  const example = examplesIn(engines).find(
    ({ title, text }) => title.startsWith("Trino") && text.includes("CREATE TABLE"),
  );
  const [, columns = ""] = /CREATE TABLE \S+ \(([^]*?)\)\n/.exec(example?.text ?? "") ?? [];
  const declared = [...columns.matchAll(/(\w+) ([A-Za-z]+(?:[<(][\w,]+[>)])?)(?:,|$)/g)].map(
    ([, name = "", type = ""]) => [name, DUCKDB_TYPES[type.toLowerCase()] ?? type] as const,
  );
  const contract = new Map(duckdbColumns(TABLES.grades.row.shape).map(({ name, type }) => [name, type]));
  expect(declared.length).toBeGreaterThan(17);
  for (const [name, type] of declared) expect([name, type]).toEqual([name, contract.get(name)]);
});

const DUCKDB_TYPES: Readonly<Record<string, string>> = {
  varchar: "VARCHAR",
  integer: "INTEGER",
  boolean: "BOOLEAN",
  double: "DOUBLE",
  "array(varchar)": "VARCHAR[]",
};

test("every column has one type in every library that reads a folder", () => {
  expect(results).toMatch(/^- Types, .*: (\d+) of \1 columns of \d+ tables have one type in .*pandas.*Spark/m);
  const types = { A: { grades: { year: "text" } }, B: { grades: { year: "text" } } };
  expect(compareTypes(types)).toEqual({ tables: 1, columns: 1, problems: [] });
  const wrong = { ...types, C: { grades: { year: "int32" } } };
  expect(compareTypes(wrong).problems).toEqual(["grades.year: A text; B text; C int32"]);
});

const right: Answers = {
  rows: { grades: 3 },
  gpa: { MATH: 3.25 },
  seats: [1, 2, 3],
  coTaught: { MATH: [1, 20] },
};
const asked = [right, right].map((expected) => ({ generation: 1, versions: {}, folder: "", files: {}, expected }));

test("equal answers have no problems; each difference is named by its question", () => {
  expect(compareAnswers([right, { ...right, gpa: { MATH: 3.25 + 1e-12 } }], asked)).toEqual({});
  const wrong: Answers = { rows: { grades: 4 }, gpa: {}, seats: [1, 2], coTaught: { MATH: [1, 20], ART: [1, 1] } };
  expect(Object.keys(compareAnswers([wrong, right], asked))).toEqual(["rows", "gpa", "seats", "coTaught"]);
  expect(Object.keys(compareAnswers([right, wrong], asked))).toEqual(["older"]);
  expect(Object.keys(compareAnswers([right], asked))).toEqual(["older"]);
});
