/** Reads days as the calendar prints them: `Dec 9-15`, `Nov 26, 27`, `Dec 24 – Jan 1`, `Sep 20 –`, `TBA – Sep 15`. */
import { isCalendarDate } from "../contract/campus-time.ts";
import { MONTHS } from "../contract/vocabulary.ts";

export interface PrintedDay {
  /** From 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** The year, if it is printed. */
  readonly year?: number | undefined;
}

/** An unknown bound is null; at most one bound is. A single day is both bounds. */
export interface PrintedRange {
  readonly first: PrintedDay | null;
  readonly last: PrintedDay | null;
}

const MONTH_NAMES = [
  ...["jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?"],
  ...["sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"],
];
const MONTH = String.raw`(?:${MONTH_NAMES.join("|")})(?![a-z])\.?`;
const CLOCK = String.raw`(?:\d{1,2}:\d\d(?: ?[ap]\.? ?m\b\.?)?|\d{1,2} ?[ap]\.? ?m\b\.?|noon\b|midnight\b)`;
const WEEKDAY_NAME = String.raw`(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?\b\.?`;
const WEEKDAY = String.raw`(?:${WEEKDAY_NAME}|(?:su|m|tu|w|th|f|sa)\b(?!['’]))`;
const DASH = "[-‐‑‒–—―−~]";

/** The tokens of a text by their codes; the first matching pattern wins. Blanks are single. */
const TOKENS = {
  /** A day of the week adds nothing to the date. */
  "": String.raw`${WEEKDAY}(?: ?(?:${DASH}|[/&]) ?${WEEKDAY})*,?`,
  /** Not known yet. */
  "?": [
    String.raw`(?:to be|will be|not yet)(?: \w+)?|t\.? ?b\.? ?[acds]\b\.?|n/a\b|\?+`,
    String.raw`(?:to (?:come|follow)|un(?:determined|scheduled|known)|(?:un)?announced|pending|forthcoming)\b`,
  ].join("|"),
  "+": String.raw`onwards?\b|and (?:later|after|beyond)\b|forward\b|\+`,
  "<": String.raw`(?:from|starts?|starting|begins?|beginning|opens?|opening|since|after|as of|effective)\b`,
  ">": String.raw`(?:by|before|ends?|ending|closes?|closing|no later than)\b`,
  t: String.raw`(?:to|through|thru|until|till|til)\b`,
  "-": DASH,
  M: MONTH,
  /** `Sep 9 - 5 pm` is a day and an hour, not a time from 9 to 5. */
  "@": String.raw`(?:at )?(?:(?<!${MONTH} ?)\d{1,2}(?::\d\d)? ?${DASH} ?)?${CLOCK}(?: ?(?:${DASH}|to|until) ?${CLOCK})?`,
  Y: String.raw`(?:19|20)\d\d(?!\d)`,
  N: String.raw`\d{1,2}(?:st|nd|rd|th)?(?![\w:])`,
  ";": ";",
  ",": ",",
  "&": String.raw`[&/]|(?:and|or)\b`,
  /** A number before a unit is not a day. */
  u: String.raw`(?:weeks?|days?|units?|hours?|minutes?|students?|%)[^\s,;&/()]*`,
  w: String.raw`[^\s,;&/()]+|[()]`,
};
const CODES = Object.keys(TOKENS);
const TOKEN = new RegExp(`(${Object.values(TOKENS).join(")|(")})`, "gi");

interface Token {
  readonly code: string;
  readonly text: string;
}

/** Blanks, and marks of footnotes, which are not part of a date. */
const BLANKS = /[\s*†‡§¶]+/g;
/** `2026-09-24` */
const ISO = /\b((?:19|20)\d\d)-(1[0-2]|0[1-9])-(3[01]|[12]\d|0[1-9])(?![\d/])/g;
/** `9/24`, `9/24/26`; in `Oct 3/4`, the numbers are days of the named month. */
const SLASHES = new RegExp(
  String.raw`(?=\d)(?<![\w/]|${MONTH} ?)(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])(?:/((?:19|20)?\d\d))?(?![\d/])`,
  "gi",
);
const named = (month: string, day: string, year = ""): string =>
  [MONTHS[Number(month) - 1], day, year.length === 2 ? `20${year}` : year].join(" ");

function toTokens(printed: string): Token[] {
  const text = printed
    .replace(BLANKS, " ")
    .replace(SLASHES, (_, month: string, day: string, year?: string) => named(month, day, year))
    .replace(ISO, (_, year: string, month: string, day: string) => named(month, day, year))
    .replace(/\bbetween ([^;]{1,40}?) and /gi, "$1 to ");
  return Array.from(text.matchAll(TOKEN), ([token, ...kinds]) => ({
    code: CODES[kinds.findIndex((kind) => kind !== undefined)] ?? "",
    text: token,
  })).filter(({ code }) => code !== "");
}

