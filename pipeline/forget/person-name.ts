/**
 * Decides whether two names are the same person's: the last names are equal, and the given names do not contradict each
 * other as far as both have them. An initial agrees with each name that begins with it, and a name with fewer given
 * names agrees with a name with more. The list of take-downs can only be queried for exact texts: a name is stored
 * under several keys, and looked up under several.
 */
import { nameKey } from "../contract/name-key.ts";
import { readTexts } from "./reader-text.ts";

export interface PersonName {
  /** Folded: `garciamarquez`. */
  readonly last: string;
  /** Prefixes of a last name of several words: `garcia`. */
  readonly starts: readonly string[];
  /** Folded, in order; an initial ends in a full stop: `ana`, `m.`. */
  readonly given: readonly string[];
}

/** Given names beyond this number do not distinguish people. */
const MAX_GIVEN = 3;
/** Stands for whatever given names follow. */
const MORE = "*";
/** Ends an initial of the list, behind which no given name is known. */
const ANY = "~";

/** Without case, diacritics, blanks and punctuation: `García-Márquez` → `garciamarquez`. */
export const fold = (text: string): string => nameKey(text.normalize("NFKC")).replace(/[^\p{L}\p{N}]+/gu, "");

export const isInitial = (name: string): boolean => name.endsWith(".");
const openInitial = (initial: string): string => initial.replace(/\.$/, ANY);
const initialOf = (name: string): string => `${String.fromCodePoint(name.codePointAt(0) ?? 0)}.`;

/** Folds a given name: `J.` → `j.`, `Jo` → `jo`. */
export function foldGiven(text: string): string {
  const folded = fold(text);
  return [...folded].length === 1 ? `${folded}.` : folded;
}

/**
 * Returns the keys under which a person is stored.
 * @param isFirstKnown the first initial agrees with initials only, because the list has the given name as well
 */
export function keysOfPerson({ last, given }: Pick<PersonName, "last" | "given">, isFirstKnown: boolean): string[] {
  let ways = [`${last}|`];
  if (given.length === 0) return ways;
  const keys: string[] = [];
  for (const [i, name] of given.slice(0, MAX_GIVEN).entries()) {
    const isKnown = i === 0 && isFirstKnown;
    const written = !isInitial(name) ? [name, initialOf(name)] : isKnown ? [name] : [name, openInitial(name)];
    ways = ways.flatMap((way) => written.map((form) => `${way}${form} `));
    keys.push(...ways);
  }
  return [...keys, ...ways.map((way) => way + MORE)];
}

/**
 * Counts the given names of a name in a text that match a listed person; 0 when the name is nobody's.
 * @param has true for a key that is on the list
 * @param isByInitial lets a given name agree with a listed initial even where the list has another given name: the
 *   schedule prints no more
 */
export function matchedGiven(
  { last, given }: Pick<PersonName, "last" | "given">,
  has: (key: string) => boolean,
  isByInitial = false,
): number {
  let ways = [`${last}|`];
  let matched = 0;
  const names = given.slice(0, MAX_GIVEN);
  for (const [i, name] of names.entries()) {
    const read = isInitial(name)
      ? [name]
      : [name, openInitial(initialOf(name)), ...(isByInitial ? [initialOf(name)] : [])];
    ways = ways.flatMap((way) => read.map((form) => `${way}${form} `));
    if (i === names.length - 1 && ways.some(has)) return given.length;
    if (ways.some((way) => has(way + MORE))) matched = i + 1;
  }
  return matched;
}

