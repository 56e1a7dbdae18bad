/** What an unknown word probably meant (server/RULES.md, HTTP). */
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
