/**
 * The records office of a world: its grade rows as exports, split, laid out and written in every form in which they
 * have been delivered.
 */
import { createHash } from "node:crypto";
import { conditionalResponse } from "../../../pipeline/campus/listening/response.ts";
import type { CampusGrade } from "../../../pipeline/campus/grades.ts";
import { notFound } from "../../../pipeline/campus/html.ts";
import { academicTerm, academicYear } from "../../../pipeline/campus/records/academic-year.ts";
import { writeCsv } from "../../../pipeline/campus/records/csv.ts";
import { indexPage, MEDIA_TYPES, type RecordsOffice } from "../../../pipeline/campus/records/records.ts";
import type { Layout } from "../../../pipeline/campus/records/sheet-columns.ts";
import { sheetTable } from "../../../pipeline/campus/records/sheet-table.ts";
import { writeXlsx } from "../../../pipeline/campus/records/xlsx.ts";
import { campusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import { compareTerms } from "../../../pipeline/contract/vocabulary.ts";
import type { World, WorldGrade } from "./world.ts";

export interface ExportOptions {
  /** `both`: files alternate; `each`: every export comes in both formats. */
  records?: "csv" | "xlsx" | "both" | "each";
  /** `mixed`: the newest year by its terms. */
  recordsSplit?: "year" | "term" | "mixed";
  /** The layout of all exports; by default they alternate. */
  layout?: "academic" | "academicWithLevel" | "calendar";
}

interface ExportFile {
  readonly name: string;
  readonly format: "csv" | "xlsx";
  write(): string | Uint8Array;
}

const LAYOUTS = ["calendarYear", "academicWithLevel", "academic"] as const satisfies readonly Layout[];
const PUBLISHED = new Date("2018-02-01T17:00:00Z");

export function createExports({ grades }: World, options: ExportOptions): RecordsOffice {
  const files = planFiles(grades, options);
  const written = new Map<ExportFile, { body: string | Uint8Array; etag: string }>();
  const bytesOf = (file: ExportFile) => {
    const body = written.get(file)?.body ?? file.write();
    const made = { body, etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 24)}"` };
    written.set(file, made);
    return made;
  };
  return (rest, headers) => {
    if (rest === "") {
      const page = indexPage(files);
      const etag = createHash("sha256").update(page);
      for (const file of files) etag.update(bytesOf(file).etag);
      const tag = `"${etag.digest("hex").slice(0, 24)}"`;
      return conditionalResponse(headers, tag, PUBLISHED, "text/html; charset=utf-8", () => page);
    }
    const file = files.find(({ name }) => name === rest);
    if (!file) return notFound();
    const { body, etag } = bytesOf(file);
    return conditionalResponse(headers, etag, PUBLISHED, MEDIA_TYPES[file.format], () => body);
  };
}

/** Newest first. */
function planFiles(
  grades: readonly WorldGrade[],
  { records = "both", recordsSplit = "mixed", layout }: ExportOptions,
): ExportFile[] {
  const rows = [...grades].sort(inOffice).map(toCampusGrade);
  const newest = rows.map(({ term }) => academicYear(term)).reduce((a, b) => (a > b ? a : b), "");
  const groups = new Map<string, CampusGrade[]>();
  for (const row of rows) {
    const year = academicYear(row.term);
    const byTerm = recordsSplit === "term" || (recordsSplit === "mixed" && year === newest);
    const label = byTerm ? `${row.term.year}_${academicTerm(row.term)}` : year;
    groups.set(label, [...(groups.get(label) ?? []), row]);
  }
  return [...groups].toReversed().flatMap(([label, group], i) => {
    const formats = {
      csv: ["csv"],
      xlsx: ["xlsx"],
      each: ["csv", "xlsx"],
      both: [i % 2 === 0 ? "xlsx" : "csv"],
    } as const;
    // Half of the files went through a spreadsheet that took codes for numbers.
    const numeric = Math.floor(i / 2) % 2 === 1;
    const columns = layout === "calendar" ? "calendarYear" : (layout ?? (LAYOUTS[i % LAYOUTS.length] as Layout));
    return formats[records].map((format) => ({
      name: `UG_Grades_${label}.${format}`,
      format,
      write() {
        const table = sheetTable(group, columns, numeric);
        return format === "csv" ? writeCsv(table, numeric) : writeXlsx(table, numeric ? "inline" : "shared");
      },
    }));
  });
}

const inOffice = (a: WorldGrade, b: WorldGrade): number =>
  compareTerms(a, b) || (a.sectionCode < b.sectionCode ? -1 : 1);

const toCampusGrade = (row: WorldGrade): CampusGrade => ({
  term: campusTerm(row),
  sectionCode: row.sectionCode,
  departmentCode: row.department,
  departmentName: row.departmentName,
  courseNumber: row.courseNumber,
  sectionNum: row.sectionNum,
  courseTitle: row.courseTitle,
  sectionType: row.sectionType,
  instructors: row.instructors,
  counts: [
    row.gradeACount,
    row.gradeBCount,
    row.gradeCCount,
    row.gradeDCount,
    row.gradeFCount,
    row.gradePCount,
    row.gradeNPCount,
    row.gradeWCount,
  ],
  gpa: row.averageGPA ?? undefined,
  matched: true,
});
