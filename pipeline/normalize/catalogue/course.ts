/** Converts courses of the catalogue's pages to rows of the contract. **Output:** `catalogue_courses`. */
import { courseId, courseIdKey, type CourseName, splitCourseName } from "../../contract/course-name.ts";
import { createFormerNames, type FormerNames } from "../../contract/former-names.ts";
import type { FormerName } from "../../contract/rows/former-name.ts";
import type { CatalogueCourse } from "../../contract/rows/course.ts";
import {
  COURSE_LEVEL_LABELS,
  courseDigits,
  departmentKey,
  DIVISION_BOUNDS,
  DIVISIONS,
} from "../../contract/vocabulary.ts";
import { createUnknownFields, type KnownField, type UnknownFields } from "../../contract/source-fields.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { geListOf, isGeText } from "./ge-text.ts";
import { listOf, printRequirement, toPrerequisiteTree, toRequirementTree } from "./prerequisite-tree.ts";
import { parseRequirement } from "./requirement.ts";
import { readPrintedNames } from "./printed-names.ts";
import { REQUIREMENT_AND_COURSE } from "./requirement-and-course.ts";
import { differencesOf } from "../reconcile.ts";
import type { IsCatalogued } from "./requirement-leaf.ts";

export interface PrintedCourse {
  readonly code: string;
  readonly title: string;
  readonly hours: string;
  readonly description: string;
  readonly details: readonly string[];
}

export interface PrintedDepartment {
  readonly code: string;
  readonly name: string;
  readonly courses: readonly PrintedCourse[];
  readonly unreadable: readonly string[];
}

export interface PrintedRequirement {
  readonly course: string;
  readonly title?: string;
  readonly requirement: string;
}

export interface CourseSources {
  readonly departments: readonly PrintedDepartment[];
  readonly requirements: readonly PrintedRequirement[];
  /** Former names, by which a requirement finds its course if the catalogue has another name for it. */
  readonly formerNames?: readonly FormerName[];
  /** Published courses, if not all pages could be read: the courses of unread pages may be among them. */
  readonly unread?: readonly CatalogueCourse[];
  /** School by department key. */
  readonly schools: ReadonlyMap<string, string>;
}

type Detail = "repeatability" | "gradingOption" | "concurrent" | "sameAs" | "restriction" | "overlap" | "corequisites";

/** The catalogue's labelled lines and the field of each. */
const DETAILS: readonly (readonly [label: RegExp, field: Detail])[] = [
  [/^Repeatability: ?/, "repeatability"],
  [/^Grading Option: ?/, "gradingOption"],
  [/^Concurrent with /, "concurrent"],
  [/^Same as /, "sameAs"],
  [/^Restrictions?: ?/, "restriction"],
  [/^Overlaps with /, "overlap"],
  [/^Corequisites?: ?/, "corequisites"],
];

/** The labels, and the columns that they fill. */
export const COURSE_LABELS: readonly KnownField[] = DETAILS.map(([label, field]) => ({
  kind: "label",
  place: "course",
  name: label.source.replace(/^\^|[:?\s]+$/g, ""),
  fills: [field],
}));

/** The possible label of a line of unknown kind. */
const FIRST_WORDS = /^[\p{L}-]+(?: [\p{L}-]+)?/u;

/** Left out: the tree comes from the registrar's prerequisite pages. */
const PREREQUISITE_PROSE = /^Prerequisites?( or corequisites?)?: ?/i;

/** The ids of the catalogue's courses by their keys (`courseIdKey`). */
export function cataloguedIds({
  departments,
  unread = [],
}: Pick<CourseSources, "departments" | "unread">): Map<string, string> {
  const names = departments.flatMap(({ courses }) => courses.flatMap(({ code }) => splitCourseName(code) ?? []));
  return new Map([...unread.map(({ id }) => id), ...names.map(courseId)].map((id) => [courseIdKey(id), id]));
}

