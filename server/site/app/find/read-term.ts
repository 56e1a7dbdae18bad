/** Reads the term that a search names, such as `winter`, `w27` or `next quarter`. */
import { termsAhead } from "../data/terms-ahead.ts";
import { campusToday, publishedTerms, runningTerms, type SiteIndex, termsNotOver } from "../data/terms.ts";

export interface ReadTerm {
  /** A published term, such as `2027 Winter`; undefined where the text names none. */
  readonly term?: string | undefined;
  /** The text without the words of the term. */
  readonly rest: string;
}

/** Quarter codes by what people call them; several for summer, the likeliest first. */
const QUARTERS: readonly (readonly [words: string, quarters: readonly string[]])[] = [
  [String.raw`summer\s*(?:session\s*)?(?:1|i|one)|ss\s?1`, ["Summer1"]],
  [String.raw`summer\s*(?:session\s*)?(?:2|ii|two)|ss\s?2`, ["Summer2"]],
  [String.raw`(?:10|ten)[\s-]*w(?:ee)?k\s*summer|summer\s*(?:session\s*)?(?:10|ten)[\s-]*w(?:ee)?ks?`, ["Summer10wk"]],
  ["summer|su", ["Summer1", "Summer10wk", "Summer2"]],
  ["fall|autumn|f", ["Fall"]],
  ["winter|w", ["Winter"]],
  ["spring|sp|s", ["Spring"]],
];
/** Seasons that count without a year; their short forms need the year. */
const SEASON = /^(?:fall|autumn|winter|spring|summer|10|ten)/i;
const YEAR = String.raw`(?:20)?\d\d`;

const NAMED = QUARTERS.map(([words, quarters]) => ({
  quarters,
  /** `winter 2027`, `w27`, `fall quarter`, `2027 winter`. */
  pattern: new RegExp(
    String.raw`(?:\b(20\d\d)\s+)?\b(${words})(?:\s+(?:quarter|term))?(?:\s*['’]?(${YEAR}))?\b(?!\s*(?:of|and|in)\b)`,
    "i",
  ),
}));

const NEXT = /\bnext\s+(?:quarter|term)\b/i;
const THIS = /\b(?:this|current)\s+(?:quarter|term)\b/i;

/** A season without a year is the first that is not over, else the newest. */
function termOf(site: SiteIndex, quarters: readonly string[], year: string | undefined): string | undefined {
  const full = year?.length === 2 ? `20${year}` : year;
  const isWanted = (term: string) =>
    quarters.some((quarter) => term.endsWith(` ${quarter}`)) && (full === undefined || term.startsWith(`${full} `));
  return termsNotOver(site).find(isWanted) ?? publishedTerms(site).find(isWanted);
}

const without = (text: string, words: string): string => text.replace(words, " ").replaceAll(/\s+/g, " ").trim();

/** Words of a term that is not published stay in the text. */
export function readTerm(text: string, site: SiteIndex, today = campusToday()): ReadTerm {
  const [next] = NEXT.exec(text) ?? [];
  const running = runningTerms(site, today)[0];
  const relative: readonly (readonly [string | undefined, string | undefined])[] = [
    [next, termsAhead(site, today)[0]],
    [THIS.exec(text)?.[0], running ? `${running.year} ${running.quarter}` : (site.snapshot?.term ?? undefined)],
  ];
  for (const [words, term] of relative)
    if (words !== undefined && term !== undefined) return { term, rest: without(text, words) };
  for (const { pattern, quarters } of NAMED) {
    const [words = "", before, season = "", after] = pattern.exec(text) ?? [];
    const year = after ?? before;
    if (words === "" || (year === undefined && !SEASON.test(season))) continue;
    const term = termOf(site, quarters, year);
    if (term !== undefined) return { term, rest: without(text, words) };
  }
  return { rest: text };
}
