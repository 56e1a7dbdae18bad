/** What an unknown word probably meant (server/RULES.md, HTTP). */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { closestNames } from "../../../pipeline/settings/closest-names.ts";
import { OTHER_NAMES } from "../../../server/response/other-names.ts";
import { didYouMean, meantParameter, unknownWarnings } from "../../../server/response/warnings.ts";

const parametersOf = (path: string) => Object.keys(endpoints.find((endpoint) => endpoint.path === path)?.params ?? {});

describe("an unknown parameter", () => {
  it.each([
    // "first a common alias"
    ["/schedule", "dept", "department"],
    ["/schedule", "prof", "instructorName"],
    ["/schedule", "professor", "instructorName"],
    ["/schedule", "course", "courseNumber"],
    ["/schedule", "number", "courseNumber"],
    ["/schedule", "title", "courseTitle"],
    ["/schedule", "term", "quarter"],
    ["/grades/raw", "prof", "instructor"],
    ["/grades/aggregateByCourse", "Dept", "department"],
    ["/enrollmentHistory", "professor", "instructor"],
    ["/enrollmentHistory", "term", "quarter"],
    ["/courses", "title", "titleContains"],
    ["/courses", "prof", "taughtByInstructors"],
    ["/courses", "number", "courseNumber"],
    ["/instructors", "prof", "nameContains"],
    ["/instructors", "title", "titleContains"],
    ["/larc", "TERM", "quarter"],
    ["/schedule", "courseCode", "sectionCodes"],
    ["/schedule", "course_codes", "sectionCodes"],
    ["/schedule", "ucinetid", "netid"],
    ["/schedule", "instructors", "instructorName"],
    ["/schedule", "minUnits", "units"],
    ["/grades/raw", "courseCode", "sectionCode"],
    ["/grades/raw", "geCategory", "ge"],
    ["/courses", "Breadth", "geCategory"],
    ["/courses", "Division", "courseLevel"],
    ["/courses", "instructors", "taughtByInstructors"],
    ["/courses", "term", "taughtInTerms"],
    ["/instructors", "ucinetid", "ids"],
    ["/changes", "deptCode", "department"],
    ["/enrollmentHistory", "YEARTERM", "year and quarter"],
    // "else the closest name (edit distance ≤ 2 or a shared prefix of ≥ 4 letters)"
    ["/schedule", "departmnet", "department"],
    ["/schedule", "Year", "year"],
    ["/schedule", "instructor", "instructorName"],
    ["/schedule", "sectionCode", "sectionCodes"],
    ["/schedule", "sect", "sectionCodes"],
    ["/schedule", "g", "ge"],
    ["/courses", "taughtIn", "taughtInTerms"],
    ["/courses/all", "limt", "limit"],
    ["/week", "moth", "month"],
    ["/schedule", "yaer", "year"],
    ["/schedule", "romo", "room"],
    ["/schedule", "gee", "ge"],
    ["/schedule", "fomrat", "format"],
  ])("%s %s: %s", (path, name, expected) => {
    expect(meantParameter(name, parametersOf(path))).toBe(expected);
  });

  it.each([
    // "only if the endpoint has it"
    ["/larc", "dept"],
    ["/week", "professor"],
    ["/grades/raw", "courseTitle"],
    ["/grades/raw", "sectionType"],
    // "nothing here does that"
    ["/schedule", "Submit"],
    ["/schedule", "FontSize"],
    ["/instructors", "course"],
    // "else no suggestion"
    ["/schedule", "xq"],
    ["/schedule", "foo"],
    ["/schedule", "bar"],
    ["/schedule", "baz"],
    ["/week", "bar"],
    ["/search", "t"],
    ["/search", "v"],
    ["/search", "_"],
    ["/schedule", "xyzzy"],
    ["/schedule", "__proto__"],
    ["/schedule", "constructor"],
    ["/schedule", ""],
    ["/schedule", "學系"],
    ["/courses/all", "x"],
  ])("%s %s: nothing", (path, name) => {
    expect(meantParameter(name, parametersOf(path))).toBeUndefined();
  });
});

// Whoever compared all of it would need longer than a test may take.
test("a name of any length is looked at quickly", () => {
  expect(meantParameter("d".repeat(1_000_000), parametersOf("/schedule"))).toBeUndefined();
});

/** The fields of the schedule system's form that select something, as /schedule calls them. */
const FORM = {
  ...{ YearTerm: "year and quarter", Breadth: "ge", Dept: "department", CourseNum: "courseNumber" },
  ...{ Division: "division", CourseCodes: "sectionCodes", InstrName: "instructorName", CourseTitle: "courseTitle" },
  ...{ ClassType: "sectionType", Units: "units", Modality: "building", Days: "days", StartTime: "startTime" },
  ...{ EndTime: "endTime", MaxCap: "maxCapacity", FullCourses: "fullCourses", Bldg: "building", Room: "room" },
  CancelledCourses: "cancelledCourses",
};
it.each(Object.entries(FORM))("%s of the schedule system's form is %s", (name, expected) => {
  expect(meantParameter(name, parametersOf("/schedule"))).toBe(expected);
});

it("names from elsewhere lead to parameters that the endpoint has, and every answer says that they filter nothing", () => {
  const names = new Set(OTHER_NAMES.flatMap(([elsewhere]) => elsewhere));
  for (const { path, params } of endpoints) {
    const known = Object.keys(params);
    for (const name of [...names].filter((one) => !known.includes(one))) {
      const meant = meantParameter(name, known);
      for (const one of meant?.split(" and ") ?? []) expect(known, `${path} ${name}`).toContain(one);
      expect(unknownWarnings([name], params)).toEqual([
        `299 - "unknown parameter ${name} ignored: the response is not filtered by it${didYouMean(meant === undefined ? [] : [meant])}"`,
      ]);
    }
  }
});

