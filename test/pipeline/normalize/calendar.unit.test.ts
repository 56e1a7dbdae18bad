/**
 * Terms of the calendar: the lines of a page that bound them, an operator's file, and which of both takes precedence.
 */
import { expect, it, test } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import {
  mergeCalendars,
  noteOverridden,
  otherEntries,
  type PrintedEntry,
  toCalendarRows,
  toTermDates,
} from "../../../pipeline/normalize/calendar.ts";

const entry = (label: string, text: string, quarter: Quarter = "Fall"): PrintedEntry => ({ quarter, label, text });
const BOUNDS = [
  entry("Instruction begins", "Sep 28"),
  entry("Instruction ends", "Dec 8"),
  entry("Final examinations", "Dec 9-15"),
];
const FALL: TermDates = {
  ...{ year: "2023", quarter: "Fall", instructionStart: "2023-09-28", instructionEnd: "2023-12-08" },
  ...{ finalsStart: "2023-12-09", finalsEnd: "2023-12-15" },
};

function terms(...entries: PrintedEntry[]) {
  const tally = createTally("calendar");
  const rows = toTermDates({ firstYear: 2023, quarters: ["Fall", "Winter"], entries }, tally);
  const { read, kept, dropped, noted } = tally.report("published", 0);
  return { rows, read, kept, dropped, noted };
}

test("a term has the line that begins with the words, else the first that has them, whatever the case", () => {
  const drop = entry("Drop before instruction begins", "Sep 20");
  expect(terms(drop, ...BOUNDS).rows).toEqual([FALL]);
  const [, ends, finals] = BOUNDS as [PrintedEntry, PrintedEntry, PrintedEntry];
  const begins = entry("FALL INSTRUCTION BEGINS", "Sep 28");
  expect(terms(ends, begins, drop, finals).rows).toEqual([FALL]);
  // A bound over several days is its first, or its last one.
  expect(terms(entry("Instruction begins", "Sep 28, 29"), entry("Instruction ends", "Dec 7-8"), finals).rows).toEqual([
    FALL,
  ]);
});

test("other lines are those that are no bound: another line of the same words, label or days is one", () => {
  const others = [
    entry("Drop before instruction begins", "Sep 28"),
    entry("Instruction begins", "Sep 29"),
    entry("Fees", "Sep 28"),
    entry("Instruction begins (online)", "Jan 8", "Winter"),
  ];
  const winter = entry("Instruction begins", "Jan 8", "Winter");
  expect(otherEntries({ firstYear: 2023, entries: [...BOUNDS, winter, ...others] })).toEqual(others);
});

test("a term without dates is noted, one with a wrong or missing date is dropped, with what is printed", () => {
  expect(terms()).toEqual({
    rows: [],
    read: 2,
    kept: 0,
    dropped: [],
    noted: [{ reason: "the calendar has no dates yet", count: 2, names: ["2023 Fall", "2024 Winter"] }],
  });
  const { rows, kept, dropped } = terms(
    ...BOUNDS,
    entry("Instruction begins", "Jan 8", "Winter"),
    entry("Final examinations", "Feb 30", "Winter"),
  );
  expect([rows, kept]).toEqual([[FALL], 1]);
  expect(dropped).toEqual([
    { reason: "a date is missing or impossible", count: 1, names: ["2024 Winter: Jan 8, , Feb 30"] },
  ]);
});

it("an operator's row is a term with four dates that exist", () => {
  const tally = createTally("calendar");
  const rows = toCalendarRows(
    [
      FALL,
      { ...FALL, year: "23" },
      { ...FALL, year: "12023" },
      { ...FALL, quarter: "Autumn" as Quarter },
      { ...FALL, finalsEnd: "2023-12-32" },
    ],
    tally,
  );
  expect(rows).toEqual([FALL]);
  expect(tally.report("published", 0)).toMatchObject({
    read: 5,
    kept: 1,
    dropped: [
      {
        reason: "the row names no term",
        names: ["calendar.csv row 3: 23 Fall", "calendar.csv row 4: 12023 Fall", "calendar.csv row 5: 2023 Autumn"],
      },
      { reason: "a date is missing or impossible", names: ["calendar.csv row 6"] },
    ],
  });
});

it("terms of several sources are in the calendar's order, each as the one that counts has it", () => {
  const winter: TermDates = { ...FALL, year: "2024", quarter: "Winter" };
  const spring: TermDates = { ...FALL, quarter: "Spring" };
  const own = { ...FALL, finalsEnd: "2023-12-16" };
  expect(mergeCalendars([winter, FALL], [own, spring])).toEqual([spring, own, winter]);
  expect(mergeCalendars([winter, FALL])).toEqual([FALL, winter]);
});

it("dates of an operator's file that differ from the page's are noted with both", () => {
  const tally = createTally("calendar");
  const winter: TermDates = { ...FALL, year: "2024", quarter: "Winter" };
  noteOverridden([winter, FALL], [{ ...FALL, finalsEnd: "2023-12-16" }, winter, { ...FALL, year: "2022" }], tally);
  expect(tally.report("published", 0).noted).toEqual([
    {
      reason: "dates of calendar.csv that differ from the calendar's page",
      count: 1,
      names: [`2023 Fall; the file's finalsEnd is 2023-12-16, the page's ${FALL.finalsEnd}`],
    },
  ]);
});
