/**
 * Every parser of outside input, with small fixtures, and its results: tests that walk over all parsers read this list.
 */
import { expect } from "vitest";
import type { Product } from "../../../pipeline/contract/documents/manifest.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { calendar, calendarDates } from "../../../pipeline/contract/rows/calendar.ts";
import { catalogueCourses } from "../../../pipeline/contract/rows/course.ts";
import { enrollmentPeriods } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { sheetRows } from "../../../pipeline/contract/rows/grade.ts";
import { directoryInstructors } from "../../../pipeline/contract/rows/instructor.ts";
import { larc } from "../../../pipeline/contract/rows/larc.ts";
import { departments, terms } from "../../../pipeline/contract/rows/listing.ts";
import { headings, landedSections } from "../../../pipeline/contract/rows/section.ts";
import { termOrdinal } from "../../../pipeline/contract/vocabulary.ts";
import { day, type Table } from "../../../pipeline/contract/table.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { toCalendarDates } from "../../../pipeline/normalize/calendar-dates.ts";
import { toCalendarRows, toTermDates } from "../../../pipeline/normalize/calendar.ts";
import { toCatalogueCourses } from "../../../pipeline/normalize/catalogue/course.ts";
import { schoolsByDepartment } from "../../../pipeline/normalize/catalogue/school.ts";
import { BadSnapshot } from "../../../pipeline/normalize/enrollment/imported-snapshot.ts";
import { toLarcCourses } from "../../../pipeline/normalize/larc.ts";
import { toFaculty } from "../../../pipeline/normalize/people/faculty.ts";
import { toDirectoryInstructors } from "../../../pipeline/normalize/people/instructor.ts";
import { toHeadings } from "../../../pipeline/normalize/schedule/heading.ts";
import { toLandedSections } from "../../../pipeline/normalize/schedule/section.ts";
import { parseCalendarCsv } from "../../../pipeline/parse/calendar-csv.ts";
import { parseCalendarIndex, parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";
import { parseCatalogueDepartment, parseCatalogueIndex } from "../../../pipeline/parse/catalogue-html.ts";
import { parseDirectoryAnswer } from "../../../pipeline/parse/directory-json.ts";
import { readRecords, toImportedSnapshot } from "./enrollment-records.ts";
import { parseLarcPage } from "../../../pipeline/parse/larc-html.ts";
import { parsePrerequisiteForm, parsePrerequisiteTable } from "../../../pipeline/parse/prerequisites-html.ts";
import { parseListing } from "../../../pipeline/parse/schedule/listing-html.ts";
import { openScheduleReader, parseScheduleXml } from "../../../pipeline/parse/schedule/schedule-xml.ts";
import { parseWebResults } from "../../../pipeline/parse/schedule/web-results.ts";
import { parseSchoolPage, parseSchoolsIndex } from "../../../pipeline/parse/schools-html.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { decodeText, type TextKind } from "../../../pipeline/text/decode-text.ts";
import { cutsOf } from "../../support/mutants.ts";
import { type Declared, type Fixture, outcomeOf } from "../../support/outcomes.ts";
import { toWorkbook, toZip } from "../../support/upstream/workbook.ts";
import {
  COLUMNS,
  DAY,
  filesIn,
  HISTORY,
  OLDER,
  PAGES,
  SHEET,
  whole,
  WORKBOOK,
  WORKBOOK_PARTS,
} from "./parser-fixtures.ts";

/** A function of pipeline/parse. */
export interface DeclaredParser extends Declared {
  /** The result of a file that was cut off: never whole; or, if its format has no end marker, its first rows. */
  readonly cut: "refused" | "first rows";
}

const refusals = [UpstreamBadResponse] as const;

const TERM = { year: "2024", quarter: "Fall" } as const;

const importedDay = enrollmentPeriods.row
  .omit({ month: true, first: true, last: true, imported: true })
  .extend({ date: day() });

/** @throws when a row is not the table's, which no input is an excuse for */
const rowsOf = <Row>(table: Table, rows: Row[]): Row[] => {
  for (const row of rows) table.row.parse(row);
  return rows;
};
const decoded = (system: string, kind: TextKind, bytes: Buffer) => decodeText({ system, bytes, kind });
const page = (
  name: string,
  fixtures: Readonly<Record<string, string>>,
  read: (text: string) => unknown,
): DeclaredParser => ({
  name,
  structure: "markup",
  fixtures: Object.fromEntries(Object.entries(fixtures).map(([name, body]) => [name, whole(body)])),
  refusals,
  cut: "refused",
  read: (bytes) => read(decoded("test", "html", bytes)),
});

const catalogued = () => parseCatalogueDepartment(whole(OLDER));
const toCourses = (sources: Pick<Parameters<typeof toCatalogueCourses>[0], "departments" | "requirements">) =>
  rowsOf(catalogueCourses, toCatalogueCourses({ ...sources, schools: new Map() }, createTally("catalogue")));

async function readHistory(name: string, bytes: Buffer, size: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { fields, problem } of await readRecords(name, bytes, size)) {
    try {
      if (problem === undefined) rows.push(importedDay.parse(toImportedSnapshot(fields, "2026-01-01")));
    } catch (error) {
      if (!(error instanceof BadSnapshot)) throw error;
    }
  }
  return rows;
}

