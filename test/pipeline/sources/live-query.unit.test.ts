import { describe, expect, it } from "vitest";
import { type LiveQuery, toScheduleFields } from "../../../pipeline/sources/live-query.ts";
import { toForm } from "../../../pipeline/sources/schedule.ts";

const term = { year: "2024", quarter: "Fall" } as const;
const ask = (question: Partial<LiveQuery>) => toScheduleFields({ term, ...question }, ["COMPSCI", "I&C SCI"]);
const askOnce = (question: Partial<LiveQuery>) => {
  const [first, ...more] = ask(question);
  expect(more).toEqual([]);
  return first;
};

describe("toScheduleFields", () => {
  it.each([
    ["i&csci", "I&C SCI"],
    [" I&C  sci ", "I&C SCI"],
    ["environ", "ENVIRON"],
  ])("writes department %j as the form lists it: %j", (department, listed) => {
    expect(askOnce({ department })).toEqual({ term, department: listed });
  });

  it.each(["ALL", "any", ""])("takes department %j for no department", (department) => {
    expect(askOnce({ department, ge: "GE-2" })).toEqual({ term, ge: "GE-2" });
  });

  it.each([
    ["smi", "smi"],
    ["SMITH,", "SMITH,"],
    ["SMITH, J", "SMITH,"],
    ["De Larue,x", "De Larue,"],
    ["STAFF,", "STAFF"],
  ])("requests instructor %j as %j, whose meaning is the same or wider", (instructorName, instructor) => {
    expect(askOnce({ instructorName })).toEqual({ term, instructor });
  });

  it("sends nothing for an instructor without a last name", () => {
    expect(ask({ instructorName: ", J" })).toEqual([]);
    expect(ask({ instructorName: ", J", department: "COMPSCI", sectionCodes: [{ low: 1, high: 1 }] })).toEqual([]);
  });

  it.each([
    ["Müller", [], ["Müller", "Muller"]],
    ["Mu\u0308ller, E", [], ["Müller,", "Muller,"]],
    ["Weiß", [], ["Weiß", "Weiss"]],
    ["muller,", ["MÜLLER, E.", "MU\u0308LLER, F.", "MÜLLERSON, G."], ["muller,", "MÜLLER,", "MU\u0308LLER,"]],
    ["MÜLLER, E.", ["MÜLLER, E.", "VAN MÜLLER, F."], ["MÜLLER,", "MULLER,"]],
    ["ull", ["MÜLLER, E.", "ÜLLMANN, F.", "ULLØ, G.", "GARCÍA, A."], ["ull", "MÜLLER,", "ÜLLMANN,"]],
    ["orsted", ["ØRSTED, H."], ["orsted", "ØRSTED,"]],
  ])("requests %j with %j known in every spelling: %j", (instructorName, accentedNames, spellings) => {
    expect(ask({ instructorName, accentedNames }).map(({ instructor }) => instructor)).toEqual(spellings);
  });

  it("leaves a name to our own filter where a department, a category or codes bound the search", () => {
    const instructorName = "muller";
    expect(askOnce({ instructorName, department: "COMPSCI" })).toEqual({ term, department: "COMPSCI" });
    expect(askOnce({ instructorName, ge: "GE-2" })).toEqual({ term, ge: "GE-2" });
    expect(askOnce({ instructorName, sectionCodes: [{ low: 1, high: 9 }] })).toEqual({
      term,
      codes: [{ low: 1, high: 9 }],
    });
    expect(askOnce({ instructorName, department: "ALL" })).toEqual({ term, instructor: "muller" });
  });

  it.each([
    // "After" might leave out the hour itself, so the hour before is asked for.
    [{ startTime: 540 }, { startTime: "8:00am" }],
    [{ startTime: 541 }, { startTime: "9:00am" }],
    [{ startTime: 780 }, { startTime: "12:00pm" }],
    [{ startTime: 60 }, {}],
    [{ endTime: 600 }, { endTime: "11:00am" }],
    [{ endTime: 650 }, { endTime: "11:00am" }],
    [{ endTime: 719 }, { endTime: "12:00pm" }],
    [{ endTime: 1380 }, {}],
  ])("widens times to sharp hours: %j", (asked, wanted) => {
    expect(askOnce({ ge: "GE-2", ...asked })).toEqual({ term, ge: "GE-2", ...wanted });
  });

  it.each<[Partial<LiveQuery>, object]>([
    [{ days: ["Tu", "Th"] }, { days: "Th" }],
    [{ days: ["Tu"] }, { days: "Tu" }],
    [{ courseNumber: ["161", "h32"] }, { courseNumber: "161,H32" }],
    [{ courseNumber: ["161", "100-199"] }, {}],
    [{ building: "tba" }, {}],
    [
      { building: "alp", room: "2300a" },
      { building: "ALP", room: "2300A" },
    ],
    [{ maxCapacity: { operator: ">", count: 50 } }, { maxCapacity: ">50" }],
    [{ fullCourses: "FullOnly", cancelledCourses: "Only" }, {}],
    [
      { division: "Graduate", sectionType: "Lec" },
      { division: "2xx", type: "LEC" },
    ],
    [{ units: ["4.0", "4"] }, { units: "4" }],
    [{ units: ["1.25"] }, {}],
  ])("hands on %j as %j", (asked, wanted) => {
    expect(askOnce({ ge: "GE-2", ...asked })).toEqual({ term, ge: "GE-2", ...wanted });
  });

  it("sends one request for each number of units, for the form takes one", () => {
    expect(ask({ ge: "GE-2", units: ["4", ".5", "VAR"] }).map(({ units }) => units)).toEqual(["4", "0.5", "VAR"]);
  });

  it("requests codes in fives, near ones as one range, and every requested code is among them", () => {
    const codes = [34_160, 34_161, 34_170, 60_000, 10, 20_000, 30_000, 40_000, 50_000, 70_000];
    const questions = ask({ sectionCodes: codes.map((code) => ({ low: code, high: code })) });
    expect(questions.map(({ codes }) => codes?.length)).toEqual([5, 3]);
    expect(questions.flatMap((part) => part.codes)).toContainEqual({ low: 34_160, high: 34_170 });
    const ranges = questions.flatMap((part) => part.codes ?? []);
    for (const code of codes) expect(ranges.some(({ low, high }) => low <= code && code <= high)).toBe(true);
  });

  it("keeps a range inside a wider one, and widens none past the limit", () => {
    const codes = [
      { low: 100, high: 5_000 },
      { low: 200, high: 300 },
      { low: 5_010, high: 5_010 },
    ];
    expect(askOnce({ sectionCodes: codes })?.codes).toEqual([
      { low: 100, high: 5_000 },
      { low: 5_010, high: 5_010 },
    ]);
  });
});

describe("toForm", () => {
  it("sends every field of the form, and cancelled sections always", () => {
    const form = toForm(
      {
        term,
        department: "I&C SCI",
        codes: [
          { low: 10, high: 10 },
          { low: 20, high: 30 },
        ],
      },
      "Display XML Results",
    );
    expect(Object.fromEntries(form)).toEqual({
      Submit: "Display XML Results",
      YearTerm: "2024-92",
      Breadth: "ANY",
      Dept: "I&C SCI",
      CourseNum: "",
      Division: "ANY",
      CourseCodes: "00010,00020-00030",
      InstrName: "",
      CourseTitle: "",
      ClassType: "ALL",
      Units: "",
      Days: "",
      StartTime: "",
      EndTime: "",
      MaxCap: "",
      FullCourses: "ANY",
      CancelledCourses: "Include",
      Bldg: "",
      Room: "",
      FontSize: "100",
      ShowComments: "on",
      ShowFinals: "on",
    });
  });
});
