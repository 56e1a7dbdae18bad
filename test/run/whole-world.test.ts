/** Every row of a world comes out of the endpoints, field by field: of some of its terms, in `make torture` of all. */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toOddWorld, type WorldPair } from "../support/worlds/odd-world.ts";
import type { Upstream } from "../support/upstream/upstream.ts";
import type { Row, World } from "../support/worlds/world.ts";
import { withSingleBlanks } from "../support/worlds/single-blanks.ts";
import { testWorlds } from "../support/worlds/worlds.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";
import { someOf } from "../support/extent.ts";
import { type PlainPerson, plainHistories } from "./world-histories.ts";

const digits = (number: string) => Number(number.replace(/\D/g, "") || 0);
const term = ({ year, quarter }: Row) => `year=${year as string}&quarter=${quarter as string}`;

/** In the schedule these have a name that theirs cannot be shortened to, which only the world itself knows. */
const UNKNOWABLE = ["xflaemri", "ymedurk1", "zalvamsi", "vzonko"];

/** Some of its terms, and everything else. */
function someTerms(whole: World): World {
  const terms = someOf(whole.terms, 5);
  const isOfThese = (row: Row) => terms.some(({ year, quarter }) => row["year"] === year && row["quarter"] === quarter);
  const { grades, larc, sections } = whole;
  return {
    ...whole,
    terms: [...terms],
    sections: sections.filter(isOfThese),
    grades: grades.filter(isOfThese),
    larc: larc.filter(isOfThese),
  };
}

const asItIs = (world: World): WorldPair => ({ printed: world, meant: world });
const CASES = [
  ...testWorlds.map((testWorld) => ({
    name: `${testWorld.name} with departments that ended, diacritics, words in GE lines, blanks in titles and blank averages`,
    testWorld,
    print: toOddWorld,
  })),
  ...testWorlds.map((testWorld) => ({ name: `${testWorld.name} as it is`, testWorld, print: asItIs })),
];