/** The words of names: double names and apostrophes are parts of a word. */
export const NAME_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‘ʼ`´‐‑–-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const TITLE = /^(?:(?:prof(?:essor)?|dr|mrs?|ms|mx|sir|dean)\b\.?\s+)+/i;
/** Behind a last name or at the end. Not `M.D.`, which may be initials. */
const SUFFIX = /^(?:[js]r|i{2,3}|iv|phd)$/i;
export const isSuffix = (word: string): boolean => SUFFIX.test(word);

const isRun = (word: string): boolean => /^\p{Lu}{2,3}$/u.test(word);

/**
 * `Jo` is a given name, `J-P` are two.
 * @param isDotted so are `JP.`
 */
export function givenOf(word: string, isDotted = false): string[] {
  const parts = isDotted && isRun(word) ? [...word] : word.split(/[^\p{L}\p{M}\p{N}]/u);
  return parts.length > 1 && parts.every((part) => [...fold(part)].length === 1)
    ? parts.map(foldGiven)
    : [foldGiven(word)];
}

/** The ways in which a text that is a name as a whole can be read: with a comma, or in either order without. */
export function readingsOf(text: string): PersonName[] {
  const { before, behind } = partsOf(text);
  if (behind.length > 0 || before.length === 1) return named(before, behind);
  return splits(before).flatMap(([first, second]) => [...named(second, first), ...named(first, second)]);
}

/** Reads a name as somebody puts it on the list: without a comma, given names come first unless initials end it. */
export function listedAs(notation: string): PersonName[] {
  const { before, behind } = partsOf(notation);
  if (behind.length > 0 || before.length === 1) return named(before, behind);
  const isReversed = isInitial(foldGiven(before.at(-1) ?? ""));
  return splits(before).flatMap(([first, second]) => (isReversed ? named(first, second) : named(second, first)));
}

function partsOf(text: string): { before: readonly string[]; behind: readonly string[] } {
  const [head = "", ...behind] = text.trim().replace(TITLE, "").split(",");
  const wordsIn = (part: string) => (part.match(NAME_WORD) ?? []).filter((word) => !isSuffix(word));
  const [first, second] = [wordsIn(head), wordsIn(behind.join(" ").trim().replace(TITLE, ""))];
  return first.length + second.length > MAX_WORDS ? { before: [], behind: [] } : { before: first, behind: second };
}

const splits = (words: readonly string[]): (readonly [readonly string[], readonly string[]])[] =>
  words.slice(1).map((_, i) => [words.slice(0, i + 1), words.slice(i + 1)] as const);

function named(last: readonly string[], givenWords: readonly string[]): PersonName[] {
  if (last.length === 0) return [];
  const parts = last.join(" ").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const starts = parts.slice(1).map((_, i) => fold(parts.slice(0, i + 1).join("")));
  const name = { last: fold(last.join("")), starts, given: givenWords.flatMap((word) => givenOf(word)) };
  const [only = ""] = givenWords;
  // `VANE, AH`
  return givenWords.length === 1 && isRun(only) ? [name, { ...name, given: givenOf(only, true) }] : [name];
}

/** The longest name, in words with titles and particles. */
const MAX_WORDS = 10;

/** Returns the keys under which a name in a text is looked up. */
export function keysInText(name: PersonName): string[] {
  const keys: string[] = name.given.length === 0 ? [`${name.last}|`] : [];
  matchedGiven(name, (key) => (keys.push(key), false));
  return keys;
}

/** Answers queries about a list of people. */
export interface ListedNames {
  /** A key of `keysOfPerson`. */
  isListed(key: string): boolean;
  /** Somebody has this last name, folded. */
  isLastName(folded: string): boolean;
  /** Somebody's last name has these words first, and more behind them; folded. */
  isStartOfLastName(folded: string): boolean;
}

/** True when the whole text is the name of somebody, in any notation. */
export function isNameOf(text: string, isListed: ListedNames["isListed"]): boolean {
  const [main] = readTexts(text, { separates: false });
  return readingsOf(main?.text ?? "").some((name) =>
    name.given.length === 0 ? isListed(`${name.last}|`) : matchedGiven(name, isListed, true) > 0,
  );
}

/** True when all of the words form a single name of somebody. */
export const isWholeName = (
  words: readonly string[],
  { isListed, isLastName }: Pick<ListedNames, "isListed" | "isLastName">,
): boolean =>
  readingsOf(words.join(" ")).some(
    (name) => name.given.length > 0 && isLastName(name.last) && matchedGiven(name, isListed) === name.given.length,
  );
