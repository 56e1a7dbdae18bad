/**
 * Converts the registrar's `NEW * OLD since TERM` to rows of the contract. **Output:** `former_names`
 * (pipeline/RULES.md, Catalogue).
 */
import { courseId, courseIdKey, courseName } from "../../contract/course-name.ts";
import type { FormerName } from "../../contract/rows/former-name.ts";
import { termName } from "../../contract/vocabulary.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { PrintedRequirement } from "./course.ts";
import {
  namesInRequirement,
  type PrintedNames,
  printNames,
  readPrintedNames,
  readPrintedTerm,
} from "./printed-names.ts";

/** The data that is compared with the registrar's pages. */
interface Compared {
  /** The ids of the catalogue's courses by their keys (`courseIdKey`). */
  readonly catalogued: ReadonlyMap<string, string>;
  readonly published: readonly FormerName[];
}

/** A former name that the registrar prints, by keys of ids. */
interface Renaming {
  readonly course: string;
  readonly former: string;
  readonly row: FormerName;
}

/**
 * The former names in the cells of courses and of requirements, and those published names that no page gives to another
 * course: links and grades with an old name outlive the registrar's remark. Contradictions between pages are noted.
 */
export function toFormerNames(
  rows: readonly PrintedRequirement[],
  { catalogued, published }: Compared,
  tally: Tally,
): FormerName[] {
  const renamings = readRenamings(rows, catalogued, tally);
  const claims = new Map<string, Renaming[]>();
  for (const renaming of renamings) {
    const others = claims.get(renaming.former);
    if (others) others.push(renaming);
    else claims.set(renaming.former, [renaming]);
  }
  const todayOf = createToday(claims, catalogued);
  const named = new Map<string, FormerName>();
  for (const { course, former, row } of renamings) {
    const words = `${row.courseId} * ${row.formerId}`;
    const today = todayOf(course) ?? row;
    if (today.courseId !== row.courseId)
      tally.note("a course was renamed more than once", `${today.courseId}: ${words}`);
    if (catalogued.has(former)) tally.note("a former name is that of a course of the catalogue", words);
    if (courseIdKey(today.courseId) !== former)
      named.set(`${courseIdKey(today.courseId)} ${former}`, { ...row, courseId: today.courseId });
  }
  for (const [, [first, ...others]] of claims)
    if (first && others.length > 0)
      tally.note(
        "several courses claim one former name",
        `${first.row.formerId}: ${[first, ...others].map(({ row }) => row.courseId).join(", ")}`,
      );
  for (const { courseId: id, formerId, since } of published) {
    const [course, former] = [courseIdKey(id), courseIdKey(formerId)];
    const row = { courseId: todayOf(course)?.courseId ?? id, formerId, since };
    const key = `${courseIdKey(row.courseId)} ${former}`;
    if (named.has(key)) continue;
    const words = `${row.courseId} * ${formerId}`;
    if (claims.has(former)) tally.note("a former name now belongs to another course", words);
    else {
      tally.note("a former name that the registrar no longer prints stays", words);
      named.set(key, row);
    }
  }
  return [...named.values()];
}

/** Each pair of names, without duplicates, with the first term that is stated for it. */
function readRenamings(
  rows: readonly PrintedRequirement[],
  catalogued: ReadonlyMap<string, string>,
  tally: Tally,
): Renaming[] {
  const renamings = new Map<string, Renaming>();
  for (const { name, former, unreadable } of rows.flatMap(namesIn)) {
    for (const text of unreadable)
      tally.note("a former name is not the name of a course", `${courseName(name)} * ${text}`);
    for (const old of former) {
      const words = printNames(name, old.name);
      const [course, formerKey] = [courseIdKey(courseId(name)), courseIdKey(courseId(old.name))];
      if (course === formerKey) {
        tally.note("a course with its own name as a former name", words);
        continue;
      }
      const term = readPrintedTerm(old.since);
      if (old.since !== "" && !term) tally.note("the term of a new name cannot be read", `${words} since ${old.since}`);
      const since = term ? termName(term) : null;
      const key = `${course} ${formerKey}`;
      const stated = renamings.get(key)?.row.since ?? null;
      if (since !== null && stated !== null && since !== stated)
        tally.note("the registrar gives two terms for one new name", `${words}: ${stated}, ${since}`);
      const ids = { courseId: catalogued.get(course) ?? courseId(name), formerId: courseId(old.name) };
      renamings.set(key, { course, former: formerKey, row: { ...ids, since: stated ?? since } });
    }
  }
  return [...renamings.values()];
}

const namesIn = ({ course, requirement }: PrintedRequirement): PrintedNames[] => [
  ...[readPrintedNames(course) ?? []].flat(),
  ...namesInRequirement(requirement),
];

/**
 * `A * B` and `B * C`: C is a former name of A too, unless the catalogue still has B. A name that several courses
 * claim, or that leads back to itself, is not followed.
 */
function createToday(claims: ReadonlyMap<string, readonly Renaming[]>, catalogued: ReadonlyMap<string, string>) {
  const newest = new Map<string, FormerName | undefined>();
  return (course: string): FormerName | undefined => {
    const path = new Set<string>();
    let key = course;
    let row: FormerName | undefined;
    while (!path.has(key) && !catalogued.has(key)) {
      path.add(key);
      if (newest.has(key)) {
        row = newest.get(key) ?? row;
        break;
      }
      const [claim, ...others] = claims.get(key) ?? [];
      if (!claim || others.length > 0) break;
      [key, row] = [claim.course, claim.row];
    }
    for (const name of path) newest.set(name, row);
    return row;
  };
}
