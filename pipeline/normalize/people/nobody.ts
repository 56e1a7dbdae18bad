/** Placeholder names: a single list for schedule, sheets, directory and tutorials (pipeline/RULES.md, People). */
import { nameKey } from "../../contract/name-key.ts";

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A name is a placeholder when it has a word of these, and otherwise only words of `AROUND`. */
const PLACEHOLDERS = wordsOf(
  "staff tba tbd tbc tbn unknown unnamed unassigned undetermined unspecified unavailable undisclosed redacted withheld anonymous vacant vacancy " +
    "nobody none nil null na announced assigned determined decided arranged confirmed named appointed hired applicable available placeholder " +
    "instructor instructors faculty lecturer professor",
);

/** Words around them: `THE STAFF`, `NOT YET ASSIGNED`, `INSTRUCTOR TO BE NAMED`. */
const AROUND = wordsOf(
  "to be by not yet no is teacher teachers member name person prof teaching visiting department departmental academic course position new",
);

/** Words that are also last names: with an initial they belong to somebody. */
const LAST_NAMES = wordsOf("staff na none nil null named hired faculty professor");

/**
 * `UNKNOWN, I.`: the first letters of the words before `UNKNOWN`, `INSTRUCTOR`, `ANNOUNCED`, when a name is shortened.
 */
const INITIALS = wordsOf("t i u n");

/** The lengths to which the schedule and the sheets cut a name: `UNKNOWN INSTRU`. */
export const CUT_LENGTHS: readonly number[] = [14, 19];

/** True for a placeholder, in any case and order, with any punctuation and numbers, and for a name without letters. */
export function isNobody(name: string): boolean {
  const key = nameKey(name)
    .replace(/[^\p{L}]+/gu, " ")
    .trim()
    // `T.B.A.`, `N/A`
    .replace(/\b\p{L}(?: \p{L}\b)+/gu, (letters) => letters.replaceAll(" ", ""));
  if (key === "") return true;
  const words = key.split(" ").filter((word) => word !== "the");
  const isCut = CUT_LENGTHS.includes(words.join(" ").length);
  const long = words
    .filter((word) => word.length > 1)
    .map((word, i, all) => (isCut && i === all.length - 1 ? wholeWord(word) : word));
  if (!long.every((word) => PLACEHOLDERS.has(word) || AROUND.has(word))) return false;
  const initials = words.filter((word) => word.length === 1);
  // The shortened form of `THE STAFF`.
  if (long.join(" ") === "staff" && initials.join("") === "t") return true;
  const isTelling = (word: string) => PLACEHOLDERS.has(word) && (initials.length === 0 || !LAST_NAMES.has(word));
  return long.some(isTelling) && initials.every((letter) => INITIALS.has(letter));
}

/** `INSTRU` → `INSTRUCTOR`. */
const wholeWord = (start: string): string =>
  [...PLACEHOLDERS].find((word) => start.length > 2 && word.startsWith(start)) ?? start;
