/** Finds courses, people and departments: first what was named exactly, then what the words may mean. */
import MiniSearch from "minisearch";
import type { Derivation } from "../snapshot/snapshot.ts";
import { type Entry, readEntries } from "./entry.ts";
import { type Question, readQuestion } from "./search-query.ts";
import { CHUNK, createLookupIndex, type LookupIndex } from "./lookup-index.ts";
import { type IndexedField, toTextQuery } from "./text-query.ts";
import { createVocabulary } from "./vocabulary.ts";
import { toWords } from "./words.ts";
import { MAX_SUGGESTIONS, nearest } from "../response/suggestion.ts";

export interface Found {
  readonly entry: Entry;
  /** From 0 to 1; 0.9 and more is for what was named exactly. */
  readonly score: number;
}

export interface SearchIndex {
  /** All entries that the text may mean, best first. */
  find(text: string): Found[];
  /** Ids of one kind that an unknown one most likely means: by an alias or a name, or else by its spelling. */
  suggest(kind: Entry["kind"], id: string): string[];
  drop(): Promise<void>;
}

/** The best score of each way to be found; a rank of `aliases.ts` takes a hundredth. */
const SCORES = {
  named: 1,
  title: 0.95,
  begins: 0.85,
  guessed: 0.75,
  allWords: 0.7,
  itsDepartment: 0.5,
  someWords: 0.35,
} as const;
const RANK_COSTS = 0.01;
/** What is named exactly, whatever its rank. */
const LEAST_NAMED = 0.9;

/** What was taught often is looked for often: up to half as much again. */
const popularity = (entry: Entry | undefined): number => 1 + Math.min(entry?.taught ?? 0, 20) / 40;

/** The index of a snapshot's courses, people and departments: `snapshot.derive(searchIndex)`. */
export const searchIndex: Derivation<SearchIndex> = {
  name: "search",
  tables: ["courses", "instructors", "departments"],
  make: async (pool, { courses = [], instructors = [], departments = [] }) =>
    createSearchIndex(await readEntries(pool, { courses, instructors, departments })),
};

/** Builds the index in pieces, so that requests are answered meanwhile. */
export async function createSearchIndex(entries: readonly Entry[]): Promise<SearchIndex> {
  const shelf = await createLookupIndex(entries);
  const vocabulary = createVocabulary();
  const index = new MiniSearch<number>({
    fields: ["title", "key"] satisfies IndexedField[],
    extractField(place, field) {
      const entry = entries[place];
      if (field === "id" || entry === undefined) return place;
      if (field === "key") return shelf.keysOf(entry);
      return entry.kind === "instructor" ? entry.title : entry.subtitle;
    },
    tokenize: (text) => toWords(String(text)),
    processTerm(word) {
      vocabulary.add(word);
      return word;
    },
    searchOptions: {
      processTerm: (word) => word,
      boost: { key: 2 },
      boostDocument: (place: number) => popularity(entries[place]),
    },
  });
  await index.addAllAsync([...entries.keys()], { chunkSize: CHUNK });

  return {
    find(text) {
      const question = readQuestion(text, shelf.aliases);
      if (question.parts.length === 0) return [];
      const scores = new Map<number, number>();
      const put = (place: number, score: number) => {
        if (score > (scores.get(place) ?? 0)) scores.set(place, score);
      };
      const all = index.search(toTextQuery(question.parts, vocabulary, "AND"));
      for (const [place, score] of named(question, shelf, entries)) put(place, score);
      const isMet = all.length > 0 || scores.size > 0;
      const met = isMet ? all : index.search(toTextQuery(question.parts, vocabulary, "OR"));
      const share = (isMet ? SCORES.allWords : SCORES.someWords) / (met[0]?.score ?? 1);
      for (const { id, score } of met) put(id as number, score * share);
      for (const place of itsDepartments(question, shelf)) put(place, SCORES.itsDepartment);
      return [...scores]
        .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b)
        .map(([place, score]) => ({ entry: entries[place] as Entry, score: Math.round(score * 1000) / 1000 }));
    },
    suggest(kind, id) {
      const meant = [...named(readQuestion(id, shelf.aliases), shelf, entries)]
        .filter(([place, score]) => entries[place]?.kind === kind && score >= LEAST_NAMED)
        .map(([place, score]) => ({ id: entries[place]?.id ?? "", score }));
      const best = Math.max(...meant.map(({ score }) => score));
      const likeliest = new Set(meant.filter(({ score }) => score === best).map((one) => one.id));
      if (likeliest.size > 0) return [...likeliest].slice(0, MAX_SUGGESTIONS);
      return nearest(
        id,
        entries.filter((entry) => entry.kind === kind).map((entry) => entry.id),
      );
    },
    drop: () => Promise.resolve(),
  };
}

const meantBy = ({ parts }: Question) => parts.flatMap((part) => (part.kind === "department" ? [part.meant] : []));

/** What the question names: a person, a department or a title in full, a course by department and number. */
function* named(
  question: Question,
  shelf: LookupIndex,
  entries: readonly Entry[],
): Generator<readonly [number, number]> {
  const { whole, parts, guessed } = question;
  for (const place of shelf.names.get(whole) ?? [])
    yield [place, entries[place]?.kind === "course" ? SCORES.title : SCORES.named];
  const number = parts.find((part) => part.kind === "number")?.number;
  for (const { code, rank, best } of [
    ...(meantBy(question)[0] ?? []).map((one) => ({ ...one, best: SCORES.named })),
    ...guessed.map((one) => ({ ...one, best: SCORES.guessed })),
  ]) {
    const place = shelf.departments.get(code);
    if (parts.length === 1 && place !== undefined) yield [place, best - rank * RANK_COSTS];
    if (number === undefined) continue;
    for (const course of shelf.courses.get(code) ?? []) {
      const own = entries[course]?.detail.toLowerCase();
      if (own === number) yield [course, best - rank * RANK_COSTS];
      else if (own?.startsWith(number)) yield [course, best - (SCORES.named - SCORES.begins) - rank * RANK_COSTS];
    }
  }
}

/** The departments that a question names beside other words. */
const itsDepartments = (question: Question, shelf: LookupIndex): number[] =>
  meantBy(question).flatMap(([likeliest]) => shelf.departments.get(likeliest?.code ?? "") ?? []);