/* Patterns over the codes of a text. */

const YEAR = "(?:,?Y)?";
/** `Sep 24`, `24 September`, but not the 26 of `Nov 25, 26 Dec 1`. */
const DAY = `(?:MN|NM(?!N))${YEAR}`;
/** A day without a month is in the month of the preceding day, as the second day of `Nov 26, 27`. */
const FURTHER = `N(?!u)${YEAR}`;
/** `Sep 20 –`, `Sep 20 until further notice`, `Sep 20 through finals`, but not `Sep 20 – 5 p.m.` or `Oct 3 by noon`. */
const OPEN = String.raw`\+|[-t](?:\?|(?=[-t<>,;&]|$))|t(?=[uw])`;
/** The first day of `5–11 Dec`, whose month is that of the last. */
const MONTHLESS = "(?<![MNuw,;&])N(?=[-t]NM(?!N))";
const FIRST = `(?<first>${DAY}|(?<=[,;&])${FURTHER}|(?<monthless>${MONTHLESS}))`;
const LAST = `(?:[,@]*(?:[-t>]@?(?<last>${DAY}|${FURTHER})|(?<open>${OPEN})))?`;
const FORM = String.raw`(?:\?[-t]|[-t>])(?<until>${DAY})|${FIRST}${LAST}|[<?;]`;

function toDay(tokens: readonly Token[], month: number): PrintedDay {
  const textOf = (code: string): string | undefined => tokens.find((token) => token.code === code)?.text.toLowerCase();
  const [name, year] = [textOf("M"), textOf("Y")];
  return {
    month: name === undefined ? month : MONTHS.findIndex((short) => name.startsWith(short.toLowerCase())) + 1,
    day: Number.parseInt(textOf("N") ?? "", 10),
    ...(year === undefined ? {} : { year: Number(year) }),
  };
}

/**
 * The ranges of a text, in its order; none if it has no date, such as `TBA`, `to be announced by May 1` or `Week 10`.
 */
export function rangesIn(printed: string): PrintedRange[] {
  const tokens = toTokens(printed);
  const codes = tokens.map(({ code }) => code).join("");
  const form = new RegExp(FORM, "dg");
  const ranges: PrintedRange[] = [];
  /** The month of the latest day; 0 before the first day. */
  let month = 0;
  let isOpen = false;
  for (let match = form.exec(codes); match; match = form.exec(codes)) {
    const { until, first, last, monthless, open } = match.indices?.groups ?? {};
    const read = (span: readonly [number, number]): PrintedDay => {
      const day = toDay(tokens.slice(...span), month);
      month = day.month;
      return day;
    };
    if (until) ranges.push({ first: null, last: read(until) });
    else if (monthless && last) {
      const end = read(last);
      ranges.push({ first: read(monthless), last: end });
    } else if (first) {
      const day = read(first);
      if (month === 0) {
        form.lastIndex = match.index + 1;
        continue;
      }
      ranges.push({ first: day, last: last ? read(last) : open || isOpen ? null : day });
      isOpen = false;
    } else if (match[0] === "?" && !isOpen) {
      // Up to the next semicolon, the text states when it will be announced.
      const stop = codes.indexOf(";", match.index);
      if (stop === -1) break;
      form.lastIndex = stop;
    } else if (match[0] !== "?") isOpen = match[0] === "<";
  }
  return ranges.map(inOneYear);
}

/** `Dec 24 – Jan 1, 2027`: a year that is printed once applies to both days, except in a range across the new year. */
function inOneYear({ first, last }: PrintedRange): PrintedRange {
  if (!first || !last || first.year !== undefined || last.year === undefined) return { first, last };
  return { first: { ...first, year: last.year - (first.month > last.month ? 1 : 0) }, last };
}

/**
 * First and last day as `YYYY-MM-DD`. `yearOf` supplies a missing year from the month; a range that ends in an earlier
 * month ends in the next year.
 */
export function toDays(
  { first, last }: PrintedRange,
  yearOf: (month: number) => number,
): readonly [first: string | null, last: string | null] {
  const firstYear = first && (first.year ?? yearOf(first.month));
  const lastYear =
    last && (last.year ?? (first && firstYear ? firstYear + (last.month < first.month ? 1 : 0) : yearOf(last.month)));
  return [first && dayOf(first, firstYear ?? 0), last && dayOf(last, lastYear ?? 0)];
}

const dayOf = ({ month, day }: PrintedDay, year: number): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** True for a `YYYY-MM-DD` that exists. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return isCalendarDate(Number(year), Number(month), Number(day));
}
