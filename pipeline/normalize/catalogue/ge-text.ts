/** Converts the catalogue's line of general-education categories, `(II, Va)`, to codes. */
import { GE_CATEGORIES, type GeCategory } from "../../contract/vocabulary.ts";

/** Upper case: the catalogue writes `VA` and `Va`. */
const ROMAN: Readonly<Record<string, GeCategory>> = {
  IA: "GE-1A",
  IB: "GE-1B",
  II: "GE-2",
  III: "GE-3",
  IV: "GE-4",
  VA: "GE-5A",
  VB: "GE-5B",
  VI: "GE-6",
  VII: "GE-7",
  VIII: "GE-8",
};

const NUMERAL_FIRST = /^\({1,2}\s*[IV]+[AaBb]?\b/;

/** `(GE II or GE IV)`, `(General Education III or IV )` */
const WORDS_FIRST =
  /^\({1,2}\s*(?:GE|G\.\s?E\.|General\s+Education)(?:\s+(?:categor(?:y|ies)|requirements?))?[\s:.(-]+(?:I\W{0,2}[AB]|I{2,3}|IV|V\W{0,2}[AB]|VI{1,3})\b/i;

/** Everything up to the first word that is neither a numeral nor a word of such a line. */
const CATEGORIES =
  /^(?:[^A-Za-z0-9]|\b(?:[IV]+[AB]?|[ABGE]|and|or|either|both|GE|General\s+Education|categor(?:y|ies)|requirements?)\b)*/i;

/** `Va`, `V.A`, `V. A`, `V-A`, `VIII` */
const NUMERAL = /\b(?:([IV])\s*[.-]\s*([AB])|[IV]+[AB]?)\b/gi;

/** The part of a line that names categories; `""` when its brackets contain a word of another kind. */
function categoriesIn(line: string): string {
  const text = CATEGORIES.exec(line)?.[0] ?? "";
  return text.includes(")") || text === line ? text : "";
}

/**
 * True when a line begins with a bracket or two that hold nothing but Roman numerals, with or without leading words.
 */
export function isGeText(line: string): boolean {
  return (NUMERAL_FIRST.test(line) || WORDS_FIRST.test(line)) && categoriesIn(line) !== "";
}

/** Every category that the line names, however they are joined, in the order of the vocabulary. */
export function geListOf(line: string): GeCategory[] {
  const numerals = [...categoriesIn(line).matchAll(NUMERAL)].map(([all, roman, letter]) =>
    roman !== undefined && letter !== undefined ? roman + letter : all,
  );
  const named = new Set(numerals.map((numeral) => ROMAN[numeral.toUpperCase()]));
  return GE_CATEGORIES.filter((category) => named.has(category));
}