async function readSheet(name: string, bytes: Buffer): Promise<unknown[]> {
  const tally = createTally("grades");
  const rows = await parseGradeSheet(name, bytes, tally);
  const [damage] = tally.report("published", 0).damaged;
  if (damage !== undefined) throw new UpstreamBadResponse("records", damage);
  return rowsOf(sheetRows, rows);
}

const workbookPart = ({ name, content }: (typeof WORKBOOK_PARTS)[number]): DeclaredParser => ({
  name: "parseGradeSheet",
  structure: "markup",
  fixtures: { [name]: content },
  refusals,
  cut: "refused",
  read: (bytes) =>
    readSheet("a.xlsx", toZip(WORKBOOK_PARTS.map((part) => (part.name === name ? { name, content: bytes } : part)))),
});

const tallied = <Row>(product: Product, read: (tally: ReturnType<typeof createTally>) => Row): Row =>
  read(createTally(product));

export const PARSERS: readonly DeclaredParser[] = [
  {
    name: "parseCalendarCsv",
    structure: "rows",
    fixtures: {
      "calendar.csv":
        'year,quarter,instructionStart,instructionEnd,finalsStart,finalsEnd\n2024,Fall,2024-09-26,2024-12-06,2024-12-07,2024-12-13\n"2025",Winter,2025-01-06,2025-03-14,2025-03-15,2025-03-21\n',
    },
    refusals,
    cut: "first rows",
    read: (bytes) =>
      tallied("calendar", (tally) =>
        rowsOf(calendar, toCalendarRows(parseCalendarCsv(decoded("calendar", "csv", bytes)), tally)),
      ),
  },
  page("parseCalendarIndex", PAGES.parseCalendarIndex, parseCalendarIndex),
  page("parseCalendarPage", PAGES.parseCalendarPage, (text) => {
    const { firstYear = 2023, ...rest } = parseCalendarPage(text);
    const tally = createTally("calendar");
    const year = { firstYear, ...rest };
    return [
      rowsOf(calendar, toTermDates(year, tally)),
      rowsOf(calendarDates, toCalendarDates(year, tally)),
      rest.unknown,
    ];
  }),
  page("parseCatalogueIndex", PAGES.parseCatalogueIndex, parseCatalogueIndex),
  page("parseCatalogueDepartment", PAGES.parseCatalogueDepartment, (text) =>
    toCourses({ departments: [parseCatalogueDepartment(text)], requirements: [] }),
  ),
  page("parseSchoolsIndex", PAGES.parseSchoolsIndex, parseSchoolsIndex),
  page("parseSchoolPage", PAGES.parseSchoolPage, (text) => {
    const page = { school: "School A", ...parseSchoolPage(text) };
    return [page, [...schoolsByDepartment([page])].slice(0, 5), toFaculty([page])];
  }),
  page("parsePrerequisiteForm", PAGES.parsePrerequisiteForm, parsePrerequisiteForm),
  page("parsePrerequisiteTable", PAGES.parsePrerequisiteTable, (text) =>
    toCourses({ departments: [catalogued()], requirements: parsePrerequisiteTable(text) }),
  ),
  page("parseLarcPage", PAGES.parseLarcPage, (text) =>
    tallied("larc", (tally) => rowsOf(larc, toLarcCourses(TERM, parseLarcPage(text), tally))),
  ),
  page("parseListing", PAGES.parseListing, (text) => {
    const listing = parseListing(text);
    const listed = listing.departments.map(({ deptCode, deptName }) => ({ deptCode, deptName }));
    const ordered = listing.terms.map((term) => ({ ...term, ordinal: termOrdinal(term) }));
    return [rowsOf(terms, ordered), rowsOf(departments, listed), listing];
  }),
  {
    name: "parseScheduleXml",
    structure: "markup",
    fixtures: filesIn("schedule", ".xml"),
    refusals,
    cut: "refused",
    read(bytes) {
      const { schools, ...rest } = parseScheduleXml(decoded("schedule", "xml", bytes), TERM);
      const sections = toLandedSections(TERM, schools, createTally("schedule"), { keepHidden: true });
      return [rowsOf(landedSections, sections), rowsOf(headings, toHeadings(TERM, schools)), rest];
    },
  },
  {
    name: "openScheduleReader",
    structure: "markup",
    fixtures: { "cancelled-marker.xml": filesIn("schedule", "cancelled-marker.xml")["cancelled-marker.xml"] ?? "" },
    refusals,
    cut: "refused",
    read(bytes) {
      const text = decoded("schedule", "xml", bytes);
      const reader = openScheduleReader(TERM);
      for (let at = 0; at < text.length; at += 7) reader.write(text.slice(at, at + 7));
      return reader.close();
    },
  },
  {
    ...page("parseWebResults", PAGES.parseWebResults, () => undefined),
    // Additions to the XML that was read before are counted, never published.
    refusals,
    cut: "first rows",
    read: (bytes) => {
      const results = parseWebResults(bytes.toString("latin1"));
      return results.kind === "sections" ? results.codes : [results.kind];
    },
  },
  {
    name: "parseDirectoryAnswer",
    structure: "json",
    fixtures: {
      people: JSON.stringify([
        [
          12.5,
          {
            Name: "Mira O&#39;Vane",
            UCInetID: "mvane",
            Title: "Professor &amp; Chair",
            Department: "A",
            Email: "bXZhbmVAZXhhbXBsZS5lZHU=",
          },
        ],
        ["2", { Name: "VANE, ZYX", UCInetID: "zvane@example.edu", "Student's Level": "Graduate", Title: null }],
      ]),
    },
    refusals,
    cut: "refused",
    read(bytes) {
      const people = parseDirectoryAnswer(decoded("directory", "json", bytes));
      const members = [{ member: { name: "Mira Vane", schools: ["A"], relatedDepartments: ["MATH"] }, people }];
      return rowsOf(directoryInstructors, toDirectoryInstructors(members, new Map(), createTally("instructors")));
    },
  },
  {
    name: "parseEnrollmentFile",
    structure: "rows",
    fixtures: { "history.csv": HISTORY },
    refusals,
    cut: "first rows",
    read: (bytes) => readHistory("history.csv", bytes, 7),
  },
  {
    name: "parseEnrollmentFile",
    structure: "json",
    fixtures: {
      "history.ndjson": [DAY, DAY.with(2, "34161")]
        .map((cells) => `${JSON.stringify(Object.fromEntries(COLUMNS.map((name, i) => [name, cells[i]])))}\n`)
        .join(""),
    },
    refusals,
    cut: "first rows",
    read: (bytes) => readHistory("history.ndjson", bytes, Infinity),
  },
  {
    name: "parseGradeSheet",
    structure: "rows",
    fixtures: { ...filesIn("grades", ".csv"), "sheet.csv": SHEET },
    refusals,
    cut: "first rows",
    read: (bytes) => readSheet("a.csv", bytes),
  },
  {
    name: "parseGradeSheet",
    structure: "bytes",
    fixtures: { "sheet.xlsx": toWorkbook(WORKBOOK) },
    refusals,
    cut: "refused",
    read: (bytes) => readSheet("a.xlsx", bytes),
  },
  ...WORKBOOK_PARTS.map(workbookPart),
];

/** A cut is refused, or what is left is the whole, or its first rows. */
export async function expectCuts({ bytes: content, declared }: Fixture<DeclaredParser>, most: number): Promise<void> {
  const whole = await outcomeOf(declared, content);
  if ("refusal" in whole) return;
  let refused = 0;
  for (const bytes of cutsOf(content, most)) {
    const cut = await outcomeOf(declared, bytes);
    if ("refusal" in cut) refused++;
    else if (declared.cut === "refused") expect(cut, bytes.toString()).toEqual(whole);
    // A value in the last row may have lost its end.
    else expect(whole.value).toEqual(expect.arrayContaining((cut.value as unknown[]).slice(0, -1)));
  }
  if (declared.cut === "refused") expect(refused).toBeGreaterThan(0);
}
