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
