/** Finds the people who were taken down in texts of any kind, as a reader would: comments, JSON, sheets, workbooks. */
import { UNNAMED } from "../contract/name-key.ts";
import { addressesIn } from "./addresses-in-text.ts";
import { fold, givenOf, isSuffix, isWholeName, matchedGiven, NAME_WORD } from "./person-name.ts";
import { hasInvisible, piecesOf, type ReadText, type Replaced, readTexts } from "./reader-text.ts";
import type { Forgotten } from "./tombstones.ts";

export interface TextOptions {
  /** True for cells of a sheet: a cell that is a whole name names a person in any notation. */
  readonly isSheet?: boolean;
  /** True for comments on classes: a last name alone that owns something is a person's, not a law's or a theorem's. */
  readonly isNotice?: boolean;
}

/**
 * Replaces each name that was taken down by `STAFF`, and removes addresses of these people, their netids in page
 * addresses (`~jdoe`), and the names of withdrawn exports. Markup stays, even in the middle of a name.
 */
export function withoutNames(text: string, forgotten: Forgotten, options: TextOptions = {}): string {
  if (!MAY_NAME.test(text)) return text;
  const texts = cleanTexts(forgotten);
  const key = `${options.isSheet === true} ${options.isNotice === true} ${text}`;
  if (texts.has(key)) return text;
  let left = text;
  // A removal may join the text around it into another name, so repeat.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let next = pass(left, forgotten, options, false);
    if (hasInvisible(next)) next = pass(next, forgotten, options, true);
    if (next === left) break;
    left = next;
  }
  if (left === text && text.length <= MAX_REMEMBERED) {
    if (texts.size >= MAX_CLEAN) texts.clear();
    texts.add(key);
  }
  return left;
}

const MAX_ROUNDS = 8;

/** Caches short texts that name nobody, because they recur: days, places, titles. */
const clean = new WeakMap<Forgotten, Set<string>>();
const MAX_CLEAN = 50_000;
const MAX_REMEMBERED = 100;

function cleanTexts(forgotten: Forgotten): Set<string> {
  const texts = clean.get(forgotten) ?? new Set();
  clean.set(forgotten, texts);
  return texts;
}

/** A JSON value with `withoutNames` of every text in it. */
export const valueWithoutNames = <T>(value: T, forgotten: Forgotten): T =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === "string" ? withoutNames(part, forgotten, { isSheet: true }) : part,
  ) as T;

function pass(source: string, forgotten: Forgotten, options: TextOptions, separates: boolean): string {
  const cuts: Replaced[] = [];
  for (const read of readTexts(source, { separates })) {
    for (const part of [...addressesIn(read, forgotten), ...namesIn(read, forgotten, options)])
      cuts.push(...piecesOf(read, part, source));
  }
  if (cuts.length === 0) return source;
  let [done, result] = [0, ""];
  // When two matches overlap, the first is replaced now, and the rest of the other in the next round.
  for (const { by, from, to } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < done) continue;
    result += source.slice(done, from) + by;
    done = to;
  }
  return result + source.slice(done);
}

/** Texts without such a character have neither two words nor an address. */
const MAY_NAME = /[^\p{L}\p{N}:]/u;

interface Word {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Between it and the next word. */
  readonly gap: string;
}