/** Returns every readable course, sorted by id; unreadable ones are dropped. */
export function toCatalogueCourses(
  sources: CourseSources,
  tally: Tally,
  unknown: UnknownFields = createUnknownFields(),
): CatalogueCourse[] {
  const catalogued = cataloguedIds(sources);
  const formerNames = createFormerNames(sources.formerNames ?? []);
  const requirements = requirementsByCourse(sources, catalogued, formerNames, tally);
  const isCatalogued: IsCatalogued = (name) => catalogued.has(courseIdKey(courseId(name)));
  const rows = new Map<string, CatalogueCourse>();
  for (const department of sources.departments) {
    tally.read(department.courses.length + department.unreadable.length);
    for (const text of department.unreadable)
      tally.drop("the title line cannot be read", `${department.code}: ${text}`);
    if (!sources.schools.has(departmentKey(department.code)))
      tally.note("no school's page lists the department", department.code);
    for (const course of department.courses) {
      const name = splitCourseName(course.code);
      if (!name) {
        tally.drop("the course has no number", course.code);
        continue;
      }
      const row = toCatalogueCourse(
        course,
        name,
        department,
        sources.schools,
        toPrerequisites(requirements.get(courseIdKey(courseId(name))) ?? "", course.code, isCatalogued, tally),
        tally,
        unknown,
      );
      const first = rows.get(row.id);
      if (first) {
        const [said, other] = [first, row].map(({ title, minUnits, maxUnits }) => `${title}, ${minUnits}-${maxUnits}`);
        const both = said === other ? "" : `; ${said} units is kept, not ${other}`;
        tally.drop("the course is printed twice", `${course.code}${both}`);
        continue;
      }
      rows.set(row.id, row);
      tally.keep();
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function toCatalogueCourse(
  course: PrintedCourse,
  name: CourseName,
  department: PrintedDepartment,
  schools: ReadonlyMap<string, string>,
  prerequisites: Prerequisites,
  tally: Tally,
  unknown: UnknownFields,
): CatalogueCourse {
  const [minUnits, maxUnits] = toUnits(course, tally);
  const details = toDetails(course, tally, unknown);
  const courseNumeric = courseDigits(name.courseNumber);
  return {
    id: courseId(name),
    ...name,
    courseNumeric,
    school: schools.get(departmentKey(name.department)) ?? schools.get(departmentKey(department.code)) ?? "",
    title: course.title,
    courseLevel: toCourseLevel(courseNumeric),
    minUnits,
    maxUnits,
    description: course.description,
    departmentName: department.name,
    ...prerequisites,
    ...details,
  };
}

/** More units than any course has. */
const TOO_MANY_UNITS = 1000;

/** `4 Units` → 4 and 4; `1-4 Units`, `1, 2 or 4 Units`, `.5 Units`; no units at all → 0. */
function toUnits({ code, hours }: PrintedCourse, tally: Tally): [min: number, max: number] {
  const all = (hours.match(/\d*\.?\d+/g) ?? ["0"]).map(Number);
  const [min, max] = [Math.min(...all), Math.max(...all)];
  if (max < TOO_MANY_UNITS) return [min, max];
  tally.note("units that no course has", `${code}: ${hours}`);
  return [0, 0];
}

function toCourseLevel(courseNumeric: number): string {
  const division = DIVISIONS.find((name) => courseNumeric <= DIVISION_BOUNDS[name][1]) ?? "Graduate";
  return COURSE_LEVEL_LABELS[division];
}

function toDetails(
  { code, details }: PrintedCourse,
  tally: Tally,
  unknown: UnknownFields,
): Record<Detail, string> & Pick<CatalogueCourse, "geText" | "geList"> {
  const lines: Record<Detail, string[]> = {
    repeatability: [],
    gradingOption: [],
    concurrent: [],
    sameAs: [],
    restriction: [],
    overlap: [],
    corequisites: [],
  };
  let geText = "";
  for (const line of details) {
    const detail = DETAILS.find(([label]) => label.test(line));
    if (detail) lines[detail[1]].push(line.replace(detail[0], ""));
    else if (isGeText(line)) geText = `${geText} ${line}`.trim();
    else if (!PREREQUISITE_PROSE.test(line)) {
      tally.note("a line of unknown kind is left out", `${code}: ${line.slice(0, 80)}`);
      const name = FIRST_WORDS.exec(line)?.[0];
      if (name !== undefined) unknown.add({ kind: "label", place: "course", name });
    }
  }
  const texts = Object.fromEntries(Object.entries(lines).map(([field, parts]) => [field, parts.join(" ")]));
  return { ...(texts as Record<Detail, string>), geList: geListOf(geText), geText };
}

type Prerequisites = Pick<
  CatalogueCourse,
  "prerequisiteTree" | "prerequisiteList" | "prerequisiteText" | "requirementTree"
>;

/** For a text outside the grammar, only the text is published. */
function toPrerequisites(text: string, code: string, isCatalogued: IsCatalogued, tally: Tally): Prerequisites {
  const parsed = parseRequirement(text, isCatalogued);
  if ("problem" in parsed)
    tally.note("the prerequisites cannot be read; only their text is published", `${code}: ${parsed.problem}`);
  const requirement = "problem" in parsed ? null : parsed.requirement;
  const tree = toPrerequisiteTree(requirement);
  return {
    prerequisiteTree: JSON.stringify(tree ?? {}),
    prerequisiteList: listOf(tree),
    prerequisiteText: "problem" in parsed ? text : printRequirement(requirement),
    requirementTree: JSON.stringify(toRequirementTree(requirement) ?? {}),
  };
}

/**
 * Requirements by the key of the course's id. A row belongs to the course of its name, else to those of its former
 * names that the catalogue has, else to the course that another row gives this name. The row of a course's current name
 * wins, and the first that has a requirement; rows that contradict it are dropped by name.
 */
function requirementsByCourse(
  { departments, requirements: rows }: CourseSources,
  catalogued: ReadonlyMap<string, string>,
  formerNames: FormerNames,
  tally: Tally,
): Map<string, string> {
  const drop = (reason: string, row: string) => {
    tally.read();
    tally.drop(reason, row);
  };
  const joined = rows.flatMap(({ course, requirement, title = "" }) => {
    const names = readPrintedNames(course);
    const row = `${course}: ${requirement}`;
    if (!names) {
      if (requirement !== "") drop("a requirement without a course's name", row);
      return [];
    }
    const [current = "", ...former] = [names.name, ...names.former.map(({ name }) => name)]
      .map(courseId)
      .map(courseIdKey);
    const listed = (keys: readonly string[]) => keys.filter((key) => catalogued.has(key));
    const keys =
      [listed([current]), listed(former), formerNames.courseIdsOf(current, catalogued).map(courseIdKey)].find(
        ({ length }) => length > 0,
      ) ?? [];
    const isSure = listed([current, ...former]).length > 0 || keys.length === 1;
    if (!isSure && requirement !== "") drop("a requirement of a course that the catalogue does not have", row);
    return isSure ? keys.map((key) => ({ key, course, title, requirement, isOwn: key === current })) : [];
  });
  const requirements = new Map<string, string>();
  for (const { key, course, requirement } of joined.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn))) {
    const first = requirements.get(key);
    if (!first) requirements.set(key, requirement);
    else if (requirement !== "" && requirement !== first)
      drop("another requirement of a course, whose first is kept", `${course}: ${requirement}; the first is ${first}`);
  }
  const titles = titlesOf(departments);
  for (const { key, course, title } of joined) {
    const differences = differencesOf(REQUIREMENT_AND_COURSE, { title }, { title: titles.get(key) ?? "" });
    if (differences !== "") tally.note("a requirement of a course with another title", `${course}; ${differences}`);
  }
  return requirements;
}

/** The catalogue's titles, by the key of the course's id. */
function titlesOf(departments: readonly PrintedDepartment[]): Map<string, string> {
  const courses = departments.flatMap((department) => department.courses);
  return new Map(
    courses.flatMap(({ code, title }) => {
      const name = splitCourseName(code);
      return name ? [[courseIdKey(courseId(name)), title] as const] : [];
    }),
  );
}
