/** The schedule (server/RULES.md, Schedule): the sections that a request finds, and the tree that shows them. */
import { filtered, termOf, valuesOf } from "./filters.ts";
import type { Query } from "./query.ts";
import { type Answer, by, idsOf, type Moment, pick, type Row, type Tables, Unreachable } from "./rows.ts";

type Section = Tables["sections"][number];

const FILTERS =
  "ge oneDepartment sectionCodes instructorName netid building room division numbers courseTitle sectionType units days startTime endTime maxCapacity fullCourses excludeRestrictionCodes";
const LEVELS: readonly (readonly [children: string, key: string, fields: string])[] = [
  ["schools", "schoolName", "schoolName schoolComment"],
  ["departments", "deptCode", "deptComment sectionCodeRangeComments courseNumberRangeComments deptCode deptName"],
  ["courses", "courseNumber courseTitle", "deptCode courseComment prerequisiteLink courseNumber courseTitle"],
  [
    "sections",
    "sectionCode",
    "sectionCode sectionType sectionNum units instructors meetings finalExam maxCapacity numCurrentlyEnrolled numOnWaitlist numWaitlistCap numRequested numNewOnlyReserved restrictions status sectionComment instructorIds",
  ],
];
const COLUMNS = ["year quarter", ...LEVELS.map(([, , fields]) => fields)];

/** Rows that are equal in `key` side by side. */
function grouped<T extends object>(rows: readonly T[], key: string): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const name = JSON.stringify(pick(row, key));
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()];
}

const toTree = (rows: readonly Row[], [level, ...below]: typeof LEVELS): Row[] =>
  grouped(rows, level?.[1] ?? "").map((own) => ({
    ...pick(own[0] as Row, level?.[2] ?? ""),
    ...(below[0] ? { [below[0][0]]: toTree(own, below) } : {}),
  }));

/** Rules between parameters, and whether the schedule system is to be asked. */
function isLive(query: Query, isPublished: boolean): boolean {
  const [cache, cacheOnly] = [query.flag("cache"), query.flag("cacheOnly")];
  const isNever = cacheOnly === true || query.wrong.has("cacheOnly");
  // A value that is none restricts too.
  const isNarrow = ["ge", "oneDepartment", "sectionCodes", "instructorName"].some((key) => {
    const values = valuesOf(key, query).filter((value) => !/^\s*(ANY|ALL)\s*$/.test(value));
    return values.length > 0 || query.wrong.has(key === "oneDepartment" ? "department" : key);
  });
  const isBroken = [
    cacheOnly === true && cache === false,
    query.flag("includeCoCourses") === true && !isNever,
    query.isGiven("room") && !query.isGiven("building"),
    !isNever && !isNarrow,
    query.isGiven("asOf") && cache === false,
  ];
  query.broken += isBroken.filter(Boolean).length;
  return cache === false || (!isPublished && !cacheOnly && !query.isGiven("asOf"));
}

/** Sections as `cancelledCourses` says, and those of them that pass all filters. */
export function findSections(sections: readonly Section[], query: Query, tables: Tables) {
  const cancelled = query.choice("cancelledCourses", "Exclude Include Only ANY ALL") ?? "Exclude";
  const isWanted = (row: Section) =>
    !["Exclude", "Only"].includes(cancelled) || row.cancelled === (cancelled === "Only");
  const wanted = sections.filter(isWanted).map((row) => ({ ...row, department: row.deptCode }));
  return { wanted, found: filtered(wanted, FILTERS, query, tables) };
}

export function scheduleAnswer({ tables }: Moment, query: Query): Answer {
  const { year, quarter } = termOf(query);
  const [isAll, withIds] = [query.flag("includeCoCourses"), query.flag("instructorIds")];
  const isOfTerm = (row: { year: string; quarter: string }) => row.year === year && row.quarter === quarter;
  const ofTerm = tables.sections.filter(isOfTerm);
  const { wanted, found } = findSections(ofTerm, query, tables);
  if (isLive(query, ofTerm.length > 0) && query.wrong.size + query.broken === 0) throw new Unreachable();
  const course = "deptCode courseNumber courseTitle";
  const matched = new Set(found.map((row) => JSON.stringify(pick(row, course))));
  const kept = isAll ? wanted.filter((row) => matched.has(JSON.stringify(pick(row, course)))) : found;
  kept.sort(by("schoolName deptCode courseNumeric courseNumber courseTitle sectionCode"));
  const toRow = (row: Section): Row => {
    const { deptCode, schoolName, courseTitle, courseNumber } = row;
    const ofSchool = tables.headings.filter((heading) => isOfTerm(heading) && heading.schoolName === schoolName);
    const none = { deptComment: "", sectionCodeRangeComments: [], courseNumberRangeComments: [], deptName: deptCode };
    const heading = ofSchool.find((other) => other.deptCode === deptCode) ?? none;
    const above = ofTerm.find(
      (course) =>
        course.deptCode === deptCode && course.courseNumber === courseNumber && course.courseTitle === courseTitle,
    );
    const ids = withIds ? { instructorIds: row.instructors.map((name) => idsOf(tables, deptCode, name)) } : {};
    return {
      ...heading,
      schoolComment: ofSchool[0]?.schoolComment ?? "",
      ...row,
      ...pick(above ?? {}, "courseComment prerequisiteLink"),
      ...ids,
    };
  };
  return {
    elements: grouped(kept.map(toRow), `schoolName ${course}`),
    show: (courses: readonly Row[][]) => ({ schools: toTree(courses.flat(), LEVELS) }),
    flat: (courses: readonly Row[][]) => courses.flat().map((row) => pick(row, COLUMNS)),
  };
}
