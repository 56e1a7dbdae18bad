/** The catalogue's line of general-education categories, `(II, Va)`, → codes. */
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
  /^\({1,2}\s*(?:GE|G\.\s?E\.|General\s+Education)(?:\s+(?:categor(?:y|ies)|requirements?))?[\s:.-]+(?:I[AB]|I{2,3}|IV|V[AB]|VI{1,3})\b/i;

/** Whether a line begins with a bracket or two and a Roman numeral, with or without words before it. */
export function isGeText(line: string): boolean {
  return NUMERAL_FIRST.test(line) || WORDS_FIRST.test(line);
}

/** Every category in the line, however they are joined, in the order of the vocabulary. */
export function geListOf(text: string): GeCategory[] {
  const named = new Set((text.match(/[A-Za-z]+/g) ?? []).map((word) => ROMAN[word.toUpperCase()]));
  return GE_CATEGORIES.filter((category) => named.has(category));
}
