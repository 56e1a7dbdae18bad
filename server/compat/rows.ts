/** Adds the COMPAT=1 fields to courses, people, tutorials and enrollment histories. */
import { courseIdKey } from "../../pipeline/contract/course-name.ts";
import { createFormerNames, type FormerNames } from "../../pipeline/contract/former-names.ts";
import type { Course as CourseRow, RequirementTree } from "../../pipeline/contract/rows/course.ts";
import type { Instructor } from "../../pipeline/contract/rows/instructor.ts";
import type { LarcCourse } from "../../pipeline/contract/rows/larc.ts";
import type { GeCategory } from "../../pipeline/contract/vocabulary.ts";
import { LOADING, toRows } from "../duckdb/query.ts";
import { sql } from "../duckdb/sql.ts";
import type { ShapeName } from "../response/shapes/shapes.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import { readFormerNames } from "../snapshot/tables/catalogue.ts";

export const GE_NAMES: Readonly<Record<GeCategory, string>> = {
  "GE-1A": "GE Ia: Lower Division Writing",
  "GE-1B": "GE Ib: Upper Division Writing",
  "GE-2": "GE II: Science and Technology",
  "GE-3": "GE III: Social & Behavioral Sciences",
  "GE-4": "GE IV: Arts and Humanities",
  "GE-5A": "GE Va: Quantitative Literacy",
  "GE-5B": "GE Vb: Formal Reasoning",
  "GE-6": "GE VI: Language Other Than English",
  "GE-7": "GE VII: Multicultural Studies",
  "GE-8": "GE VIII: International/Global Issues",
};

type NoTree = Record<string, never>;
type CoursePreview = Pick<CourseRow, "id" | "department" | "courseNumber" | "title">;
interface PersonPreview {
  readonly ucinetid: string;
  readonly name: string;
  readonly shortenedName: string;
}

/** Data that rows of courses and people show about each other. */
export interface Previews {
  /** The courses by `courseIdKey`. */
  readonly courses: ReadonlyMap<string, CoursePreview>;
  readonly formerNames: FormerNames;
  /** The requirement trees as JSON, by course id. */
  readonly requirements: ReadonlyMap<string, string>;
  /** The people by network id. */
  readonly people: ReadonlyMap<string, PersonPreview>;
  /** The rewritten records of loaded tables, by their plain records. A row is rewritten when it is first requested. */
  readonly rewritten: WeakMap<readonly string[], string[]>;
}

export const previews: Derivation<Previews> = {
  name: "compat previews",
  tables: ["courses", "former_names", "instructors"],
  async make(pool, rows) {
    const columns = await pool.columns(
      sql`SELECT id, department, courseNumber, title, requirementTree FROM ${rows("courses")}`,
      LOADING,
    );
    const courses = toRows<CoursePreview>(["id", "department", "courseNumber", "title"], columns);
    const people = toRows<PersonPreview>(
      ["ucinetid", "name", "shortenedName"],
      await pool.columns(sql`SELECT netid, name, shortenedName FROM ${rows("instructors")}`, LOADING),
    );
    return {
      courses: new Map(courses.map((course) => [courseIdKey(course.id), course])),
      formerNames: createFormerNames(await readFormerNames(pool, sql`${rows("former_names")} ORDER BY ALL`)),
      requirements: new Map(courses.map(({ id }, i) => [id, (columns[4]?.[i] as string | null) ?? "{}"])),
      people: new Map(people.map((person) => [person.ucinetid, person])),
      rewritten: new WeakMap(),
    };
  },
};

/** Returns the courses with these names, without duplicates. A name that several courses had is ignored. */
function coursesNamed({ courses, formerNames }: Previews, names: readonly string[]): CoursePreview[] {
  const named = names.flatMap((name) => {
    const [id, ...others] = formerNames.courseIdsOf(name, courses);
    return id === undefined || others.length > 0 ? [] : (courses.get(courseIdKey(id)) ?? []);
  });
  return [...new Set(named)];
}

// Copied by Object.assign: a spread with further fields takes V8 as long as parsing the row.
const toCourse = (course: CourseRow, data: Previews) =>
  Object.assign({}, course, {
    prerequisiteTree: JSON.parse(data.requirements.get(course.id) ?? "{}") as RequirementTree | NoTree,
    geList: course.geList.map((category) => GE_NAMES[category]),
    instructors: course.instructorHistory.flatMap((netid) => data.people.get(netid) ?? []),
    prerequisites: coursesNamed(data, course.prerequisiteList),
    dependencies: coursesNamed(data, course.prerequisiteFor),
  });

const toInstructor = (person: Instructor, data: Previews) =>
  Object.assign({ netid: person.netid, ucinetid: person.netid }, person, {
    courses: coursesNamed(data, Object.keys(person.courseHistory)),
  });

const toTutorials = (entry: LarcCourse) => ({
  ...entry,
  sections: entry.sections.map((section) => ({ ...section, days: section.day, bldg: section.building })),
});

const toHistory = <T extends { readonly sectionCode: number }>(record: T) => ({
  ...record,
  sectionCode: String(record.sectionCode).padStart(5, "0"),
});

/** Functions that rewrite rows, by the name of the response's shape. Other shapes are unchanged. */
export const ROWS: Readonly<Partial<Record<ShapeName, (row: never, data: Previews) => object>>> = {
  Course: toCourse,
  Courses: toCourse,
  Instructor: toInstructor,
  Instructors: toInstructor,
  Larc: toTutorials,
  EnrollmentHistory: toHistory,
};
