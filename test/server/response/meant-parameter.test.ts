/** What an unknown word probably meant (server/RULES.md, HTTP). */
import { describe, expect, it, test } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { closestNames } from "../../../pipeline/settings/closest-names.ts";
import { didYouMean, meantParameter } from "../../../server/response/warnings.ts";

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
  ])("%s %s: %s", (path, name, expected) => {
    expect(meantParameter(name, parametersOf(path))).toBe(expected);
  });

  it.each([
    // "only if the endpoint has it"
    ["/larc", "dept"],
    ["/week", "professor"],
    ["/courses", "term"],
    ["/instructors", "course"],
    // "else no suggestion"
    ["/schedule", "xq"],
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

test("a name of any length is looked at quickly", () => {
  const began = performance.now();
  expect(meantParameter("d".repeat(1_000_000), parametersOf("/schedule"))).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(5_000);
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
  });

  it("are told in words", () => {
    expect(didYouMean([])).toBe("");
    expect(didYouMean(["a"])).toBe(". Did you mean a?");
    expect(didYouMean(["a", "b", "c"])).toBe(". Did you mean a, b or c?");
  });
});
