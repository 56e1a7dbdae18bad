/** The lines of a calendar page besides the bounds of terms: which term, kind and days they are of. */
import { describe, expect, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { kindOf, mergeDates, toCalendarDates } from "../../../pipeline/normalize/calendar-dates.ts";
import { parseCalendarPage } from "../../../pipeline/parse/calendar-html.ts";

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const KNOWN = ["Instruction begins", "Instruction ends", "Final examinations"].map((label) =>
  row(label, "Sep 28", "Jan 8", "Apr 1"),
);
const table = (...rows: string[]) => `<table class="calendartable">${[...KNOWN, ...rows].join("\n")}</table>`;
const parse = (...tables: string[]) =>
  parseCalendarPage(`<html><body><h1>2023-2024</h1>${tables.join("\n")}</body></html>`);

function read(...tables: string[]) {
  const tally = createTally("calendar");
  const rows = toCalendarDates({ firstYear: 2023, lines: parse(...tables).lines }, tally);
  return { rows, report: tally.report("published", 0) };
}
const daysOf = (cell: string, column: 0 | 1 | 2 = 0) => {
  const cells = ["", "", ""].with(column, cell);
  return read(table(row("Line", ...cells))).rows.map(({ firstDay, lastDay }) => [firstDay, lastDay]);
};

describe("the lines of a page", () => {
  test("are those with a number that are no bound of a term, labels without markup", () => {
    const page = parse(
      table(
        row("&nbsp;", "Fall 2023", "Winter 2024", "Spring 2024"),
        row("<strong>Veterans&nbsp;Day<br>Holiday</strong>", "Nov 10", "", "&nbsp;"),
        row("Fees", "TBA", "", ""),
        row("", "Nov 1", "", ""),
        row("Short", "Nov 2"),
      ),
    );
    expect(page.lines).toEqual([
      { label: "Veterans Day Holiday", isSummer: false, cells: ["Nov 10", "", ""] },
      { label: "Short", isSummer: false, cells: ["Nov 2", "", ""] },
    ]);
  });

  const heading = row("", "Summer Session I", "Summer Session 10WK", "Summer Session II");
  const labor = row("Labor Day", "", "", "Sep 2");
  test.each([
    ["in a table of their own, with its heading", [table(), table(heading, labor)]],
    ["in a table of their own, without one", [table(), table(labor)]],
    ["below a heading in the same table", [table(...KNOWN, heading, labor)]],
  ])("of the summer sessions, %s", (_where, tables) => {
    expect(read(...tables).rows).toEqual([
      {
        year: "2024",
        quarter: "Summer2",
        event: "Labor Day",
        kind: "holiday",
        firstDay: "2024-09-02",
        lastDay: "2024-09-02",
      },
    ]);
  });

  test("none is no fault", () => {
    const { rows, report } = read(table(row("Holiday", "TBA", "", "&nbsp;")));
    expect([rows, report]).toEqual([[], expect.objectContaining({ dropped: [], noted: [], damaged: [], read: 0 })]);
  });
});

test.each<[cell: string, days: [string, string][]]>([
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
])("the days of %s", (cell, days) => expect(daysOf(cell)).toEqual(days));

test("the year follows from the column; what comes before its quarter is in the year before", () => {
  expect(daysOf("May 9")).toEqual([["2023-05-09", "2023-05-09"]]);
  expect(daysOf("Nov 3", 1)).toEqual([["2023-11-03", "2023-11-03"]]);
  expect(daysOf("Dec 30 - Jan 2", 1)).toEqual([["2023-12-30", "2024-01-02"]]);
  expect(daysOf("Mar 25", 1)).toEqual([["2024-03-25", "2024-03-25"]]);
  expect(daysOf("Nov 13", 2)).toEqual([["2023-11-13", "2023-11-13"]]);
  expect(daysOf("Jun 14", 2)).toEqual([["2024-06-14", "2024-06-14"]]);
});

test("what cannot be a date is dropped, what has none is noted", () => {
  const { rows, report } = read(table(row("Line", "Feb 30", "Week 10", "Dec 15-9")));
  expect(rows).toEqual([]);
  expect(report).toMatchObject({
    read: 2,
    kept: 0,
    dropped: [{ reason: "a date is impossible", count: 2 }],
    noted: [{ reason: "a cell of the calendar has no date", names: ["2024 Winter, Line: Week 10"] }],
  });
});

test("a line that is printed twice is one", () => {
  expect(read(table(row("Line", "Nov 1", "", ""), row("Line", "Nov 1", "", ""))).rows).toHaveLength(1);
});

test.each([
  ["Thanksgiving Holiday", "holiday"],
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
