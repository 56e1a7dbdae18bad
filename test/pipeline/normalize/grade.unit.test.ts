import { describe, expect, it } from "vitest";
import { knownAverage, type SheetRow } from "../../../pipeline/contract/rows/grade.ts";
import type { CandidateSection } from "../../../pipeline/normalize/grades/section-match.ts";
import { filler, make, row, type Listed } from "./grade-world.ts";

describe("a row of a published term", () => {
  it("takes department code, course number and instructors from the section (pipeline/RULES.md, Grades)", () => {
    const section: Partial<CandidateSection> = {
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
        exportFile: "a.csv",
        exportSha256: "a".repeat(64),
        exportSheet: null,
        exportRow: 2,
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

  it.each<[string, Partial<SheetRow>, Partial<CandidateSection>, "kept" | "noted" | "dropped"]>([
    ["the same course", {}, {}, "kept"],
    ["lost letters", {}, { courseNumber: "H20LA" }, "kept"],
    ["lost zeros and blanks", { courseNumber: "0020  a" }, { courseNumber: "20A" }, "kept"],
    ["zeros that are not in front", { courseNumber: "100" }, { courseNumber: "10" }, "noted"],
    ["letters before the digits", { courseNumber: "H20" }, {}, "noted"],
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

  it("names what it differs in from its section", () => {
    const toldOf = (said: Partial<SheetRow>, section: Partial<CandidateSection>) =>
      make([row(said)], [["2016", "Fall", "44010", section]]).noted.flatMap(({ names }) =>
        names.map((name) => name.split("; ")[1]),
      );
    expect(toldOf({ courseNumber: "21" }, {})).toEqual(["the sheet's course number is 21, the section's 20"]);
    expect(toldOf({ departmentName: "", department: "CRM/LAW" }, {})).toEqual([
      "the sheet's department is CRM/LAW, the section's PHYSICS",
    ]);
  });

  it.each<[string, string, string[], string[], boolean]>([
    ["the section's", "VANE, IDA", ["MOSS, A."], ["MOSS, A."], true],
    ["the sheet's where the section has a placeholder", "VANE, IDA", ["STAFF"], ["VANE, I."], false],
    ["the sheet's where the section has nobody", "VANE, IDA, MOSS, ALDO", [], ["VANE, I.", "MOSS, A."], false],
    [
      "the section's, which has the sheet's too",
      "VANE, I.",
      ["MOSS, A.", "VANE, I.M."],
      ["MOSS, A.", "VANE, I.M."],
      false,
    ],
    ["the section's in another spelling", "Muller, Erik", ["MÜLLER, E."], ["MÜLLER, E."], false],
    ["the section's, which lacks one of the sheet's", "VANE, I.; MOSS, A.", ["VANE, I."], ["VANE, I."], true],
    ["nobody's where both name nobody", "TBA", ["STAFF"], [], false],
  ])("has the instructors of %s", (_, instructor, instructors, expected, isNoted) => {
    const { grades, dropped, noted } = make([row({ instructor })], [["2016", "Fall", "44010", { instructors }]]);
    expect(grades).toMatchObject([{ instructors: expected, sheetOnly: false }]);
    expect(dropped).toEqual([]);
    const reason = "another instructor than the section's, which are kept";
    expect(noted.map((note) => note.reason)).toEqual(isNoted ? [reason] : []);
    for (const name of noted.flatMap(({ names }) => names))
      expect(name).toMatch(/^a\.csv row 2: .*; the sheet's instructor is VANE, I\..*, the section's /);
  });

  it("whose number and title are other ones is another course's, whatever the department", () => {
    const section: Listed = ["2016", "Fall", "44010", { courseNumber: "20B", courseTitle: "OPTICS" }];
    expect(make([row({ courseNumber: "20A" })], [section]).dropped).toEqual([
      {
        reason: "its section code belongs to another course",
        count: 1,
        names: ["a.csv row 2: 2016 Fall 44010 Physics 20A; the section is PHYSICS 20B"],
      },
    ]);
    // A spreadsheet took the letter: only the title differs.
    expect(make([row()], [section]).noted).toMatchObject([{ reason: "taken from a section that differs", count: 1 }]);
  });

  it("has no average where the sheet's is blank; letter grades without an average are noted", () => {
    const oneLetter = { gradeACount: 1, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 };
    const noLetters = { gradeACount: 0, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 };
    const { grades, noted } = make(
      [row({ averageGPA: null, ...noLetters }), row({ averageGPA: null, sectionCode: "44011", ...oneLetter })],
      [
        ["2016", "Fall", "44010", {}],
        ["2016", "Fall", "44011", {}],
      ],
    );
    expect(grades.map(({ averageGPA }) => averageGPA)).toEqual([null, null]);
    const reason = "letter grades without the office's average";
    expect(noted).toEqual([{ reason, count: 1, names: ["a.csv row 2: 2016 Fall 44011 Physics 20"] }]);
  });
});

describe("an average of 0", () => {
  const none = { gradeACount: 0, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 };
  it.each([
    ["of Pass/No-Pass only", { ...none, gradePCount: 4, gradeNPCount: 1 }, null],
    ["of F only", { ...none, gradeFCount: 3, gradeWCount: 1 }, 0],
    ["of F and D", { ...none, gradeFCount: 3, gradeDCount: 1 }, null],
    ["of A only", { ...none, gradeACount: 9 }, null],
    ["of withdrawals only", { ...none, gradeWCount: 2 }, null],
  ])("in a section %s", (_, counts, expected) => {
    const sheet = row({ ...counts, averageGPA: 0 });
    const { grades } = make([sheet], [["2016", "Fall", "44010", {}]]);
    expect(grades.map(({ averageGPA }) => averageGPA)).toEqual([expected]);
    // Rows of contract 2 become rows without a false 0 by the same rule.
    expect(knownAverage(sheet)).toBe(expected);
  });

  it("any other average stays, whatever the counts say", () => {
    const rows = [row({ ...none, averageGPA: 3.5 }), row({ averageGPA: 0.01, sectionCode: "44011" })];
    const { grades } = make(rows, [
      ["2016", "Fall", "44010", {}],
      ["2016", "Fall", "44011", {}],
    ]);
    expect(grades.map(({ averageGPA }) => averageGPA)).toEqual([3.5, 0.01]);
  });
});

describe("a row of a term without published sections", () => {
  it("is published from the sheet alone and counted as such (pipeline/RULES.md, Grades)", () => {
    const { grades, dropped, noted } = make([row({ instructor: "Marwood A.", courseNumber: "7LC" })], []);
    expect(grades).toMatchObject([
      {
        department: "PHYSICS",
        courseNumber: "7LC",
        courseNumeric: 7,
        geCategories: [],
        instructors: ["MARWOOD, A."],
        sheetOnly: true,
      },
    ]);
    expect(dropped).toEqual([]);
    expect(noted).toMatchObject([{ reason: expect.stringMatching(/sheet alone/), count: 1 }]);
  });

  it("leaves placeholders out of its instructors, and names them", () => {
    const { grades, noted } = make([row({ instructor: "Oakford T.; TBA" })], []);
    expect(grades).toMatchObject([{ instructors: ["OAKFORD, T."] }]);
    const reason = "a placeholder instead of an instructor's name, left out";
    expect(noted).toContainEqual({ reason, count: 1, names: ["a.csv row 2: 2016 Fall 44010 Physics 20: TBA"] });
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

  it("is reported by name when its department matches none (pipeline/RULES.md, Grades)", () => {
    const { grades, dropped } = make([row({ departmentName: "Alchemy", department: "" })], []);
    expect(grades).toEqual([]);
    const reason = "a term without published sections, and a department name that matches no department";
    expect(dropped).toEqual([{ reason, count: 1, names: ["a.csv row 2: 2016 Fall 44010 Alchemy 20"] }]);
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
