/** Finds courses, people and departments: exact names first, then full text. */
import { createHash } from "node:crypto";
import MiniSearch from "minisearch";
import { sql } from "../duckdb/sql.ts";
import { createYielder } from "../snapshot/event-loop-yielder.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import { readFormerNames } from "../snapshot/tables/catalogue.ts";
import { courseId, courseIdKey } from "../../pipeline/contract/course-name.ts";
import { type Entry, nameOfCourse, readEntries } from "./entry.ts";
import { type IndexedField, type SearchQuery, parseSearchQuery, toTextQuery } from "./search-query.ts";
import { toAliases, toCodeKey } from "./aliases.ts";
import { MAX_OTHER_NAMES, readUncatalogued, withOtherNames } from "./uncatalogued.ts";
import { toWords } from "./words.ts";
import { closestNames, MAX_SUGGESTIONS } from "../../pipeline/settings/closest-names.ts";

export interface SearchResult {
  readonly entry: Entry;
  /** From 0 to 1; at least 0.9 for an exact name. */
  readonly score: number;
}

type SearchIndex = Awaited<ReturnType<typeof createSearchIndex>>;

/** The best score of each kind of match; each rank of `aliases.ts` lowers it by 0.01. */
const SCORES = {
  exact: 1,
  title: 0.95,
  prefix: 0.85,
  guessed: 0.75,
  allWords: 0.7,
  department: 0.5,
  someWords: 0.35,
} as const;
const RANK_COST = 0.01;
const MIN_EXACT = 0.9;

/** Ranks entries that are taught often higher, by up to one half. */
const popularity = (entry: Entry | undefined): number => 1 + Math.min(entry?.taught ?? 0, 20) / 40;

export const searchIndex: Derivation<SearchIndex> = {
  name: "search",
  tables: ["courses", "instructors", "departments", "sections", "grades", "former_names"],
  async make(pool, rows) {
    const published = await readEntries(pool, rows);
    const courses = withOtherNames(
      published.filter(({ kind }) => kind === "course"),
      await readUncatalogued(pool, rows),
      await readFormerNames(pool, sql`${rows("former_names")} ORDER BY ALL LIMIT ${MAX_OTHER_NAMES}`),
    );
    const ofKind = (wanted: Entry["kind"]) => published.filter(({ kind }) => kind === wanted);
    return indexOf([...ofKind("department"), ...courses, ...ofKind("instructor")]);
  },
};

/** The most recently built index: sections change every hour, but the courses in them hardly ever. */
let last: { readonly entries: string; readonly index: WeakRef<SearchIndex> } | undefined;

/** Returns an index of the entries; reuses the last one if it is still in use and has the same entries. */
async function indexOf(entries: readonly Entry[]): Promise<SearchIndex> {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(JSON.stringify(entry));
  const key = hash.digest("base64");
  const same = last?.entries === key ? last.index.deref() : undefined;
  if (same) return same;
  const index = await createSearchIndex(entries);
  last = { entries: key, index: new WeakRef(index) };
  return index;
}

/** The entries processed between two turns of the event loop; takes a few milliseconds. */
const CHUNK_SIZE = 50;

