/** The grade exports that the records office has on a day, with the layout and format of each. */
import type { CampusTerm } from "../sections/term-calendar.ts";
import { academicTerm, academicYear, academicYearOf } from "./academic-year.ts";
import type { Layout } from "./sheet-columns.ts";

export interface ExportFile {
  /** `UG_Grades_2015-16.xlsx`, `UG_Grades_2024_Fall.csv` */
  readonly name: string;
  readonly format: "csv" | "xlsx";
  readonly layout: Layout;
  /** True when cells that look like numbers are numbers: codes lost their leading zeros in a spreadsheet. */
  readonly numeric: boolean;
  readonly terms: readonly CampusTerm[];
  /** The day on which the last of its terms was published. */
  readonly publishedOn: number;
}

/**
 * The first year with a file for each term, all three summer sessions together; earlier files hold an academic year.
 */
const FIRST_YEAR_BY_TERM = 2023;

const LAYOUTS = ["academic", "calendarYear", "academicWithLevel"] as const satisfies readonly Layout[];

/**
 * A file appears when all its terms are published, and never changes. Returns the newest first. `terms`: every term,
 * oldest first.
 */
export function exportFiles(terms: readonly CampusTerm[], today: number): ExportFile[] {
  const groups = new Map<string, CampusTerm[]>();
  for (const term of terms) {
    const label = academicYearOf(term) < FIRST_YEAR_BY_TERM ? academicYear(term) : `${term.year}_${academicTerm(term)}`;
    const group = groups.get(label);
    if (group) group.push(term);
    else groups.set(label, [term]);
  }
  const files = [...groups].map(([label, members], i): ExportFile => {
    const format = i % 2 === 0 ? "xlsx" : "csv";
    return {
      name: `UG_Grades_${label}.${format}`,
      format,
      layout: LAYOUTS[i % LAYOUTS.length] as Layout,
      numeric: i % 4 < 2,
      terms: members,
      publishedOn: Math.max(...members.map(({ gradesOutOn }) => gradesOutOn)),
    };
  });
  return files.filter(({ publishedOn }) => publishedOn <= today).toReversed();
}
