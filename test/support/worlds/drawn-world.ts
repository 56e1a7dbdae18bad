/**
 * The invented world: eight departments of the sample campus with all its oddities, drawn anew by every test file, and
 * always the same. The last fall but one is so large that a single search finds more than the upstream shows.
 */
import { createCourses, type CampusCourse } from "../../../pipeline/campus/courses/courses.ts";
import { courseText } from "../../../pipeline/campus/catalogue/course-text.ts";
import { isoDay } from "../../../pipeline/campus/days.ts";
import { createDepartments, type CampusDepartment } from "../../../pipeline/campus/courses/departments.ts";
import { CATALOGUE_PER_OFFERED } from "../../../pipeline/campus/facts/courses.ts";
import { createPeople, fullName, type Person } from "../../../pipeline/campus/people.ts";
import type { PrerequisiteNode } from "../../../pipeline/campus/courses/prerequisite-trees.ts";
import type { SizePlan } from "../../../pipeline/campus/sizes.ts";
import { campusTerm, type CampusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import { generateTerm, type GeneratedTerm } from "../../../pipeline/campus/sections/term.ts";
import { tutorialsOf, type Tutorial } from "../../../pipeline/campus/tutorials.ts";
import { compareTerms, FIRST_TERM, QUARTERS, termName, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { readGeText } from "../../../pipeline/campus/ge-text.ts";
import { toGrades, toSections } from "./drawn-sections.ts";
import type { PrerequisiteTree, World, WorldCourse, WorldInstructor, WorldSection, WorldTutorials } from "./world.ts";

const SEED = 1917;
const DEPARTMENTS = ["ANTHRO", "ART HIS", "CHINESE", "CRM/LAW", "DANCE", "I&C SCI", "PHYSICS", "STATS"];
const PLAN: SizePlan = {
  allDepartments: true,
  mainScale: 1,
  summerScale: 1,
  courseScale: 1,
  people: 180,
  mainGrades: 230,
  summerGrades: 30,
  tutorials: 6,
};

/** How large a term is beside a real one. */
const SCALES: Readonly<Record<string, number>> = { "2017 Winter": 0.4, "2017 Fall": 1, "2018 Fall": 1 };
const [USUAL_SCALE, SUMMER_SCALE] = [0.16, 0.5];
/** The departments that are announced for the last fall. */
const [LAST_FALL, ANNOUNCED] = ["2018 Fall", ["I&C SCI"]];

const ALL_TERMS: readonly Term[] = ["2014", "2015", "2016", "2017", "2018", "2019", "2020", "2021"].flatMap((year) =>
  QUARTERS.map((quarter) => ({ year, quarter })),
);
const OFFERED = ALL_TERMS.filter(
  (term) => compareTerms(term, FIRST_TERM) >= 0 && (Number(term.year) < 2018 || termName(term) === LAST_FALL),
);
const TUTORED = ALL_TERMS.filter(({ year }) => year === "2019" || year === "2020");

export function drawWorld(seed = SEED): World {
  const departments = createDepartments(PLAN, seed, CATALOGUE_PER_OFFERED)
    .filter(({ code }) => DEPARTMENTS.includes(code))
    .map((department, index) => ({ ...department, index }));
  const courses = createCourses(departments);
  const people = createPeople(departments, PLAN.people, seed);
  const sources = { seed, departments, courses, people };
  const drawn = new Map<string, GeneratedTerm>();
  for (const term of OFFERED) {
    const first = term.quarter === "Summer2" ? drawn.get(`${term.year} Summer1`) : undefined;
    const scale = SCALES[termName(term)] ?? (term.quarter.startsWith("Summer") ? SUMMER_SCALE : USUAL_SCALE);
    const scaled = departments.map((department) => ({
      ...department,
      mainSections: department.mainSections * scale,
      summerSections: department.summerSections * scale,
    }));
    drawn.set(termName(term), generateTerm({ ...sources, departments: scaled }, campusTerm(term), first));
  }
  const sections = [...drawn.values()].flatMap(toSections).filter(isAnnounced);
  const schools = new Map(departments.map(({ school, schoolComment }) => [school, schoolComment]));
  const campus = { size: "standard", seed, courses, people } as const;
  return {
    name: "invented",
    terms: OFFERED.map((term) => ({ ...term })),
    schools: [...schools].map(([name, comment]) => ({ name, comment })),
    departments: departments.map(({ code, name, school, comment, codeComments, numberComments }) => ({
      code,
      name,
      school,
      comment,
      sectionCodeRangeComments: codeComments.map(([, , html]) => html),
      courseNumberRangeComments: numberComments.map(([, , html]) => html),
    })),
    sections,
    grades: [...drawn.values()].flatMap((generated) => toGrades(generated, sections, mostGrades(generated.term))),
    courses: courses.flatMap((inventory) =>
      inventory.filter(({ catalogued }) => catalogued).map((course) => toCourse(course, inventory)),
    ),
    instructors: toInstructors(people.flat().filter(({ netid }) => netid !== undefined)),
    calendar: ALL_TERMS.map(campusTerm).map((term) => ({
      year: term.year,
      quarter: term.quarter,
      instructionStart: isoDay(term.instructionStart),
      instructionEnd: isoDay(term.instructionEnd),
      finalsStart: isoDay(term.finalsStart),
      finalsEnd: isoDay(term.finalsEnd),
    })),
    larc: TUTORED.filter(({ quarter }) => quarter !== "Summer10wk").flatMap((term) =>
      tutorialsOf(campus, campusTerm(term)).map((tutorial): WorldTutorials => ({
        year: term.year,
        quarter: term.quarter,
        courseNumber: tutorial.name,
        courseName: tutorial.title,
        ...(tutorial.sameAs === "" ? {} : { sameAs: tutorial.sameAs }),
        sections: tutorial.tutorials.map(toTutorial),
      })),
    ),
  };
}

const isAnnounced = (row: WorldSection): boolean => termName(row) !== LAST_FALL || ANNOUNCED.includes(row.deptCode);

function mostGrades(term: CampusTerm): number {
  if (termName(term) === LAST_FALL) return 0;
  return term.summer ? PLAN.summerGrades : PLAN.mainGrades;
}

function toCourse(course: CampusCourse, inventory: readonly CampusCourse[]): WorldCourse {
  const { department, number, digits, title, prerequisite } = course;
  return {
    department: department.code,
    courseNumber: number,
    title,
    school: department.school,
    departmentName: department.name,
    courseLevel: digits < 100 ? 0 : digits < 200 ? 1 : 2,
    ...courseText(course, inventory),
    prerequisiteTree: prerequisite === undefined ? null : toTree(prerequisite),
    geList: readGeText(course.geText),
  };
}

/** A requirement is an AND, also of one group; but one group that holds others is the tree itself. */
function toTree(requirement: PrerequisiteNode): PrerequisiteTree {
  const items = typeof requirement !== "string" && "AND" in requirement ? requirement.AND : [requirement];
  const [only, ...others] = items;
  if (others.length > 0 || only === undefined || typeof only === "string") return { AND: items } as PrerequisiteTree;
  const inner = "AND" in only ? only.AND : only.OR;
  return (inner.some((item) => typeof item !== "string") ? only : { AND: items }) as PrerequisiteTree;
}

/** They stand on the pages of their departments, and belong to the schools of these. */
function toInstructors(people: readonly Person[]): WorldInstructor[] {
  // Pages tell people apart by their full names only: of two with one name the second is left out.
  const byName = new Map(people.toReversed().map((person) => [fullName(person), person]));
  return people.flatMap((person) =>
    byName.get(fullName(person)) !== person || person.netid === undefined
      ? []
      : {
          netid: person.netid,
          name: fullName(person),
          shortenedName: person.shortName,
          title: person.title,
          email: person.email,
          department: person.department.name,
          schools: sortedOf(person.departments, ({ school }) => school),
          relatedDepartments: sortedOf(person.departments, ({ code }) => code),
        },
  );
}

const sortedOf = (departments: readonly CampusDepartment[], read: (department: CampusDepartment) => string): string[] =>
  [...new Set(departments.map(read))].sort();

const DAY_CODES: Readonly<Record<string, string>> = { Mon: "M", Tue: "Tu", Wed: "W", Thu: "Th", Fri: "F" };

/** `Mon/Wed`, `9:00 - 10:50 AM` → `MW`, `9:00-10:50a` */
const toTutorial = ({ days, time, tutor, place }: Tutorial): WorldTutorials["sections"][number] => ({
  day: days
    .split("/")
    .map((day) => DAY_CODES[day])
    .join(""),
  time: time.replaceAll(" AM", "a").replaceAll(" PM", "p").replaceAll(" ", ""),
  instructor: tutor,
  building: place === "Online" ? "ON LINE" : place,
});
