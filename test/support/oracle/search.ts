/**
 * Search: which words mean what is the index's matter. The oracle says what a hit shows of its row, which hits must be there, and in which order hits of
 * these scores stand. Where links lead is a rule between responses.
 */
import type { Query } from "./query.ts";
import { type Answer, by, list, type Moment, plainName, rankOf, type Row, sorted } from "./rows.ts";

/** What the index found. */
export type Found = Readonly<{ kind: string; id: string; score: number; links: Row }>;

const joined = (text: string): string => (plainName(text).match(/[\p{L}\p{N}]+/gu) ?? []).join("");

export function searchAnswer({ tables }: Moment, query: Query, found: readonly Found[]): Answer {
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
    const place = found.findIndex(({ kind, id }) => kind === hit[0] && id === hit[1]);
    const score = Math.max(found[place]?.score ?? 0, leastOf(hit));
    const [kind, id, title, subtitle, department] = hit;
    const shown = { kind, id, title, subtitle, department, score, links: found[place]?.links };
    return { place: kind === "section" ? i - hits.length : place, last: -score, shown };
  });
  const inOrder = scored.filter(({ last }) => last < 0).sort(by("last place"));
  return list(inOrder.map(({ shown }) => shown));
}
