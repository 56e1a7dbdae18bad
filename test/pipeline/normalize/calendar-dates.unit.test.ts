/** The lines of a calendar page besides the bounds of terms: which term, kind and days they are of. */
import { expect, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { kindOf, mergeDates, toCalendarDates } from "../../../pipeline/normalize/calendar-dates.ts";
import { toTermDates } from "../../../pipeline/normalize/calendar.ts";
import { parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const BOUNDS = ["Instruction begins", "Instruction ends", "Final examinations"].map((label) =>
  row(label, "Sep 28", "Jan 8", "Apr 1"),
);
const REGULAR = row("&nbsp;", "Fall 2023", "Winter 2024", "Spring 2024");
const SUMMER = row("", "Summer Session I", "Summer Session 10WK", "Summer Session II");
const table = (...rows: string[]) => `<table class="calendartable">${rows.join("\n")}</table>`;
const parse = (...tables: string[]) => ({
  firstYear: 2023,
  ...parseCalendarPage(`<html><body><h1>2023-2024</h1>${tables.join("\n")}</body></html>`),
});

function read(...rows: string[]) {
  const tally = createTally("calendar");
  const dates = toCalendarDates(parse(table(REGULAR, ...BOUNDS, ...rows)), tally);
  return { rows: dates, report: tally.report("published", 0) };
}
const daysOf = (cell: string, column: 0 | 1 | 2 = 0) => {
  const cells = ["", "", ""].with(column, cell);
  return read(row("Line", ...cells)).rows.map(({ firstDay, lastDay }) => [firstDay, lastDay]);
};

test("rows are those with a date that are no bound of a term, of the terms that the headings above them name", () => {
  const dates = read(
    row("<strong>Veterans&nbsp;Day<br>Holiday</strong>", "Nov 10", "", "&nbsp;"),
    row("Fees", "TBA", "", ""),
    row("", "Nov 1", "", ""),
    row("Short", "Nov 2"),
    SUMMER,
    row("Labor Day", "", "", "Sep 2"),
  );
  const of = { year: "2023", quarter: "Fall" };
  expect(dates.rows).toEqual([
    { ...of, event: "Veterans Day Holiday", kind: "holiday", firstDay: "2023-11-10", lastDay: "2023-11-10" },
    { ...of, event: "Short", kind: "other", firstDay: "2023-11-02", lastDay: "2023-11-02" },
    {
      ...{ year: "2024", quarter: "Summer2", event: "Labor Day" },
      ...{ kind: "holiday", firstDay: "2024-09-02", lastDay: "2024-09-02" },
    },
  ]);
});

test("none is no fault", () => {
  const { rows, report } = read(row("Holiday", "TBA", "", "&nbsp;"));
  expect([rows, report]).toEqual([[], expect.objectContaining({ dropped: [], noted: [], damaged: [], read: 0 })]);
});

test.each<[cell: string, days: [string | null, string | null][]]>([
  ["Nov 10", [["2023-11-10", "2023-11-10"]]],
  ["Fri, Nov 10", [["2023-11-10", "2023-11-10"]]],
  ["November 10, 2023", [["2023-11-10", "2023-11-10"]]],
  ["Nov 23-24", [["2023-11-23", "2023-11-24"]]],
  ["Thu, Nov. 23 – Fri, Nov. 24", [["2023-11-23", "2023-11-24"]]],
  ["Nov 30 through Dec 5", [["2023-11-30", "2023-12-05"]]],
  ["Dec 24 - Jan 1", [["2023-12-24", "2024-01-01"]]],
  [
    "Nov 9, 16 and Dec 1-2; Dec 4",
    [
      ["2023-11-09", "2023-11-09"],
      ["2023-11-16", "2023-11-16"],
      ["2023-12-01", "2023-12-02"],
      ["2023-12-04", "2023-12-04"],
    ],
  ],
  ["Oct 13, 5:00 pm", [["2023-10-13", "2023-10-13"]]],
  ["Oct 13 (5pm)", [["2023-10-13", "2023-10-13"]]],
  ["Oct 9 - 5 pm", [["2023-10-09", "2023-10-09"]]],
  ["Oct 13, 5 p.m. – Oct 20, noon", [["2023-10-13", "2023-10-20"]]],
  ["Nov 23 &amp; 24", ["2023-11-23", "2023-11-24"].map((day): [string, string] => [day, day])],
  ["Nov 24th*–27th", [["2023-11-24", "2023-11-27"]]],
  ["Dec 24, 25, Jan 1", ["2023-12-24", "2023-12-25", "2024-01-01"].map((day): [string, string] => [day, day])],
  ["Dec 24, 2023 – Jan 1, 2024", [["2023-12-24", "2024-01-01"]]],
  ["Dec 24 – Jan 1, 2024", [["2023-12-24", "2024-01-01"]]],
  ["Thu–Fri, Nov 23–24", [["2023-11-23", "2023-11-24"]]],
  ["24 September – 30 September", [["2023-09-24", "2023-09-30"]]],
  ["11/23-24 Th–F", [["2023-11-23", "2023-11-24"]]],
  ["2023-09-24 to 9/30/23", [["2023-09-24", "2023-09-30"]]],
  ["Oct 3/4", ["2023-10-03", "2023-10-04"].map((day): [string, string] => [day, day])],
  ["Sep 20 at 7 a.m. – Oct 3 at 7 p.m.", [["2023-09-20", "2023-10-03"]]],
  // A bound that is not known is null.
  ["Sep 20 – open", [["2023-09-20", null]]],
  ["Sep 20 –", [["2023-09-20", null]]],
  ["Sep 20 – T.B.A.", [["2023-09-20", null]]],
  ["from Sep 20", [["2023-09-20", null]]],
  ["Sep 20 until further notice", [["2023-09-20", null]]],
  ["Sep 20 and later", [["2023-09-20", null]]],
  ["TBA–Sep 15", [[null, "2023-09-15"]]],
  ["– Sep 15", [[null, "2023-09-15"]]],
  [
    "until Oct 3; Oct 9",
    [
      [null, "2023-10-03"],
      ["2023-10-09", "2023-10-09"],
    ],
  ],
  ["from Sep 20 to Oct 3", [["2023-09-20", "2023-10-03"]]],
  ["between Sep 20 and Oct 3", [["2023-09-20", "2023-10-03"]]],
  // No date.
  ["TBD (2023)", []],
  ["To be announced by May 1", []],
  ["will be posted Aug 14", []],
  ["not yet known, 2024", []],
])("the days of %s", (cell, days) => expect(daysOf(cell)).toEqual(days));

test("the year follows from the column; what comes before its quarter is in the year before", () => {
  expect(daysOf("May 9")).toEqual([["2023-05-09", "2023-05-09"]]);
  expect(daysOf("Feb 2")).toEqual([["2023-02-02", "2023-02-02"]]);
  expect([daysOf("Apr 30", 1), daysOf("May 1", 1)]).toEqual([
    [["2024-04-30", "2024-04-30"]],
    [["2023-05-01", "2023-05-01"]],
  ]);
  expect(daysOf("Nov 3", 1)).toEqual([["2023-11-03", "2023-11-03"]]);
  expect(daysOf("Dec 30 - Jan 2", 1)).toEqual([["2023-12-30", "2024-01-02"]]);
  expect(daysOf("Mar 25", 1)).toEqual([["2024-03-25", "2024-03-25"]]);
  expect(daysOf("Nov 13", 2)).toEqual([["2023-11-13", "2023-11-13"]]);
  expect(daysOf("Jun 14", 2)).toEqual([["2024-06-14", "2024-06-14"]]);
  expect(daysOf("until Dec 15", 1)).toEqual([[null, "2023-12-15"]]);
  expect(daysOf("Jan 2")).toEqual([["2024-01-02", "2024-01-02"]]);
});

test("what cannot be a date is dropped, what has none is noted", () => {
  const { rows, report } = read(row("Line", "Feb 30", "Week 10", "Dec 15-9"), row("Line", "Oct 1", "", "Feb 28-30"));
  expect(rows).toHaveLength(1);
  expect(report).toMatchObject({
    read: 4,
    kept: 1,
    dropped: [{ reason: "a date is impossible", count: 3 }],
    noted: [{ reason: "a cell of the calendar has no date", names: ["2024 Winter, Line: Week 10"] }],
  });
});

test("a line that is printed twice is one", () => {
  expect(read(row("Line", "Nov 1", "", ""), row("Line", "Nov 1", "", "")).rows).toHaveLength(1);
});

test("a column that is headed with another year is noted, and nothing is read of it", () => {
  const tally = createTally("calendar");
  const page = parse(
    table(REGULAR, ...BOUNDS, REGULAR.replace("2024", "2025"), row("Line", "Nov 1", "Mar 1", "May 1")),
  );
  const rows = toCalendarDates(page, tally);
  expect(rows.map(({ quarter }) => quarter)).toEqual(["Fall", "Spring"]);
  toTermDates(page, tally);
  expect(tally.report("published", 0).noted).toEqual([
    { reason: "a column of the calendar is headed with another year", count: 1, names: ["2025 Winter, Line"] },
  ]);
});

test.each([
  ["Thanksgiving Holiday", "holiday"],
  ["Winter Administrative Recess", "holiday"],
  ["Spring break", "holiday"],
  ["Day after Thanksgiving", "holiday"],
  ["No classes", "holiday"],
  ["Labor Day Holiday (no enrollment)", "holiday"],
  ["Holidays", "holiday"],
  ["Outbreak drill", "other"],
  ["Overdue books holiday", "holiday"],
  ["Breakfast with the dean", "other"],
  ["Enrolment for the holiday session", "enrollment"],
  ["Due before the break", "other"],
  ["Holiday hours for overdue books", "holiday"],
  ["DROP a course", "deadline"],
  ["Withdrawal from a class", "deadline"],
  ["Withdraw by petition", "deadline"],
  ["Backdrop exhibition", "other"],
  ["Midterm week begins", "other"],
  ["Instruction resumes after Thanksgiving recess", "other"],
  ["Last day to drop before the Thanksgiving holiday", "deadline"],
  ["Registration closed for the winter break", "enrollment"],
  ["Presidents’ Day", "holiday"],
  ["Enrollment begins", "enrollment"],
  ["Late registration ends", "enrollment"],
  ["Study list due", "enrollment"],
  ["Schedule of Classes available on the Web", "schedule"],
  ["Last day to add", "deadline"],
  ["Deadline to withdraw", "deadline"],
  ["Quarter begins", "term"],
  ["Summer Session I ends", "term"],
  ["Commencement", "other"],
  ["Address changes", "other"],
])("%s is of the kind %s", (label, kind) => expect(kindOf(label)).toBe(kind));

test("a year without other dates keeps what is published of it; another's are replaced", () => {
  const date = (year: string, quarter: "Fall" | "Winter", firstDay: string) =>
    ({ year, quarter, event: "Line", kind: "other", firstDay, lastDay: firstDay }) as const;
  const base = [
    date("2022", "Fall", "2022-11-01"),
    date("2023", "Winter", "2023-01-02"),
    date("2023", "Fall", "2023-11-01"),
  ];
  const printed = [date("2024", "Winter", "2024-01-03")];
  expect(mergeDates(base, printed)).toEqual([...base.slice(0, 2), ...printed]);
});
