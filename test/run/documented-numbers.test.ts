/**
 * Every statement that a README, an assistant's example or the site prints, compared with numbers of plain loops over
 * the API's JSON.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqlDefinition } from "../../server/mcp/sql/sql-tool.ts";
import { EXAMPLE_ANSWERS } from "../engines/example-answers.ts";
import { READMES } from "../support/readmes.ts";
import { openSample, rowsOf, SAMPLE_TERMS } from "../support/sample-build.ts";
import { serve } from "../support/whole-run.ts";

interface Graded {
  readonly year: string;
  readonly department: string;
  readonly instructors: readonly string[];
  readonly averageGPA: number;
  readonly [count: string]: unknown;
}
interface Section {
  readonly year: string;
  readonly quarter: string;
  readonly deptCode: string;
  readonly courseNumber: string;
  readonly sectionCode: string;
  readonly maxCapacity: string;
  readonly numOnWaitlist: string;
  readonly numCurrentlyEnrolled: { readonly totalEnrolled: string; readonly sectionEnrolled: string };
  readonly meetings: readonly { readonly startTime: { readonly hour: number } | null }[];
}
type Tree = {
  schools: { departments: { deptCode: string; courses: { courseNumber: string; sections: Section[] }[] }[] }[];
};
interface Api {
  readonly grades: readonly Graded[];
  readonly sections: readonly Section[];
  readonly courses: readonly { readonly id: string; readonly title: string; readonly prerequisiteFor: unknown[] }[];
  readonly terms: readonly { readonly shortName: string; readonly longName: string }[];
}
type Value = string | number | null;
type Rows = (Value | undefined)[][];

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);
const mean = <T>(rows: readonly T[], of: (row: T) => number) =>
  rows.length === 0 ? null : sum(rows, of) / rows.length;
function groups<T, K extends Value[]>(rows: readonly T[], keyOf: (row: T) => K): [K, T[]][] {
  const groups = new Map<string, [K, T[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(JSON.stringify(key)) ?? [key, []];
    group[1].push(row);
    groups.set(JSON.stringify(key), group);
  }
  return [...groups.values()];
}
const count = (row: Graded, grades: string) => sum([...grades], (grade) => Number(row[`grade${grade}Count`]));
const letters = (row: Graded) => count(row, "ABCDF");
const rated = (rows: readonly Graded[]) => rows.filter((row) => letters(row) > 0);
const gpa = (rows: readonly Graded[]) => mean(rated(rows), (row) => row.averageGPA);
const ofStudents = (rows: readonly Graded[]) =>
  sum(rated(rows), (row) => row.averageGPA * letters(row)) / sum(rated(rows), letters);
const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : 0);
/** Everybody once: under the code that they enrolled by. */
const students = ({ numCurrentlyEnrolled: { sectionEnrolled, totalEnrolled } }: Section) =>
  number(sectionEnrolled === "" ? totalEnrolled : sectionEnrolled);
const enrolled = (section: Section) => number(section.numCurrentlyEnrolled.totalEnrolled);
const capacity = (section: Section) => number(section.maxCapacity);
const fall = ({ year, quarter }: Section) => year === "2026" && quarter === "Fall";
const byDepartment = (rows: readonly Graded[]) =>
  groups(rows, (row) => [row.department]).map(([key, group]): Rows[number] => [...key, gpa(group)]);
const studentsBy = <K extends Value[]>(rows: readonly Section[], keyOf: (row: Section) => K): Rows =>
  groups(rows, keyOf).map(([key, group]) => [...key, sum(group, students)]);
/** Undefined stands for a value that is not compared. */
const percentFull = (rows: readonly Section[]) => Math.round((100 * sum(rows, enrolled)) / sum(rows, capacity));

