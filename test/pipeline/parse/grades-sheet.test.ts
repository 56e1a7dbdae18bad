import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isWhole } from "../../support/extent.ts";
import { sheetRows, type SheetRow } from "../../../pipeline/contract/rows/grade.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { toWorkbook, toWorkbookParts, toZip, type TestCell, type TextPlace } from "../../support/upstream/workbook.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/grades/", import.meta.url));

async function parse(name: string, bytes: Buffer) {
  const tally = createTally("grades");
  const rows = await parseGradeSheet(name, bytes, tally);
  const { read, dropped, noted, damaged } = tally.report("published", 0);
  return { rows, report: { read, dropped, noted, damaged } };
}

const HEADER = [
  "AcadYr",
  "AcadTerm",
  "DepartmentNameByCourseCode",
  "Course number",
  "CourseCode",
  "CourseTitle",
  "Instructor1Name",
  "GradeACount",
  "GradeBCount",
  "GradeCCount",
  "GradeDCount",
  "GradeFCount",
  "GradePCount",
  "GradeNPCount",
  "GradeWCount",
  "Avg. GradedGPAAvg",
];
const line = (code: TestCell, gpa: TestCell = 3.5): TestCell[] => [
  "2015-16",
  "Fall",
  "Physics",
  20,
  code,
  "WAVES & HEAT",
  "OAKFORD T.",
  3,
  2,
  1,
  0,
  0,
  0,
  0,
  0,
  gpa,
];

it("reads the quotation marks of windows-1252", async () => {
  const cells = line("20001").map((cell, i) => (HEADER[i] === "Instructor1Name" ? "O'NEIL, R." : String(cell)));
  const text = `${HEADER.join(",")}\n${cells.map((cell) => `"${cell}"`).join(",")}\n`;
  const bytes = Buffer.from(text, "latin1");
  bytes.writeUInt8(0x92, bytes.indexOf("'"));
  const { rows } = await parse("quotes.csv", bytes);
  expect(rows.map(({ instructor }) => instructor)).toEqual(["O’NEIL, R."]);
});

describe("a grade sheet as CSV", () => {
  const cases = readdirSync(fixtures)
    .filter((name) => name.endsWith(".csv"))
    .map((name) => name.replace(/\.csv$/, ""));

  it.each(cases)("%s", async (name) => {
    const expected: unknown = JSON.parse(readFileSync(`${fixtures}${name}.json`, "utf8"));
    const made = await parse(`${name}.csv`, readFileSync(`${fixtures}${name}.csv`));
    expect(made).toEqual(expected);
    for (const row of made.rows) sheetRows.row.parse(row);
  });

  it("reads the same whatever the line ends, the encoding and the byte order mark", async () => {
    const text = readFileSync(`${fixtures}academic-year.csv`, "utf8");
    const plain = await parse("a.csv", Buffer.from(text));
    expect(plain.rows).toHaveLength(4);
    const mixed = text.replace("\n", "\r\n");
    for (const other of [
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\r"),
      mixed,
      `\uFEFF${text}`,
      text.trimEnd(),
    ]) {
      expect(await parse("a.csv", Buffer.from(other))).toEqual(plain);
    }
    expect(await parse("a.csv", Buffer.from(`\uFEFF${text}`, "utf16le"))).toEqual(plain);
  });
});

