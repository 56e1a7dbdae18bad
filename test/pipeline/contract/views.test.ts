/** The SQL views over rows that are written down: what a row is, and what an analyst computes from it. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { nullRow, quoteIdentifier } from "../../../pipeline/contract/sql-text.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import { weekOf } from "../../../server/endpoints/week.ts";
import { calendar, rowsOf } from "./views-world.ts";

const FLAT = "sectionCode, meeting, weekday, weekdayName, startMinute, endMinute, place, building, room, isOnline";

describe("meetings_flat", () => {
  it("has a row for each meeting, weekday and place; a label that is no place has no building", async () => {
    const rows = await rowsOf(`SELECT ${FLAT} FROM meetings_flat WHERE department = 'I&C SCI' ORDER BY ALL`);
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["10001", 1, 2, "Tue", 570, 650, "ALP 2300", "ALP", "2300", false],
      ["10001", 1, 2, "Tue", 570, 650, "SSL 220A", "SSL", "220A", false],
      ["10001", 1, 4, "Thu", 570, 650, "ALP 2300", "ALP", "2300", false],
      ["10001", 1, 4, "Thu", 570, 650, "SSL 220A", "SSL", "220A", false],
      ["10001", 2, 6, "Sat", 1320, 1515, "ON LINE", null, null, true],
      ["10001", 2, 7, "Sun", 1320, 1515, "ON LINE", null, null, true],
    ]);
    const [first] = await rowsOf("SELECT startTime, endTime FROM meetings_flat WHERE weekdayName = 'Sat'");
    expect(first).toEqual({ startTime: "22:00", endTime: "25:15" });
  });

  it("has one row for a meeting without days, times or places", async () => {
    const rows = await rowsOf(
      `SELECT ${FLAT} FROM meetings_flat WHERE sectionCode IN ('10002', '10003') ORDER BY sectionCode, meeting`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["10002", 1, null, null, null, null, "TBA", null, null, false],
      ["10002", 2, null, null, null, null, "ON LINE", null, null, true],
      ["10003", 1, null, null, 480, 530, "GYM", "GYM", null, false],
      ["10003", 2, null, null, null, null, null, null, null, false],
    ]);
  });
});

it("finals: the day as a date, also of a month that is counted from 0; none for a day that does not exist", async () => {
  const rows = await rowsOf("SELECT sectionCode, date, weekday, startTime, endMinute, places FROM finals ORDER BY 1");
  expect(rows).toEqual([
    {
      sectionCode: "10001",
      date: "2024-12-09",
      weekday: 1,
      startTime: "08:00",
      endMinute: 600,
      places: ["HIB 100", "HIB 110"],
    },
    expect.objectContaining({ sectionCode: "10004", date: null, weekday: null }),
  ]);
});

it("teaching: each who is named, and how many", async () => {
  const rows = await rowsOf("SELECT sectionCode, instructor, instructorCount FROM teaching ORDER BY ALL");
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["10001", "AMBERLEY, R.", 2],
    ["10001", "BRISTOW, T.", 2],
    ["10004", "AMBERLEY, R.", 1],
  ]);
});

it("seats and enrollment_days: the same numbers by the same names, beside the texts", async () => {
  const numbers = "capacity, enrolled, waiting, waitlistSeats, requests, newOnlySeats";
  const [seats] = await rowsOf(`SELECT ${numbers}, waitlist, status FROM seats WHERE sectionCode = '10001'`);
  expect(Object.values(seats ?? {})).toEqual([null, 12, 3, 5, null, 2, 3, "OPEN"]);
  // A cross-listed section counts everybody of the group, and its students; any other section counts the same twice.
  const own = await rowsOf(
    "SELECT sectionCode, enrolled, sectionEnrolled FROM seats WHERE sectionCode > '10002' ORDER BY 1",
  );
  expect(own.map((row) => Object.values(row))).toEqual([
    ["10003", 12, 12],
    ["10004", 12, 5],
  ]);
  const days = await rowsOf(`SELECT date, ${numbers}, maxCapacity, waitlist FROM enrollment_days ORDER BY date`);
  expect(days.map((row) => Object.values(row))).toEqual([
    ["2024-09-01", 30, 28, null, null, 40, 1, "30", "n/a"],
    ["2024-09-02", 30, 28, null, null, 40, 1, "30", "n/a"],
  ]);
});

it("grade_students: points over students is the mean of students; what has no average counts in neither", async () => {
  const rows =
    await rowsOf(`SELECT sum(gpaPoints) AS points, sum(gpaStudents) AS graded, sum(letterStudents) AS letters,
    sum(passNoPassStudents) AS passing, sum(withdrawnStudents) AS withdrawn, sum(students) AS students,
    avg(averageGPA) AS ofSections, sum(gpaPoints) / sum(gpaStudents) AS ofStudents FROM grade_students`);
  expect(rows).toEqual([
    {
      points: 7.3,
      graded: 10,
      letters: 13,
      passing: 6,
      withdrawn: 4,
      students: 23,
      ofSections: 1.825,
      ofStudents: 0.73,
    },
  ]);
});

it("grade_instructors: the same numbers for each who taught", async () => {
  const rows =
    await rowsOf(`SELECT instructor, instructorCount, sum(gpaPoints) / sum(gpaStudents) AS gpa, sum(students) AS students
    FROM grade_instructors GROUP BY ALL ORDER BY ALL`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["AMBERLEY, R.", 1, 3.65, 6],
    ["AMBERLEY, R.", 2, 0, 8],
    ["BRISTOW, T.", 2, 0, 8],
  ]);
});

it("prerequisites: every course and exam of the tree once, by ids that join, without what is excluded", async () => {
  const rows = await rowsOf("FROM prerequisites ORDER BY name, minGrade");
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["CRM/LAWC7", null, 'AP "X"\\Y {Z}', "exam", "4", false],
    ["CRM/LAWC7", "I&CSCI46", "I&C SCI 46", "course", "C", false],
    ["CRM/LAWC7", "I&CSCI46", "I&C SCI 46", "course", null, true],
    ["CRM/LAWC7", null, "LATIN 1A", "course", null, false],
  ]);
  const joined = await rowsOf(
    "SELECT count(*) AS n FROM prerequisites JOIN courses c ON c.id = course JOIN courses r ON r.id = prerequisite",
  );
  expect(joined).toEqual([{ n: 2 }]);
});

it("week_of_term: every day of every term as /week has it", async () => {
  const rows = await rowsOf<{ year: string; quarter: string; date: string; week: number | null; weekday: number }>(
    "SELECT year, quarter, date, week, weekday FROM week_of_term ORDER BY ALL",
  );
  const expected = calendar.flatMap((dates) =>
    daysOf("2023-12-25", "2025-01-05").flatMap((date) => {
      const { weeks } = weekOf(date, [dates]);
      const week = weeks[0] ?? 0;
      const inTerm = weekOf(date, [dates]).quarters[0] !== "N/A";
      const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
      const { year, quarter } = dates;
      return inTerm ? [{ year, quarter, date, week: week === -1 ? null : week, weekday }] : [];
    }),
  );
  const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  expect(expected.length).toBeGreaterThan(300);
  expect(rows.toSorted(byText)).toEqual(expected.toSorted(byText));
  expect(await rowsOf("SELECT count(*) AS n FROM week_of_term WHERE isFinals <> (week IS NULL)")).toEqual([{ n: 0 }]);
});

it("holidays day by day; dates of registration", async () => {
  const holidays = await rowsOf("SELECT date, weekday, event FROM holidays ORDER BY date");
  expect(holidays.map((row) => Object.values(row))).toEqual([
    ["2024-11-11", 1, "Veterans Day Holiday"],
    ["2024-11-28", 4, "Thanksgiving Holiday"],
    ["2024-11-29", 5, "Thanksgiving Holiday"],
    // An open range has its known day.
    ["2024-12-02", 1, "A Flood"],
  ]);
  const registration = await rowsOf("SELECT kind, event, firstDay, lastDay FROM registration_dates ORDER BY firstDay");
  expect(registration.map((row) => Object.values(row))).toEqual([
    ["enrollment", "Enrollment begins", "2024-05-20", "2024-05-31"],
    ["deadline", "Last day to drop", "2024-10-11", "2024-10-11"],
  ]);
});

it("each has the columns that it declares, of these types, and every column is described", async () => {
  const typesOf = async (select: string) =>
    Object.fromEntries(
      (await rowsOf<Record<"column_name" | "column_type", string>>(`DESCRIBE ${select}`)).map((row) => [
        row.column_name,
        row.column_type,
      ]),
    );
  for (const view of VIEWS) {
    const names = Object.keys(view.row.shape).map(quoteIdentifier);
    expect([view.name, await typesOf(`SELECT ${names.join(", ")} FROM "${view.name}"`)]).toEqual([
      view.name,
      await typesOf(nullRow(view)),
    ]);
  }
  expect(
    await rowsOf(`SELECT "table", "column" FROM columns WHERE coalesce(description, '') = '' AND "table" <> 'columns'`),
  ).toEqual([]);
});

it("artifacts/README.md lists them all", async () => {
  const readme = await readFile(new URL("../../../artifacts/README.md", import.meta.url), "utf8");
  for (const { name } of VIEWS) expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\| .+ \\|$`, "m"));
});

it("sections, headings and departments have the department by the name that all views have", async () => {
  const rows = await rowsOf(`SELECT DISTINCT s.department = s.deptCode AND h.department = s.department AS same
    FROM schedule s JOIN headings h ON h.department = s.department`);
  expect(rows).toEqual([{ same: true }]);
  expect(await rowsOf("SELECT department FROM departments")).toEqual([]);
});

function daysOf(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${first}T00:00:00Z`); at <= Date.parse(`${last}T00:00:00Z`); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
