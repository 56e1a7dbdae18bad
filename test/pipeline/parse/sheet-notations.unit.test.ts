/**
 * Grade sheets as text, as programs of other languages write them: every sheet is read as intended, or refused with the
 * reason.
 */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import {
  decimalSignOf,
  parseAverage,
  parseCount,
  parseSectionCode,
  parseSheetTerm,
} from "../../../pipeline/parse/sheets/sheet-values.ts";

async function parse(bytes: Buffer | string) {
  const tally = createTally("grades");
  const rows = await parseGradeSheet("a.csv", Buffer.from(bytes), tally);
  return { rows, ...tally.report("published", 0) };
}

const HEADER = [
  ...["CalYr", "AcadTerm", "DepartmentName", "CourseNumber", "CourseCode", "CourseTitle", "Instructor1Name"],
  ...GRADE_COUNTS.map((name) => name.replace("g", "G")),
  "GradedGPAAvg",
];

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-8": (text) => Buffer.from(text),
  "UTF-8 with a mark": (text) => Buffer.from(`\ufeff${text}`),
  "windows-1252": (text) => Buffer.from(text, "latin1"),
  "UTF-16 LE": (text) => Buffer.from(text, "utf16le"),
  "UTF-16 LE with a mark": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16 BE": (text) => Buffer.from(text, "utf16le").swap16(),
  "UTF-16 BE with a mark": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
};

const grade = fc.record({
  code: fc.integer({ min: 0, max: 99_999 }),
  title: fc.constantFrom("ONE, TWO; THREE", 'THE "OLD" WAY', "A | B", "ÉLÉMENTAIRE", "TAB\tBED"),
  counts: fc.array(fc.oneof(fc.nat(9), fc.nat(99_999)), { minLength: 8, maxLength: 8 }),
  average: fc.option(fc.integer({ min: 0, max: 400 }), { nil: null }),
});
/** How a program writes numbers and separates cells. */
const notation = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  decimal: fc.constantFrom(".", ","),
  group: fc.constantFrom("", " ", "\u00a0", "'", "the other sign"),
  end: fc.constantFrom("\n", "\r\n", "\r"),
  encoding: fc.constantFrom(...Object.keys(ENCODINGS)),
  isQuoted: fc.boolean(),
  isStated: fc.boolean(),
});

test("the same rows, whatever the separators, decimal and thousands signs, line ends, quotes and encoding", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(grade, { minLength: 1, maxLength: 6 }), notation, async (grades, how) => {
      const { delimiter, decimal, end } = how;
      const group = how.group === "the other sign" ? (decimal === "," ? "." : ",") : how.group;
      // Without an average, the decimal sign is unknown.
      fc.pre(how.group !== "the other sign" || grades.some(({ average }) => average !== null));
      const cell = (text: string) =>
        how.isQuoted || /["\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
      const count = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, group);
      const lines = grades.map(({ code, title, counts, average }) => [
        ...["2018", "Fall", "Français", "1A", String(code), title, "LEE, J."],
        ...counts.map(count),
        average === null ? "" : (average / 100).toFixed(2).replace(".", decimal),
      ]);
      const text = [HEADER, ...lines].map((cells) => cells.map(cell).join(delimiter)).join(end) + end;
      const bytes = ENCODINGS[how.encoding]?.((how.isStated ? `sep=${delimiter}${end}` : "") + text);
      const { rows, dropped, damaged } = await parse(bytes ?? "");
      expect([dropped, damaged]).toEqual([[], []]);
      expect(
        rows.map((row) => [row.sectionCode, row.courseTitle, GRADE_COUNTS.map((name) => row[name]), row.averageGPA]),
      ).toEqual(
        grades.map(({ code, title, counts, average }) => [
          String(code).padStart(5, "0"),
          title.replace("\t", " "),
          counts,
          average === null ? null : average / 100,
        ]),
      );
    }),
    { numRuns: 300 },
  );
});

const line = (counts: string, average: string, delimiter = ";") =>
  [
    "2018",
    "Fall",
    "Physics",
    "1A",
    "28010",
    "WAVES",
    "LEE J.",
    ...Array.from({ length: 8 }, () => counts),
    average,
  ].join(delimiter);
