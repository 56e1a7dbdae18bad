/** Days as the calendar prints them: `Dec 9-15`, `Nov 26, 27 and 30`, `Dec 24 – Jan 1`, `Sep 20 –`, `until Oct 3`, `TBA – Sep 15`. */
import { isCalendarDate } from "../contract/campus-time.ts";
import { MONTHS } from "../contract/vocabulary.ts";

export interface PrintedDay {
  /** From 1 on. */
  readonly month: number;
  readonly day: number;
  /** Where it is printed. */
  readonly year?: number | undefined;
}

/** A bound that is not known is null, one of the two is. One day is both. */
export interface PrintedRange {
  readonly first: PrintedDay | null;
  readonly last: PrintedDay | null;
}

type Kind =
  | "month"
  | "number"
  | "year"
  | "to"
  | "until"
  | "from"
  | "onward"
  | "unknown"
  | "and"
  | "stop"
  | "time"
  | "word";

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const CLOCK = String.raw`(?:\d{1,2}:\d\d(?:\s*[ap]\.?\s?m\b\.?)?|\d{1,2}\s*[ap]\.?\s?m\b\.?|noon\b|midnight\b)`;
const WEEKDAY = String.raw`(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?\b\.?|(?:su|m|tu|w|th|f|sa)\b(?!['’]))`;
const DASH = "[-‐‑‒–—―−~]";

/** `9/24`, `9/24/2026`, `2026-09-24`. */
const NUMERIC = String.raw`(?:(?<before>(?:19|20)\d\d)-)?(?<month>1[0-2]|0?[1-9])(?:/|(?<=(?:19|20)\d\d-\d\d)-)(?<day>3[01]|[12]\d|0?[1-9])(?:/(?<after>(?:19|20)?\d\d))?(?![\d/])`;

