import { nameKey } from "../contract/name-key.ts";

/** A name for comparison: without case, diacritics, and punctuation around it; `DOE,J.` is `doe, j`. */
export const nameForm = (text: string): string =>
  nameKey(text)
    .replace(/\s*,\s*/g, ", ")
    .replace(/\s+/g, " ")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
