/** Workbooks of programs that do not calculate: a cell with a formula has no value, or a 0 that is none. */
import { describe, expect, it } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { toWorkbookParts, toZip } from "../../support/upstream/workbook.ts";

const HEADER = [
  ...["CalYr", "AcadTerm", "DepartmentName", "CourseNumber", "CourseCode", "Instructor1Name"],
  ...GRADE_COUNTS.map((name) => name.replace("g", "G")),
  ...["GradedGPAAvg", "Checked"],
];
const LINE = ["2018", "Fall", "Physics", "1A", 28010, "LEE J.", 3, 2, 1, 0, 0, 0, 0, 0, 3.5, "yes"];

/** A workbook of two lines; `cells` replaces cells of its first line, `book` adds to `workbook.xml`. */
async function parse(cells: Readonly<Record<string, string>>, book = "") {
  const parts = toWorkbookParts([{ name: "Notes" }, { name: "F18", rows: [HEADER, LINE, LINE.with(4, 28_020)] }]);
  const changed = parts.map(({ name, content }) => {
    let text = String(content);
    if (name === "xl/workbook.xml") text = text.replace("</sheets>", `</sheets>${book}`);
    for (const [place, inside] of Object.entries(cells))
      text = text.replace(new RegExp(`<c r="${place}"[^>]*>.*?</c>`), inside);
    return { name, content: text };
  });
  const tally = createTally("grades");
  const rows = await parseGradeSheet("a.xlsx", toZip(changed), tally);
  return { rows, ...tally.report("published", 0) };
}

const REMEDY = "open the workbook in a spreadsheet program and save it";
const UNSAVED = (names: string) =>
  `a.xlsx, sheet F18: ${names.includes(",") ? "2 cells have" : "1 cell has"} a formula and no saved value (${names}): ${REMEDY}`;

describe("an average that is a formula without a saved value is named, and its row has the counts", () => {
  it.each<[string, string, string?]>([
    ["no value", '<c r="O2"><f>ROUND(3.456,2)</f></c>'],
    ["an empty value", '<c r="O2"><f>ROUND(3.456,2)</f><v></v></c>'],
    ["an empty element", '<c r="O2"><f>ROUND(3.456,2)</f><v/></c>'],
    ["a shared formula", '<c r="O2"><f t="shared" si="0"/></c>'],
    ["an empty text", '<c r="O2" t="str"><f>A1</f><v></v></c>'],
    ["a text", '<c r="O2" t="str"><f>A1</f></c>'],
    ["an error", '<c r="O2" t="e"><f>A1</f><v></v></c>'],
    [
      "0, in a workbook that asks to be calculated",
      '<c r="O2"><f>ROUND(3.456,2)</f><v>0</v></c>',
      '<calcPr calcId="124519" fullCalcOnLoad="1"/>',
    ],
  ])("%s", async (_, cell, book) => {
    const { rows, damaged, dropped } = await parse({ O2: cell }, book);
    expect(rows.map((row) => [row.sectionCode, row.gradeACount, row.averageGPA])).toEqual([
      ["28010", 3, null],
      ["28020", 3, 3.5],
    ]);
    expect([dropped, damaged]).toEqual([[], [UNSAVED("O2")]]);
  });
});

it("a count without a saved value drops its row by name", async () => {
  const { rows, damaged, dropped } = await parse({
    G2: '<c r="G2"><f>SUM(H2:I2)</f></c>',
    O2: '<c r="O2"><f>1</f></c>',
  });
  expect(rows.map(({ sectionCode }) => sectionCode)).toEqual(["28020"]);
  const name = `a.xlsx, sheet F18 row 2: ${REMEDY}`;
  expect(dropped).toEqual([{ reason: "a formula without a saved value", count: 1, names: [name] }]);
  expect(damaged).toEqual([UNSAVED("G2, O2")]);
});

it("a header that is made of them is named too", async () => {
  const { damaged } = await parse({ E1: '<c r="E1"><f>A9</f></c>' });
  expect(damaged).toEqual([expect.stringContaining("missing columns CourseCode"), UNSAVED("E1")].toReversed());
});

it.each<[string, Readonly<Record<string, string>>, string?]>([
  ["a saved value", { O2: '<c r="O2"><f>ROUND(3.456,2)</f><v>3.5</v></c>' }],
  ["a saved 0", { J2: '<c r="J2"><f>0</f><v>0</v></c>' }],
  [
    "a saved 0 beside other saved values, where it asks to be calculated",
    { J2: '<c r="J2"><f>0</f><v>0</v></c>', O2: '<c r="O2"><f>ROUND(3.456,2)</f><v>3.5</v></c>' },
    '<calcPr fullCalcOnLoad="1"/>',
  ],
  ["a column that nobody reads", { P2: '<c r="P2"><f>A1</f></c>' }],
])("%s is no damage", async (_, cells, book) => {
  const { rows, damaged } = await parse(cells, book);
  expect(rows.map((row) => [row.gradeDCount, row.averageGPA])).toEqual([
    [0, 3.5],
    [0, 3.5],
  ]);
  expect(damaged).toEqual([]);
});
