/** The values of a grade sheet's cells, once they are text. Each function responses undefined where the text is not what it should be. */
import { QUARTERS } from "../contract/vocabulary.ts";
import type { SheetRow } from "../contract/grade.ts";

type SheetQuarter = SheetRow["quarter"];

/** Spellings of a term, compared by letters and digits alone. The office says Fall, Winter, Spring and Summer; files made from its sheets name sessions. */
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

/** The calendar year of a term of an academic year: `2014-15` begins with the summer of 2014, its Winter and Spring are those of 2015. */
export function parseAcademicYear(text: string, quarter: SheetQuarter): number | undefined {
  const [, first = "", second = ""] = /^((?:19|20)\d\d)\s*[-–/]\s*((?:19|20)?\d\d)$/.exec(text) ?? [];
  if (first === "" || (Number(first) + 1) % 100 !== Number(second) % 100) return undefined;
  return Number(first) + (quarter === "Winter" || quarter === "Spring" ? 1 : 0);
}

/** Spreadsheets take codes for numbers: 6041 is 06041. */
export function parseSectionCode(text: string): string | undefined {
  return /^\d{1,5}$/.test(text) ? text.padStart(5, "0") : undefined;
}

/** A whole number of students, thousands separators allowed: `1,024`. */
export function parseCount(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) || /^\d{1,3}(?:,\d{3}){1,2}$/.test(text) ? Number(text.replaceAll(",", "")) : undefined;
}

/** The office's average, 0 to 4, to hundredths (a spreadsheet may add binary noise behind them); null when blank. */
export function parseAverage(text: string): number | null | undefined {
  if (text === "") return null;
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return value <= 4 ? Math.round(value * 100) / 100 : undefined;
}