describe("a grade sheet as workbook", () => {
  const cells = [HEADER, line(6041), line("06042", null), line(44010, "2.5")];

  it.each<TextPlace>(["shared", "inline", "formula"])("reads numbers, missing cells and %s text", async (text) => {
    const { rows, report } = await parse("a.xlsx", toWorkbook([{ name: "F15", rows: cells }], text));
    const expected: Partial<SheetRow> = {
      sheet: "F15",
      row: 2,
      year: "2015",
      quarter: "Fall",
      departmentName: "Physics",
      courseNumber: "20",
      sectionCode: "06041",
      courseTitle: "WAVES & HEAT",
      gradeACount: 3,
      averageGPA: 3.5,
    };
    expect(rows[0]).toMatchObject(expected);
    expect(rows.map(({ sectionCode, averageGPA }) => [sectionCode, averageGPA])).toEqual([
      ["06041", 3.5],
      ["06042", null],
      ["44010", 2.5],
    ]);
    expect(report).toEqual({ read: 3, dropped: [], noted: [], damaged: [] });
  });

  it("reads every sheet, keeps row numbers across gaps, and notes what is no grade sheet", async () => {
    const blank = HEADER.map(() => null);
    const legend: TestCell[][] = [
      ["A", "B", "C", "D", "F", "P", "NP", "W"],
      ["4.0", "3.0", "2.0", "1.0", "0.0", null, null, null],
    ];
    const { rows, report } = await parse(
      "a.xlsx",
      toWorkbook([
        { name: "F15", rows: [...cells, blank, blank] },
        { name: "Legend", rows: legend },
        { name: "Sheet3" },
        { name: "W16", rows: [["Grades, Winter 2016"], [], HEADER, blank, line(44011)] },
      ]),
    );
    expect(rows.map(({ sheet, row }) => [sheet, row])).toEqual([
      ["F15", 2],
      ["F15", 3],
      ["F15", 4],
      ["W16", 5],
    ]);
    expect(report.noted).toEqual([
      {
        reason: "a sheet of a workbook that is not a grade sheet",
        count: 2,
        names: ["a.xlsx, sheet Legend", "a.xlsx, sheet Sheet3"],
      },
    ]);
    expect(report.damaged).toEqual([]);
  });

  it("names file, sheet and columns when a required column is missing; the other sheets go on", async () => {
    const without = cells.map((row) => row.filter((_, i) => HEADER[i] !== "CourseCode" && HEADER[i] !== "GradeWCount"));
    const { rows, report } = await parse(
      "a.xlsx",
      toWorkbook([
        { name: "F15", rows: without },
        { name: "W16", rows: cells },
      ]),
    );
    expect(rows).toHaveLength(3);
    expect(report.damaged).toEqual(["a.xlsx, sheet F15: missing columns CourseCode, GradeWCount"]);
  });

  it("drops a bad cell's row by file, sheet, row and reason", async () => {
    const { rows, report } = await parse(
      "a.xlsx",
      toWorkbook([{ name: "F15", rows: [HEADER, line("4401A"), line(44010)] }]),
    );
    expect(rows.map(({ sectionCode }) => sectionCode)).toEqual(["44010"]);
    expect(report.dropped).toEqual([
      { reason: "a section code that is not 1 to 5 digits", count: 1, names: ["a.xlsx, sheet F15 row 2: 4401A"] },
    ]);
  });

  it("goes by content, not by name", async () => {
    expect((await parse("a.csv", toWorkbook([{ name: "F15", rows: cells }]))).rows).toHaveLength(3);
    const { rows, report } = await parse("a.xlsx", Buffer.from("<html><body>Sign in</body></html>"));
    expect(rows).toEqual([]);
    expect(report.damaged).toEqual(["a.xlsx: the file is not an .xlsx workbook"]);
  });

  const MANY = isWhole ? 60_000 : 6_000;
  it(`reads ${MANY} rows`, async () => {
    const rows = [HEADER, ...Array.from({ length: MANY }, (_, i) => line(10_000 + i))];
    const made = await parse("a.xlsx", toWorkbook([{ name: "all", rows }]));
    expect(made.rows).toHaveLength(MANY);
    expect(made.rows.at(-1)?.sectionCode).toBe(String(10_000 + MANY - 1));
  });
});