/** By a part of the statement: the rows, without limit and in any order; undefined if it yields no number. */
const EXPECTED: readonly (readonly [part: string, rows: ((api: Api) => Rows) | undefined])[] = [
  // Statements that prepare another one, or that a page only shows.
  ["SELECT list(", undefined],
  ["firstDay, lastDay FROM calendar_dates", undefined],
  ["FROM read_parquet('{url}')", undefined],
  ["from grades where year = '2025'", ({ grades }) => byDepartment(grades.filter(({ year }) => year === "2025"))],
  [
    "deptCode = 'MATH'",
    ({ sections }) => sections.filter((row) => fall(row) && row.deptCode === "MATH").map((row) => [row.sectionCode]),
  ],
  ["sectionCode, date, totalEnrolled", undefined],
  [
    "year, quarter, count(*) FROM sections",
    ({ sections }) =>
      groups(sections, ({ year, quarter }) => [year, quarter]).map(([key, rows]) => [...key, rows.length]),
  ],
  ["count(*) from sections", ({ sections }) => [[sections.length]]],
  ["count(*) FROM sections", ({ sections }) => [[sections.length]]],
  ["count(*) FROM grades", ({ grades }) => [[grades.length]]],
  [
    "department, sum(sectionEnrolled) AS students",
    ({ sections }) =>
      studentsBy(
        sections.filter(({ year }) => year === "2026"),
        ({ deptCode }) => [deptCode],
      ),
  ],
  ["SELECT deptCode, sum(coalesce", ({ sections }) => studentsBy(sections.filter(fall), ({ deptCode }) => [deptCode])],
  [
    "year, quarter, sum(sectionEnrolled) AS students",
    ({ sections }) => studentsBy(sections, ({ year, quarter }) => [year, quarter]),
  ],
  [
    "SELECT year, sum(sectionEnrolled)",
    ({ sections }) =>
      studentsBy(sections, ({ year, quarter }) => [year, quarter]).map(([year, , value]) => [year, value]),
  ],
  [
    "AS taughtTogether",
    ({ grades }) =>
      groups(
        grades.filter((row) => row.instructors.length > 1),
        (row) => [row.department],
      ).map(([key, rows]) => [...key, rows.length]),
  ],
  ["department, avg(averageGPA)", ({ grades }) => byDepartment(grades)],
  ["department, round(avg(averageGPA), 2) AS gpa", ({ grades }) => byDepartment(grades)],
  [
    "AS gpa FROM uni.grade_students",
    ({ grades }) => groups(rated(grades), (row) => [row.department]).map(([key, rows]) => [...key, ofStudents(rows)]),
  ],
  [
    "AS gpa FROM grade_students",
    ({ grades }) => groups(rated(grades), (row) => [row.department]).map(([key, rows]) => [...key, ofStudents(rows)]),
  ],
  [
    "SELECT instructor, round(sum(gpaPoints)",
    ({ grades }) =>
      groups(
        grades.flatMap((row) => row.instructors.map((name) => ({ name, row }))),
        ({ name }) => [name],
      )
        .map(([[name], rows]) => [name, rows.map(({ row }) => row)] as const)
        .filter(([, rows]) => sum(rated(rows), letters) > 50)
        .map(([name, rows]) => [
          name,
          ofStudents(rows),
          sum(rows, (row) => count(row, "ABCDFPW") + Number(row["gradeNPCount"])),
        ]),
  ],
  [
    "SELECT year, avg(averageGPA), NULL",
    ({ grades }) => {
      const math = grades.filter(({ department }) => department === "MATH");
      return [
        ...groups(math, ({ year }) => [year]).map(([key, rows]): Rows[number] => [...key, gpa(rows), null]),
        [null, gpa(math), sum(math, (row) => count(row, "A"))],
      ];
    },
  ],
  [
    "SELECT year, avg(averageGPA) FROM grades WHERE department = 'MATH'",
    ({ grades }) =>
      groups(
        grades.filter(({ department }) => department === "MATH"),
        ({ year }) => [year],
      ).map(([key, rows]) => [...key, gpa(rows)]),
  ],
  ["UNION ALL SELECT ordinal::VARCHAR", undefined],
  ["SELECT year, quarter, longName, ordinal", undefined],
  [
    "select year::int as year, round(avg(averageGPA), 3)",
    ({ grades }) => groups(grades, ({ year }) => [Number(year)]).map(([key, rows]) => [...key, gpa(rows), rows.length]),
  ],
  [
    "with classes as",
    ({ grades }) =>
      groups(rated(grades), (row) => [Math.min(Math.floor(letters(row) / 50) * 50, 300)]).map(([key, rows]) => [
        ...key,
        gpa(rows),
        rows.length,
      ]),
  ],
  [
    "round(avg(averageGPA), 2) as average, count(averageGPA) as sections",
    ({ grades }) =>
      groups(rated(grades), (row) => [row.department])
        .filter(([, rows]) => rows.length >= 5)
        .map(([key, rows]) => [...key, gpa(rows), rows.length]),
  ],
  [
    "select meetings[1].startTime.hour as hour",
    ({ sections }) =>
      groups(
        sections.filter((row) => fall(row) && (row.meetings[0]?.startTime?.hour ?? -1) >= 0),
        (row) => [row.meetings[0]?.startTime?.hour ?? -1],
      ).map(([key, rows]) => [...key, percentFull(rows), rows.length]),
  ],
  [
    "as percent_full, sum(waitlist)",
    ({ sections }) =>
      groups(sections.filter(fall), (row) => [row.deptCode, row.courseNumber])
        .filter(([, rows]) => sum(rows, capacity) >= 20)
        .map(([key, rows]) => [...key, percentFull(rows), undefined, sum(rows, capacity)]),
  ],
  [
    "len(prerequisiteFor) as needed_for",
    ({ courses }) => courses.map(({ id, title, prerequisiteFor }) => [id, title, prerequisiteFor.length]),
  ],
];

