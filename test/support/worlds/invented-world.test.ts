/**
 * The world behind every run of the tests: always the same, and with every oddity that a reader of the upstream must
 * know.
 */
import { describe, expect, it } from "vitest";
import { compareTerms, UPSTREAM_SECTION_LIMIT } from "../../../pipeline/contract/vocabulary.ts";
import type { PrerequisiteTree, World, WorldSection } from "./world.ts";
import { inventedWorld } from "./worlds.ts";

const world = inventedWorld.read();

const courseOf = ({ year, quarter, deptCode, courseNumber }: WorldSection) =>
  [year, quarter, deptCode, courseNumber].join(" ");

/** How many different values there are for each key. */
function variety<T>(rows: readonly T[], keyOf: (row: T) => string, valueOf: (row: T) => string): number[] {
  const values = new Map<string, Set<string>>();
  for (const row of rows) values.set(keyOf(row), (values.get(keyOf(row)) ?? new Set()).add(valueOf(row)));
  return [...values.values()].map(({ size }) => size);
}

const leavesOf = (tree: string | PrerequisiteTree): string[] =>
  typeof tree === "string" ? [tree] : ("AND" in tree ? tree.AND : tree.OR).flatMap(leavesOf);
const depthOf = (tree: string | PrerequisiteTree): number =>
  typeof tree === "string" ? 0 : 1 + Math.max(...("AND" in tree ? tree.AND : tree.OR).map(depthOf));

const ofSection =
  (test: (section: WorldSection) => boolean) =>
  ({ sections }: World): number =>
    sections.filter(test).length;

