/** The names, ids and keys of courses, and the order of their numbers. */
import { describe, expect, it } from "vitest";
import {
  compareCourseNumbers,
  courseId,
  courseIdKey,
  courseIdKeySql,
  courseKey,
  courseName,
  splitCourseName,
} from "../../../pipeline/contract/course-name.ts";

describe("a course's name", () => {
  it.each([
    ["I&C SCI 46", "I&C SCI", "46"],
    ["  I&C   SCI   H32 ", "I&C SCI", "H32"],
    ["I&C\tSCI\u00a046", "I&C SCI", "46"],
    ["MATH 2A", "MATH", "2A"],
    ["AP 2 46", "AP 2", "46"],
  ])("%j", (name, department, courseNumber) => {
    expect(splitCourseName(name)).toEqual({ department, courseNumber });
    expect(splitCourseName(courseName({ department, courseNumber }))).toEqual({ department, courseNumber });
  });
  it.each(["AP PSYCHOLOGY", "AP 2 PSYCHOLOGY", "46", " 46", "", "MATH"])("%j is none", (name) =>
    expect(splitCourseName(name)).toBeUndefined(),
  );
});

describe("a course is found", () => {
  const course = { department: "I&C  SCI", courseNumber: "h32" };
  it("by its id or its name, whatever their case", () => {
    expect(courseId(course)).toBe("I&CSCIh32");
    // The key in SQL is the same.
    expect(["I&CSCIH32", " i&c  sci h32 "].map(courseIdKey)).toEqual(["i&cscih32", "i&cscih32"]);
    expect(courseIdKeySql("id")).toMatch(/^lower\(.*\bid\b.*\\s/);
  });
  it("by a key that has its two parts", () => {
    expect(courseKey(course)).toBe("I&CSCI H32");
    expect(courseKey({ department: "i&csci", courseNumber: "H 3 2" })).toBe("I&CSCI H32");
  });
});

describe("course numbers", () => {
  it("are ordered by their digits, then as text", () => {
    const ordered = ["", "A", "2", "2A", "2B", "H2", "10", "H10", "100", "1000000000"];
    for (const [i, a] of ordered.entries())
      for (const [k, b] of ordered.entries()) expect(Math.sign(compareCourseNumbers(a, b))).toBe(Math.sign(i - k));
  });
  it("with more digits than a number has are compared by the first nine", () => {
    expect(compareCourseNumbers(`${"1".repeat(9)}2`, `${"1".repeat(9)}10`)).toBeGreaterThan(0);
    expect(compareCourseNumbers("9".repeat(400), "1".repeat(400))).toBeGreaterThan(0);
  });
});

it.each([
  ["I&C SCI 46", { department: "I&C SCI", courseNumber: "46" }],
  ["CRM/LAW C7", { department: "CRM/LAW", courseNumber: "C7" }],
  ["IN4MATX 43", { department: "IN4MATX", courseNumber: "43" }],
  ["AP PSYCHOLOGY", undefined],
  ["MATH", undefined],
  ["46", undefined],
])("the name %s", (name, expected) => expect(splitCourseName(name)).toEqual(expected));