const sheet = (...lines: string[]) => [HEADER.join(lines[0]?.includes(";") ? ";" : ","), ...lines, ""].join("\n");

describe("what may mean two things is refused by name", () => {
  test.each([
    ["a point of a thousand, or a decimal one, without any average", sheet(line("1.024", "")), /may be a thousand/],
    ["a comma, likewise", sheet(line("1,024", "")), /may be a thousand/],
    ["averages with both signs", sheet(line("1,024", "3,5"), line("1.024", "3.5")), /may be a thousand/],
    ["a decimal sign that the averages contradict", sheet(line("1,024", "3,5")), /may be a thousand/],
    ["an unquoted decimal comma between commas", sheet(line("3", "3,57", ",")), /more cells than columns/],
    ["a fraction of a student", sheet(line("1,5", "3,5")), /not a non-negative whole number/],
    ["a word", sheet(line("few", "3,5")), /not a non-negative whole number/],
    ["an average of a thousand", sheet(line("3", "1.024,50")), /not a number from 0 to 4/],
  ])("%s", async (_, text, reason) => {
    const { rows, dropped, damaged } = await parse(text);
    expect(rows).toEqual([]);
    expect(dropped).toMatchObject([{ reason: expect.stringMatching(reason) as string }]);
    expect(dropped[0]?.names[0]).toMatch(/^a\.csv row 2: ./);
    // The file has nothing else, and is therefore refused.
    expect(damaged).toEqual([expect.stringMatching(/^a\.csv: none of its rows can be read, the first because of ./)]);
  });

  it("a single row is dropped, the others stay, and the file is sound", async () => {
    const { rows, dropped, damaged } = await parse(sheet(line("3", "3,5"), line("1,5", "3,5"), line("1.024", "2,75")));
    expect(rows.map((row) => [row.gradeACount, row.averageGPA])).toEqual([
      [3, 3.5],
      [1024, 2.75],
    ]);
    expect([dropped.map(({ names }) => names), damaged]).toEqual([[["a.csv row 3: 1,5"]], []]);
  });
});

it("numbers of one cell", () => {
  expect(
    ["1024", "1,024", "12,345,678", "1 024", "1'024", "12.0", "12.00"].map((text) => parseCount(text, ".")),
  ).toEqual([1024, 1024, undefined, 1024, 1024, 12, 12].map((value, i) => (i === 2 ? 12_345_678 : value)));
  expect(["1.024", "12,0", "1,024", "1 02", "1'024 000", "-1", "1.5", ""].map((text) => parseCount(text, ","))).toEqual(
    [1024, 12, undefined, undefined, undefined, undefined, undefined, undefined],
  );
  expect(["3,5", "3.5", ",5", "4", "4,01", "3,5,1", ""].map(parseAverage)).toEqual([
    3.5,
    3.5,
    0.5,
    4,
    undefined,
    undefined,
    null,
  ]);
  expect(["6041", "34,160", "034160", "0", "100,000"].map((text) => parseSectionCode(text, "."))).toEqual([
    "06041",
    "34160",
    undefined,
    "00000",
    undefined,
  ]);
  expect(decimalSignOf(["3,5", "", "4"], ";")).toBe(",");
  expect(decimalSignOf([""], ",")).toBe(".");
  expect(decimalSignOf(["3,5", "3.5"], ",")).toBeUndefined();
});

test.each([
  ["Summer1", ["Summer Session 1", "Summer Session I", "SUMMER I"]],
  ["Summer2", ["Summer Session 2", "summer session ii"]],
  ["Summer10wk", ["10-wk Summer", "10-week Summer", "Summer Session 10WK"]],
  ["Summer", ["Summer"]],
  ["Fall", ["Fall Quarter", "FALL"]],
  [undefined, ["Summer III", "Summer 2017"]],
])("the term %s may be %s", (quarter, texts) => {
  expect(texts.map(parseSheetTerm)).toEqual(texts.map(() => quarter));
});
