/**
 * Converts kinds of sections, statuses and restrictions in any notation to the schedule's spelling. Unknown ones stay
 * unchanged.
 */
import { SECTION_TYPES } from "../../contract/vocabulary.ts";

const keyOf = (label: string): string => label.toLowerCase().replace(/[^a-z]/g, "");

/** Words for a kind that do not begin like its short form, or that has several. */
const TYPE_WORDS: Readonly<Record<string, string>> = { quiz: "Qiz", fieldwork: "Fld", field: "Fld" };
const TYPES = new Map<string, string>([
  ...SECTION_TYPES.map((type) => [type.toLowerCase(), type] as const),
  ...Object.entries(TYPE_WORDS),
  ...["Activity", "Colloquium", "Discussion", "Laboratory", "Lecture", "Research", "Seminar", "Studio", "Tutorial"].map(
    (word) => [word.toLowerCase(), word.slice(0, 3)] as const,
  ),
]);

/** `LEC` and `Lecture` → `Lec`. */
export const toSectionType = (text: string): string => TYPES.get(keyOf(text)) ?? text.trim();

const STATUSES = new Map([
  ["open", "OPEN"],
  ["full", "FULL"],
  ...["waitl", "wl", "waitlist", "waitlisted"].map((word) => [word, "Waitl"] as const),
  ["newonly", "NewOnly"],
]);

/** `open`, `WAITL`, `Wait-listed`, `new only` → `OPEN`, `Waitl`, `Waitl`, `NewOnly`. */
export const toStatus = (text: string): string => STATUSES.get(keyOf(text)) ?? text.trim();

const LETTERS = /^[a-z](?:\s*(?:[,;/&+]|\b(?:and|or)\b)\s*[a-z])*$/i;

/** `A, L` and `a & l` → `A and L`; `B or K` stays. */
export const toRestrictions = (text: string): string =>
  LETTERS.test(text.trim())
    ? text
        .trim()
        .replace(/\s+/g, " ")
        .replace(/ ?[,;/&+] ?/g, " and ")
        .replace(/\b[a-z]\b/g, (letter) => letter.toUpperCase())
    : text.trim();
