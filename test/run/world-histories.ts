/** Teaching history, computed in the plain way from the sections and grades of a world (pipeline/RULES.md, People). */
import { compare, plainName, QUARTERS } from "../support/oracle/rows.ts";
import type { Row, World } from "../support/worlds/world.ts";

/** A person in the form of `/instructors/all`. */
export interface PlainPerson {
  readonly netid: string;
  readonly shortenedName: string;
  readonly department: string;
  readonly relatedDepartments: readonly string[];
}

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

/** The facts that count as taught: sections that are not cancelled, and grade rows. All terms of a world have begun. */
function factsOf(world: World): Fact[] {
  const fact = (row: Row, department: string): Fact => ({
    term: `${row["year"] as string} ${row["quarter"] as string}`,
    department,
    course: `${department} ${row["courseNumber"] as string}`,
    instructors: (row["instructors"] as string[]).filter((name) => name !== "STAFF"),
  });
  return [
    ...world.sections.filter(({ cancelled }) => !cancelled).map((row) => fact(row, row["deptCode"] as string)),
    ...world.grades.map((row) => fact(row, row["department"] as string)),
  ];
}

/** Histories by course and by person; `people` say whose the shortened names are. */
export function plainHistories(world: World, people: readonly PlainPerson[]) {
  const facts = factsOf(world);
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
    const all = people.filter(({ shortenedName }) => plainName(shortenedName) === plainName(name));
    const near = all.filter(({ netid }) => departments.get(netid)?.has(department));
    return near.length > 0 ? near : all;
  };
  const known = new Map<string, PlainPerson[]>();
  for (const fact of facts) {
    const netids = fact.instructors.flatMap((name) => {
      const key = JSON.stringify([name, fact.department]);
      const settled = known.get(key) ?? owners(name, fact.department);
      known.set(key, settled);
      return settled;
    });
    teachers.set(fact, netids);
  }
  const byCourse = new Map<string, { terms: string[]; netids: Set<string> }>();
  const byPerson = new Map<string, Map<string, string[]>>();
  for (const [fact, netids] of teachers) {
    const course = byCourse.get(fact.course) ?? { terms: [], netids: new Set() };
    byCourse.set(fact.course, course);
    course.terms.push(fact.term);
    for (const { netid } of netids) {
      course.netids.add(netid);
      const taught = byPerson.get(netid) ?? new Map<string, string[]>();
      byPerson.set(netid, taught);
      taught.set(fact.course, [...(taught.get(fact.course) ?? []), fact.term]);
    }
  }
  return {
    termsOf: (course: string) => newestFirst(byCourse.get(course)?.terms ?? []),
    instructorsOf: (course: string) => [...(byCourse.get(course)?.netids ?? [])].sort(compare),
    coursesOf: (netid: string) =>
      Object.fromEntries([...(byPerson.get(netid) ?? [])].map(([course, terms]) => [course, newestFirst(terms)])),
  };
}