describe("the invented world", () => {
  it("is the same in every test", () => expect(inventedWorld.read()).toEqual(world));

  it.each<[oddity: string, count: (world: World) => number]>([
    [
      "a blank in a department's code",
      ({ departments }) => departments.filter(({ code }) => code.includes(" ")).length,
    ],
    ["an ampersand", ({ departments }) => departments.filter(({ code }) => code.includes("&")).length],
    ["a slash", ({ departments }) => departments.filter(({ code }) => code.includes("/")).length],
    ["letters before and after a course's number", ofSection((row) => /^[A-Z]+\d+[A-Z]+$/.test(row.courseNumber))],
    [
      "one number with several titles",
      ({ sections }) =>
        variety(sections, courseOf, ({ courseTitle }) => courseTitle).filter((count) => count > 1).length,
    ],
    ["variable units", ofSection(({ units }) => /^\d+-\d+$/.test(units))],
    ["parts of a unit", ofSection(({ units }) => /^0?\.\d/.test(units))],
    ["several instructors", ofSection(({ instructors }) => instructors.length > 2)],
    ["STAFF", ofSection(({ instructors }) => instructors.includes("STAFF"))],
    ["a last name that was cut", ofSection(({ instructors }) => instructors.some((name) => name.indexOf(",") === 14))],
    ["several meetings", ofSection(({ meetings }) => meetings.length > 1)],
    ["several rooms", ofSection(({ meetings }) => meetings.some(({ bldg }) => bldg.length > 1))],
    ["a time to be announced", ofSection(({ meetings }) => meetings.some(({ timeIsTBA }) => timeIsTBA))],
    ["days that nobody tells", ofSection(({ meetings }) => meetings.some(({ days }) => days === ""))],
    ["a place to be announced", ofSection(({ meetings }) => meetings.some(({ bldg }) => bldg[0] === "TBA"))],
    ["online", ofSection(({ meetings }) => meetings.some(({ bldg }) => bldg[0] === "ON LINE"))],
    ["a final to be announced", ofSection(({ finalExam }) => finalExam.examStatus === "TBA_FINAL")],
    [
      "a final in the section's room",
      ofSection(
        ({ finalExam, meetings }) => finalExam.bldg?.[0] !== undefined && finalExam.bldg[0] === meetings[0]?.bldg[0],
      ),
    ],
    ["a final in two places", ofSection(({ finalExam }) => (finalExam.bldg?.length ?? 0) > 1)],
    ["a waitlist that does not apply", ofSection(({ numOnWaitlist }) => numOnWaitlist === "")],
    ["a waitlist that is n/a", ofSection(({ numOnWaitlist }) => numOnWaitlist === "n/a")],
    ["a waitlist that is off", ofSection(({ numOnWaitlist }) => /^off\(\d+\)$/.test(numOnWaitlist))],
    ["OPEN", ofSection(({ status }) => status === "OPEN")],
    ["FULL", ofSection(({ status }) => status === "FULL")],
    ["Waitl", ofSection(({ status }) => status === "Waitl")],
    ["NewOnly", ofSection(({ status }) => status === "NewOnly")],
    ["more students than seats", ofSection((row) => Number(row.totalEnrolled) > Number(row.maxCapacity))],
    ["a cross-listed section", ofSection(({ sectionEnrolled }) => sectionEnrolled !== "")],
    ["a cancelled one", ofSection(({ cancelled }) => cancelled)],
    ["a comment in the template's markup", ofSection(({ sectionComment }) => sectionComment.startsWith("\n"))],
    ["a bare comment", ofSection(({ sectionComment }) => /^[A-Z]/.test(sectionComment))],
    ["a comment that speaks of cancelling", ofSection((row) => !row.cancelled && /cancelled/.test(row.sectionComment))],
    ["a comment of a course", ofSection(({ courseComment }) => courseComment !== "")],
    ["a comment of a department", ({ departments }) => departments.filter(({ comment }) => comment !== "").length],
    ["a comment of a school", ({ schools }) => schools.filter(({ comment }) => comment !== "").length],
    ["a leading zero", ofSection(({ sectionCode }) => sectionCode.startsWith("0"))],
    [
      "a code that two sessions of a summer share",
      ({ sections }) =>
        variety(
          sections.filter(({ quarter }) => quarter.startsWith("Summer")),
          ({ year, sectionCode }) => year + sectionCode,
          ({ quarter }) => quarter,
        ).filter((count) => count > 1).length,
    ],
    ["a grade row without letters", ({ grades }) => grades.filter(({ averageGPA }) => averageGPA === null).length],
    [
      "grades of a co-taught section",
      ({ grades }) => grades.filter(({ instructors }) => instructors.length > 1).length,
    ],
    ["grades with a lost zero", ({ grades }) => grades.filter(({ sectionCode }) => sectionCode.startsWith("0")).length],
    [
      "a shortened name of two people",
      ({ instructors }) =>
        variety(
          instructors,
          ({ shortenedName }) => shortenedName,
          ({ netid }) => netid,
        ).filter((count) => count > 1).length,
    ],
    ["people of two schools", ({ instructors }) => instructors.filter(({ schools }) => schools.length > 1).length],
    [
      "people without an initial",
      ({ instructors }) => instructors.filter(({ name }) => name.split(" ").length === 2).length,
    ],
    [
      "a tree of groups",
      ({ courses }) =>
        courses.filter(({ prerequisiteTree }) => prerequisiteTree && depthOf(prerequisiteTree) > 1).length,
    ],
    [
      "an exam as a prerequisite",
      ({ courses }) =>
        courses.filter(
          ({ prerequisiteTree }) =>
            prerequisiteTree && leavesOf(prerequisiteTree).some((leaf) => leaf.startsWith("AP ")),
        ).length,
    ],
    [
      "variable units in the catalogue",
      ({ courses }) => courses.filter(({ minUnits, maxUnits }) => minUnits < maxUnits).length,
    ],
    [
      "tutorials online",
      ({ larc }) => larc.filter((row) => row.sections.some(({ building }) => building === "ON LINE")).length,
    ],
    [
      "summer sessions that overlap",
      ({ calendar }) => {
        const summers = calendar.filter(({ quarter }) => quarter === "Summer10wk" || quarter === "Summer2");
        return summers.filter((summer) =>
          summers.some((other) => compareTerms(summer, other) < 0 && other.instructionStart < summer.finalsEnd),
        ).length;
      },
    ],
    [
      "a term of more sections than one question finds",
      ({ sections }) =>
        Math.max(
          0,
          sections.filter(({ year, quarter }) => `${year} ${quarter}` === "2017 Fall").length - UPSTREAM_SECTION_LIMIT,
        ),
    ],
  ])("has %s", (_, count) => expect(count(world)).toBeGreaterThan(0));

  it("has the marker of a cancelled section in every spelling", () => {
    const spellings = world.sections.flatMap(
      ({ sectionComment }) => sectionComment.match(/\*+ *CANCELL?ED *\*+/) ?? [],
    );
    expect(new Set(spellings).size).toBe(4);
  });
});
