/**
 * Splits texts and queries into words: lower case, without accents and punctuation, so that `I&C SCI` equals `i c sci`.
 */
import { nameKey } from "../../pipeline/contract/name-key.ts";

const MAX_WORD_LENGTH = 40;

export function toWords(text: string): string[] {
  const plain = nameKey(text.normalize("NFKC"));
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(""));
}

const STOP_WORDS: ReadonlySet<string> = new Set(["a", "an", "and", "for", "in", "of", "on", "the", "to", "with"]);
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** Splits a name into words without stop words: `Gender & Sexuality Studies` equals `gender and sexuality studies`. */
export const toNameWords = (text: string): string[] => toWords(text).filter((word) => !isStopWord(word));

/** Tests for a course number: `161`, `h32`, `m118l`, `2b`. */
export const isCourseNumber = (word: string): boolean => /^[a-z]{0,2}\d{1,4}[a-z]{0,3}$/.test(word);
