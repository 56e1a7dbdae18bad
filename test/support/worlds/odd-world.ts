/** A world as real ones are: with departments that ended, diacritics, and texts that are printed in other ways. */
import { compareTerms, parseTermName, type Term } from "../../../pipeline/contract/vocabulary.ts";
import type { World } from "./world.ts";

/** The upstream's text, and the service's expected result. */
export interface WorldPair {
  readonly printed: World;
  readonly meant: World;
}

/** The form's marks, and the term after which nothing is offered. */
const ENDS: Readonly<Record<string, readonly [mark: string, last: string]>> = {
  ANTHRO: ["2016 Spg", "2016 Spring"],
  DANCE: ["2017 SS2", "2017 Summer2"],
  CHINESE: ["further notice", "2018 Fall"],
};

const ACCENTED: Readonly<Record<string, string>> = { a: "á", e: "é", i: "í", o: "ø", u: "ü", l: "ł" };
const accented = (text: string): string =>
  text.replace(/[aeioul]/gi, (letter) => {
    const accented = ACCENTED[letter.toLowerCase()] ?? letter;
    return letter === letter.toLowerCase() ? accented : accented.toUpperCase();
  });

/** How the schedule spells a name whose letters in the directory have marks. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  accented,
  (name) => name,
  (name) => accented(name).normalize("NFD"),
];

export function toOddWorld(world: World): WorldPair {
  const isOffered = (code: string, term: Term): boolean => {
    const last = parseTermName(ENDS[code]?.[1] ?? "");
    return last === undefined || compareTerms(term, last) <= 0;
  };
  const respelled = respellings(world);
  const withNames = <T extends { instructors: string[] }>(row: T): T => ({
    ...row,
    instructors: row.instructors.map((name) => respelled.get(name) ?? name),
  });
  const meant: World = {
    ...world,
    departments: world.departments.map((row) => {
      const end = ENDS[row.code];
      return end ? { ...row, until: end[0] } : row;
    }),
    sections: world.sections.filter((row) => isOffered(row.deptCode, row)).map(withNames),
    grades: world.grades
      .filter((row) => isOffered(row.department, row))
      .map((row, i) => (i % 40 === 0 ? { ...withNames(row), averageGPA: null } : withNames(row))),
    courses: world.courses.map((row) => ({ ...row, geText: inWords(row.geText) })),
    instructors: world.instructors.map((row) => {
      const spelled = respelled.get(row.shortenedName);
      return spelled === undefined ? row : { ...row, name: accented(row.name), shortenedName: spelled };
    }),
  };
  const printed: World = {
    ...meant,
    courses: meant.courses.map((row, i) => (i % 20 === 0 ? { ...row, title: `${row.title} ` } : row)),
  };
  return { printed, meant };
}

/** Respells one in three of the names that belong to a single person, in every manner. */
function respellings(world: World): Map<string, string> {
  const taught = new Set(world.sections.flatMap(({ instructors }) => instructors));
  const names = world.instructors.map(({ shortenedName }) => shortenedName);
  const own = names.filter((name) => taught.has(name) && names.indexOf(name) === names.lastIndexOf(name));
  return new Map(
    own
      // A decomposed name is longer than the schedule's field: those that the field cuts stay as they are.
      .filter((name, i) => i % 3 === 0 && (name.split(",")[0] ?? "").length < 14)
      .map((name, i) => [name, (SPELLINGS[i % SPELLINGS.length] as (name: string) => string)(name)]),
  );
}

/** `(II)` as `(GE II)`, `(III and VIII)` as `(General Education III and VIII )`. */
function inWords(geText: string): string {
  if (geText === "(II)") return "(GE II)";
  return geText === "(III and VIII)" ? "(General Education III and VIII )" : geText;
}