/** Letters in which two names differ, two that changed places counted once: written here another way than the product does. */
function editsOf(typed: string, name: string): number {
  const row = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const same = typed[i - 1] === name[j - 1];
    const ways = [table(i - 1, j) + 1, table(i, j - 1) + 1, table(i - 1, j - 1) + (same ? 0 : 1)];
    if (i > 1 && j > 1 && typed[i - 1] === name[j - 2] && typed[i - 2] === name[j - 1])
      ways.push(table(i - 2, j - 2) + 1);
    return Math.min(...ways);
  };
  const done = new Map<string, number>();
  const table = (i: number, j: number): number => {
    const key = `${i} ${j}`;
    const value = done.get(key) ?? row(i, j);
    done.set(key, value);
    return value;
  };
  return table(typed.length, name.length);
}
const allParameters = [...new Set(endpoints.flatMap(({ params }) => Object.keys(params)))];
const aliases = new Set(OTHER_NAMES.flatMap(([elsewhere]) => elsewhere.map((name) => name.toLowerCase())));

describe("a suggestion for any word", () => {
  it("is another name of it, or so close that less than half of the letters differ", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), minLength: 1, maxLength: 12 });
    const word = fc.oneof(
      letters,
      fc.constantFrom(...allParameters).chain((name) => letters.map((end) => name.slice(0, 3) + end)),
    );
    fc.assert(
      fc.property(word, (typed) => {
        const meant = meantParameter(typed, allParameters)?.toLowerCase();
        if (meant === undefined || aliases.has(typed.toLowerCase())) return;
        const shared = [...typed.toLowerCase()].findIndex((letter, i) => letter !== meant[i]);
        if (shared === -1 || shared >= 4) return;
        const edits = editsOf(typed.toLowerCase(), meant);
        expect([typed, meant, edits]).toEqual([typed, meant, Math.min(edits, 2)]);
        expect(edits / Math.max(typed.length, meant.length)).toBeLessThanOrEqual(edits === 1 ? 1 / 2 : 1 / 3);
      }),
      { numRuns: 3000 },
    );
  });

  it("is the parameter in which one letter was left out, doubled or changed, or two changed places", () => {
    const long = allParameters.filter((name) => name.length >= 4);
    fc.assert(
      fc.property(
        fc.constantFrom(...long),
        fc.nat(),
        fc.constantFrom("out", "twice", "other", "swap"),
        (name, at, how) => {
          const i = 1 + (at % (name.length - 2));
          const [start, letter, next, end] = [name.slice(0, i), name[i] ?? "", name[i + 1] ?? "", name.slice(i + 2)];
          const middle = { out: next, twice: letter + letter + next, other: `x${next}`, swap: next + letter }[how];
          const typed = `${start}${middle}${end}`;
          if (allParameters.includes(typed) || aliases.has(typed.toLowerCase())) return;
          const meant = meantParameter(typed, allParameters) ?? "";
          expect([typed, editsOf(typed.toLowerCase(), meant.toLowerCase())]).toEqual([
            typed,
            expect.toSatisfy((edits) => edits <= (how === "swap" ? 2 : 1)),
          ]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    "foo",
    "bar",
    "baz",
    "qux",
    "quux",
    "abc",
    "xyz",
    "lorem",
    "ipsum",
    "utm_source",
    "fbclid",
    "gclid",
    "callback",
  ])("%s: none, on any endpoint", (word) => {
    for (const { path, params } of endpoints)
      expect([path, meantParameter(word, Object.keys(params))]).toEqual([path, undefined]);
  });
});

describe("the nearest words", () => {
  it("are those with the fewest wrong letters, at most three of them", () => {
    expect(closestNames("COMPSCI16", ["COMPSCI161", "COMPSCI162", "COMPSCI1", "COMPSCI163", "COMPSCI164"])).toEqual([
      "COMPSCI161",
      "COMPSCI162",
      "COMPSCI1",
    ]);
    expect(closestNames("compsci161", ["COMPSCI162", "COMPSCI161"])).toEqual(["COMPSCI161"]);
    expect(closestNames("ramberly", ["ramberley", "rsomebody"])).toEqual(["ramberley"]);
  });

  it("have something in common with what was written", () => {
    expect(closestNames("XY", ["CS", "XZ"])).toEqual(["XZ"]);
    expect(closestNames("XY", ["CS"])).toEqual([]);
    expect(closestNames("", ["CS"])).toEqual([]);
    expect(closestNames("foo", ["room", "for", "zoo"])).toEqual(["for"]);
  });

  it("are alike word by word: a folder, a number or an initial in common is not enough", () => {
    expect(closestNames("/v1/rest/pack", ["/v1/rest/week", "/v1/rest/larc"])).toEqual([]);
    expect(closestNames("/v1/rest/weke", ["/v1/rest/week", "/v1/rest/larc"])).toEqual(["/v1/rest/week"]);
    expect(closestNames("/v1/restweek", ["/v1/rest/week"])).toEqual(["/v1/rest/week"]);
    expect(closestNames("FOO161", ["BIO161", "COMPSCI161"])).toEqual([]);
    expect(closestNames("MOSS, B.", ["MOSS, A.", "MASS, B."])).toEqual(["MOSS, A.", "MASS, B."]);
  });

  it("are told in words", () => {
    expect(didYouMean([])).toBe("");
    expect(didYouMean(["a"])).toBe(". Did you mean a?");
    expect(didYouMean(["a", "b", "c"])).toBe(". Did you mean a, b or c?");
  });
});
