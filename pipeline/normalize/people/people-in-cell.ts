/** Several people in a cell of a sheet. Nothing is guessed: an ambiguous cell yields nobody. */
import { isNobody } from "./nobody.ts";

/** These always separate people. */
const BETWEEN = /[;|]/;
/** These separate people, or given names: `VANE, IDA & ALDO`. A line end may be inside a name. */
const PERHAPS_BETWEEN = /[\n/&+]|(?<=\s)and(?=\s)/i;

/** More people than any cell names. */
const MOST_PEOPLE = 20;

const SUFFIX = /^(?:[js]r|i{2,3}|iv|ph\.?\s?d|ed\.?d|m\.?d|j\.?d|esq|emeritus|emerita)\.?$/i;
const INITIAL = /^\p{L}\p{M}*\.?(?:[-]?\p{L}\p{M}*\.)*$/u;
/** Words that belong to a last name and are not a name by themselves. */
const PARTICLE = /^(?:al|d[aeiou]|de[lnr]|do?s|el|l[aeo]s?|mac|mc|san|st|ter?|van|vo[nm])\.?$/i;
/** `VANE I. MOSS A.`: two or more last names with the initials of each. */
const RUN_OF_NAMES = /^(?:(?:\p{L}[\p{L}\p{M}'’-]+ )+(?:\p{L}\.)+(?: |$)){2,}$/u;
const NAME_IN_RUN = /(?:\p{L}[\p{L}\p{M}'’-]+ )+(?:\p{L}\.)+/gu;

/** The names in a cell, placeholders included; undefined when they cannot be separated reliably. */
export function splitPeople(cell: string): string[] | undefined {
  const people: string[] = [];
  for (const text of cell.split(BETWEEN)) {
    const pieces = isNobody(text) ? [text.trim()] : text.split(PERHAPS_BETWEEN).map((piece) => piece.trim());
    const named = pieces.filter((piece) => piece !== "");
    if (named.length > 1 && !areNames(named)) return undefined;
    for (const piece of named) {
      const names = isNobody(piece) ? [piece] : namesIn(piece);
      if (!names) return undefined;
      people.push(...names);
      if (people.length > MOST_PEOPLE) return undefined;
    }
  }
  return people;
}

const wordsOf = (name: string): string[] => name.split(/[\s,]+/).filter(Boolean);

/** Undotted capitals of two letters may be initials too, so a name needs a word of at least two letters. */
const isFullWord = (word: string): boolean => !INITIAL.test(word);
const hasName = (piece: string): boolean => wordsOf(piece).some(isFullWord);

/** A single word beside whole names is a given name, or half of a name. */
function areNames(pieces: readonly string[]): boolean {
  const names = pieces.filter((piece) => !isNobody(piece));
  if (!names.every(hasName)) return false;
  const isAlone = names.map((piece) => wordsOf(piece).length === 1);
  return isAlone.every(Boolean) || !isAlone.some(Boolean);
}

/** The names between commas: `VANE, IDA, MOSS, ALDO` and `Vane I., Moss A.` are two people, `VANE, IDA` is one. */
function namesIn(piece: string): string[] | undefined {
  if (/[()[\]]/.test(piece)) return undefined;
  const all = piece.split(",").map((part) => part.trim());
  const parts = all.filter((part) => part !== "" && !SUFFIX.test(part));
  if (parts.length < 2) return namesInRun(parts[0] ?? piece);
  if (parts.length > 2 && parts.some(isNobody)) return namesWithNobody(parts);
  if (parts.every(hasInitials)) return parts;
  if (parts.length === 2) return isOneName(parts as [string, string]) ? [parts.join(", ")] : undefined;
  if (parts.length % 2 === 1)
    return parts.every((part) => fullWords(part) > 1 || hasInitials(part)) ? parts : undefined;
  const pairs = Array.from({ length: parts.length / 2 }, (_, i) => parts.slice(2 * i, 2 * i + 2) as [string, string]);
  return pairs.every(isPair) ? pairs.map((pair) => pair.join(", ")) : undefined;
}

function namesInRun(piece: string): string[] | undefined {
  if (RUN_OF_NAMES.test(piece)) return [...(piece.match(NAME_IN_RUN) ?? [])];
  return isPerhapsRun(wordsOf(piece)) ? undefined : [piece];
}

/** True for such a run without dots, where an initial may be a word of a name: `VANE I MOSS A`. */
function isPerhapsRun(words: readonly string[]): boolean {
  const first = words.findIndex((word, i) => i > 0 && INITIAL.test(word));
  const last = words.length - 1;
  return first > 0 && first < last - 1 && INITIAL.test(words[last] ?? "") && words.slice(first, last).some(isFullWord);
}

function namesWithNobody(parts: readonly string[]): string[] | undefined {
  const names = namesIn(parts.filter((part) => !isNobody(part)).join(", "));
  return names && [...names, ...parts.filter(isNobody)];
}

const fullWords = (part: string): number =>
  wordsOf(part).filter((word) => !INITIAL.test(word) && !PARTICLE.test(word)).length;

/** A last name with initials: a whole name without a comma. */
const hasInitials = (part: string): boolean => fullWords(part) > 0 && wordsOf(part).some((word) => INITIAL.test(word));

/**
 * `GARZA RODRIGUE, ANA MARIA` is a name as the records office writes names, in capitals; `Ida Vane, Aldo Moss` may be
 * two names, and so may `Vane I., Moss`.
 */
function isOneName([last, first]: readonly [string, string]): boolean {
  if (fullWords(first) === 0) return true;
  return INITIAL.test(wordsOf(last).at(-1) ?? "")
    ? false
    : Math.min(fullWords(last), fullWords(first)) < 2 || !/\p{Ll}/u.test(last + first);
}

const isPair = ([last, first]: readonly [string, string]): boolean =>
  !hasInitials(last) && fullWords(last) > 0 && (fullWords(first) < 2 || (fullWords(last) < 2 && fullWords(first) < 3));
