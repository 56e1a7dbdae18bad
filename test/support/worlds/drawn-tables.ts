/**
 * Rows of every table, drawn by a seed from few values, so that near misses abound; awkward to quote, to compare and to
 * sort.
 */
import * as fc from "fast-check";
import { GRADE_COUNTS, type Grade } from "../../../pipeline/contract/rows/grade.ts";
import type { SectionInstructor } from "../../../pipeline/contract/rows/section-instructor.ts";
import { GE_CATEGORIES } from "../../../pipeline/contract/vocabulary.ts";
import { plainName, QUARTERS, type Tables } from "../oracle/rows.ts";
import { gradeRow } from "../grade-row.ts";
import { courseRow, personRow } from "./catalogue-rows.ts";
import { headingsOf, sectionRow } from "./section-rows.ts";
import { nastyTerm } from "../../server/endpoints/schedule/nasty-sections.ts";
import { historyRow, periodRows } from "../../server/response/representations/history-row.ts";

type Quarter = Grade["quarter"];
const DEPARTMENTS = ["ART", "ART HIS", "CRM/LAW", "DANCE", "I&C SCI", "100%"];
const NUMBERS = ["1", "1A", "10", "46", "99", "100", "H100W", "199", "200", "W"];
const NAMES = ["O'NEIL, É.", "WEISS, Ł.", "LEE, K.", "LEE, KA.", "GREENLEE, K.", "SMITH'; DROP TABLE grades; --, J."];
const TITLES = [
  "Movement",
  'O\'Neil \\ "quoted" $1 100%_',
  "Étude, the first",
  "movement of bodies",
  "<b>Bold</b> & more",
];
const TERMS = ["2022 Fall", "2022 Summer1", "2021 Fall", "2023 Winter"];
const PEOPLE: readonly (readonly [netid: string, name: string, shortenedName: string, related: string[]])[] = [
  ["eoneil", "Éamon O’Neil", "O'NEIL, É.", ["ART", "DANCE"]],
  ["klee", "Kim Lee", "LEE, K.", ["ART"]],
  ["klee2", "Kai Lee", "LEE, K.", ["DANCE", "I&C SCI"]],
  ["kaleeman", "Kaja Lee", "LEE, KA.", []],
  ["lweiss", "Łucja Weiß", "WEISS, Ł.", ["CRM/LAW"]],
  ["nobody", "Nobody, the “first”", "NOBODY, T.", []],
];

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const term = fc.record({ year: oneOf(["2019", "2021", "2022", "2023"]), quarter: oneOf(QUARTERS as Quarter[]) });
const categories = fc.subarray([...GE_CATEGORIES] as Grade["geCategories"], { maxLength: 3 });
const teachers = fc.oneof(
  { weight: 8, arbitrary: fc.subarray(NAMES, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant<string[]>(["LEE, K.", "LEE, K."]) },
);
const code = fc.integer({ min: 0, max: 60 }).map((n) => String(n * 1_201).padStart(5, "0"));
const count = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(60) });
const hundredths = fc.option(
  fc.integer({ min: 0, max: 400 }).map((n) => n / 100),
  { freq: 5 },
);

const grade = fc
  .record({
    term,
    code,
    department: oneOf(DEPARTMENTS),
    courseNumber: oneOf(NUMBERS),
    instructors: teachers,
    geCategories: categories,
    counts: fc.oneof(
      { weight: 5, arbitrary: fc.array(count, { minLength: GRADE_COUNTS.length, maxLength: GRADE_COUNTS.length }) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(9), fc.nat(3)).map(([p, np]) => [0, 0, 0, 0, 0, p, np, 1]) },
    ),
    averageGPA: hundredths,
    isNoted: fc.boolean(),
  })
  .map(({ term: { year, quarter }, code: sectionCode, counts, isNoted, ...row }): Grade => ({
    ...gradeRow({
      ...row,
      ...{ year, quarter, sectionCode, courseNumeric: Number(row.courseNumber.replace(/\D/g, "") || 0) },
      ...Object.fromEntries(GRADE_COUNTS.map((name, i) => [name, counts[i]])),
    }),
    ...{ exportSheet: isNoted ? "Summer '22" : null, exportRow: isNoted ? 7 : 8 },
  }));

