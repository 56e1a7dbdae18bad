/** How texts and questions become words: lower case, without accents and signs, so that `I&C SCI` and `i c sci` are the same. */
import { nameKey } from "../../pipeline/contract/name-key.ts";

/** Longer words are no words of ours; the rest of them does not count. */
const LONGEST_WORD = 40;

/** Letters of any script and digits; everything else separates words. */
export function toWords(text: string): string[] {
  const plain = nameKey(text.normalize("NFKC"));
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, LONGEST_WORD).join(""));
}

const LITTLE: ReadonlySet<string> = new Set(["a", "an", "and", "for", "in", "of", "on", "the", "to", "with"]);
/** A word that says nothing by itself. */
export const isLittle = (word: string): boolean => LITTLE.has(word);

/** Words that carry a name's meaning: `Gender & Sexuality Studies` and `gender and sexuality studies` are the same. */
export const toNameWords = (text: string): string[] => toWords(text).filter((word) => !isLittle(word));

/** A number of a course: `161`, `h32`, `m118l`, `2b`. */
export const isCourseNumber = (word: string): boolean => /^[a-z]{0,2}\d{1,4}[a-z]{0,3}$/.test(word);