const readmes = (
  await Promise.all(READMES.map((name) => readFile(new URL(`../../${name}`, import.meta.url), "utf8")))
).join("\n");
const siteFiles = ["first-statement.ts", "sql-examples.ts"].map((name) => `../../server/site/app/sql/${name}`);
const site = (await Promise.all(siteFiles.map((path) => readFile(new URL(path, import.meta.url), "utf8")))).join("\n");
const STATEMENTS = [
  ...[...readmes.matchAll(/^```\w+\n([^]*?)^```$/gm)].flatMap(([, code = ""]) =>
    [...code.matchAll(/\bSELECT\b[^;"]*?\bFROM\b[^;"]*/gi)].map(([text]) => text.trim()),
  ),
  ...(sqlDefinition.inputSchema as unknown as { properties: { statement: { examples: string[] } } }).properties
    .statement.examples,
  ...[...site.matchAll(/(?:statement:|FIRST_STATEMENT =) `([^`]+)`/g)].map(([, text = ""]) =>
    text.replaceAll("${year}", "2026").replaceAll("${quarter}", "Fall"),
  ),
  ...Object.values(EXAMPLE_ANSWERS),
];

/** Over the tables and views of `make sql`, and all rows of it. */
const toShell = (statement: string): string =>
  statement
    .replace(/\s+ORDER BY [^()]*?LIMIT \d+$|\s+LIMIT \d+$/i, "")
    .replaceAll(/\buni\.|delta\.academic\.|hive\.academic\./g, "")
    .replaceAll(/delta(?:_scan)?[.(]['`]\/srv\/lake\/(\w+)['`]\)?/g, "$1")
    .replaceAll("cardinality(", "len(")
    .replaceAll(/ (?:FOR )?VERSION AS OF 0| AT \(VERSION => 12\)/g, "")
    .replace(
      /read_parquet\('artifacts\/current\/views\/(\w+)\/\*\.parquet'\)|read_parquet\(getvariable\('(\w+)'\)\)/,
      "$1$2",
    );

let folder: Awaited<ReturnType<typeof openSample>>;
let api: Api;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  folder = await openSample();
  server = await serve(folder.env);
  const sections: Section[] = [];
  for (const name of SAMPLE_TERMS) {
    const [year = "", quarter = ""] = name.split(" ");
    const tree = await server.json<Tree>(
      `/schedule?year=${year}&quarter=${quarter}&cacheOnly=true&cancelledCourses=Include`,
    );
    for (const { departments } of tree.schools)
      for (const { courses, deptCode } of departments)
        for (const { courseNumber, sections: offered } of courses)
          sections.push(...offered.map((section) => ({ ...section, year, quarter, deptCode, courseNumber })));
  }
  api = { sections, grades: await server.json("/grades/raw"), courses: await server.json("/courses/all"), terms: [] };
}, 600_000);
afterAll(() => server?.close());

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");
const partOf = (statement: string) =>
  EXPECTED.filter(([part]) => inOneLine(toShell(statement)).includes(part) || inOneLine(statement).includes(part));

it("every documented statement is here", () => {
  expect(STATEMENTS.length).toBeGreaterThan(25);
  expect(STATEMENTS.filter((statement) => partOf(statement).length === 0)).toEqual([]);
  expect(
    EXPECTED.filter(([part]) => !STATEMENTS.some((statement) => partOf(statement).some(([other]) => other === part))),
  ).toEqual([]);
});

/** Rounded as the statement rounds. */
const digitsOf = (statement: string): number => Number(/round\([^]*?, (\d)\)/.exec(statement)?.[1] ?? 9);
const NUMBERED = STATEMENTS.filter((statement) => partOf(statement)[0]?.[1] !== undefined);

it.each(NUMBERED)("%s", async (statement) => {
  const shell = toShell(statement).replace(/^select \*/i, "select sectionCode");
  const rows = (await rowsOf<Record<string, Value>>(folder, shell)).map((row) => Object.values(row));
  const expected = partOf(statement)[0]?.[1]?.(api) ?? [];
  const keyOf = (row: readonly (Value | undefined)[]) =>
    JSON.stringify(row.map((value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value)));
  expect(rows.length).toBe(expected.length);
  expect(rows.length).toBeGreaterThan(0);
  const sorted = (rows: Rows) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const tolerance = digitsOf(statement) === 9 ? 1e-9 : 0.5 * 10 ** -digitsOf(statement) + 1e-9;
  for (const [index, row] of sorted(rows).entries())
    for (const [column, value] of (sorted(expected)[index] ?? []).entries()) {
      if (value === undefined) continue;
      if (typeof value !== "number") expect(row[column]).toBe(value);
      else expect(Math.abs(Number(row[column]) - value)).toBeLessThanOrEqual(tolerance);
    }
});