const COURSES = DEPARTMENTS.flatMap((department) => NUMBERS.map((courseNumber) => ({ department, courseNumber })));
const names = fc.subarray(
  ["ART 1", "DANCE 46", "I&C SCI 46", "AP ART", "NOWHERE 9"].concat(
    COURSES.slice(0, 9).map((course) => `${course.department} ${course.courseNumber}`),
  ),
  { maxLength: 3 },
);
const leaf = (name: string) => ({ prereqType: "course", coreq: false, courseId: name, minGrade: "C" });
const details = fc
  .record({
    title: oneOf(TITLES),
    description: oneOf(["How bodies move.", "Line one.\nLine 'two'.", "", "100% Étude"]),
    units: oneOf([
      [4, 4],
      [1, 4],
      [1.5, 4],
      [0.5, 0.5],
      [0, 12],
    ] as const),
    geList: categories,
    instructorHistory: fc.subarray([...PEOPLE.map(([netid]) => netid), "ghost"], { maxLength: 3 }),
    terms: fc.subarray(TERMS),
    prerequisiteList: names,
    prerequisiteFor: names,
  })
  .map(({ units: [minUnits, maxUnits], ...row }) => ({
    ...row,
    ...{ minUnits, maxUnits },
    prerequisiteTree: JSON.stringify(row.prerequisiteList.length === 0 ? {} : { AND: row.prerequisiteList }),
    requirementTree: JSON.stringify(row.prerequisiteList.length === 0 ? {} : { AND: row.prerequisiteList.map(leaf) }),
  }));
const person = fc.record({
  title: oneOf(["Lecturer", "Professor's “aide”", "", "Professor of Art"]),
  department: oneOf(["Dance", "Art", "History of art", "", "Information & Computer Science's"]),
  schools: fc.subarray(["School of Arts", "School of Law", "Élan"]),
  courseHistory: fc.dictionary(
    oneOf(["DANCE 10", "I&C SCI 46", "ART 1", "NOWHERE 9"]),
    fc.subarray(TERMS, { minLength: 1 }),
  ),
});
const section = fc.record({
  sectionCode: code,
  deptCode: oneOf(DEPARTMENTS),
  courseNumber: oneOf(NUMBERS),
  courseTitle: oneOf(["MOVEMENT", "100% X_Y", "ÉTUDES"]),
  instructors: teachers,
  status: oneOf(["OPEN", "FULL", "Waitl", "NewOnly"]),
  geCategories: categories,
});

const text = oneOf(["0", "7", "n/a", "", 'so "called"', "a\nb\u0001", "é 😎"]);
const history = fc.record({
  code,
  department: oneOf(DEPARTMENTS),
  courseNumber: oneOf(NUMBERS),
  instructors: teachers,
  sectionType: oneOf(["Lec", "Lab", "Dis"]),
  year: oneOf(["2019", "2020"]),
  quarter: oneOf(["Fall", "Winter"] as const),
  periods: fc.uniqueArray(fc.tuple(oneOf(["10", "11", "12"]), fc.integer({ min: 0, max: 4 }), fc.nat(3), text), {
    minLength: 1,
    maxLength: 5,
    selector: ([month, start]) => `${month} ${start}`,
  }),
});
const dates = fc.record({
  term: oneOf(["2024 Fall", "2025 Winter", "2026 Fall"]),
  event: oneOf(["Thanksgiving Holiday", "Classes end", "Ümlaut, the day"]),
  kind: oneOf(["holiday", "deadline", "other"] as const),
  days: oneOf([
    ["2024-11-28", "2024-11-29"],
    [null, "2024-12-01"],
    ["2025-01-20", "2025-01-20"],
    ["2025-02-02", null],
  ] as const),
});
const CALENDAR = [
  "2024 Fall 2024-09-26 2024-12-06 2024-12-07 2024-12-13",
  "2025 Winter 2025-01-06 2025-03-14 2025-03-15 2025-03-21",
  "2025 Summer1 2025-06-23 2025-07-30 2025-07-29 2025-07-30",
  "2025 Summer10wk 2025-06-23 2025-08-29 2025-08-27 2025-08-29",
  "2025 Summer2 2025-08-04 2025-09-10 2025-09-09 2025-09-10",
];

const FINAL: Tables["sections"][number]["finalExam"] = {
  ...{ examStatus: "SCHEDULED_FINAL", dayOfWeek: "Tue", month: 11, day: 8 },
  ...{ startTime: { hour: 13, minute: 30 }, endTime: { hour: 15, minute: 30 }, bldg: ["ALP 2300"] },
};

