/** Parses the cells of a grade sheet. Each function returns undefined for invalid text. */
import { QUARTERS } from "../../contract/vocabulary.ts";
import type { SheetRow } from "../../contract/rows/grade.ts";

type SheetQuarter = SheetRow["quarter"];

/**
 * Spellings of a term, only by letters and digits. The office has a single Summer; intermediate files name sessions.
 */
const TERMS: ReadonlyMap<string, SheetQuarter> = new Map<string, SheetQuarter>([
  ["summer", "Summer"],
  ...QUARTERS.map((quarter): [string, SheetQuarter] => [quarter.toLowerCase(), quarter]),
  ["winterquarter", "Winter"],
  ["springquarter", "Spring"],
  ["fallquarter", "Fall"],
  ...["summersession1", "summersessioni", "summeri"].map((text): [string, SheetQuarter] => [text, "Summer1"]),
  ...["summersession2", "summersessionii", "summerii"].map((text): [string, SheetQuarter] => [text, "Summer2"]),
  ...["10wksummer", "10weeksummer", "summer10week", "summersession10wk", "summersession10week"].map(
    (text): [string, SheetQuarter] => [text, "Summer10wk"],
  ),
]);

export function parseSheetTerm(text: string): SheetQuarter | undefined {
  return TERMS.get(text.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** `2017` → 2017. */
export function parseCalendarYear(text: string, decimal?: DecimalSign): number | undefined {
  const year = parseCount(text, decimal);
  return year !== undefined && year >= 1900 && year < 2100 ? year : undefined;
}

/**
 * The calendar year of a term in an academic year: `2014-15` begins with Summer 2014; its Winter and Spring are in
 * 2015.
 */
export function parseAcademicYear(text: string, quarter: SheetQuarter): number | undefined {
  const [, first = "", second = ""] = /^((?:19|20)\d\d)\s*[-–/]\s*((?:19|20)?\d\d)$/.exec(text) ?? [];
  if (first === "" || (Number(first) + 1) % 100 !== Number(second) % 100) return undefined;
  return Number(first) + (quarter === "Winter" || quarter === "Spring" ? 1 : 0);
}

/** Restores leading zeros that spreadsheets strip: 6041 → 06041. */
export function parseSectionCode(text: string, decimal?: DecimalSign): string | undefined {
  if (/^\d{6,}$/.test(text)) return undefined;
  const code = parseCount(text, decimal);
  return code !== undefined && code < 100_000 ? String(code).padStart(5, "0") : undefined;
}

/** Undefined if a sheet does not show it, so that `1.024` may be a thousand or one. */
export type DecimalSign = "." | "," | undefined;

/** The decimal sign of the averages, or, if they have none, the point for a workbook or comma-separated file. */
export function decimalSignOf(averages: Iterable<string>, delimiter: string | undefined): DecimalSign {
  const signs = new Set<DecimalSign>();
  for (const text of averages) {
    const sign = /^\d?([.,])\d+$/.exec(text)?.[1];
    if (sign === "." || sign === ",") signs.add(sign);
  }
  if (signs.size === 0) return delimiter === undefined || delimiter === "," ? "." : undefined;
  return signs.size === 1 ? [...signs][0] : undefined;
}

/** Grouped by blanks or apostrophes, which are never decimal signs. */
const GROUPED = /^\d{1,3}(?:([ '’])\d{3})(?:\1\d{3})?$/;
const GROUPED_BY: Readonly<Record<"." | ",", RegExp>> = {
  ".": /^\d{1,3}(?:,\d{3}){1,2}$/,
  ",": /^\d{1,3}(?:\.\d{3}){1,2}$/,
};
const WITH_DECIMALS: Readonly<Record<"." | ",", RegExp>> = { ".": /^\d{1,7}\.0{1,2}$/, ",": /^\d{1,7},0{1,2}$/ };

/** True when a number is ambiguous because its sheet's decimal sign is unknown or contradicts it. */
export const isAmbiguous = (text: string): boolean => /^\d{1,3}(?:[.,]\d{3})+$/.test(text);

/**
 * A whole number, with or without thousands separators: `1024`, `1,024` where the point is the decimal sign, `1.024`
 * where the comma is, `1 024`.
 */
export function parseCount(text: string, decimal?: DecimalSign): number | undefined {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  if (GROUPED.test(text) || (decimal !== undefined && GROUPED_BY[decimal].test(text)))
    return Number(text.replace(/\D/g, ""));
  return decimal !== undefined && WITH_DECIMALS[decimal].test(text) ? Number.parseInt(text, 10) : undefined;
}

/**
 * Placeholders for a missing average, only by letters: `n/a`, `N.A.`, `-`, `TBD`, a spreadsheet's `#N/A` and `#DIV/0!`.
 */
const NO_AVERAGE: ReadonlySet<string> = new Set(
  ["", "na", "nan", "nr", "tba", "tbd", "tbn", "none", "null", "nil", "blank", "pending"].concat([
    "notavailable",
    "notapplicable",
    "notreported",
    "nograde",
    "nogrades",
    "unavailable",
  ]),
);

/** True for the text of a placeholder, which has these letters or none; false for a number. */
export const isNoAverage = (text: string): boolean =>
  text === "#DIV/0!" || (!/\d/.test(text) && NO_AVERAGE.has(text.toLowerCase().replace(/[^\p{L}]/gu, "")));

/**
 * The average, 0 to 4, rounded to hundredths, as spreadsheets add binary noise; null when blank. A comma is a decimal
 * sign, because no average has thousands.
 */
export function parseAverage(text: string): number | null | undefined {
  if (isNoAverage(text)) return null;
  const value = /^(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  return value <= 4 ? Math.round(value * 100) / 100 : undefined;
}
