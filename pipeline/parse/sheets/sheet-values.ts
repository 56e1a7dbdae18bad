/** Parses the cells of a grade sheet. Each function returns undefined for invalid text. */
import { QUARTERS } from "../../contract/vocabulary.ts";
import type { SheetRow } from "../../contract/rows/grade.ts";

type SheetQuarter = SheetRow["quarter"];

/** Spellings of a term, by letters and digits alone. The office has one Summer; intermediate files name sessions. */
const TERMS: ReadonlyMap<string, SheetQuarter> = new Map<string, SheetQuarter>([
  ["summer", "Summer"],
  ...QUARTERS.map((quarter): [string, SheetQuarter] => [quarter.toLowerCase(), quarter]),
  ["winterquarter", "Winter"],
  ["springquarter", "Spring"],
  ["fallquarter", "Fall"],
  ["summersession1", "Summer1"],
  ["summersession2", "Summer2"],
  ["10wksummer", "Summer10wk"],
]);

export function parseSheetTerm(text: string): SheetQuarter | undefined {
  return TERMS.get(text.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** `2017` → 2017. */
export function parseCalendarYear(text: string): number | undefined {
  return /^(?:19|20)\d\d$/.test(text) ? Number(text) : undefined;
}

/** The calendar year of a term in an academic year: `2014-15` begins with Summer 2014; its Winter and Spring are in 2015. */
export function parseAcademicYear(text: string, quarter: SheetQuarter): number | undefined {
  const [, first = "", second = ""] = /^((?:19|20)\d\d)\s*[-–/]\s*((?:19|20)?\d\d)$/.exec(text) ?? [];
  if (first === "" || (Number(first) + 1) % 100 !== Number(second) % 100) return undefined;
  return Number(first) + (quarter === "Winter" || quarter === "Spring" ? 1 : 0);
}

/** Restores leading zeros that spreadsheets strip: 6041 → 06041. */
export function parseSectionCode(text: string): string | undefined {
  return /^\d{1,5}$/.test(text) ? text.padStart(5, "0") : undefined;
}

/** A whole number of students, thousands separators allowed: `1,024`. */
export function parseCount(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) || /^\d{1,3}(?:,\d{3}){1,2}$/.test(text) ? Number(text.replaceAll(",", "")) : undefined;
}

/** The average, 0 to 4, rounded to hundredths, as spreadsheets add binary noise; null when blank. */
export function parseAverage(text: string): number | null | undefined {
  if (text === "") return null;
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return value <= 4 ? Math.round(value * 100) / 100 : undefined;
}
