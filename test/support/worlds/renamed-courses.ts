/** Courses with other names than the catalogue has, and courses that only the schedule or only grades have. */
import type { PublishedRows } from "../published/published.ts";
import { gradeRow } from "../grade-row.ts";
import { courseRow, personRow } from "./catalogue-rows.ts";
import { headingsOf, sectionRow } from "./section-rows.ts";

type Name = readonly [department: string, courseNumber: string];

const CATALOGUE: readonly Name[] = [
  ["SWE", "43"],
  ["IN4MATX", "115"],
  ["I&C SCI", "H32"],
  ["MATH", "2A"],
  ["MATH", "2B"],
  ["CHEM", "262"],
  ["DANCE", "1"],
];

/** By the client's name: the catalogue's name. */
export const RENAMED: readonly (readonly [other: Name, catalogued: Name, words: string])[] = [
  [["IN4MATX", "43"], ["SWE", "43"], "until 2025 Fall"],
  [["INF", "43"], ["SWE", "43"], "former name"],
  [["I&C SCI", "32A"], ["I&C SCI", "H32"], "until 2024 Winter"],
  // The catalogue has only the former name, the schedule the new one.
  [["SWE", "115"], ["IN4MATX", "115"], "another name"],
];

/** A former name that two courses claim. */
export const CLAIMED_TWICE = "MATH 2X";

/**
 * For each course that only the schedule has, its newest term, and whether it is cancelled there; the last one has only
 * grades.
 */
export const UNCATALOGUED: readonly (readonly [name: Name, where: string])[] = [
  [["CHEM", "266"], "/schedule?year=2025&quarter=Fall&department=CHEM&courseNumber=266"],
  [["CHEM", "262L"], "/schedule?year=2024&quarter=Fall&department=CHEM&courseNumber=262L"],
  [["IN4MATX", "199"], "/schedule?year=2025&quarter=Fall&department=IN4MATX&courseNumber=199"],
  [["CHC/LAT", "M118L"], "/schedule?year=2025&quarter=Fall&department=CHC%2FLAT&courseNumber=M118L"],
  [["I&C SCI", "CH3"], "/schedule?year=2025&quarter=Fall&department=I%26C+SCI&courseNumber=CH3"],
  [["GONE", "5"], "/schedule?year=2025&quarter=Fall&department=GONE&courseNumber=5&cancelledCourses=Include"],
  [["EDUC", "10"], "/grades/aggregate?department=EDUC&courseNumber=10"],
];

const SCHEDULE: readonly (readonly [name: Name, years: readonly string[]])[] = [
  [["SWE", "43"], ["2025"]],
  [["IN4MATX", "43"], ["2024"]],
  [["SWE", "115"], ["2025"]],
  [["IN4MATX", "115"], ["2024"]],
  [["CHEM", "262L"], ["2024"]],
  ...UNCATALOGUED.slice(0, -1)
    .filter(([[, number]]) => number !== "262L")
    .map(([name]): [Name, string[]] => [name, ["2024", "2025"]]),
];

let code = 10_000;
const sections = SCHEDULE.flatMap(([[deptCode, courseNumber], years]) =>
  years.map((year) =>
    sectionRow({
      ...{ year, deptCode, courseNumber, sectionCode: String(code++) },
      ...{ courseTitle: `SHORT ${courseNumber}`, cancelled: deptCode === "GONE" },
    }),
  ),
);

const idOf = ([department, courseNumber]: Name) => `${department}${courseNumber}`.replaceAll(" ", "");

export const rows: PublishedRows = {
  departments: [...new Set(SCHEDULE.map(([[department]]) => department))].map((deptCode) => ({
    deptCode,
    deptName: deptCode,
  })),
  courses: CATALOGUE.map(([department, courseNumber]) =>
    courseRow({ department, courseNumber, title: `Title of ${department} ${courseNumber}` }),
  ),
  former_names: [
    { courseId: "SWE43", formerId: "IN4MATX43", since: "2025 Fall" },
    { courseId: "SWE43", formerId: "INF43", since: null },
    { courseId: "I&CSCIH32", formerId: "I&CSCI32A", since: "2024 Winter" },
    { courseId: "SWE115", formerId: "IN4MATX115", since: "2025 Fall" },
    { courseId: "MATH2A", formerId: "MATH2X", since: null },
    { courseId: "MATH2B", formerId: "MATH2X", since: null },
    // The catalogue still has its former name as a course of its own.
    { courseId: "DANCE1", formerId: "CHEM262", since: null },
  ],
  instructors: [personRow()],
  sections,
  headings: headingsOf(sections),
  grades: [
    gradeRow({ department: "IN4MATX", courseNumber: "43", courseNumeric: 43, sectionCode: "20001" }),
    gradeRow({ department: "SWE", courseNumber: "43", courseNumeric: 43, sectionCode: "20002", year: "2025" }),
    gradeRow({ department: "EDUC", courseNumber: "10", courseNumeric: 10, sectionCode: "20003" }),
  ],
};

/** An id, a name, and both as people type them. */
export const spellingsOf = (name: Name): string[] => {
  const text = name.join(" ");
  return [...new Set([idOf(name), text, text.toLowerCase(), idOf(name).toLowerCase(), text.replaceAll(" ", "\u00a0")])];
};
