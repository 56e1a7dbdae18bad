/** Reads what somebody typed: which of its words name a department, which a course's number, and which are just words. */
import { distance } from "fastest-levenshtein";
import type { Aliases, Meant } from "./aliases.ts";
import { isCourseNumber, isLittle, toWords } from "./words.ts";

export type Part =
  | { readonly kind: "department"; readonly meant: readonly Meant[]; readonly words: readonly string[] }
  | { readonly kind: "number"; readonly number: string }
  | { readonly kind: "word"; readonly word: string };

export interface Question {
  /** All words in one piece, as whole names are known. */
  readonly whole: string;
  readonly parts: readonly Part[];
  /** Departments that the words may mean when they are misspelt or cut short; only where a course's number follows. */
  readonly guessed: readonly Meant[];
}

/** Words beyond these do not count: nobody types them. */
const MOST_WORDS = 8;
/** A department's name has at most this many words. */
const LONGEST_NAME = 6;

export function readQuestion(text: string, aliases: Aliases): Question {
  const words = toWords(text).slice(0, MOST_WORDS);
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const found = readDepartment(words, at, aliases);
    if (found) {
      parts.push(...found.parts);
      at += found.used;
    } else {
      const word = words[at++] ?? "";
      parts.push(isCourseNumber(word) ? { kind: "number", number: word } : { kind: "word", word });
    }
  }
  return {
    whole: words.join(""),
    parts,
    guessed: parts.some(({ kind }) => kind === "department") ? [] : guess(parts, aliases),
  };
}

/** The longest run of words that names a department, alone (`com lit`) or with a number at its end (`cs161`, `i&c sci46`). */
function readDepartment(words: readonly string[], at: number, aliases: Aliases) {
  for (let used = Math.min(LONGEST_NAME + 1, words.length - at); used > 0; used--) {
    const run = words.slice(at, at + used);
    const joined = run.filter((word) => !isLittle(word)).join("");
    const meant = aliases.get(joined);
    if (meant) return { used, parts: [{ kind: "department", meant, words: run }] as Part[] };
    const glued = readGlued(joined, run.at(-1) ?? "", aliases);
    if (glued) return { used, parts: glued };
  }
  return undefined;
}

/** `compsci161` → COMPSCI and 161. The last word must hold the seam: `cs 161` is two words and is read as such. */
function readGlued(joined: string, last: string, aliases: Aliases): Part[] | undefined {
  for (let cut = joined.length - 1; cut > joined.length - last.length; cut--) {
    const [alias, number] = [joined.slice(0, cut), joined.slice(cut)];
    const meant = isCourseNumber(number) ? aliases.get(alias) : undefined;
    // `in4matx`: a digit in front of the seam belongs to the department, one behind it to the course.
    if (meant && !/\d$/.test(alias))
      return [
        { kind: "department", meant, words: [alias] },
        { kind: "number", number },
      ];
  }
  return undefined;
}

/** How many letters may be wrong in a word of this length. */
export const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/** `compsic 161`, `psychol 9`, `mathmatics2b`: the closest aliases of the words in front of the number, or those that begin with them. */
function guess(parts: readonly Part[], aliases: Aliases): Meant[] {
  const numberAt = parts.findIndex(({ kind }) => kind === "number");
  const words = parts.slice(0, Math.max(0, numberAt)).flatMap((part) => (part.kind === "word" ? part.word : []));
  const typed = words.join("");
  if (typed.length < 3) return [];
  const found = new Map<string, number>();
  for (const [alias, meant] of aliases) {
    const away = alias.startsWith(typed) ? 1 : nearness(typed, alias);
    if (away === undefined) continue;
    for (const { code, rank } of meant) {
      const before = found.get(code);
      if (before === undefined || away + rank < before) found.set(code, away + rank);
    }
  }
  return [...found].map(([code, rank]) => ({ code, rank })).sort((a, b) => a.rank - b.rank);
}

function nearness(typed: string, alias: string): number | undefined {
  const allowed = toleranceOf(typed);
  if (alias.length < 4 || Math.abs(alias.length - typed.length) > allowed) return undefined;
  const away = distance(typed, alias);
  return away <= allowed ? away : undefined;
}
