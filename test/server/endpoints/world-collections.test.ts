/** Courses and instructors of a world after a whole run on a day of our choice: histories and random questions. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Upstream } from "../../support/upstream/upstream.ts";
import type { World } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";
import { openFolder, run } from "../../support/whole-run.ts";
import { assertAtOnce } from "../../support/at-once.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import {
  type Filters,
  type PlainCourse,
  plainCourses,
  plainHistories,
  plainPeople,
  type PlainPerson,
} from "../../support/oracles/plain-collections.ts";

/** Summer1 and Summer10wk of 2017 have begun; Summer2 begins on the next day of the campus, Fall later. */
const TODAY = "2017-08-06";
const NOW = new Date("2017-08-07T05:00:00Z");
const RUNS = 250;
const PATIENCE_MS = 240_000;

describe.each(testWorlds)(`$name on ${TODAY}`, (testWorld) => {
  let world: World;
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let app: OpenedApp;
  let courses: PlainCourse[];
  let people: PlainPerson[];

  const get = async (path: string): Promise<unknown> => (await app.get(path)).json();

  beforeAll(async () => {
    world = testWorld.read();
    upstream = await testWorld.start(world);
    folder = await openFolder();
    const report = await run({ ...folder.env, ...upstream.urls }, "build", () => NOW);
    expect(report.failed).toBe(false);
    app = await openApp(folder.artifacts, () => NOW, { judgedEvery: 10 });
    courses = (await get("/courses/all")) as PlainCourse[];
    people = (await get("/instructors/all")) as PlainPerson[];
  }, PATIENCE_MS);
  afterAll(async () => {
    await app?.close();
    await upstream?.close();
    await folder?.remove();
  });

  it('"a cancelled section does not count, and a term counts from its first day of instruction on"', () => {
    const terms = new Set(courses.flatMap((course) => course.terms));
    expect(terms).toContain("2017 Summer10wk");
    expect(terms).not.toContain("2017 Summer2");
    expect(terms).not.toContain("2017 Fall");
    const histories = plainHistories(world, people, TODAY);
    for (const course of courses) {
      const name = `${course.department} ${course.courseNumber}`;
      const expected = { terms: histories.termsOf(name), instructorHistory: histories.instructorsOf(name) };
      expect({ name, terms: course.terms, instructorHistory: course.instructorHistory }).toEqual({ name, ...expected });
    }
    for (const { netid, courseHistory } of people) {
      expect({ netid, courseHistory }).toEqual({ netid, courseHistory: histories.coursesOf(netid) });
    }
    // The world has courses that were only ever cancelled or are still to come, and people who taught.
    expect(courses.filter(({ terms }) => terms.length === 0).length).toBeGreaterThan(20);
    expect(people.filter(({ courseHistory }) => Object.keys(courseHistory).length > 0).length).toBeGreaterThan(50);
  });

  it("prerequisiteFor is the inverse of prerequisiteList", () => {
    const needed = new Map<string, string[]>();
    for (const course of courses as (PlainCourse & { prerequisiteList: string[] })[])
      for (const name of course.prerequisiteList)
        needed.set(name, [...(needed.get(name) ?? []), `${course.department} ${course.courseNumber}`]);
    for (const { department, courseNumber, prerequisiteFor } of courses)
      expect([...prerequisiteFor].sort()).toEqual([...(needed.get(`${department} ${courseNumber}`) ?? [])].sort());
  });

  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  /** A text of blanks alone is no text. */
  const part = (text: string, n: number) => {
    const piece = text.slice(n % Math.max(1, text.length - 4)).slice(0, 2 + (n % 6));
    return piece.trim() === "" ? "a" : piece;
  };
  const spelt = (text: string) => fc.constantFrom(text, text.toLowerCase(), text.toUpperCase());
  const some = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Filters> =>
    fc
      .subarray(Object.keys(values), { minLength: 1, maxLength: 4 })
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant("")]))));

  const courseQuestion = fc.tuple(fc.nat(), fc.nat(), fc.nat()).chain(([at, other, n]) => {
    const [own, next] = [pick(courses, at), pick(courses, n % 4 === 0 ? other : at)];
    return some({
      department: fc.constantFrom(own.department, `${next.department},${own.department}`, "ALL"),
      courseNumber: fc.constantFrom(own.courseNumber.toLowerCase(), `${next.courseNumber},${own.courseNumber}`),
      courseNumeric: fc.constant(String(next.courseNumeric)),
      titleContains: spelt(part(own.title, n)),
      descriptionContains: spelt(part(own.description, n)),
      courseLevel: fc.constantFrom("LowerDiv", "UpperDiv", "Graduate", "ANY"),
      minUnits: fc.constantFrom(String(next.minUnits), ".5", "1.3", "4"),
      maxUnits: fc.constantFrom(String(next.maxUnits), "0", "4", "3.9"),
      taughtByInstructors: fc.constant(
        [own.instructorHistory[0] ?? "nobody", next.instructorHistory.at(-1) ?? "noone"].join(","),
      ),
      geCategory: fc.constantFrom(own.geList[0] ?? "ANY", next.geList.at(-1) ?? "GE-4"),
      taughtInTerms: fc.constantFrom(own.terms[0] ?? "2014 Fall", `${next.terms.at(-1) ?? "2015 Fall"},2017 Fall`),
    });
  });

  const personQuestion = fc.tuple(fc.nat(), fc.nat(), fc.nat()).chain(([at, other, n]) => {
    const [own, next] = [pick(people, at), pick(people, n % 4 === 0 ? other : at)];
    const terms = Object.values(own.courseHistory).flat();
    return some({
      nameContains: spelt(part(own.name, n)),
      shortenedName: spelt(next.shortenedName),
      titleContains: spelt(part(own.title, n)),
      departmentContains: spelt(part(own.department, n)),
      schoolsContains: fc.constantFrom(own.schools[0] ?? "x", `School of Nothing,${next.schools.at(-1) ?? "y"}`),
      relatedDepartmentsContains: spelt(next.relatedDepartments[0] ?? "NONE"),
      taughtInTerms: fc.constantFrom(terms[0] ?? "2014 Fall", `${terms.at(-1) ?? "2015 Fall"},1999 Fall`),
    });
  });

  async function expectEqual(path: string, question: fc.Arbitrary<Filters>, plain: (filters: Filters) => unknown[]) {
    let matched = 0;
    await assertAtOnce(
      question,
      async (filters) => {
        const expected = plain(filters);
        if (expected.length > 0) matched++;
        const answer = await get(`${path}?${new URLSearchParams(filters)}`);
        if (!isDeepStrictEqual(answer, expected)) expect(answer).toEqual(expected);
      },
      { numRuns: RUNS },
    );
    // Questions that match nothing prove little.
    expect(matched).toBeGreaterThan(RUNS / 3);
  }

  // Questions are drawn from the records, which are there only when the tests run.
  const drawn = (question: () => fc.Arbitrary<Filters>) => fc.constant(0).chain(question);

  it(
    `${RUNS} random questions to /courses`,
    () =>
      expectEqual(
        "/courses",
        drawn(() => courseQuestion),
        (filters) => plainCourses(courses, filters),
      ),
    PATIENCE_MS,
  );
  it(
    `${RUNS} random questions to /instructors`,
    () =>
      expectEqual(
        "/instructors",
        drawn(() => personQuestion),
        (filters) => plainPeople(people, filters),
      ),
    PATIENCE_MS,
  );
});
