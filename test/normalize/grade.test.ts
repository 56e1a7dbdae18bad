import { describe, expect, it } from "vitest";
import { grades as gradesTable, type SheetRow } from "../../pipeline/contract/grade.ts";
import type { Quarter } from "../../pipeline/contract/vocabulary.ts";
import { createDepartmentNames } from "../../pipeline/normalize/department-names.ts";
import { toGrades } from "../../pipeline/normalize/grade.ts";
import type { GradedSection, SectionFacts } from "../../pipeline/normalize/graded-section.ts";
import { createTally } from "../../pipeline/report.ts";

const departmentByName = createDepartmentNames([
  ["Information and Computer Science", "I&C SCI"],
  ["Physics", "PHYSICS"],
  ["Criminology, Law and Society", "CRM/LAW"],
]);

/** A world of a few sections: `[year, quarter, code, section]`. A term is published when it has one, or is listed as empty. */
type Listed = [year: string, quarter: Quarter, code: string, section: Partial<GradedSection>];

function factsOf(sections: readonly Listed[]): SectionFacts {
  return {
    isPublished: ({ year, quarter }) => sections.some((section) => section[0] === year && section[1] === quarter),
    find({ year, quarter }, code) {
      const found = sections.find((section) => section[0] === year && section[1] === quarter && section[2] === code);
      const blank = { department: "PHYSICS", courseNumber: "20", instructors: [], geCategories: [] };
      return found && { ...blank, ...found[3] };
    },
    departmentByName,
  };
}

const row = (over: Partial<SheetRow> = {}): SheetRow => ({
  sheet: "a.csv",
  row: 2,
  year: "2016",
  quarter: "Fall",
  departmentName: "Physics",
  department: "",
  courseNumber: "20",
  sectionCode: "44010",
  courseTitle: "WAVES",
  instructor: "Oakford T.",
  gradeACount: 5,
  gradeBCount: 4,
  gradeCCount: 3,
  gradeDCount: 2,
  gradeFCount: 1,
  gradePCount: 6,
  gradeNPCount: 7,
  gradeWCount: 8,
  averageGPA: 2.61,
  ...over,
});

function make(rows: readonly SheetRow[], sections: readonly Listed[]) {
  const tally = createTally("grades");
  const grades = toGrades(rows, factsOf(sections), tally);
  for (const grade of grades) gradesTable.row.parse(grade);
  const { kept, dropped, noted, damaged } = tally.report("published", 0);
  expect(kept).toBe(grades.length);
  expect(damaged).toEqual([]);
  return { grades, dropped, noted };
}

const filler: Listed = ["2016", "Fall", "99", {}];
const allSummers = (["Summer1", "Summer10wk", "Summer2"] as const).map((quarter): Listed => [
  "2016",
  quarter,
  "99",
  {},
]);

describe("a row of a published term", () => {
  it("takes department code, course number and instructors from the section (behaviour §3)", () => {
    const section: Partial<GradedSection> = {
      department: "I&C SCI",
      courseNumber: "H20B",
      instructors: ["OAKFORD, T.", "STAFF", "VAN MARREN, J.", "OAKFORD, T."],
      geCategories: ["GE-2", "GE-5B"],
    };
    const { grades, dropped, noted } = make(
      [row({ departmentName: "INFORMATION & COMPUTER SCIENCE" })],
      [["2016", "Fall", "44010", section]],
    );
    expect(grades).toEqual([
      {
        year: "2016",
        quarter: "Fall",
        sectionCode: "44010",
        department: "I&C SCI",
        courseNumber: "H20B",
        courseNumeric: 20,
        geCategories: ["GE-2", "GE-5B"],
        gradeACount: 5,
        gradeBCount: 4,
        gradeCCount: 3,
        gradeDCount: 2,
        gradeFCount: 1,
        gradePCount: 6,
        gradeNPCount: 7,
        gradeWCount: 8,
        averageGPA: 2.61,
        instructors: ["OAKFORD, T.", "VAN MARREN, J."],
        sheetOnly: false,
      },
    ]);
    expect([dropped, noted]).toEqual([[], []]);
  });

  it("is reported by name, not published, when the term lacks its code", () => {
    const { grades, dropped } = make([row()], [filler]);
    expect(grades).toEqual([]);
    expect(dropped).toEqual([
      {
        reason: "its term is published and has no such section code",
        count: 1,
        names: ["a.csv row 2: 2016 Fall 44010 Physics 20"],
      },
    ]);
  });

  it.each<[string, Partial<SheetRow>, Partial<GradedSection>, "kept" | "noted" | "dropped"]>([
    ["the same course", {}, {}, "kept"],
    ["lost letters", {}, { courseNumber: "H20LA" }, "kept"],
    ["lost zeros and blanks", { courseNumber: "020 a" }, { courseNumber: "20A" }, "kept"],
    ["other letters", { courseNumber: "20A" }, { courseNumber: "20B" }, "noted"],
    ["a renumbered course", { courseNumber: "21" }, {}, "noted"],
    [
      "a renumbered course of an unknown department name",
      { courseNumber: "21", departmentName: "Heat" },
      {},
      "dropped",
    ],
    ["the same by title", { courseNumber: "21", departmentName: "Heat" }, { courseTitle: "Waves" }, "noted"],
    ["another department", { departmentName: "Criminology, Law & Society" }, {}, "noted"],
    ["an unknown department name", { departmentName: "Heat" }, {}, "kept"],
    [
      "the section's own department name",
      { departmentName: "HEAT" },
      { departmentName: "Heat", courseNumber: "21" },
      "noted",
    ],
    [
      "number and department both other",
      { courseNumber: "21", departmentName: "Criminology, Law and Society" },
      {},
      "dropped",
    ],
    ["the sheet's own code", { department: "physics", departmentName: "", courseNumber: "21" }, {}, "noted"],
  ])("with %s", (_, said, section, outcome) => {
    const { grades, dropped, noted } = make([row(said)], [["2016", "Fall", "44010", section]]);
    expect(dropped.map(({ reason }) => reason)).toEqual(
      outcome === "dropped" ? ["its section code belongs to another course"] : [],
    );
    expect(noted.map(({ reason }) => reason)).toEqual(outcome === "noted" ? ["taken from a section that differs"] : []);
    expect(grades).toHaveLength(outcome === "dropped" ? 0 : 1);
  });

  it("has average 0 where the sheet's is blank; letter grades without an average are noted", () => {
    const noLetters = { gradeACount: 0, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 };
    const { grades, noted } = make(
      [row({ averageGPA: null, ...noLetters }), row({ averageGPA: null, sectionCode: "44011" })],
      [
        ["2016", "Fall", "44010", {}],
        ["2016", "Fall", "44011", {}],
      ],
    );
    expect(grades.map(({ averageGPA }) => averageGPA)).toEqual([0, 0]);
    expect(noted).toMatchObject([{ count: 1, names: ["a.csv row 2: 2016 Fall 44011 Physics 20"] }]);
  });
});

