import { describe, expect, it } from "vitest";
import type { SheetRow } from "../../../pipeline/contract/rows/grade.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import type { CandidateSection } from "../../../pipeline/normalize/grades/section-match.ts";
import { allSummers, filler, make, row, type Listed } from "./grade-world.ts";

const quarterOf = (rows: readonly SheetRow[], sections: readonly Listed[]) =>
  make(rows, sections).grades.map(({ quarter }) => quarter);

describe("a row of Summer", () => {
  const summer = row({ quarter: "Summer" });

  it.each(["Summer1", "Summer10wk", "Summer2"] as const)("is of %s when that session has the code", (quarter) => {
    expect(quarterOf([summer], [...allSummers, ["2016", quarter, "44010", { courseNumber: "20B" }]])).toEqual([
      quarter,
    ]);
  });

  it.each<[string, Partial<SheetRow>, Partial<CandidateSection>, Partial<CandidateSection>, Quarter]>([
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
    ["the section's own department name", { departmentName: "Heat" }, {}, { departmentName: "HEAT" }, "Summer2"],
    [
      "the letters, then the department",
      { courseNumber: "20A" },
      { courseNumber: "20B" },
      { courseNumber: "20A", department: "CRM/LAW" },
      "Summer2",
    ],
    [
      "the digits, then the department and the title",
      {},
      { courseNumber: "21", courseTitle: "WAVES" },
      { courseNumber: "20B", department: "CRM/LAW" },
      "Summer2",
    ],
    ["the instructor", {}, { instructors: ["VANE, I."] }, { instructors: ["OAKFORD, T."] }, "Summer2"],
    [
      "the instructor, before letters that a spreadsheet may have lost",
      {},
      { instructors: ["VANE, I."] },
      { courseNumber: "20A", instructors: ["OAKFORD, T.M.", "MOSS, A."] },
      "Summer2",
    ],
    [
      "the course before the instructor",
      { courseNumber: "20B" },
      { courseNumber: "20A", instructors: ["OAKFORD, T."] },
      { courseNumber: "20B", instructors: ["MOSS, A."] },
      "Summer2",
    ],
    ["the type", { sectionType: "LEC" }, { sectionType: "Dis" }, { sectionType: "Lec" }, "Summer2"],
    ["the section number", { sectionNum: "1" }, { sectionNum: "2" }, { sectionNum: "01" }, "Summer2"],
  ])("in two sessions that differ goes by %s", (_, said, first, second, quarter) => {
    const sections: Listed[] = [
      ...allSummers,
      ["2016", "Summer2", "44010", second],
      ["2016", "Summer1", "44010", first],
    ];
    expect(quarterOf([row({ quarter: "Summer", ...said })], sections)).toEqual([quarter]);
  });

  const twice = (first: Partial<CandidateSection>, second: Partial<CandidateSection>): Listed[] => [
    ...allSummers,
    ["2016", "Summer1", "44010", first],
    ["2016", "Summer2", "44010", second],
  ];

  it.each<[string, Partial<SheetRow>, Partial<CandidateSection>, Partial<CandidateSection>]>([
    ["nothing tells them apart", {}, {}, {}],
    ["both have the instructor", {}, { instructors: ["OAKFORD, T."] }, { instructors: ["OAKFORD, T."] }],
    ["both have another one", {}, { instructors: ["VANE, I."] }, { instructors: ["MOSS, A."] }],
    [
      "both have another one, whatever else agrees",
      { sectionNum: "A" },
      { instructors: ["VANE, I."], sectionNum: "A" },
      { instructors: ["MOSS, A."], sectionNum: "B" },
    ],
    ["the sheet names nobody", { instructor: "TBA" }, { instructors: ["VANE, I."] }, { instructors: ["MOSS, A."] }],
    ["one names nobody", {}, { instructors: ["STAFF"] }, { instructors: ["MOSS, A."] }],
  ])("is refused by name in two sessions with its course when %s", (_, said, first, second) => {
    const { grades, dropped } = make([row({ quarter: "Summer", ...said })], twice(first, second));
    expect(grades).toEqual([]);
    const both = /^a\.csv row 2: 2016 Summer 44010 Physics 20; 2016 Summer1 has PHYSICS 20 by .*, 2016 Summer2 has /;
    expect(dropped).toMatchObject([{ count: 1, names: [expect.stringMatching(both)] }]);
    expect(dropped[0]?.reason).toMatch(/^several sessions/);
  });

  it("of each session's instructor is of that session", () => {
    const rows = ["MOSS, ALDO", "VANE, IDA M."].map((instructor) => row({ quarter: "Summer", instructor }));
    const { grades, dropped } = make(rows, twice({ instructors: ["VANE, I."] }, { instructors: ["MOSS, A."] }));
    expect(grades.map(({ quarter, instructors }) => [quarter, instructors])).toEqual([
      ["Summer2", ["MOSS, A."]],
      ["Summer1", ["VANE, I."]],
    ]);
    expect(dropped).toEqual([]);
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
    const name = expect.stringMatching(/^a\.csv row 2: 2016 Summer 44010 Physics 20(?:; 2016 Summer1 has .*)?$/);
    expect(dropped).toMatchObject([{ count: 1, names: [name] }]);
    expect(dropped[0]?.reason).toMatch(reason);
  });

  it("is matched though a session is missing, when course and department are right", () => {
    expect(quarterOf([summer], [["2016", "Summer2", "44010", {}]])).toEqual(["Summer2"]);
  });

  it("is matched in another department only where every session is published, and that is told", () => {
    const { grades, noted } = make([summer], [...allSummers, ["2016", "Summer1", "44010", { department: "CRM/LAW" }]]);
    expect(grades).toMatchObject([{ quarter: "Summer1", department: "CRM/LAW" }]);
    const where = "a.csv row 2: 2016 Summer 44010 Physics 20; the sheet's department is Physics, the section's CRM/LAW";
    expect(noted).toEqual([{ reason: "taken from a section that differs", count: 1, names: [where] }]);
  });

  it("of the service's first year is of one of its sessions", () =>
    expect(quarterOf([row({ quarter: "Summer", year: "2014" })], [["2014", "Summer2", "44010", {}]])).toEqual([
      "Summer2",
    ]));

  it("that names its session is of that session alone", () => {
    expect(quarterOf([row({ quarter: "Summer2" })], [...allSummers, ["2016", "Summer1", "44010", {}]])).toEqual([]);
  });
});