describe.each(someOf(CASES, 1))("$name through a whole run and the server", ({ testWorld, print }) => {
  let world: World;
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    const { printed, meant } = print(someTerms(testWorld.read()));
    world = meant;
    upstream = await testWorld.start(printed, { catalogue: "mixed" });
    folder = await openFolder();
    const report = await run({ ...folder.env, ...upstream.urls });
    expect(report.failed).toBe(false);
    server = await serve(folder.env);
  });

  afterAll(async () => {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  });

  it("every section of every term, grouped and sorted", async () => {
    const departments = new Map(world.departments.map((department) => [department["code"], department]));
    const schools = new Map(world.schools.map((school) => [school["name"], school]));
    for (const offered of world.terms) {
      type Tree = {
        schools: {
          schoolName: string;
          schoolComment: string;
          departments: {
            deptCode: string;
            deptName: string;
            deptComment: string;
            courses: {
              courseNumber: string;
              courseTitle: string;
              courseComment: string;
              prerequisiteLink: string;
              deptCode: string;
              sections: Row[];
            }[];
          }[];
        }[];
      };
      const tree = await server.json<Tree>(`/schedule?${term(offered)}&cacheOnly=true&cancelledCourses=Include`);
      const rows: Row[] = [];
      for (const school of tree.schools) {
        expect(school.schoolComment).toBe(schools.get(school.schoolName)?.["comment"]);
        for (const department of school.departments) {
          const known = departments.get(department.deptCode);
          expect(department).toMatchObject({ deptName: known?.["name"], deptComment: known?.["comment"] });
          for (const { sections, ...course } of department.courses) {
            const above = { schoolName: school.schoolName, ...course };
            for (const section of sections) rows.push({ ...above, ...section });
          }
        }
      }
      const expected = world.sections
        .filter((section) => section["year"] === offered["year"] && section["quarter"] === offered["quarter"])
        .map(
          ({ year: _y, quarter: _q, geCategories: _g, cancelled: _c, totalEnrolled, sectionEnrolled, ...section }) => ({
            ...section,
            schoolName: departments.get(section["deptCode"])?.["school"],
            numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled },
          }),
        )
        .sort((a: Row, b: Row) => compare(sortKey(a), sortKey(b)));
      // Thousands of sections: the quick comparison first, the one that explains where they differ.
      if (!isDeepStrictEqual(rows, expected)) expect(rows).toEqual(expected);
    }
  });

  it("every GE category of every section", async () => {
    for (const offered of world.terms.slice(-8)) {
      const tree = await server.json<object>(
        `/schedule?${term(offered)}&ge=GE-2&cacheOnly=true&cancelledCourses=Include`,
      );
      const codes = [...JSON.stringify(tree).matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code]) => code).sort();
      const expected = world.sections.filter(
        (s) =>
          s["year"] === offered["year"] &&
          s["quarter"] === offered["quarter"] &&
          (s["geCategories"] as string[]).includes("GE-2"),
      );
      expect(codes).toEqual(expected.map((s) => s["sectionCode"] as string).sort());
    }
  });

  it("every grade row", async () => {
    const quarters = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];
    const expected = world.grades
      .map(({ courseTitle: _t, sectionType: _s, sectionNum: _n, departmentName: _d, averageGPA, ...row }) => ({
        ...row,
        courseNumeric: digits(row["courseNumber"] as string),
        averageGPA: averageGPA ?? 0,
      }))
      .sort((a: Row, b: Row) =>
        compare(
          [a["year"], quarters.indexOf(a["quarter"] as string), a["sectionCode"]],
          [b["year"], quarters.indexOf(b["quarter"] as string), b["sectionCode"]],
        ),
      );
    expect(await server.json("/grades/raw")).toEqual(expected);
  });

  it("a co-taught section counts once: the courses of a department add up to its aggregate", async () => {
    for (const { code } of world.departments as { code: string }[]) {
      const query = `department=${encodeURIComponent(code)}`;
      const byCourse = await server.json<Record<string, number>[]>(`/grades/aggregateByCourse?${query}`);
      const { gradeDistribution } = await server.json<{ gradeDistribution: Record<string, number> }>(
        `/grades/aggregate?${query}`,
      );
      for (const count of Object.keys(gradeDistribution).filter((name) => name.endsWith("Count"))) {
        expect(byCourse.reduce((sum, row) => sum + (row[count] ?? 0), 0)).toBe(gradeDistribution[count]);
      }
    }
  });

  it("every course, every instructor, every tutorial", async () => {
    const courses = await server.json<Row[]>("/courses/all");
    const levels = ["Lower Division (1-99)", "Upper Division (100-199)", "Graduate/Professional Only (200+)"];
    const byId = new Map(courses.map((course) => [course["id"], course]));
    for (const [i, { courseLevel, prerequisiteTree, ...course }] of world.courses.entries()) {
      const id = `${(course["department"] as string).replaceAll(" ", "")}${course["courseNumber"] as string}`;
      const expected = {
        ...withSingleBlanks(course),
        id,
        courseNumeric: digits(course["courseNumber"] as string),
        courseLevel: levels[courseLevel as number],
        prerequisiteTree: prerequisiteTree ?? {},
      };
      expect(byId.get(id)).toMatchObject(expected);
      if (i % 10 === 0) expect(await server.json(`/courses/${encodeURIComponent(id)}`)).toEqual(byId.get(id));
    }
    const people = await server.json<Row[]>("/instructors/all");
    // The pages can name only departments that have courses in the catalogue.
    const listed = new Set(world.courses.map(({ department }) => department));
    const expectedPeople: Row[] = world.instructors
      .map((person) => ({
        ...person,
        relatedDepartments: (person["relatedDepartments"] as string[]).filter((code) => listed.has(code)),
      }))
      .sort((a: Row, b: Row) => compare([a["netid"]], [b["netid"]]));
    // How the schedule shortens a name is known of those who are in the schedule.
    const taught = new Set(world.sections.flatMap(({ instructors }) => instructors as string[]));
    const absent = expectedPeople
      .filter((person) => !taught.has(person["shortenedName"] as string))
      .map(({ netid }) => netid as string);
    // The order of a person's schools and departments depends on the pages.
    const sorted = (list: unknown) => [...(list as string[])].sort();
    const settled = (rows: Row[]) => {
      const unknown = new Set([...UNKNOWABLE, ...absent]);
      return rows.map(({ courseHistory: _history, shortenedName, schools, relatedDepartments, ...person }) => ({
        ...person,
        schools: sorted(schools),
        relatedDepartments: sorted(relatedDepartments),
        shortenedName: unknown.has(person["netid"] as string) ? "" : shortenedName,
      }));
    };
    expect(settled(people)).toEqual(settled(expectedPeople));
    const tutorials = new Map<string, unknown>();
    for (const tutorial of world.larc) {
      const { year: _y, quarter: _q, courseNumber, courseName, sameAs: _s, ...rest } = tutorial;
      const path = `/larc?${term(tutorial)}`;
      if (!tutorials.has(path)) tutorials.set(path, await server.json(path));
      expect(tutorials.get(path)).toContainEqual({
        courseInfo: { courseNumber, courseName },
        ...rest,
      });
    }
  });

  it('"who taught what follows from published sections and grades", and "a cancelled section does not count"', async () => {
    type Course = Row & { terms: string[]; instructorHistory: string[] };
    const courses = await server.json<Course[]>("/courses/all");
    const people = await server.json<(PlainPerson & { courseHistory: object })[]>("/instructors/all");
    const histories = plainHistories(world, people);
    for (const { department, courseNumber, terms, instructorHistory } of courses) {
      const name = `${department as string} ${courseNumber as string}`;
      const expected = { terms: histories.termsOf(name), instructorHistory: histories.instructorsOf(name) };
      expect({ name, terms, instructorHistory }).toEqual({ name, ...expected });
    }
    for (const { netid, courseHistory } of people)
      expect({ netid, courseHistory }).toEqual({ netid, courseHistory: histories.coursesOf(netid) });
    // The world has courses that were never taught or only ever cancelled, and people who taught.
    expect(courses.filter((course) => course.terms.length === 0).length).toBeGreaterThan(20);
    expect(people.filter(({ courseHistory }) => Object.keys(courseHistory).length > 0).length).toBeGreaterThan(50);
  });

  it("prerequisiteFor is the inverse of prerequisiteList", async () => {
    type Course = Record<"department" | "courseNumber", string> &
      Record<"prerequisiteList" | "prerequisiteFor", string[]>;
    const courses = await server.json<Course[]>("/courses/all");
    const needed = new Map<string, string[]>();
    for (const { department, courseNumber, prerequisiteList } of courses)
      for (const name of prerequisiteList)
        needed.set(name, [...(needed.get(name) ?? []), `${department} ${courseNumber}`]);
    for (const { department, courseNumber, prerequisiteFor } of courses)
      expect([...prerequisiteFor].sort()).toEqual([...(needed.get(`${department} ${courseNumber}`) ?? [])].sort());
  });
});

function sortKey(section: Row): unknown[] {
  return [
    section["schoolName"],
    section["deptCode"],
    digits(section["courseNumber"] as string),
    section["courseNumber"],
    section["courseTitle"],
    section["sectionCode"],
  ];
}

function compare(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return (a[i] as string) < (b[i] as string) ? -1 : 1;
  }
  return 0;
}
