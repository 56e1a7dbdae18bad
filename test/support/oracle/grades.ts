/** The five views of grades (server/RULES.md, Grades). */
import { filtered, OF_SECTIONS } from "./filters.ts";
import type { Query } from "./query.ts";
import {
  type Answer,
  by,
  compare,
  idsOf,
  list,
  type Moment,
  object,
  pick,
  plainName,
  type Row,
  sorted,
  type Tables,
} from "./rows.ts";

type Grade = Tables["grades"][number];
/** Sections of one course, or of one instructor in it. */
interface Group extends Pick<Grade, "department" | "courseNumber" | "courseNumeric"> {
  readonly instructor: string;
  readonly rows: readonly Grade[];
}

type Count = `grade${"A" | "B" | "C" | "D" | "F" | "P" | "NP" | "W"}Count`;
const COUNTS = ["A", "B", "C", "D", "F", "P", "NP", "W"].map((grade) => `grade${grade}Count` as Count);
const SECTION = "year quarter sectionCode department courseNumber courseNumeric geCategories";

const sumOf = (row: Grade, counts: readonly Count[]): number => counts.reduce((sum, count) => sum + row[count], 0);
/** A section without a letter grade has no average. */
const averageOf = (row: Grade): number | null => (sumOf(row, COUNTS.slice(0, 5)) > 0 ? row.averageGPA : null);
/** "The plain mean of the sections' averages over those with a letter grade, exact and unrounded" */
function meanOf(rows: readonly Grade[]): number | null {
  const averages = rows.flatMap((row) => averageOf(row) ?? []);
  const hundredths = averages.reduce((sum, average) => sum + Math.round(average * 100), 0);
  return averages.length === 0 ? null : hundredths / (100 * averages.length);
}
const totalsOf = (rows: readonly Grade[]) => ({
  ...Object.fromEntries(COUNTS.map((count) => [count, rows.reduce((sum, row) => sum + row[count], 0)])),
  averageGPA: meanOf(rows),
});
/** NULL in files is 0 in JSON. */
const withZero = (row: Row): Row => ({ ...row, averageGPA: row["averageGPA"] ?? 0 });

export function gradesAnswer(view: string, { tables }: Moment, query: Query): Answer {
  const rows = filtered(tables.grades, `${OF_SECTIONS} division ge excludePNP`, query, tables);
  rows.sort(by("year quarter sectionCode"));
  if (view === "options") return optionsOf(rows);
  const withIds = view !== "aggregateByCourse" && query.flag("instructorIds");
  const namesOf = ({ department, instructors }: Grade): Row => ({
    instructors,
    ...(withIds ? { instructorIds: instructors.map((name) => idsOf(tables, department, name)) } : {}),
  });
  const rawOf = (row: Grade, averageGPA: number | null): Row => {
    return { ...pick(row, [SECTION, ...COUNTS]), averageGPA, ...namesOf(row) };
  };
  const zeroed = (row: Grade) => rawOf(row, row.averageGPA ?? 0);
  if (view === "raw") return list(rows, (row) => rawOf(row, averageOf(row)), zeroed);
  if (view === "aggregate") {
    const sectionList = rows.map((row) => ({ ...pick(row, SECTION), ...namesOf(row) }));
    return object({ sectionList, gradeDistribution: withZero(totalsOf(rows)) }, [totalsOf(rows)]);
  }
  const isOffering = view === "aggregateByOffering";
  const sort = query.choice("sort", "course highestGPA lowestGPA mostStudents");
  const [instructor, netid] = [query.text("instructor", true), query.text("netid")?.trim().toLowerCase()];
  const isMeant = (row: Grade, name: string): boolean =>
    (instructor === undefined || plainName(name) === plainName(instructor)) &&
    (netid === undefined || idsOf(tables, row.department, name).includes(netid));
  const groups = new Map<string, Group>();
  for (const row of rows)
    for (const name of isOffering ? new Set(row.instructors.filter((instructor) => isMeant(row, instructor))) : [""]) {
      const key = JSON.stringify([row.department, row.courseNumber, name]);
      groups.set(key, { ...row, instructor: name, rows: [...(groups.get(key)?.rows ?? []), row] });
    }
  const FIRST: Readonly<Record<string, (group: Group) => number>> = {
    highestGPA: (group) => -(meanOf(group.rows) ?? -Infinity),
    lowestGPA: (group) => meanOf(group.rows) ?? Infinity,
    mostStudents: (group) => -group.rows.reduce((sum, row) => sum + sumOf(row, COUNTS), 0),
  };
  const first = FIRST[sort ?? ""] ?? (() => 0);
  const usual = by("department courseNumeric courseNumber instructor");
  const toRow = ({ rows: own, ...group }: Group): Row => ({
    ...pick(group, isOffering ? "department courseNumber instructor" : "department courseNumber"),
    ...totalsOf(own),
    ...(withIds ? { instructorIds: idsOf(tables, group.department, group.instructor) } : {}),
  });
  const inOrder = [...groups.values()].sort((a, b) => compare(first(a), first(b)) || usual(a, b));
  return list(inOrder, toRow, (group) => withZero(toRow(group)));
}

function optionsOf(rows: readonly Grade[]): Answer {
  const options = {
    years: sorted(rows.map(({ year }) => year)).toReversed(),
    departments: sorted(rows.map(({ department }) => department)),
    courseNumbers: [...new Set([...rows].sort(by("courseNumeric courseNumber")).map((row) => row.courseNumber))],
    sectionCodes: sorted(rows.map(({ sectionCode }) => sectionCode)),
    instructors: sorted(rows.flatMap(({ instructors }) => instructors)),
  };
  const flat = Object.entries(options).flatMap(([name, values]) => values.map((value) => ({ list: name, value })));
  return object(options, flat);
}
