import { describe, expect, test } from "vitest";
import {
  type PrintedCourse,
  type PrintedRequirement,
  toCatalogueCourses,
} from "../../../pipeline/normalize/catalogue/course.ts";
import { createUnknownFields } from "../../../pipeline/contract/source-fields.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

const printed = (code: string, more: Partial<PrintedCourse> = {}): PrintedCourse => ({
  code,
  title: "T",
  hours: "4 Units",
  description: "",
  details: [],
  ...more,
});

function build(
  courses: PrintedCourse[],
  requirements: PrintedRequirement[] = [],
  schools = new Map([["I&CSCI", "School of Computing"]]),
  unknown = createUnknownFields(),
) {
  const tally = createTally("catalogue");
  const departments = [{ code: "I&C SCI", name: "Information", courses, unreadable: ["odd"] }];
  const rows = toCatalogueCourses({ departments, requirements, schools }, tally, unknown);
  return { rows, report: tally.report("published", 0) };
}
const buildOne = (course: PrintedCourse, requirements: PrintedRequirement[] = []) =>
  build([course], requirements).rows[0];

describe("course", () => {
  test('"department code followed by course number, no separator"', () => {
    expect(buildOne(printed("I&C SCI 46"))).toMatchObject({
      id: "I&CSCI46",
      department: "I&C SCI",
      courseNumber: "46",
      courseNumeric: 46,
      school: "School of Computing",
      departmentName: "Information",
    });
    expect(buildOne(printed("CRM/LAW C7"))).toMatchObject({ id: "CRM/LAWC7", courseNumeric: 7 });
    expect(buildOne(printed("CHINESE S1AB"))).toMatchObject({
      id: "CHINESES1AB",
      courseNumber: "S1AB",
      courseNumeric: 1,
    });
  });

  test.each([
    ["4 Units", 4, 4],
    ["1-4 Units", 1, 4],
    [".5 Units", 0.5, 0.5],
    [".5-12 Units", 0.5, 12],
    ["1.3 Units", 1.3, 1.3],
    ["1 Unit", 1, 1],
    ["2.0-4 Units", 2, 4],
    ["1.25 Units", 1.25, 1.25],
    ["1–4 Units", 1, 4],
    ["1, 2, or 4 Units", 1, 4],
    ["4-4-4 Units", 4, 4],
    ["0 Units", 0, 0],
    ["", 0, 0],
  ])("units %s", (hours, minUnits, maxUnits) => {
    expect(buildOne(printed("I&C SCI 46", { hours }))).toMatchObject({ minUnits, maxUnits });
  });

  test.each(["1000 Units", "2147483648 Units", "1-99999 Units", `${"9".repeat(400)} Units`])(
    "units that no course has are noted: %s",
    (hours) => {
      const { report, rows } = build([printed("I&C SCI 46", { hours })]);
      expect(rows).toMatchObject([{ minUnits: 0, maxUnits: 0 }]);
      expect(report.noted).toContainEqual({
        ...{ reason: "units that no course has", count: 1 },
        names: [expect.stringMatching(/^I&C SCI 46: \d/)],
      });
    },
  );

  test.each([
    ["1", "Lower Division (1-99)"],
    ["99", "Lower Division (1-99)"],
    ["H100", "Upper Division (100-199)"],
    ["199", "Upper Division (100-199)"],
    ["200A", "Graduate/Professional Only (200+)"],
    ["399", "Graduate/Professional Only (200+)"],
  ])("level of %s", (number, courseLevel) => {
    expect(buildOne(printed(`I&C SCI ${number}`))?.courseLevel).toBe(courseLevel);
  });

  test("each labelled line goes to its field, exactly what follows the label", () => {
    const details = [
      "Prerequisite: I&C SCI 45.",
      "Corequisite: MATH 2B",
      "Overlaps with CSE 46.",
      "Repeatability: May be taken for credit 2 times.",
      "Grading Option: Pass/no pass only.",
      "Concurrent with CSE 246.",
      "Same as CSE 46.",
      "Restriction: School students only.  Few.",
      "(II and (VA or VB))",
    ];
    expect(buildOne(printed("I&C SCI 46", { details }))).toMatchObject({
      corequisites: "MATH 2B",
      overlap: "CSE 46.",
      repeatability: "May be taken for credit 2 times.",
      gradingOption: "Pass/no pass only.",
      concurrent: "CSE 246.",
      sameAs: "CSE 46.",
      restriction: "School students only.  Few.",
      geText: "(II and (VA or VB))",
      geList: ["GE-2", "GE-5A", "GE-5B"],
      // The catalogue's prerequisite line is prose and is not the tree.
      prerequisiteTree: "{}",
    });
  });

  test("a line of no known kind is named", () => {
    expect(build([printed("I&C SCI 46", { details: ["Formerly I&C SCI 23."] })]).report.noted).toEqual([
      { reason: "a line of unknown kind is left out", count: 1, names: ["I&C SCI 46: Formerly I&C SCI 23."] },
    ]);
  });

  test("a label is one at the beginning of its line; lines of one label are joined", () => {
    const lines = [
      "Repeatability: x",
      "Grading Option: x",
      "Concurrent with x",
      "Same as x",
      "Restriction: x",
      "Overlaps with x",
      "Corequisite: x",
      "Prerequisites: x",
    ];
    const { rows, report } = build([printed("I&C SCI 46", { details: lines.map((line) => `See ${line}`) })]);
    expect(rows[0]).toMatchObject({
      repeatability: "",
      gradingOption: "",
      concurrent: "",
      sameAs: "",
      restriction: "",
      overlap: "",
      corequisites: "",
      geText: "",
    });
    expect(report.noted).toMatchObject([{ count: lines.length }]);
    const prose = [
      "PREREQUISITE: x",
      "Prerequisites or corequisites: x",
      "Prerequisite or corequisite: x",
      "Prerequisites: x",
    ];
    expect(build([printed("I&C SCI 46", { details: prose })]).report.noted).toEqual([]);
    expect(
      buildOne(printed("I&C SCI 46", { details: ["Restriction: A.", "Restrictions: B.", "(II).", "(Vb)"] })),
    ).toMatchObject({ restriction: "A. B.", geText: "(II). (Vb)", geList: ["GE-2", "GE-5B"] });
  });

  test("of a line of no known kind what may be its label is known as a new one", () => {
    const unknown = createUnknownFields();
    const details = [
      "Formerly known as 23.",
      "Part-time Offered",
      "Offered 3 times",
      "Offered",
      "(see 23)",
      "x".repeat(81),
    ];
    const { report } = build([printed("I&C SCI 46", { details })], [], undefined, unknown);
    expect(unknown.list()).toEqual(
      ["Formerly known", "Part-time Offered", "Offered", "x".repeat(81)].map((name) =>
        expect.objectContaining({ kind: "label", place: "course", name }),
      ),
    );
    expect(report.noted[0]?.names).toContain(`I&C SCI 46: ${"x".repeat(80)}`);
  });

  test("a course has the school of its own department, else of the one that lists it; courses are sorted by id", () => {
    const rowsOf = (...schools: [string, string][]) =>
      build([printed("STATS 7"), printed("CSE 46"), printed("I&C SCI 46")], [], new Map(schools)).rows;
    expect(rowsOf(["I&CSCI", "Computing"], ["STATS", "Statistics"]).map(({ id, school }) => [id, school])).toEqual([
      ["CSE46", "Computing"],
      ["I&CSCI46", "Computing"],
      ["STATS7", "Statistics"],
    ]);
  });

  test("of several requirements of a course the first that says something counts, and others and those without a course are dropped by name", () => {
    const requirements = ["", "MATH 2A", "MATH 2B"].map((requirement) => ({
      course: "I&C SCI 46*I&C SCI 23",
      requirement,
    }));
    const { rows, report } = build(
      [printed("I&C SCI 46")],
      [
        { course: "READING LIST", requirement: "MATH 2C" },
        { course: "I&C SCI 99 * I&C SCI 98", requirement: "" },
        { course: "I&C SCI 97 * I&C SCI 96", requirement: "MATH 2D" },
        ...requirements,
      ],
      undefined,
    );
    expect([rows[0]?.prerequisiteText, report.noted]).toEqual(["MATH 2A", []]);
    expect(report.dropped.flatMap(({ names }) => names).toSorted()).toEqual([
      "I&C SCI 46*I&C SCI 23: MATH 2B; the first is MATH 2A",
      "I&C SCI 97 * I&C SCI 96: MATH 2D",
      "I&C SCI: odd",
      "READING LIST: MATH 2C",
    ]);
  });

  test("a requirement that no course of the catalogue has, or whose title is another one, is named", () => {
    const { report } = build(
      [printed("I&C SCI 46", { title: "Data Structure Implementation and Analysis" }), printed("I&C SCI 47")],
      [
        { course: "I&C SCI 46", title: "DATA STRC IMPL&ANLS", requirement: "MATH 2A" },
        { course: "I&C SCI 47", title: "WORLD HISTORY", requirement: "MATH 2B" },
        { course: "I&C SCI 48", title: "T", requirement: "MATH 2D" },
        { course: "I&C SCI 49", title: "T", requirement: "" },
      ],
    );
    const reasons = Object.fromEntries(
      [...report.dropped, ...report.noted].map(({ reason, names }) => [reason, names]),
    );
    expect(reasons).toMatchObject({
      "a requirement of a course that the catalogue does not have": ["I&C SCI 48: MATH 2D"],
      "a requirement of a course with another title": [
        "I&C SCI 47; the requirement's title is WORLD HISTORY, the course's T",
      ],
    });
    expect(Object.values(reasons).flat()).toHaveLength(3);
  });

  test("the tree comes from the prerequisite pages; a renumbered course goes by its new name", () => {
    const requirements = [
      { course: "I&C SCI 46 * I&C SCI 23 since 200892", requirement: "( I&C SCI 45C OR CSE 45C ) AND MATH 2A" },
      { course: "I&CSCI 47", requirement: "MATH 2A" },
    ];
    const { rows } = build([printed("I&C SCI 23"), printed("I&C SCI 46"), printed("I&C SCI 47")], requirements);
    expect(rows.map(({ prerequisiteTree }) => JSON.parse(prerequisiteTree) as unknown)).toEqual([
      {},
      { AND: [{ OR: ["I&C SCI 45C", "CSE 45C"] }, "MATH 2A"] },
      { AND: ["MATH 2A"] },
    ]);
    expect(rows[1]).toMatchObject({
      prerequisiteList: ["I&C SCI 45C", "CSE 45C", "MATH 2A"],
      prerequisiteText: "(I&C SCI 45C OR CSE 45C) AND MATH 2A",
    });
    expect(rows[0]).toMatchObject({ prerequisiteList: [], prerequisiteText: "" });
  });

  test("conditions, grades and exclusions stay in the text; the tree of objects has grades and exclusions", () => {
    const requirement = "MATH 2A ( min grade = C ) AND SENIOR STANDING ONLY AND NO I&C SCI 21 AND AP 10";
    const courses = [printed("I&C SCI 46"), printed("AP 10")];
    expect(build(courses, [{ course: "I&C SCI 46", requirement }]).rows[1]).toMatchObject({
      id: "I&CSCI46",
      prerequisiteTree: '{"AND":["MATH 2A","AP 10"]}',
      prerequisiteList: ["MATH 2A", "AP 10"],
      prerequisiteText: "MATH 2A (min grade C) AND SENIOR STANDING ONLY AND NO I&C SCI 21 AND AP 10",
      requirementTree: JSON.stringify({
        AND: [
          { prereqType: "course", coreq: false, courseId: "MATH 2A", minGrade: "C" },
          { NOT: [{ prereqType: "course", coreq: false, courseId: "I&C SCI 21" }] },
          { prereqType: "course", coreq: false, courseId: "AP 10" },
        ],
      }),
    });
  });

  test("of malformed prerequisites, which are named, the course has the text and no tree", () => {
    const { rows, report } = build([printed("I&C SCI 46")], [{ course: "I&C SCI 46", requirement: "( MATH 2A OR" }]);
    expect(rows[0]).toMatchObject({
      prerequisiteTree: "{}",
      prerequisiteList: [],
      prerequisiteText: "( MATH 2A OR",
      requirementTree: "{}",
    });
    const reason = "the prerequisites cannot be read; only their text is published";
    expect(report.noted).toEqual([{ reason, count: 1, names: ["I&C SCI 46: a course is missing before the end"] }]);
  });

  test("what cannot be published is dropped by name", () => {
    const again = [printed("I&C SCI 46"), printed("I&C SCI 46", { title: "U", hours: "1-4 Units" })];
    const { rows, report } = build([printed("I&C SCI 46"), ...again, printed("READING LIST")]);
    expect(rows).toHaveLength(1);
    expect(report).toMatchObject({ read: 5, kept: 1 });
    expect(report.dropped.map(({ reason, names }) => [reason, names])).toEqual([
      ["the title line cannot be read", ["I&C SCI: odd"]],
      ["the course is printed twice", ["I&C SCI 46", "I&C SCI 46; T, 4-4 units is kept, not U, 1-4"]],
      ["the course has no number", ["READING LIST"]],
    ]);
  });

  test("a department that no school lists has no school, and is noted", () => {
    const { rows, report } = build([printed("I&C SCI 46")], [], new Map());
    expect(rows[0]?.school).toBe("");
    expect(report.noted).toEqual([{ reason: "no school's page lists the department", count: 1, names: ["I&C SCI"] }]);
  });
});