describe("a row of Summer", () => {
  const summer = row({ quarter: "Summer" });
  const quarterOf = (rows: readonly SheetRow[], sections: readonly Listed[]) =>
    make(rows, sections).grades.map(({ quarter }) => quarter);

  it.each(["Summer1", "Summer10wk", "Summer2"] as const)("is of %s when that session has the code", (quarter) => {
    expect(quarterOf([summer], [...allSummers, ["2016", quarter, "44010", { courseNumber: "20B" }]])).toEqual([
      quarter,
    ]);
  });

  it.each<[string, Partial<SheetRow>, Partial<GradedSection>, Partial<GradedSection>, Quarter]>([
    ["the digits", {}, { courseNumber: "21" }, { courseNumber: "20B" }, "Summer2"],
    ["the full number", { courseNumber: "20B" }, { courseNumber: "20A" }, { courseNumber: "20B" }, "Summer2"],
    ["the full number without letters", {}, { courseNumber: "20A" }, { courseNumber: "20" }, "Summer2"],
    ["the department", {}, { department: "CRM/LAW" }, { courseNumber: "20B" }, "Summer2"],
    ["the department code", { department: "I&CSCI", departmentName: "" }, {}, { department: "I&C SCI" }, "Summer2"],
    ["the title", {}, { courseTitle: "HEAT" }, { courseTitle: "Waves" }, "Summer2"],
    [
      "a title in spite of the digits",
      {},
      { courseNumber: "21" },
      { courseNumber: "22", courseTitle: "WAVES" },
      "Summer2",
    ],
    ["nothing: the first session", {}, {}, {}, "Summer1"],
  ])("in two sessions that differ goes by %s", (_, said, first, second, quarter) => {
    const sections: Listed[] = [
      ...allSummers,
      ["2016", "Summer2", "44010", second],
      ["2016", "Summer1", "44010", first],
    ];
    expect(quarterOf([row({ quarter: "Summer", ...said })], sections)).toEqual([quarter]);
  });

  it.each<[string, Listed[], RegExp]>([
    ["no session has the code", allSummers, /no published session/],
    [
      "the code is another course's",
      [...allSummers, ["2016", "Summer1", "44010", { courseNumber: "21" }]],
      /no published session/,
    ],
    ["only some sessions are published and none has the code", allSummers.slice(1), /no published session/],
    [
      "a session is missing, and another has the code and digits in another department",
      [["2016", "Summer1", "44010", { department: "CRM/LAW" }]],
      /no published session/,
    ],
    ["no session is published", [filler], /without a published session/],
  ])("is reported by name when %s", (_, sections, reason) => {
    const { grades, dropped } = make([summer], sections);
    expect(grades).toEqual([]);
    expect(dropped).toMatchObject([{ count: 1, names: ["a.csv row 2: 2016 Summer 44010 Physics 20"] }]);
    expect(dropped[0]?.reason).toMatch(reason);
  });

  it("is placed though a session is missing, when course and department are right", () => {
    expect(quarterOf([summer], [["2016", "Summer2", "44010", {}]])).toEqual(["Summer2"]);
  });

  it("that names its session is of that session alone", () => {
    expect(quarterOf([row({ quarter: "Summer2" })], [...allSummers, ["2016", "Summer1", "44010", {}]])).toEqual([]);
  });
});

