/** Courses, instructors and their histories once more, as plainly as server/RULES.md, Instructors and courses say them. */
import type { Row, World } from "../worlds/world.ts";

export interface PlainCourse {
  id: string;
  department: string;
  courseNumber: string;
  courseNumeric: number;
  title: string;
  description: string;
  courseLevel: string;
  minUnits: number;
  maxUnits: number;
  geList: string[];
  instructorHistory: string[];
  terms: string[];
  prerequisiteFor: string[];
}

export interface PlainPerson {
  netid: string;
  name: string;
  shortenedName: string;
  title: string;
  department: string;
  schools: string[];
  relatedDepartments: string[];
  courseHistory: Record<string, string[]>;
}

export type Filters = Readonly<Record<string, string>>;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const holds = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
/** Names are compared without the marks of their letters (server/RULES.md, Instructors and courses). */
const unmarked = (name: string) => name.normalize("NFD").replace(/\p{M}/gu, "");
const items = (list: string) => list.split(",").map((item) => item.trim());
const anyOf = (elements: readonly string[], list: string) =>
  items(list).some((item) => elements.some((element) => same(element, item)));
const bare = (code: string) => code.split(" ").join("");

const COURSE_TESTS: Readonly<Record<string, (course: PlainCourse, value: string) => boolean>> = {
  department: ({ department }, value) => value.includes("ALL") || anyOf([bare(department)], bare(value)),
  courseNumber: ({ courseNumber }, value) => anyOf([courseNumber], value),
  courseNumeric: ({ courseNumeric }, value) => courseNumeric === Number(value),
  titleContains: ({ title }, value) => holds(title, value),
  descriptionContains: ({ description }, value) => holds(description, value),
  courseLevel: ({ courseLevel }, value) =>
    value === "ANY" || courseLevel.startsWith({ LowerDiv: "Lower", UpperDiv: "Upper", Graduate: "Grad" }[value] ?? "?"),
  minUnits: ({ minUnits }, value) => minUnits >= Number(value),
  maxUnits: ({ maxUnits }, value) => maxUnits <= Number(value),
  taughtByInstructors: ({ instructorHistory }, value) => anyOf(instructorHistory, value),
  geCategory: ({ geList }, value) => value === "ANY" || geList.includes(value),
  taughtInTerms: ({ terms }, value) => anyOf(terms, value),
};

const PERSON_TESTS: Readonly<Record<string, (person: PlainPerson, value: string) => boolean>> = {
  nameContains: ({ name }, value) => holds(unmarked(name), unmarked(value)),
  shortenedName: ({ shortenedName }, value) => same(unmarked(shortenedName), unmarked(value)),
  titleContains: ({ title }, value) => holds(title, value),
  departmentContains: ({ department }, value) => holds(department, value),
  schoolsContains: ({ schools }, value) => anyOf(schools, value),
  relatedDepartmentsContains: ({ relatedDepartments }, value) => anyOf(relatedDepartments, value),
  taughtInTerms: ({ courseHistory }, value) => anyOf(Object.values(courseHistory).flat(), value),
};

const isWanted = <T>(tests: Readonly<Record<string, (row: T, value: string) => boolean>>, row: T, filters: Filters) =>
  Object.entries(filters).every(([name, value]) => tests[name]?.(row, value));

export const plainCourses = (courses: readonly PlainCourse[], filters: Filters): PlainCourse[] =>
  courses.filter((course) => isWanted(COURSE_TESTS, course, filters));
export const plainPeople = (people: readonly PlainPerson[], filters: Filters): PlainPerson[] =>
  people.filter((person) => isWanted(PERSON_TESTS, person, filters));

const QUARTERS = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];
const newestFirst = (terms: Iterable<string>): string[] => {
  const rank = (term: string) => Number(term.slice(0, 4)) * 10 + QUARTERS.indexOf(term.slice(5));
  return [...new Set(terms)].sort((a, b) => rank(b) - rank(a));
};

interface Fact {
  term: string;
  course: string;
  department: string;
  instructors: string[];
}

/** What counts as taught on that day: begun terms, no cancelled section; sections and grade rows alike. */
function factsOf(world: World, today: string): Fact[] {
  const begun = new Set(
    world.calendar
      .filter(({ instructionStart }) => (instructionStart as string) <= today)
      .map(({ year, quarter }) => `${year as string} ${quarter as string}`),
  );
  const fact = (row: Row, department: string): Fact => ({
    term: `${row["year"] as string} ${row["quarter"] as string}`,
    department,
    course: `${department} ${row["courseNumber"] as string}`,
    instructors: (row["instructors"] as string[]).filter((name) => name !== "STAFF"),
  });
  return [
    ...world.sections.filter(({ cancelled }) => !cancelled).map((row) => fact(row, row["deptCode"] as string)),
    ...world.grades.map((row) => fact(row, row["department"] as string)),
  ].filter(({ term }) => begun.has(term));
}

/** Histories by course and by person; `people` say whose the shortened names are. */
export function plainHistories(world: World, people: readonly PlainPerson[], today: string) {
  const facts = factsOf(world, today);
  const words = (name: string) =>
    name
      .toLowerCase()
      .replaceAll("&", "and")
      .replace(/[^a-z]/g, "");
  const named = [
    ...world.departments.map(({ code, name }) => [code as string, name as string] as const),
    ...world.courses.map(({ department, departmentName }) => [department as string, departmentName as string] as const),
  ];
  // "Their departments" are relatedDepartments and the department codes of their own department.
  const departments = new Map(
    people.map(({ netid, department, relatedDepartments }) => {
      const own = named.filter(
        ([, name]) => words(name) === words(department) || words(name) === words(department.replace(/^.*?-/, "")),
      );
      return [netid, new Set([...relatedDepartments, ...own.map(([code]) => code)])] as const;
    }),
  );
  const teachers = new Map<Fact, PlainPerson[]>();
  const owners = (name: string, department: string): PlainPerson[] => {
    const all = people.filter(({ shortenedName }) => same(shortenedName, name));
    const near = all.filter(({ netid }) => departments.get(netid)?.has(department));
    return near.length > 0 ? near : all;
  };
  const known = new Map<string, PlainPerson[]>();
  for (const fact of facts) {
    const found = fact.instructors.flatMap((name) => {
      const key = JSON.stringify([name, fact.department]);
      const settled = known.get(key) ?? owners(name, fact.department);
      known.set(key, settled);
      return settled;
    });
    teachers.set(fact, found);
  }
  const byCourse = new Map<string, { terms: string[]; netids: Set<string> }>();
  const byPerson = new Map<string, Map<string, string[]>>();
  for (const [fact, found] of teachers) {
    const course = byCourse.get(fact.course) ?? { terms: [], netids: new Set() };
    byCourse.set(fact.course, course);
    course.terms.push(fact.term);
    for (const { netid } of found) {
      course.netids.add(netid);
      const taught = byPerson.get(netid) ?? new Map<string, string[]>();
      byPerson.set(netid, taught);
      taught.set(fact.course, [...(taught.get(fact.course) ?? []), fact.term]);
    }
  }
  return {
    termsOf: (course: string) => newestFirst(byCourse.get(course)?.terms ?? []),
    instructorsOf: (course: string) => [...(byCourse.get(course)?.netids ?? [])].sort(),
    coursesOf: (netid: string) =>
      Object.fromEntries([...(byPerson.get(netid) ?? [])].map(([course, terms]) => [course, newestFirst(terms)])),
  };
}