const parts = () => toWorkbookParts([{ name: "F15", rows: [HEADER, line(6041)] }]);
const sheetXml = (cells: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`;

describe("a damaged or hostile workbook is damage of its file, and no more", () => {
  const whole = toZip(parts());
  const flipped = Buffer.from(whole);
  const at = flipped.indexOf("xl/worksheets/sheet1.xml") + "xl/worksheets/sheet1.xml".length + 20;
  flipped[at] = (flipped[at] ?? 0) ^ 0xff;
  const stuffed = (change: (part: { name: string }) => object) =>
    toZip(parts().map((part) => ({ ...part, ...change(part) })));
  const onSheet = (change: object) => stuffed(({ name }) => (name.includes("sheet1") ? change : {}));
  const row = (cells: string) => sheetXml(`<row r="1">${cells}</row>`);
  const onList = (sheet: string) =>
    toZip(
      parts().map((part) =>
        part.name === "xl/workbook.xml"
          ? { ...part, content: String(part.content).replace("</sheets>", `</sheets><sheets>${sheet}</sheets>`) }
          : part,
      ),
    );

  it.each<[string, Buffer, RegExp]>([
    ["cut off", whole.subarray(0, whole.length - 40), /cut off/],
    ["nothing but a signature", Buffer.from("PK\x03\x04"), /cut off/],
    ["a flipped byte", flipped, /damaged/],
    ["a wrong checksum", onSheet({ crc: 1 }), /damaged in xl\/worksheets\/sheet1\.xml/],
    ["encrypted", onSheet({ flags: 1 }), /encrypted/],
    ["more content than declared", onSheet({ unpacked: 100 }), /holds more than it declares/],
    ["declared larger than any export", onSheet({ unpacked: 300 * 1024 * 1024 }), /unpacks to/],
    ["a bomb of zeros", onSheet({ content: Buffer.alloc(210 * 1024 * 1024) }), /unpacks to/],
    ["a cell in column ZZZZZZ", onSheet({ content: row('<c r="ZZZZZZ1"><v>1</v></c>') }), /sheet's extent/],
    ["a cell in column XFD", onSheet({ content: row('<c r="XFD1"><v>1</v></c>') }), /sheet's extent/],
    ["a cell in row 1,000,000,000", onSheet({ content: row("<c r='A1000000000'><v>1</v></c>") }), /sheet's extent/],
    ["a row 1,048,576", onSheet({ content: sheetXml('<row r="1048576"/>') }), /sheet's extent/],
    ["a row number behind an entity", onSheet({ content: sheetXml('<row r="9&#57;99999"/>') }), /sheet's extent/],
    ["cut-off XML", onSheet({ content: sheetXml("").slice(0, -20) }), /cannot be read/],
    ["no list of sheets", toZip(parts().slice(1)), /cannot be read/],
    [
      "a sheet that is named and not there",
      onList('<sheet name="Other" sheetId="1"/>'),
      /names a sheet that it does not have/,
    ],
    [
      "a character that stands for none",
      onSheet({ content: row('<c r="A1" t="inlineStr"><is><t>a&#0;b</t></is></c>') }),
      /character/,
    ],
    [
      "one in hexadecimal, HTML-encoded",
      onSheet({ content: row('<c r="A1" t="inlineStr"><is><t>&amp;#x0;</t></is></c>') }),
      /character/,
    ],
  ])("%s", async (_, bytes, words) => {
    const { rows, report } = await parse("a.xlsx", bytes);
    expect(rows).toEqual([]);
    expect(report.damaged).toHaveLength(1);
    expect(report.damaged[0]).toMatch(/^a\.xlsx: the workbook /);
    expect(report.damaged[0]).toMatch(words);
  });

  it("takes a cell in the last column and row that real sheets could have", async () => {
    const row = isWhole ? 299_999 : 29_999;
    const far = onSheet({ content: sheetXml(`<row r="${row}"><c r="CZ${row}"><v>1</v></c></row>`) });
    const { report } = await parse("a.xlsx", far);
    expect(report.damaged).toEqual([expect.stringMatching(/no grade sheet/)]);
  });
});
