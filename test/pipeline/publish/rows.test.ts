import { describe, expect, test } from "vitest";
import { courses, type Course } from "../../../pipeline/contract/rows/course.ts";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { instructors, type Instructor } from "../../../pipeline/contract/rows/instructor.ts";
import { larc } from "../../../pipeline/contract/rows/larc.ts";
import { sections, type Section } from "../../../pipeline/contract/rows/section.ts";
import { GuardError } from "../../../pipeline/errors.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { gradeRow, scratchDatabase } from "./scratch.ts";

const { connection } = await scratchDatabase();
const json = async (sql: string) => {
  const reader = await connection.runAndReadAll(`SELECT to_json(t)::VARCHAR AS row FROM (${sql}) AS t`);
  return reader.getRowsJson().map(([row]) => JSON.parse(String(row)) as unknown);
};

const instructor: Instructor = {
  netid: "ramberley",
  name: `Renée "Ré" O'Amberley 😀`,
  shortenedName: "O'AMBERLEY, R.",
  title: "Professor\nof\tTeaching",
  email: "",
  department: "Computer Science",
  schools: [],
  relatedDepartments: ["I&C SCI"],
  courseHistory: { "I&C SCI 46": ["2024 Fall", "2024 Winter"], [`MATH "2A" 'é'`]: [] },
};

const section: Section = {
  year: "2024",
  quarter: "Fall",
  schoolName: "School of Stamps",
  deptCode: "I&C SCI",
  courseNumber: "46",
  courseNumeric: 46,
  courseTitle: "DATA STRUCTURES",
  courseComment: "",
  prerequisiteLink: "",
  sectionCode: "35730",
  sectionType: "Lec",
  sectionNum: "A",
  units: "4",
  instructors: ["AMBERLEY, R."],
  meetings: [
    { timeIsTBA: true, bldg: ["TBA"], days: null, startTime: null, endTime: null },
    {
      timeIsTBA: false,
      bldg: ["A 1", "B 2"],
      days: "MWF",
      startTime: { hour: 8, minute: 0 },
      endTime: { hour: 8, minute: 50 },
    },
  ],
  finalExam: {
    examStatus: "NO_FINAL",
    dayOfWeek: null,
    month: null,
    day: null,
    startTime: null,
    endTime: null,
    bldg: null,
  },
  maxCapacity: "249",
  numCurrentlyEnrolled: { totalEnrolled: "170", sectionEnrolled: "" },
  numOnWaitlist: "",
  numWaitlistCap: "",
  numRequested: "219",
  numNewOnlyReserved: "",
  restrictions: "A",
  status: "OPEN",
  sectionComment: "<p>Same as 65131.</p>\t\n",
  cancelled: false,
  geCategories: ["GE-5B"],
};

async function* manyRows(count: number) {
  for (let i = 0; i < count; i++) yield gradeRow({ sectionCode: String(i).padStart(5, "0") });
}

describe("loadRows", () => {
  test("maps, nested lists, nulls, quotes and any script come out as they went in", async () => {
    const second: Instructor = { ...instructor, netid: "none", courseHistory: {} };
    expect(await json(`FROM ${await loadRows(connection, instructors, [instructor, second])}`)).toEqual([
      instructor,
      second,
    ]);
    expect(await json(`FROM ${await loadRows(connection, sections, [section])}`)).toEqual([section]);
    const tutorial = { day: "MW", time: "9:00-10:50a", instructor: "Ana Ámbar", building: "ON LINE" };
    const course = {
      year: "2024",
      quarter: "Fall" as const,
      courseNumber: "CHEM 1C",
      courseName: "Chemistry",
      sections: [tutorial, tutorial],
    };
    expect(await json(`FROM ${await loadRows(connection, larc, [course])}`)).toEqual([course]);
  });

  test("the columns have the contract's types", async () => {
    const name = await loadRows(connection, grades, [gradeRow()]);
    const types = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${name})`);
    expect(Object.fromEntries(types.getRowsJson() as [string, string][])).toMatchObject({
      year: "VARCHAR",
      courseNumeric: "INTEGER",
      averageGPA: "DOUBLE",
      geCategories: "VARCHAR[]",
      sheetOnly: "BOOLEAN",
    });
    const history = await connection.runAndReadAll(
      `SELECT typeof("courseHistory") FROM ${await loadRows(connection, instructors, [instructor])}`,
    );
    expect(history.getRowsJson()).toEqual([["MAP(VARCHAR, VARCHAR[])"]]);
  });

  test("a nested tree travels as JSON text", async () => {
    const text = '{"AND":["MATH 2A",{"OR":["I&C SCI 31","CSE 31"]}]}';
    const course = {
      ...Object.fromEntries(Object.keys(courses.row.shape).map((key) => [key, ""])),
      prerequisiteTree: text,
    };
    const row = {
      ...course,
      courseNumeric: 0,
      minUnits: 1.3,
      maxUnits: 4,
      prerequisiteList: [],
      geList: [],
      prerequisiteFor: [],
      instructorHistory: [],
      terms: [],
    };
    expect(await json(`FROM ${await loadRows(connection, courses, [row as unknown as Course])}`)).toMatchObject([
      { prerequisiteTree: text, minUnits: 1.3 },
    ]);
  });

  test("half a surrogate pair becomes U+FFFD instead of stopping the batch; an escaped one stays text", async () => {
    const name = await loadRows(connection, grades, [
      gradeRow({ department: "a\ud83db" }),
      gradeRow({ department: "\\ud83d" }),
    ]);
    const reader = await connection.runAndReadAll(`SELECT department FROM ${name}`);
    expect(reader.getRowsJson()).toEqual([["a\ufffdb"], ["\\ud83d"]]);
  });

  test.each([
    ["a fraction where the contract wants a whole number", { gradeACount: 1.5 }, /grades\.gradeACount/],
    ["a word that is not in its list", { quarter: "Autumn" }, /grades\.quarter/],
    ["null where null is not allowed", { department: null }, /grades\.department.*34160/],
    ["a key that the contract lacks", { extra: 1 }, /extra/],
  ])("refuses %s and names the row", async (_what, change, words) => {
    const loading = loadRows(connection, grades, [gradeRow(), gradeRow(change as object)]);
    await expect(loading).rejects.toThrow(GuardError);
    await expect(loading).rejects.toThrow(words);
  });

  test("60,000 rows from an async source arrive complete, and a second load replaces the first", async () => {
    const name = await loadRows(connection, grades, manyRows(60_000));
    const counted = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER, count(DISTINCT "sectionCode")::INTEGER FROM ${name}`,
    );
    expect(counted.getRowsJson()).toEqual([[60_000, 60_000]]);
    await loadRows(connection, grades, []);
    expect((await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${name}`)).getRowsJson()).toEqual([[0]]);
  });
});