/** The rows of a snapshot besides its changes. */
export function drawTables(seed: number, sections = 200): Omit<Tables, "changes"> {
  const sample = <T>(drawn: fc.Arbitrary<T>, numRuns: number, at: number) =>
    fc.sample(drawn, { numRuns, seed: seed + at });
  const unique = <T>(rows: readonly T[], keyOf: (row: T) => string): T[] => [
    ...new Map(rows.map((row) => [keyOf(row), row])).values(),
  ];
  const nasty = nastyTerm(sections, seed);
  const others = (["2025 Winter", "2023 Summer1"] as const).flatMap((name, i) => {
    const [year = "", quarter] = name.split(" ") as [string, Quarter];
    return unique(sample(section, 15, 10 + i), (row) => row.sectionCode).map((row) =>
      sectionRow({ ...row, year, quarter }),
    );
  });
  const grades = unique(sample(grade, 120, 1), (row) => `${row.year} ${row.quarter} ${row.sectionCode}`);
  const instructors = sample(person, PEOPLE.length, 2).map((more, i) => {
    const [netid, name, shortenedName, relatedDepartments] = PEOPLE[i] as (typeof PEOPLE)[number];
    return personRow({ ...more, netid, name, shortenedName, relatedDepartments });
  });
  const seen = unique(sample(history, 25, 3), (row) => `${row.year} ${row.quarter} ${row.code}`);
  const all = [...nasty.sections.map((row, i) => (i % 3 === 0 ? { ...row, finalExam: FINAL } : row)), ...others];
  return {
    sections: all,
    headings: [...nasty.headings, ...headingsOf(others)],
    grades,
    instructors,
    courses: COURSES.flatMap((course, i) =>
      i % 3 === 0 ? sample(details, 1, i).map((more) => courseRow({ ...course, ...more })) : [],
    ),
    former_names: [
      { courseId: "DANCE46", formerId: "ART46", since: "2024 Fall" },
      { courseId: "I&CSCI46", formerId: "OLD46", since: null },
    ],
    section_instructors: unique(
      [...grades, ...all.map(({ deptCode: department, ...row }) => ({ ...row, department }))].flatMap((row) =>
        matches(row, instructors),
      ),
      (row) => JSON.stringify([row.year, row.quarter, row.sectionCode, row.department, row.name, row.netid]),
    ),
    departments: [
      { deptCode: "I&C SCI", deptName: "Information & Computer Science's" },
      { deptCode: "ART", deptName: "Art" },
      { deptCode: "DANCE", deptName: "Dance" },
      { deptCode: "OLD", deptName: "" },
    ],
    terms: [
      { year: "2024", quarter: "Fall", longName: "2024 Fall Quarter", ordinal: 20_246 },
      { year: "2025", quarter: "Winter", longName: "Winter '25", ordinal: 20_251 },
    ],
    calendar: CALENDAR.map((line) => {
      const [year = "", quarter, instructionStart = "", instructionEnd = "", finalsStart = "", finalsEnd = ""] =
        line.split(" ");
      return { year, quarter: quarter as Quarter, instructionStart, instructionEnd, finalsStart, finalsEnd };
    }),
    calendar_dates: unique(sample(dates, 9, 4), (row) => JSON.stringify([row.term, row.event, row.days])).map((row) => {
      const [year = "", quarter] = row.term.split(" ") as [string, Quarter];
      return { year, quarter, event: row.event, kind: row.kind, firstDay: row.days[0], lastDay: row.days[1] };
    }),
    larc: ["DANCE 10", "I&C SCI 46", "ART 1"].flatMap((courseNumber, i) =>
      (["2024 Fall", "2025 Winter", "2024 Summer10wk"] as const).slice(0, 3 - i).map((name) => {
        const [year = "", quarter] = name.split(" ") as [string, Quarter];
        const sections = [0, 1]
          .slice(i % 2)
          .map((n) => ({ day: "MW", time: `${9 + n}:00`, instructor: "Robin, A.", building: "ON LINE" }));
        return { year, quarter, courseNumber, courseName: "Movement's", sections };
      }),
    ),
    enrollment_history: seen.map(({ code: sectionCode, periods: _periods, ...row }) => ({
      ...historyRow(sectionCode),
      ...row,
      courseNumeric: Number(row.courseNumber.replace(/\D/g, "") || 0),
    })),
    enrollment_periods: seen.flatMap(({ code: sectionCode, year, quarter, periods }) =>
      periods.flatMap(([month, start, length, total]) => {
        const [first, last] = [1 + 5 * start, 1 + 5 * start + length].map(
          (day) => `${year}-${month}-${String(day).padStart(2, "0")}`,
        );
        return periodRows(sectionCode, [[first as string, last as string, total]]).map((row) => ({
          ...row,
          year,
          quarter,
        }));
      }),
    ),
  };
}

type Named = Pick<SectionInstructor, "year" | "quarter" | "sectionCode" | "department"> & {
  readonly instructors: readonly string[];
};

/** Everyone with the name who is of the department, else everyone with the name. */
const matches = (
  { year, quarter, sectionCode, department, instructors }: Named,
  people: Tables["instructors"],
): SectionInstructor[] =>
  instructors
    .filter((name) => name !== "STAFF")
    .flatMap((name): SectionInstructor[] => {
      const all = people.filter(({ shortenedName }) => plainName(shortenedName) === plainName(name));
      const near = all.filter(({ relatedDepartments }) => relatedDepartments.includes(department));
      const rows = near.length > 0 ? near : all;
      const row = { year, quarter, sectionCode, department, name, candidates: rows.length };
      if (rows.length === 0) return [{ ...row, netid: null, matchedBy: "none" }];
      return rows.map(({ netid }) => ({
        ...row,
        netid,
        matchedBy: near.length > 0 ? ("department" as const) : ("name" as const),
      }));
    });
