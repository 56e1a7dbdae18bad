/** Reads searched texts: writes out short forms, finds the hit that is meant, and the words that were ignored. */
import { distance } from "fastest-levenshtein";
import type { ResponseBody } from "../data/response-body.ts";
import { SHORT_FORMS } from "./short-forms.ts";

type Hit = ResponseBody<"SearchHits">[number];

/** As people type: without case, signs and diacritics. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}&]+/gu) ?? [];

const LONGEST = Math.max(...Object.keys(SHORT_FORMS).map((form) => form.split(" ").length));
const SMALL = new Set(["to", "the", "of", "a", "an", "in", "and", "for"]);

/**
 * Writes out short forms: `o chem lab` → `organic chemistry lab`, `com sci 161` → `COMPSCI 161`; undefined if there are
 * none. The short name of a department counts only before a number, or alone; elsewhere it is a word of a title.
 */
export function writtenOut(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const out: string[] = [];
  let isChanged = false;
  for (let i = 0; i < words.length;) {
    const size = Array.from({ length: LONGEST }, (_, k) => LONGEST - k).find(
      (count) => i + count <= words.length && formOf(words.slice(i, i + count), words[i + count]) !== undefined,
    );
    const form = size === undefined ? undefined : formOf(words.slice(i, i + size), words[i + size]);
    out.push(form ?? words[i] ?? "");
    isChanged ||= form !== undefined;
    i += size ?? 1;
  }
  if (!isChanged) return undefined;
  return out.filter((word) => !SMALL.has(word.toLowerCase())).join(" ");
}

function formOf(words: readonly string[], next: string | undefined): string | undefined {
  const form = SHORT_FORMS[plain(words.join(" "))];
  if (form === undefined) return undefined;
  const isDepartment = form === form.toUpperCase();
  // `chem 1a` is the department CHEM itself.
  const isBeforeNumber = next !== undefined && /^[a-z]?\d/i.test(next);
  if (isDepartment) return isBeforeNumber || next === undefined ? form : undefined;
  return isBeforeNumber ? undefined : form;
}

const textOf = ({ title, subtitle, id, department }: Hit): string => `${title} ${subtitle} ${id} ${department}`;

/** Words around a name that no hit needs to contain. */
const TITLES = new Set(["prof", "professor", "dr", "class", "course"]);

/** Words of the text that no hit contains, not even misspelt or as a beginning. */
function uncontainedWords(text: string, hits: readonly Hit[]): string[] {
  const words = new Set(hits.flatMap((hit) => wordsOf(textOf(hit))));
  const joined = hits.map((hit) => wordsOf(textOf(hit)).join(""));
  const isContained = (word: string): boolean =>
    SMALL.has(word) ||
    TITLES.has(word) ||
    joined.some((all) => all.includes(word)) ||
    [...words].some(
      (other) => other.startsWith(word) || (word.length > 3 && distance(word, other) <= (word.length > 5 ? 2 : 1)),
    );
  return wordsOf(text).filter((word) => !isContained(word));
}

/** Each one takes a request. */
const MAX_LOOKED_UP = 4;

/**
 * Returns the words of the text that the search ignored. A word that no hit contains may still be another name of a hit
 * or of its department, such as `ics` of `I&C SCI`: `search` tells.
 */
export async function ignoredWords(
  text: string,
  hits: readonly Hit[],
  search: (word: string) => Promise<readonly Hit[]>,
): Promise<string[]> {
  if (hits.length === 0) return [];
  const words = uncontainedWords(text, hits).slice(0, MAX_LOOKED_UP);
  const isOf = (hit: Hit): boolean =>
    hits.some(({ kind, id, department }) =>
      hit.kind === "department" ? department === hit.department : hit.kind === kind && hit.id === id,
    );
  const isOther = await Promise.all(words.map(async (word) => (await search(word)).some(isOf)));
  return words.filter((_, i) => !isOther[i]);
}

/**
 * Returns the only hit that the text names: a course or department by name or code, a section of the term by code, or a
 * person who alone has all words of the text.
 */
export function exactHit(text: string, hits: readonly Hit[], term: string): Hit | undefined {
  const exact = hits.filter(({ score, kind }) => score === 1 && kind !== "section");
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const sections = hits.filter(({ score, kind }) => score === 1 && kind === "section");
  if (sections.length > 0)
    return sections.find(({ id }) => id.startsWith(`${term} `)) ?? (sections.length === 1 ? sections[0] : undefined);
  const asked = wordsOf(text);
  const named = hits.filter((hit) => asked.every((word) => wordsOf(hit.title).includes(word)));
  return named.length === 1 && named[0]?.kind === "instructor" ? named[0] : undefined;
}