describe("a row of a term without published sections", () => {
  it.each<[string, string[]]>([
    ["Marwood A.", ["MARWOOD, A."]],
    ["VAN  MARREN J", ["VAN MARREN, J."]],
    ["O'Dell-Oakford P.R.", ["O'DELL-OAKFORD, P."]],
    ["OAKFORD, T.; VAN MARREN, J.; OAKFORD, T.", ["OAKFORD, T.", "VAN MARREN, J."]],
    ["Featherstonehaugh Q.", ["FEATHERSTONEHA, Q."]],
    ["Marren Oakfordes J.", ["MARREN OAKFORD, J."]],
    ["O Brannagh K.", ["O BRANNAGH, K."]],
    ["Oakford.", ["OAKFORD"]],
    ["UNKNOWN INSTRUCTOR", []],
    ["REDACTED", []],
    ["[REDACTED]", []],
    ["Staff", []],
    ["", []],
  ])("is published from the sheet alone and counted as such: %s", (instructor, instructors) => {
    const { grades, dropped, noted } = make([row({ instructor, courseNumber: "7LC" })], []);
    expect(grades).toMatchObject([
      { department: "PHYSICS", courseNumber: "7LC", courseNumeric: 7, geCategories: [], instructors, sheetOnly: true },
    ]);
    expect(dropped).toEqual([]);
    expect(noted).toMatchObject([{ reason: expect.stringMatching(/sheet alone/), count: 1 }]);
  });

  it("has the department of its name or of its own code, in the schedule's spelling", () => {
    const { grades } = make(
      [
        row({ departmentName: "criminology law & society", sectionCode: "00001" }),
        row({ departmentName: "Computing", department: "I&CSCI", sectionCode: "00002" }),
      ],
      [],
    );
    expect(grades.map(({ department }) => department)).toEqual(["CRM/LAW", "I&C SCI"]);
  });

  it("is reported by name when its department matches none (behaviour §8)", () => {
    const { grades, dropped } = make([row({ departmentName: "Alchemy", department: "" })], []);
    expect(grades).toEqual([]);
    expect(dropped).toMatchObject([{ count: 1, names: ["a.csv row 2: 2016 Fall 44010 Alchemy 20"] }]);
  });

  it("is outside the service before 2014 Summer1 (specification: from the 2014 Summer Session 1 onward)", () => {
    const { grades, dropped } = make(
      [
        row({ year: "2014", quarter: "Spring" }),
        row({ year: "2013", quarter: "Summer" }),
        row({ year: "2014", quarter: "Summer1" }),
        row({ year: "2014", quarter: "Fall" }),
      ],
      [["2014", "Spring", "44010", {}]],
    );
    expect(grades.map(({ quarter }) => quarter)).toEqual(["Summer1", "Fall"]);
    expect(dropped).toMatchObject([{ reason: expect.stringMatching(/before/), count: 2 }]);
  });
});

const again = (over: Partial<SheetRow>) => row({ sheet: "b.xlsx, sheet F16", row: 7, ...over });

describe("a section that several rows count", () => {
  const section: Listed = ["2016", "Fall", "44010", {}];
  it("is one row when the counts agree, and noted", () => {
    const { grades, dropped, noted } = make([row(), again({})], [section]);
    expect(grades).toHaveLength(1);
    expect(dropped).toEqual([]);
    expect(noted).toMatchObject([
      {
        count: 1,
        names: [expect.stringMatching(/^a\.csv row 2: .*; and b\.xlsx, sheet F16 row 7: 2016 Fall 44010/)],
      },
    ]);
  });

  it("keeps what only one of them gives", () => {
    const rows = [row(), again({ averageGPA: null, instructor: "REDACTED" })];
    for (const order of [rows, rows.toReversed()]) {
      expect(make(order, []).grades).toMatchObject([{ averageGPA: 2.61, instructors: ["OAKFORD, T."] }]);
    }
  });

  it.each<Partial<SheetRow>>([{ gradeWCount: 9 }, { averageGPA: 2.62 }])(
    "takes the later row's figures when they differ in %o, and names both",
    (change) => {
      const { grades, dropped } = make([row(), again(change)], [section]);
      expect(grades).toMatchObject([change]);
      expect(dropped).toMatchObject([{ count: 1, names: [expect.stringMatching(/a\.csv row 2: .*; by b\.xlsx/)] }]);
    },
  );

  it("is another section in another year, quarter or session", () => {
    const sections: Listed[] = [section, ["2017", "Fall", "44010", {}], ["2016", "Summer1", "44010", {}]];
    const rows = [row(), row({ year: "2017" }), row({ quarter: "Summer" }), row({ quarter: "Summer1" })];
    expect(make(rows, sections).grades).toHaveLength(3);
  });
});