/** The gap behind a possessive. */
const OWNS = "'";
const POSSESSIVE = /['’‘ʼ`´]s$/i;
const BLANKS = /^[ \n]{1,40}$/;
/** On the same line. */
const SPACES = /^ {1,40}$/;
const COMMA = /^\.?[ \n]{0,40},[ \n]{0,40}$/;
/** Behind an initial, or between words without a blank, as in addresses and names of files. */
const AFTER_INITIAL = /^\.[ \n-]{0,40}$/;
const JOINED = /^[._+]$/;
/** The longest part of a name, in words. */
const MAX_WORDS = 4;

function wordsOf(text: string): Word[] {
  const spans = [...text.matchAll(NAME_WORD)].map((match) => {
    const word = match[0].replace(POSSESSIVE, "");
    return { from: match.index, to: match.index + word.length, text: word, end: match.index + match[0].length };
  });
  return spans.map(({ end, from, text: word, to }, i) => ({
    from,
    to,
    text: word,
    // Behind a possessive begins something else.
    gap: end > to ? OWNS : text.slice(end, spans[i + 1]?.from ?? end + 2),
  }));
}

const isLetter = (word: string): boolean => [...word].length === 1;
const isUpper = (text: string): boolean => /^\p{Lu}/u.test(text);
const hasLower = (text: string): boolean => /\p{Ll}/u.test(text);
/** True for letters that are English words too. */
const isWordToo = (letter: string): boolean => /^[ai]$/i.test(letter);

function namesIn({ text }: ReadText, forgotten: Forgotten, options: TextOptions): Replaced[] {
  const { isNotice = false, isSheet = false } = options;
  const words = wordsOf(text);
  const lasts = words.map((_, i) => lastNamesAt(words, i, forgotten));
  // Most texts name nobody, and every other notation of a name has a last name of the list.
  if (lasts.every(({ length }) => length === 0) && !words.some(({ text: word }) => HYPHEN.test(word))) return [];
  const matches: Replaced[] = [];
  for (let i = 0; i < words.length; i++) {
    const ends = [
      ...(lasts[i] ?? []).map(({ count, last }) => endOfLastFirst(words, i, count, last, forgotten, isSheet)),
      ...endsOfGivenFirst(words, i, lasts, forgotten, isSheet),
      endOfDoubled(words, i, forgotten),
      endOfLastAlone(words, i, lasts[i] ?? [], forgotten, isNotice),
    ];
    const end = Math.max(...ends.map((offset) => offset ?? 0));
    if (end === 0) continue;
    const [first, last] = [words[i], words[end - 1]] as [Word, Word];
    // The full stop of an initial goes with it.
    const isDotted = isLetter(last.text) && text[last.to] === ".";
    matches.push({ from: first.from, to: last.to + (isDotted ? 1 : 0), by: UNNAMED });
    i = end - 1;
  }
  return matches;
}

const HAS_LETTER = /\p{L}/u;

/** The last names of the list that begin with a word: `Garcia Marquez` has two words. */
function lastNamesAt(words: readonly Word[], i: number, forgotten: Forgotten): { count: number; last: string }[] {
  const names = [];
  let last = "";
  for (let count = 1; count <= MAX_WORDS && i + count <= words.length; count++) {
    const word = words[i + count - 1] as Word;
    last += fold(word.text);
    // The list answers by hashes, which numbers need not cost.
    if (!HAS_LETTER.test(last)) break;
    if (forgotten.isLastName(last)) names.push({ count, last });
    if (!forgotten.isStartOfLastName(last)) break;
    if (!BLANKS.test(word.gap) && word.gap !== "_" && word.gap !== "+") break;
  }
  return names;
}

const isAlone = (words: readonly Word[], from: number, to: number): boolean =>
  !SPACES.test(words[from - 1]?.gap ?? "") && !SPACES.test(words[to - 1]?.gap ?? "");

/** `Vane, A. H.`, `VANE, AURELIO`, `Vane Aurelio`. Returns the offset of the word behind it. */
function endOfLastFirst(
  words: readonly Word[],
  start: number,
  count: number,
  last: string,
  forgotten: Forgotten,
  isSheet: boolean,
): number | undefined {
  let begin = start + count;
  // `Vane Jr., A.`
  if (words[begin] && isSuffix(words[begin]?.text ?? "") && COMMA.test(words[begin]?.gap ?? "")) begin++;
  const [lastWord, gap] = [words[start + count - 1] as Word, words[begin - 1]?.gap ?? ""];
  const hasComma = COMMA.test(gap);
  if (!hasComma && !BLANKS.test(gap) && !JOINED.test(gap)) return undefined;
  for (let end = endOfGiven(words, begin); end > begin; end--) {
    const givenWords = words.slice(begin, end);
    const names = givenWords.map(({ gap: behind, text }) => givenOf(text, hasComma && behind.startsWith(".")));
    const next = SPACES.test(givenWords.at(-1)?.gap ?? "") ? words[end]?.text : undefined;
    const isInitialHere = (n: number): boolean => {
      const { gap: behind, text } = givenWords[n] as Word;
      if (behind.startsWith(".") || (n > 0 && givenWords[n - 1]?.gap === ".")) return true;
      if (n === 0 && !hasComma) return isSheet && isAlone(words, start, end);
      if (n < givenWords.length - 1 || next === undefined) return true;
      return isUpper(text) && (!isWordToo(text) || (!hasLower(lastWord.text) && hasLower(next)));
    };
    if (givenWords.some(({ text }, n) => isLetter(text) && !isInitialHere(n))) continue;
    const isByInitial = isSheet && (hasComma || isAlone(words, start, end));
    const matched = matchedGiven({ last, given: names.flat() }, forgotten.isListed, isByInitial);
    if (matched === 0) continue;
    // Only initials may follow the given names that the list has: `VANE, A. MOSS, B.` are two people.
    if (
      names
        .flat()
        .slice(matched)
        .every((name) => name.endsWith("."))
    )
      return end;
  }
  return undefined;
}

/** The end of the words that may be given names from `begin` on. */
function endOfGiven(words: readonly Word[], begin: number): number {
  let end = begin;
  while (end < words.length && end < begin + MAX_WORDS) {
    const { gap, text } = words[end++] as Word;
    if (!goesOn(text, gap)) break;
  }
  return end;
}

const goesOn = (word: string, gap: string): boolean =>
  BLANKS.test(gap) || JOINED.test(gap) || (isLetter(word) && AFTER_INITIAL.test(gap));

/** `Aurelio Vane`, `A. H. Vane`, `Aurelio H. Vane`. */
function endsOfGivenFirst(
  words: readonly Word[],
  start: number,
  lasts: readonly (readonly { count: number; last: string }[])[],
  forgotten: Forgotten,
  isSheet: boolean,
): (number | undefined)[] {
  const ends: (number | undefined)[] = [];
  for (let begin = start + 1; begin < words.length && begin <= start + MAX_WORDS; begin++) {
    const { gap, text } = words[begin - 1] as Word;
    if (!goesOn(text, gap)) break;
    for (const { count, last } of lasts[begin] ?? [])
      if (isGivenFirst(words, [start, begin, begin + count], last, forgotten, isSheet)) ends.push(begin + count);
  }
  return ends;
}

function isGivenFirst(
  words: readonly Word[],
  [start, begin, end]: readonly [number, number, number],
  last: string,
  forgotten: Forgotten,
  isSheet: boolean,
): boolean {
  const givenWords = words.slice(start, begin);
  const names = givenWords.map(({ text }) => givenOf(text));
  const [first, lastWord] = [givenWords[0] as Word, words[begin] as Word];
  const next = SPACES.test(words[end - 1]?.gap ?? "") ? words[end]?.text : undefined;
  if (isLetter(first.text) && !first.gap.startsWith(".") && !(isSheet && isAlone(words, start, end))) {
    if (!isUpper(first.text) || !isUpper(lastWord.text)) return false;
    // `A LONG LAB`, `A Long Way`
    if (isWordToo(first.text) && (!hasLower(lastWord.text) || (next !== undefined && isUpper(next)))) return false;
  }
  const matched = matchedGiven(
    { last, given: names.flat() },
    forgotten.isListed,
    isSheet && isAlone(words, start, end),
  );
  if (matched === 0) return false;
  // `Aurelio and the Vane` does not name a person.
  return givenWords.every(
    ({ text }, n) => names.slice(0, n + 1).flat().length <= matched || isLetter(text) || isUpper(text),
  );
}

const TITLE = /^(?:prof|professor|dr|mr|mrs|ms|mx)$/i;

/**
 * Matches `Prof. Vane`, and in notices `Vane's`, where nobody else has the last name. Returns the offset of the word
 * behind it.
 */
function endOfLastAlone(
  words: readonly Word[],
  i: number,
  lasts: readonly { count: number; last: string }[],
  forgotten: Forgotten,
  isNotice: boolean,
): number | undefined {
  if (!isUpper(words[i]?.text ?? "")) return undefined;
  const previous = words[i - 1];
  const isTitled = previous !== undefined && TITLE.test(previous.text) && /^\.?[ \n]{1,40}$/.test(previous.gap);
  for (const { count, last } of lasts.toReversed())
    if ((isTitled || (isNotice && words[i + count - 1]?.gap === OWNS)) && forgotten.isListed(`${last}|`))
      return i + count;
  return undefined;
}

const HYPHEN = /[‐‑–-]/;

/** `Aurelio-Vane`, as in addresses. Returns the offset of the word behind it. */
function endOfDoubled(words: readonly Word[], i: number, forgotten: Forgotten): number | undefined {
  const { text } = words[i] as Word;
  const parts = text.split(HYPHEN);
  if (parts.length < 2 || parts.some((part) => isLetter(part))) return undefined;
  return isWholeName(parts, forgotten) ? i + 1 : undefined;
}
