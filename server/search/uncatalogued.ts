/**
 * Builds entries for courses that only the schedule or the grades contain, and for other names of catalogued courses.
 */
import {
  courseId,
  courseIdKey,
  courseIdKeySql,
  type CourseName,
  courseName,
} from "../../pipeline/contract/course-name.ts";
import { createFormerNames } from "../../pipeline/contract/former-names.ts";
import type { FormerName } from "../../pipeline/contract/rows/former-name.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { departmentKey, parseTermName } from "../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query.ts";
import { constant, type Fragment, sql } from "../duckdb/sql.ts";
import { quarterRank } from "../snapshot/tables/expressions.ts";
import type { Entry } from "./entry.ts";

/** The limits of the index, whatever is published; the newest entries are kept. */
const MAX_UNCATALOGUED = 20_000;
export const MAX_OTHER_NAMES = 20_000;

const ID_KEY = constant(courseIdKeySql("department || courseNumber"));
const RANK = constant(`year::INTEGER * 10 + ${quarterRank}`);

type TaughtCourse = CourseName & { title: string; taught: number; term: string | null; isCancelled: boolean };

/** Reads the courses of published sections and grades that the catalogue lacks, ordered by id. */
export async function readUncatalogued(pool: Pool, rows: (table: TableName) => Fragment): Promise<Entry[]> {
  const columns = await pool.columns(
    sql`SELECT department, courseNumber, title, taught, coalesce(held, cancelled) AS term, held IS NULL AS isCancelled FROM (
        SELECT min(department) AS department, min(courseNumber) AS courseNumber, key, max(rank) AS newest,
          coalesce((max({rank: rank, title: title}) FILTER (WHERE title <> '')).title, '') AS title,
          count(DISTINCT rank)::INTEGER AS taught,
          (max({rank: rank, term: term}) FILTER (WHERE isScheduled AND NOT isCancelled)).term AS held,
          (max({rank: rank, term: term}) FILTER (WHERE isScheduled)).term AS cancelled
        FROM (
          SELECT DISTINCT deptCode AS department, courseNumber, ${constant(courseIdKeySql("deptCode || courseNumber"))} AS key, courseTitle AS title,
            ${RANK} AS rank, year || ' ' || quarter AS term, cancelled AS isCancelled, true AS isScheduled FROM ${rows("sections")}
          UNION ALL
          SELECT DISTINCT department, courseNumber, ${ID_KEY}, '', ${RANK}, '', false, false FROM ${rows("grades")}
        ) WHERE key NOT IN (SELECT ${constant(courseIdKeySql("id"))} FROM ${rows("courses")})
        GROUP BY key ORDER BY newest DESC, key LIMIT ${MAX_UNCATALOGUED}
      ) ORDER BY key`,
    { uncached: true },
  );
  const names = ["department", "courseNumber", "title", "taught", "term", "isCancelled"];
  return toRows<TaughtCourse>(names, columns).map(({ department, courseNumber, title, taught, term, isCancelled }) => ({
    kind: "course",
    id: courseId({ department, courseNumber }),
    title: courseName({ department, courseNumber }),
    subtitle: title,
    department,
    detail: courseNumber,
    taught,
    remark: "not in the catalogue",
    uncatalogued: { term: term === null ? undefined : parseTermName(term), isCancelled: term !== null && isCancelled },
  }));
}

/**
 * Returns the entries of catalogued courses, followed by those of uncatalogued ones and by an entry per other name,
 * which leads to the course. A name that leads to a single course does not count as a course itself.
 */
export function withOtherNames(
  catalogued: readonly Entry[],
  uncatalogued: readonly Entry[],
  formerNames: readonly FormerName[],
): Entry[] {
  const names = createFormerNames(formerNames);
  const courses = new Map(catalogued.map((entry) => [courseIdKey(entry.id), entry]));
  const taught = new Map(uncatalogued.map((entry) => [courseIdKey(entry.id), entry]));
  const codes = new Map(
    [...catalogued, ...uncatalogued].map(({ department }) => [departmentKey(department), department]),
  );
  const others = new Map(
    formerNames.flatMap(({ courseId: id, formerId }) =>
      [id, formerId].map((otherId) => [courseIdKey(otherId), otherId]),
    ),
  );
  const added: Entry[] = [];
  for (const [key, id] of others) {
    if (courses.has(key)) continue;
    const entries = names
      .courseIdsOf(id, courses)
      .flatMap((catalogueId) => courses.get(courseIdKey(catalogueId)) ?? []);
    const uncataloguedEntry = taught.get(key);
    const otherName = uncataloguedEntry
      ? { department: uncataloguedEntry.department, courseNumber: uncataloguedEntry.detail }
      : splitId(id, codes);
    const isFormer = names.renamedTo(id).length > 0;
    const remark = `${isFormer ? "formerly" : "also"} ${courseName(otherName)}`;
    for (const entry of entries) added.push({ ...entry, otherName, remark });
    if (entries.length === 1) taught.delete(key);
  }
  return [...catalogued, ...taught.values(), ...added];
}

/** Matches a course number at the end of an id: `43`, `M118L`. */
const NUMBER = /^[A-Za-z]{0,4}\d+[A-Za-z]*$/;

/**
 * Splits an id that no section and no grade has, at a known department code, else in front of the shortest number:
 * `IN4MATX43` → IN4MATX and 43, `MATHH3D` → MATH and H3D.
 * @param codes by their keys (`departmentKey`)
 */
export function splitId(id: string, codes: ReadonlyMap<string, string> = new Map()): CourseName {
  const cuts = Array.from({ length: id.length }, (_, i) => i).filter((cut) => cut > 0 && NUMBER.test(id.slice(cut)));
  const cutAfterCode = cuts.toReversed().find((cut) => codes.has(departmentKey(id.slice(0, cut))));
  const digits = /\d+[A-Za-z]*$/.exec(id)?.index ?? id.length;
  const cut = cutAfterCode ?? digits;
  return { department: codes.get(departmentKey(id.slice(0, cut))) ?? id.slice(0, cut), courseNumber: id.slice(cut) };
}
