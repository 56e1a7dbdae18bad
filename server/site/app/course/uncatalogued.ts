/**
 * Finds a course that the catalogue lacks in schedule, grades or enrollment history. The server titles its page by the
 * same rule.
 */
import type { ResponseBody } from "../data/response-body.ts";
import { termQuery } from "../data/term-names.ts";
import { type CourseKey, splitsOf } from "./course-splits.ts";

/** An endpoint and its parameters → its JSON; undefined where it has none. */
export type Ask = <T>(path: string, query: Readonly<Record<string, string>>) => Promise<T | undefined>;

export interface UncataloguedCourse extends CourseKey {
  /** As the schedule shortens it; its name where only grades and history know it. */
  readonly title: string;
  /** In which it is known to have been taught. */
  readonly terms: readonly string[];
}

/** Newest terms whose schedules are looked at: about a year of them, and those ahead. */
const MAX_TERMS = 8;

/** Looks in a term, including cancelled sections. */
async function findScheduled(key: CourseKey, term: string, ask: Ask): Promise<UncataloguedCourse | undefined> {
  const filters = { ...termQuery(term), ...key, cancelledCourses: "Include", cacheOnly: "true" };
  const schedule = await ask<ResponseBody<"Schedule">>("/schedule", filters);
  const department = schedule?.schools[0]?.departments[0];
  const course = department?.courses[0];
  if (!department || !course) return undefined;
  const { courseNumber, courseTitle: title } = course;
  return { department: department.deptCode, courseNumber, title, terms: [term] };
}

async function findKey(key: CourseKey, terms: readonly string[], ask: Ask): Promise<UncataloguedCourse | undefined> {
  const [first, ...others] = terms;
  const [grades = [], history = [], inFirst] = await Promise.all([
    ask<ResponseBody<"RawGrades">>("/grades/raw", { ...key }),
    ask<ResponseBody<"EnrollmentHistory">>("/enrollmentHistory", { ...key }),
    first === undefined ? undefined : findScheduled(key, first, ask),
  ]);
  const rows = [...grades, ...history];
  const knownTerms = new Set(rows.map(({ year, quarter }) => `${year} ${quarter}`));
  // Where it is known to have been taught, one schedule is enough for the title.
  const looked = inFirst
    ? []
    : knownTerms.size === 0
      ? others
      : others.filter((term) => knownTerms.has(term)).slice(0, 1);
  const inOthers = await Promise.all(looked.map((term) => findScheduled(key, term, ask)));
  const scheduled = [inFirst, ...inOthers].filter((course) => course !== undefined);
  const [course] = scheduled;
  const all = [...new Set([...scheduled.flatMap((candidate) => candidate.terms), ...knownTerms])];
  if (course) return { ...course, terms: all };
  const [row] = rows;
  if (!row) return undefined;
  const { department, courseNumber } = row;
  return { department, courseNumber, title: `${department} ${courseNumber}`, terms: all };
}

const MAX_SEARCHED = 200;

/** The name of the course with an id: the one that the search knows, else what the id may mean. */
async function keysOf(id: string, ask: Ask): Promise<CourseKey[]> {
  const hits = await ask<ResponseBody<"SearchHits">>("/search", { q: id.slice(0, MAX_SEARCHED) });
  const plain = (text: string) => text.replaceAll(/\s/g, "").toLowerCase();
  const hit = hits?.find((candidate) => candidate.kind === "course" && plain(candidate.id) === plain(id));
  return hit
    ? [{ department: hit.department, courseNumber: hit.title.slice(hit.department.length + 1) }]
    : splitsOf(id);
}

/**
 * Finds a course by the id in its address. `terms` are those with a schedule, the likeliest first. Undefined for an
 * unknown course. @throws what `ask` does
 */
export async function findUncatalogued(
  id: string,
  terms: readonly string[],
  ask: Ask,
): Promise<UncataloguedCourse | undefined> {
  const looked = [...new Set(terms)].slice(0, MAX_TERMS);
  for (const key of await keysOf(id, ask)) {
    const course = await findKey(key, looked, ask);
    if (course) return course;
  }
  return undefined;
}