/** What a text is made of, the first that matches. A day of the week says nothing that the date does not. */
const TOKENS: readonly (readonly [Kind | "weekday" | "numeric", RegExp])[] = (
  [
    ["weekday", String.raw`${WEEKDAY}(?:\s*(?:${DASH}|[/&])\s*${WEEKDAY})*,?`],
    ["numeric", NUMERIC],
    [
      "unknown",
      String.raw`(?:to be|will be|not yet)(?: \w+)?|t\.?\s?b\.?\s?[acds]\b\.?|to (?:come|follow)\b|(?:un(?:determined|scheduled|known)|(?:un)?announced)\b|pending\b|forthcoming\b|n/a\b|\?+`,
    ],
    ["onward", String.raw`onwards?\b|and (?:later|after|beyond)\b|forward\b|\+`],
    [
      "from",
      String.raw`(?:from|starts?|starting|begins?|beginning|opens?|opening|since|after|as of|effective|between)\b`,
    ],
    ["until", String.raw`(?:by|before|ends?|ending|closes?|closing|no later than)\b`],
    ["to", String.raw`${DASH}|(?:to|through|thru|until|till|til)\b`],
    [
      "month",
      String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?`,
    ],
    ["time", String.raw`(?:at\s+)?(?:\d{1,2}(?::\d\d)?\s*${DASH}\s*)?${CLOCK}(?:\s*(?:${DASH}|to|until)\s*${CLOCK})?`],
    ["year", String.raw`(?:19|20)\d\d(?!\d)`],
    ["number", String.raw`\d{1,2}(?:st|nd|rd|th)?(?![\w:])`],
    ["stop", ";"],
    ["and", String.raw`[,&/]|(?:and|or)\b`],
    ["word", String.raw`[^\s,;&/()]+|[()]`],
  ] as const
).map(([kind, source]) => [kind, new RegExp(source, "iy")]);

/** Marks of footnotes are no part of a date. */
const MARKS = /[*†‡§¶]+/g;
/** A number before one of these is no day. */
const UNIT = /^(?:weeks?|days?|units?|hours?|minutes?|students?|%)/i;

function toTokens(printed: string): Token[] {
  const text = printed.replace(MARKS, " ");
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const blank = /\s+/y;
    blank.lastIndex = at;
    if (blank.test(text)) {
      at = blank.lastIndex;
      continue;
    }
    for (const [kind, pattern] of TOKENS) {
      // `Sep 9 - 5 pm` is a day and an hour, not a time from 9 to 5.
      if (kind === "time" && tokens.at(-1)?.kind === "month" && !new RegExp(CLOCK, "iy").test(text.slice(at))) continue;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found) continue;
      if (kind === "numeric") {
        const named = toNamed(found.groups ?? {});
        // The 3/4 of `Oct 3/4` are days of a month that is named.
        if (!named || tokens.at(-1)?.kind === "month") continue;
        tokens.push(...named);
      } else if (kind !== "weekday") tokens.push({ kind, text: found[0] });
      at += found[0].length;
      break;
    }
  }
  return tokens;
}

/** As the tokens of `Sep 24 2026`. */
function toNamed({ before, month, day, after }: Record<string, string | undefined>): Token[] | undefined {
  if (before !== undefined && after !== undefined) return undefined;
  const year = before ?? (after?.length === 2 ? `20${after}` : after);
  return [
    { kind: "month", text: MONTHS[Number(month) - 1] ?? "" },
    { kind: "number", text: day ?? "" },
    ...(year === undefined ? [] : [{ kind: "year" as const, text: year }]),
  ];
}

interface Read {
  readonly day: PrintedDay;
  readonly next: number;
}

/** The day that begins at a token; one without a month, as the second of `Nov 26, 27`, is in that of the day before it. */
function readDay(tokens: readonly Token[], at: number, month?: number): Read | undefined {
  const [one, two, three] = tokens.slice(at, at + 3);
  if (one?.kind === "month" && two?.kind === "number") return withYear(tokens, at + 2, monthOf(one), two);
  if (one?.kind !== "number") return undefined;
  // `24 September`, but not the 26 of `Nov 25, 26 Dec 1`.
  if (two?.kind === "month" && three?.kind !== "number") return withYear(tokens, at + 2, monthOf(two), one);
  if (month === undefined || (two?.kind === "word" && UNIT.test(two.text))) return undefined;
  return withYear(tokens, at + 1, month, one);
}

function withYear(tokens: readonly Token[], next: number, month: number, number: Token): Read {
  const day = Number.parseInt(number.text, 10);
  const at = tokens[next]?.text === "," ? next + 1 : next;
  const year = tokens[at];
  if (year?.kind !== "year") return { day: { month, day }, next };
  return { day: { month, day, year: Number(year.text) }, next: at + 1 };
}

const monthOf = ({ text }: Token): number =>
  MONTHS.findIndex((name) => text.toLowerCase().startsWith(name.toLowerCase())) + 1;

/** The ranges of a text, in its order; none where it has no date, such as `TBA`, `to be announced by May 1` or `Week 10`. */
export function rangesIn(printed: string): PrintedRange[] {
  const tokens = toTokens(printed);
  const kindAt = (at: number) => tokens[at]?.kind;
  const ranges: PrintedRange[] = [];
  let month: number | undefined;
  let isOpen = false;
  for (let at = 0; at < tokens.length;) {
    const kind = kindAt(at);
    if (kind === "to" || kind === "until") {
      const last = readDay(tokens, at + 1);
      if (last) ranges.push({ first: null, last: last.day });
      month = last?.day.month ?? month;
      at = last?.next ?? at + 1;
      continue;
    }
    if (kind === "unknown") {
      const last = kindAt(at + 1) === "to" ? readDay(tokens, at + 2) : undefined;
      if (last) ranges.push({ first: null, last: last.day });
      // What follows says when it will be announced.
      const stop = tokens.findIndex((token, i) => i > at && token.kind === "stop");
      month = last?.day.month ?? month;
      at = last?.next ?? (isOpen ? at + 1 : stop === -1 ? tokens.length : stop);
      continue;
    }
    const isListed = ["and", "stop"].includes(kindAt(at - 1) ?? "");
    const first = readDay(tokens, at, isListed ? month : undefined);
    if (!first) {
      isOpen = kind === "from" || (isOpen && kind !== "stop");
      at++;
      continue;
    }
    const { last, next } = readLast(tokens, first);
    ranges.push({ first: first.day, last: last === undefined ? (isOpen ? null : first.day) : last });
    month = (last ?? first.day).month;
    isOpen = false;
    at = next;
  }
  return ranges.map(inOneYear);
}

/** What follows a first day: the last one, null where it is open, or nothing, and then it is one day. */
function readLast(tokens: readonly Token[], first: Read): { last?: PrintedDay | null; next: number } {
  const skip = (from: number): number => {
    const at = tokens[from]?.text === "," ? from + 1 : from;
    return tokens[at]?.kind === "time" ? at + 1 : from;
  };
  let at = skip(first.next);
  const onward = tokens[at]?.text === "," ? at + 1 : at;
  if (tokens[onward]?.kind === "onward") return { last: null, next: onward + 1 };
  if (tokens[at]?.text === "," && tokens[skip(at + 1)]?.kind === "until") at = skip(at + 1);
  // `between Sep 20 and Oct 3`
  const opener = tokens.slice(0, first.next).findLast(({ kind }) => kind === "from");
  const isBetween = opener?.text.toLowerCase() === "between" && tokens[at]?.text.toLowerCase() === "and";
  const isUntil = tokens[at]?.kind === "until";
  if (tokens[at]?.kind !== "to" && !isUntil && !isBetween) return { next: first.next };
  const last = readDay(tokens, skip(at + 1), first.day.month);
  if (last) return { last: last.day, next: last.next };
  const after = tokens[at + 1]?.kind;
  if (after === "unknown") return { last: null, next: at + 2 };
  // `Sep 20 –`, `Sep 20 until further notice`, `Sep 20 – end of the quarter`, but not `Sep 20 – 5 p.m.` or `Oct 3 by noon`.
  const isWord = after === "word" && /^\w/.test(tokens[at]?.text ?? "");
  const isEnd = after === undefined || ["and", "stop", "until", "from", "to"].includes(after) || isWord;
  return !isUntil && isEnd ? { last: null, next: at + 1 } : { next: first.next };
}

/** `Dec 24 – Jan 1, 2027`: a year that is printed once is that of both, but for a range across the new year. */
function inOneYear({ first, last }: PrintedRange): PrintedRange {
  if (!first || !last || first.year !== undefined || last.year === undefined) return { first, last };
  return { first: { ...first, year: last.year - (first.month > last.month ? 1 : 0) }, last };
}

/**
 * First and last day as `YYYY-MM-DD`. A year that is not printed is `yearOf` its month; a range that ends in an earlier month ends in the next year.
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

/** Whether it is a `YYYY-MM-DD` that exists. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return isCalendarDate(Number(year), Number(month), Number(day));
}
