/**
 * Resolves course ids that the catalogue lacks: other names of its courses, and courses that only the schedule or the
 * grades contain (server/RULES.md).
 */
import { courseIdKey, courseName } from "../../pipeline/contract/course-name.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE, type EndpointContext, type RelatedLink } from "../response/endpoint.ts";
import { shown } from "../response/problem.ts";
import { inHeader } from "../response/warnings.ts";
import { nameOfCourse } from "../search/entry.ts";
import { uncataloguedAddress } from "../search/hits.ts";
import { searchIndex } from "../search/search-index.ts";
import { splitId } from "../search/uncatalogued.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { OtherIds } from "./collection.ts";

/** The most names of a course in headers. */
const MAX_NAMES = 5;

const namesIn = ({ tables }: Snapshot) => tables.former_names.formerNames;

export const renamedCourses: OtherIds = {
  table: "former_names",
  standsFor(id, snapshot) {
    const [courseId, ...others] = namesIn(snapshot).courseIdsOf(id, snapshot.tables.courses.rowIds);
    return courseId === undefined || others.length > 0 || courseIdKey(courseId) === courseIdKey(id)
      ? undefined
      : courseId;
  },
  warning(id, today, snapshot) {
    const row = namesIn(snapshot)
      .renamedTo(id)
      .find(({ courseId }) => courseIdKey(courseId) === courseIdKey(today));
    const [requestedName, course] = [inHeader(id.replaceAll(/\s/g, "")), inHeader(today)];
    if (!row) return `${requestedName} is not in the catalogue: ${course} is another name of the course`;
    return `${requestedName} is a former name of ${course}${row.since === null ? "" : `, until ${row.since}`}; grades and sections of that time stand under it`;
  },
  links: linksOf,
  notFound,
};

/**
 * Returns links to grades and enrollment history of a course under its other names. The page of a course parses their
 * titles.
 */
async function linksOf(id: string, { snapshot }: EndpointContext): Promise<RelatedLink[]> {
  const names = namesIn(snapshot);
  const formerly = names.formerOf(id).map((row) => ({ other: row.formerId, kind: "former", word: "until", ...row }));
  const later = names.renamedTo(id).map((row) => ({ other: row.courseId, kind: "newer", word: "from", ...row }));
  const others = [...formerly, ...later].slice(0, MAX_NAMES);
  if (others.length === 0) return [];
  const index = await snapshot.derive(searchIndex).catch(() => undefined);
  return others.flatMap(({ other, kind, word, since }) => {
    const [entry] = index?.coursesNamed(other) ?? [];
    const name = entry ? nameOfCourse(entry) : splitId(other);
    const query = new URLSearchParams({ ...name }).toString();
    const title = `under the ${kind} name ${courseName(name)}${since === null ? "" : `, ${word} ${since}`}`;
    return [
      { path: `${BASE}/grades/aggregate?${query}`, title: `Grades ${title}` },
      { path: `${BASE}/enrollmentHistory?${query}`, title: `Enrollment history ${title}` },
    ];
  });
}

/** Explains where a course appears that the catalogue lacks; undefined if nothing has it. */
async function notFound(id: string, { snapshot, base }: EndpointContext): Promise<string | undefined> {
  const candidates = namesIn(snapshot).courseIdsOf(id, snapshot.tables.courses.rowIds);
  if (candidates.length > 1) {
    const courses = candidates.slice(0, MAX_NAMES).map((candidate) => shown(candidate));
    return `Course ${shown(id)} not found: it is a former name of ${courses.join(" and of ")}`;
  }
  const index = await snapshot.derive(searchIndex).catch(() => undefined);
  const entry = index?.coursesNamed(id).find(({ uncatalogued }) => uncatalogued !== undefined);
  if (!entry) return undefined;
  const term = entry.uncatalogued?.term;
  const where = term ? `it is on the schedule of ${termName(term)}` : "it has grades";
  return `Course ${shown(id)} is not in the catalogue, but ${where}: ${base}${uncataloguedAddress(entry).slice(1)}`;
}
