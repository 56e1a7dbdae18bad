/** The departments of a campus, with the section codes that each owns and how many sections it has in a term. */
import { parseTermName, compareTerms, type Term } from "../../contract/vocabulary.ts";
import { departmentComments, type DepartmentComments } from "../sections/department-comments.ts";
import { DEPARTMENT_FACTS, type TeachingStyle } from "../facts/departments.ts";
import { SCHOOL_NAMES } from "../facts/schools.ts";
import { SUMMER_SHARES, termFactor } from "../facts/term-sizes.ts";
import { draw, hashText, mix, roundBy } from "../random.ts";
import type { SizePlan } from "../sizes.ts";

export interface CampusDepartment extends DepartmentComments {
  readonly index: number;
  readonly seed: number;
  readonly code: string;
  readonly name: string;
  readonly school: string;
  /** Two digits, as the XML gives them. */
  readonly schoolCode: string;
  readonly style: TeachingStyle;
  /** The department owns the section codes in [`firstCode`, `endCode`). */
  readonly firstCode: number;
  readonly endCode: number;
  /**
   * Sections in a quarter as large as Fall 2024, in the three summer sessions of a year, and courses offered in such a
   * quarter.
   */
  readonly mainSections: number;
  readonly summerSections: number;
  readonly mainCourses: number;
  /** The number of courses in its inventory. */
  readonly inventory: number;
  readonly gpa: number;
  readonly started: Term | undefined;
  /** Its last term. The form lists an ended department forever, the catalogue lists it without courses. */
  readonly ended: Term | undefined;
}

/** Codes from here on belong to no department. */
const LAST_CODE = 98_000;
/** A department has at least a few sections and courses, however small the campus is. */
const LEAST_SECTIONS = 5;
const LEAST_COURSES = 9;

type UncommentedDepartment = Omit<CampusDepartment, keyof DepartmentComments>;

/** By code. */
export const createDepartments = (size: SizePlan, seed: number, cataloguePerOffered: number): CampusDepartment[] =>
  planDepartments(size, seed, cataloguePerOffered).map((planned) => ({ ...planned, ...departmentComments(planned) }));

function planDepartments(size: SizePlan, seed: number, cataloguePerOffered: number): UncommentedDepartment[] {
  const schools = Object.keys(SCHOOL_NAMES);
  const firstCodes = DEPARTMENT_FACTS.map(([, , , , firstCode]) => firstCode).sort((a, b) => a - b);
  const chosen = DEPARTMENT_FACTS.filter((fact) => size.allDepartments || fact[9] === true);
  return chosen.map(
    ([code, name, school, style, firstCode, sections, courses, summer, gpa, , started, ended], index) => ({
      index,
      seed: mix(seed, hashText(code)),
      code,
      name,
      school: SCHOOL_NAMES[school] ?? school,
      schoolCode: String(10 + schools.indexOf(school) * 3),
      style,
      firstCode,
      endCode: firstCodes.find((other) => other > firstCode) ?? LAST_CODE,
      mainSections: size.allDepartments
        ? sections * size.mainScale
        : Math.max(LEAST_SECTIONS, sections * size.mainScale),
      summerSections: summer * size.summerScale,
      mainCourses: courses,
      inventory: Math.max(
        size.allDepartments ? 1 : LEAST_COURSES,
        Math.round(courses * cataloguePerOffered * size.courseScale),
      ),
      gpa,
      started: started === undefined ? undefined : parseTermName(started),
      ended: ended === undefined ? undefined : parseTermName(ended),
    }),
  );
}

/** True when the department has started and not ended. */
export const isThere = ({ started, ended }: CampusDepartment, term: Term): boolean =>
  (started === undefined || compareTerms(term, started) >= 0) &&
  (ended === undefined || compareTerms(term, ended) <= 0);

/** The number of sections that a department has in a term; 0 when it does not exist then. */
export function sectionTarget(department: CampusDepartment, term: Term): number {
  if (!isThere(department, term)) return 0;
  const x = draw(mix(department.seed, Number(term.year)), hashText(term.quarter));
  const share = SUMMER_SHARES[term.quarter];
  if (share !== undefined) return roundBy(department.summerSections * share, x);
  // Departments grow and shrink by a few percent from term to term.
  return roundBy(
    department.mainSections *
      termFactor(term.year, term.quarter) *
      (0.97 + 0.06 * draw(department.seed, Number(term.year))),
    x,
  );
}