function add(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (!indexes) map.set(key, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}

type LookupIndex = Awaited<ReturnType<typeof createLookupIndex>>;

/** Indexes names and codes for exact lookups. Entries are identified by their index in the list. */
async function createLookupIndex(entries: readonly Entry[]) {
  const yieldToEventLoop = createYielder();
  const departments = new Map<string, number>();
  const [courses, names] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [index, entry] of entries.entries()) {
    const { kind, id, title, subtitle, detail } = entry;
    await yieldToEventLoop();
    if (kind === "department") departments.set(id, index);
    if (kind === "course") add(courses, nameOfCourse(entry).department, index);
    const ofCourse = entry.otherName ? [courseId(entry.otherName)] : [id, subtitle];
    for (const name of { instructor: [id, title, detail], course: ofCourse, department: [subtitle] }[kind])
      add(names, toWords(name).join(""), index);
  }
  // Discontinued departments still have courses.
  const codes = new Set([...departments.keys(), ...courses.keys()]);
  const nameOf = (code: string) => entries[departments.get(code) ?? -1]?.subtitle ?? "";
  const aliases = toAliases([...codes].map((code) => ({ code, name: nameOf(code) })));
  const aliasesOf = new Map<string, string[]>();
  for (const [alias, matches] of aliases)
    for (const { code } of matches) aliasesOf.set(code, [...(aliasesOf.get(code) ?? []), alias]);
  return {
    aliases,
    departments,
    /** The courses of departments by code. */
    courses,
    /** Maps full names of people, departments and courses, and ids of courses, without separators, to indexes. */
    names,
    /** Returns the `key` field of the full-text index: department code or aliases, course number, netid. */
    keysOf(entry: Entry): string {
      if (entry.kind === "department") return (aliasesOf.get(entry.id) ?? []).join(" ");
      if (entry.kind === "instructor") return `${toCodeKey(entry.department)} ${entry.id}`;
      const { department, courseNumber } = nameOfCourse(entry);
      return `${toCodeKey(department)} ${courseNumber}`;
    },
  };
}

/** Builds the index in chunks, so that the event loop is not blocked. */
async function createSearchIndex(entries: readonly Entry[]) {
  const lookup = await createLookupIndex(entries);
  const indexedWords = new Set<string>();
  const textIndex = new MiniSearch<number>({
    fields: ["title", "key"] satisfies IndexedField[],
    extractField(index, field) {
      const entry = entries[index];
      if (field === "id" || entry === undefined) return index;
      if (field === "key") return lookup.keysOf(entry);
      if (entry.otherName) return "";
      return entry.kind === "instructor" ? entry.title : entry.subtitle;
    },
    tokenize: (text) => toWords(String(text)),
    processTerm(word) {
      indexedWords.add(word);
      return word;
    },
    searchOptions: {
      processTerm: (word) => word,
      boost: { key: 2 },
      boostDocument: (index: number) => popularity(entries[index]),
    },
  });
  await textIndex.addAllAsync([...entries.keys()], { chunkSize: CHUNK_SIZE });
  const words = [...indexedWords].sort();
  const isKnown = (word: string) => words[firstFrom(words, word)]?.startsWith(word) ?? false;

  return {
    find(text: string): SearchResult[] {
      const query = parseSearchQuery(text, lookup.aliases);
      if (query.parts.length === 0) return [];
      const scores = new Map<number, number>();
      const raise = (index: number, score: number) => {
        if (score > (scores.get(index) ?? 0)) scores.set(index, score);
      };
      const all = textIndex.search(toTextQuery(query.parts, isKnown, "AND"));
      for (const [index, score] of exactMatches(query, lookup, entries)) raise(index, score);
      const matchesAll = all.length > 0 || scores.size > 0;
      const matches = matchesAll ? all : textIndex.search(toTextQuery(query.parts, isKnown, "OR"));
      const factor = (matchesAll ? SCORES.allWords : SCORES.someWords) / (matches[0]?.score ?? 1);
      for (const { id, score } of matches) raise(id as number, score * factor);
      for (const index of departmentsIn(query, lookup)) raise(index, SCORES.department);
      const results = [...scores]
        .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b)
        .map(([index, score]) => ({ entry: entries[index] as Entry, score: Math.round(score * 1000) / 1000 }));
      return firstOfEach(results);
    },
    /** Returns the words and numbers of a text that no entry has, not even misspelt. */
    unmatchedWords(text: string): string[] {
      const { joined, parts } = parseSearchQuery(text, lookup.aliases);
      if (lookup.names.has(joined)) return [];
      return parts.flatMap((part) => {
        if (part.kind === "department") return [];
        const word = part.kind === "word" ? part.word : part.number;
        // Only an unknown word has to be searched for, as a misspelt one.
        const isMatched = isKnown(word) || textIndex.search(toTextQuery([part], isKnown, "OR")).length > 0;
        return isMatched ? [] : [word];
      });
    },
    /** Suggests ids for an unknown one: by alias or name, else by spelling. */
    suggest(kind: Entry["kind"], id: string): string[] {
      const candidates = [...exactMatches(parseSearchQuery(id, lookup.aliases), lookup, entries)]
        .filter(([index, score]) => isSuggested(entries[index], kind) && score >= MIN_EXACT)
        .map(([index, score]) => ({ id: entries[index]?.id ?? "", score }));
      const best = Math.max(...candidates.map(({ score }) => score));
      const bestIds = new Set(candidates.filter(({ score }) => score === best).map((candidate) => candidate.id));
      if (bestIds.size > 0) return [...bestIds].slice(0, MAX_SUGGESTIONS);
      return closestNames(
        id,
        entries.filter((entry) => isSuggested(entry, kind)).map((entry) => entry.id),
      );
    },
    /**
     * Returns the entries of courses with this id or name, including former names and courses that the catalogue lacks.
     */
    coursesNamed: (id: string): readonly Entry[] =>
      (lookup.names.get(toWords(id).join("")) ?? [])
        .flatMap((index) => entries[index] ?? [])
        .filter((entry) => entry.kind === "course" && courseIdKey(courseId(nameOfCourse(entry))) === courseIdKey(id)),
  };
}

