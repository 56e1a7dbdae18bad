/**
 * Search: the index decides which words mean what. The oracle determines what a hit shows of its row, which hits must
 * be there, and the order of hits with these scores. A rule between responses checks the links.
 */
import type { Query } from "./query.ts";
import { type Answer, by, list, type Moment, plainName, rankOf, type Row, sorted } from "./rows.ts";

/** A hit of the index. */
export type Found = Readonly<{ kind: string; id: string; subtitle: string; score: number; links: Row }>;

const keyOf = (id: string): string => id.replace(/\s/g, "").toLowerCase();

/** Courses that only sections or grades have, with the newest title that is not blank. */
function uncatalogued(tables: Moment["tables"]): readonly (readonly [string, ...string[]])[] {
  const catalogued = new Set(tables.courses.map(({ id }) => keyOf(id)));
  const taught = [
    ...tables.sections.map(({ deptCode, courseTitle, ...row }) => ({ ...row, department: deptCode, courseTitle })),
    ...tables.grades.map((row) => ({ ...row, courseTitle: "" })),
  ].filter(({ department, courseNumber }) => !catalogued.has(keyOf(department + courseNumber)));
  const keys = sorted(taught.map(({ department, courseNumber }) => keyOf(department + courseNumber)));
  return keys.map((key) => {
    const same = taught.filter(({ department, courseNumber }) => keyOf(department + courseNumber) === key);
    const titled = same.filter(({ courseTitle }) => courseTitle !== "").sort(by("year quarter courseTitle"));
    const [department = ""] = sorted(same.map((row) => row.department));
    const [courseNumber = ""] = sorted(same.map((row) => row.courseNumber));
    const title = titled.at(-1)?.courseTitle ?? "";
    const subtitle = `${title} (not in the catalogue)`.trim();
    return [
      "course",
      `${department}${courseNumber}`.replace(/\s/g, ""),
      `${department} ${courseNumber}`,
      subtitle,
      department,
    ];
  });
}

/** A course that is found by another of its names says so behind its title. */
const REMARK = / \((?:formerly|also) .*\)$/;

const joined = (text: string): string => (plainName(text).match(/[\p{L}\p{N}]+/gu) ?? []).join("");

export function searchAnswer({ tables }: Moment, query: Query, indexed: readonly Found[]): Answer {
  const text = query.text("q", true) ?? "";
  if (text === "" || text.length > 200) query.refuse("q");
  const termOf = ({ year, quarter }: { year: string; quarter: string }) => `${year} ${rankOf(quarter)} ${quarter}`;
  const newest = sorted(tables.sections.map(termOf)).slice(-3);
  const sections = tables.sections.filter((row) => newest.includes(termOf(row)) && row.sectionCode === text.trim());
  const hits = [
    ...sections
      .sort(by("year quarter"))
      .toReversed()
      .map((row) => {
        const name = `${row.year} ${row.quarter} ${row.sectionCode}`;
        const subtitle = `${row.sectionType} ${row.sectionCode}, ${row.year} ${row.quarter}: ${row.courseTitle}`;
        return ["section", name, `${row.deptCode} ${row.courseNumber}`, subtitle, row.deptCode];
      }),
    ...tables.departments.map(({ deptCode, deptName }) => ["department", deptCode, deptCode, deptName, deptCode]),
    ...tables.courses.map((row) => [
      "course",
      row.id,
      `${row.department} ${row.courseNumber}`,
      row.title,
      row.department,
    ]),
    ...uncatalogued(tables).filter(([kind, id]) => indexed.some((hit) => hit.kind === kind && hit.id === id)),
    ...tables.instructors.map(({ netid, name, title, department, relatedDepartments }) => {
      const own = tables.departments.find(({ deptName }) => deptName === department)?.deptCode;
      const subtitle = [title, department].filter(Boolean).join(", ");
      return ["instructor", netid, name, subtitle, own ?? relatedDepartments[0] ?? ""];
    }),
  ] as [kind: string, id: string, title: string, subtitle: string, department: string][];
  /** A section by its code, else a whole id, name or title, is found, whatever else is. */
  const leastOf = ([kind, id, title, subtitle]: (typeof hits)[number]): number => {
    const isMeant =
      joined(text) !== "" && [id, kind === "instructor" ? title : subtitle].map(joined).includes(joined(text));
    return kind === "section" ? 1 : isMeant ? 0.9 : 0;
  };
  const scored = hits.map((hit, i) => {
    const place = indexed.findIndex(({ kind, id }) => kind === hit[0] && id === hit[1]);
    const score = Math.max(indexed[place]?.score ?? 0, leastOf(hit));
    const [kind, id, title, own, department] = hit;
    const other = indexed[place]?.subtitle;
    const subtitle = other !== undefined && other.replace(REMARK, "") === own ? other : own;
    const shown = { kind, id, title, subtitle, department, score, links: indexed[place]?.links };
    return { place: kind === "section" ? i - hits.length : place, last: -score, shown };
  });
  const inOrder = scored.filter(({ last }) => last < 0).sort(by("last place"));
  return list(inOrder.map(({ shown }) => shown));
}
