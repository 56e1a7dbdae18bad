/**
 * The course inventory: what the catalogue lists and what the schedule offers from it (each has some that the other
 * lacks).
 */
import { courseDigits, type GeCategory } from "../../contract/vocabulary.ts";
import type { CampusDepartment } from "./departments.ts";
import { numberCourses, type NumberedCourse } from "./course-numbers.ts";
import { DORMANT_SHARE, FILLED_SHARES, GE_TEXTS, UNCATALOGUED_SHARE, WRITING_GE } from "../facts/courses.ts";
import { KNOWN_SAME } from "../facts/known-courses.ts";
import { UNITS_BY_TYPE, type CourseKind } from "../facts/sections.ts";
import { createPrerequisite, type PrerequisiteNode } from "./prerequisite-trees.ts";
import { draw, hashText, mix, pick, weighted } from "../random.ts";

export interface CampusCourse {
  readonly department: CampusDepartment;
  readonly seed: number;
  readonly number: string;
  readonly digits: number;
  readonly title: string;
  /** As the schedule prints it: in capitals, at most 19 characters. */
  readonly shortTitle: string;
  readonly kind: CourseKind;
  /** `4`, `1-4`, `.5` */
  readonly units: string;
  readonly geText: string;
  readonly geCategories: readonly GeCategory[];
  readonly prerequisite: PrerequisiteNode | undefined;
  /** True if the catalogue lists it; true if the schedule does. */
  readonly catalogued: boolean;
  readonly offered: boolean;
  /** True for the well-known courses, which are offered nearly always. */
  readonly known: boolean;
  /** True when several titles in a term share its number. */
  readonly topics: boolean;
  /** The same class in another department, which holds it; this course mirrors it. */
  mirrorOf?: CampusCourse;
  mirroredBy?: CampusCourse;
}

/** `COMPSCI 161` */
export const courseName = ({ department, number }: CampusCourse): string => `${department.code} ${number}`;

/** The main type of a course's sections. */
export const SECTION_TYPE_OF: Readonly<Record<CourseKind, string>> = {
  lecture: "Lec",
  seminar: "Sem",
  laboratory: "Lab",
  studio: "Stu",
  activity: "Act",
  field: "Fld",
  colloquium: "Col",
  research: "Res",
  tutorial: "Tut",
};

const unitSamplers = new Map(Object.entries(UNITS_BY_TYPE).map(([type, table]) => [type, weighted(table)]));

/** Courses of every department, by the department's index, in catalogue order. */
export function createCourses(departments: readonly CampusDepartment[]): CampusCourse[][] {
  const inventories = departments.map((department) => {
    const courses: CampusCourse[] = [];
    for (const numbered of numberCourses(department)) courses.push(toCourse(department, numbered, courses));
    return courses;
  });
  pairSameCourses(inventories);
  return inventories;
}

function toCourse(
  department: CampusDepartment,
  numbered: NumberedCourse,
  previous: readonly CampusCourse[],
): CampusCourse {
  const { number, title, shortTitle, kind, known } = numbered;
  const seed = mix(department.seed, hashText(number));
  const digits = courseDigits(number);
  const ge = known?.ge ?? chooseGe(department, number, digits, seed);
  return {
    department,
    seed,
    number,
    digits,
    title,
    shortTitle,
    kind,
    units: known?.units ?? unitSamplers.get(SECTION_TYPE_OF[kind])?.(draw(seed, 1)) ?? "4",
    geText: ge?.[0] ?? "",
    geCategories: ge?.[1] ?? [],
    prerequisite: createPrerequisite(seed, digits, previous.filter(({ catalogued }) => catalogued).map(courseName)),
    catalogued: department.ended === undefined && (known !== undefined || draw(seed, 2) >= UNCATALOGUED_SHARE),
    offered: known !== undefined || draw(seed, 3) >= DORMANT_SHARE,
    known: known !== undefined,
    topics: /^(Special )?Topics in /.test(title) && kind === "seminar",
  };
}

function chooseGe(department: CampusDepartment, number: string, digits: number, seed: number) {
  if (digits >= 200) return undefined;
  if (number.endsWith("W")) return WRITING_GE;
  const texts = GE_TEXTS[department.style];
  // Half of the courses are undergraduate, and lower-division courses satisfy most requirements.
  const share = digits < 100 ? FILLED_SHARES.ge * 3 : FILLED_SHARES.ge * 1.1;
  return texts.length > 0 && draw(seed, 4) < share ? pick(texts, draw(seed, 5)) : undefined;
}

/** Now and then a class belongs to two departments of one school under two numbers. */
function pairSameCourses(inventories: readonly CampusCourse[][]): void {
  const pair = (holder: CampusCourse | undefined, mirror: CampusCourse | undefined) => {
    if (!holder || !mirror || holder.mirrorOf || mirror.mirrorOf || holder.mirroredBy || mirror.mirroredBy) return;
    holder.mirroredBy = mirror;
    mirror.mirrorOf = holder;
  };
  const byName = new Map(inventories.flat().map((course) => [courseName(course), course]));
  for (const [department, number, other, otherNumber] of KNOWN_SAME) {
    pair(byName.get(`${department} ${number}`), byName.get(`${other} ${otherNumber}`));
  }
  inventories.forEach((courses, index) => {
    const neighbours = inventories.filter(
      (others, i) =>
        i !== index &&
        others[0]?.department.school === courses[0]?.department.school &&
        // A class that two departments share must outlive neither.
        others[0]?.department.ended === courses[0]?.department.ended,
    );
    if (neighbours.length === 0) return;
    for (const course of courses) {
      if (!isPairable(course) || draw(course.seed, 6) >= FILLED_SHARES.sameAs * 1.5) continue;
      const candidates = pick(neighbours, draw(course.seed, 7)).filter(
        (other) => isPairable(other) && other.kind === course.kind,
      );
      pair(course, candidates.length > 0 ? pick(candidates, draw(course.seed, 8)) : undefined);
    }
  });
}

const isPairable = (course: CampusCourse): boolean =>
  course.offered && !course.topics && course.digits >= 60 && ["lecture", "seminar", "studio"].includes(course.kind);