/** Returns the index of the first word of a sorted list that is not before this one; a binary search. */
function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if the entry's id can be suggested: it must be the id of a resource. */
const isSuggested = (entry: Entry | undefined, kind: Entry["kind"]): boolean =>
  entry?.kind === kind && entry.uncatalogued === undefined;

/** Removes duplicates: a course that is found by several of its names is a single result. */
function firstOfEach(results: readonly SearchResult[]): SearchResult[] {
  const byId = new Map<string, SearchResult>();
  for (const result of results) {
    const key = `${result.entry.kind} ${result.entry.id}`;
    if (!byId.has(key)) byId.set(key, result);
  }
  return [...byId.values()];
}

const departmentsOf = ({ parts }: SearchQuery) =>
  parts.flatMap((part) => (part.kind === "department" ? [part.matches] : []));

/** Yields exact matches: a person, a department or a title in full, a course by department and number. */
function* exactMatches(
  query: SearchQuery,
  lookup: LookupIndex,
  entries: readonly Entry[],
): Generator<readonly [number, number]> {
  const { joined, parts, guessed } = query;
  for (const index of lookup.names.get(joined) ?? [])
    yield [index, entries[index]?.kind === "course" ? SCORES.title : SCORES.exact];
  const number = parts.find((part) => part.kind === "number")?.number;
  for (const { code, rank, best } of [
    ...(departmentsOf(query)[0] ?? []).map((match) => ({ ...match, best: SCORES.exact })),
    ...guessed.map((match) => ({ ...match, best: SCORES.guessed })),
  ]) {
    const index = lookup.departments.get(code);
    if (parts.length === 1 && index !== undefined) yield [index, best - rank * RANK_COST];
    if (number === undefined) continue;
    for (const course of lookup.courses.get(code) ?? []) {
      const entry = entries[course];
      const courseNumber = entry && nameOfCourse(entry).courseNumber.toLowerCase();
      if (courseNumber === number) yield [course, best - rank * RANK_COST];
      else if (courseNumber?.startsWith(number))
        yield [course, best - (SCORES.exact - SCORES.prefix) - rank * RANK_COST];
    }
  }
}

const departmentsIn = (query: SearchQuery, lookup: LookupIndex): number[] =>
  departmentsOf(query).flatMap(([first]) => lookup.departments.get(first?.code ?? "") ?? []);
