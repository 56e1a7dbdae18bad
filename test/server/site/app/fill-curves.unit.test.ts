/** How fast the seats of a course were taken. */
import { describe, expect, it } from "vitest";
import {
  type CancelledFrom,
  cancellations,
  type EnrollmentRecord,
  fillCurves,
  weekText,
} from "../../../../server/site/app/course/fill-curves.ts";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";

const FALL = {
  instructionStart: "2024-09-26",
  instructionEnd: "2024-12-06",
  finalsStart: "2024-12-07",
  finalsEnd: "2024-12-13",
};
const calendar = [
  { year: "2024", quarter: "Fall" as const, ...FALL },
  { year: "2025", quarter: "Winter" as const, ...FALL, instructionStart: "2025-01-06", finalsEnd: "2025-03-21" },
];

/** `days` are dates, seats taken and seats. */
function record(
  days: readonly (readonly [string, string, string])[],
  change: Partial<EnrollmentRecord> = {},
): EnrollmentRecord {
  return {
    year: "2024",
    quarter: "Fall",
    sectionCode: 5000,
    department: "DANCE",
    courseNumber: "10",
    sectionType: "Lec",
    sectionNum: "A",
    units: "4",
    instructors: ["AMBERLEY, R.", "STAFF"],
    meetings: [],
    finalExam: "",
    dates: days.map(([date]) => date),
    totalEnrolledHistory: days.map(([, taken]) => taken),
    maxCapacityHistory: days.map(([, , seats]) => seats),
    waitlistHistory: [],
    waitlistCapHistory: [],
    requestedHistory: [],
    newOnlyReservedHistory: [],
    statusHistory: [],
    ...change,
  };
}
const none: CancelledFrom = new Map();
const only = (records: readonly EnrollmentRecord[], cancelled: CancelledFrom = none) =>
  fillCurves(records, calendar, cancelled)[0];

describe("fillCurves", () => {
  it("weeks count from the first day of instruction, and days without a record break the line", () => {
    const curve = only([
      record([
        ["2024-09-12", "0", "10"],
        ["2024-09-19", "10", "10"],
        ["2024-09-20", "9", "10"],
        ["2024-09-26", "10", "10"],
      ]),
    ]);
    expect(curve?.days.map(({ week, run }) => [week, run])).toEqual([
      [-2, 0],
      [-1, 1],
      [-6 / 7, 1],
      [0, 2],
    ]);
    expect([curve?.full?.date, curve?.fullAfterGap?.date, curve?.daysToFill]).toEqual(["2024-09-19", "2024-09-12", 7]);
    expect(curve?.instructors).toEqual(["AMBERLEY, R."]);
  });

  it("a course is full when every section is; discussions do not count", () => {
    const curve = only([
      record([
        ["2024-09-12", "12", "10"],
        ["2024-09-13", "12", "10"],
      ]),
      record(
        [
          ["2024-09-12", "5", "6"],
          ["2024-09-13", "6", "6"],
        ],
        { sectionCode: 5001 },
      ),
      record([["2024-09-12", "0", "30"]], { sectionCode: 5002, units: "0" }),
    ]);
    expect(curve?.days.map(({ taken, seats, isFull }) => [taken, seats, isFull])).toEqual([
      [17, 16, false],
      [18, 16, true],
    ]);
    expect([curve?.fullAfterGap, curve?.daysToFill]).toEqual([undefined, undefined]);
    // Without any section with units, those without count.
    expect(only([record([["2024-09-12", "1", "2"]], { units: "0" })])?.days).toHaveLength(1);
  });

  it("a section without a record on a day keeps what it had: the sum has no dip, and the day is not a gap", () => {
    const second = [
      ["2024-09-12", "6", "6"],
      ["2024-09-14", "6", "6"],
    ] as const;
    const first = [
      ["2024-09-12", "9", "10"],
      ["2024-09-13", "10", "10"],
      ["2024-09-14", "10", "10"],
    ] as const;
    const curve = only([record(first), record(second, { sectionCode: 5001 })]);
    expect(curve?.days.map(({ taken, seats, run }) => [taken, seats, run])).toEqual([
      [15, 16, 0],
      [16, 16, 0],
      [16, 16, 0],
    ]);
    expect([curve?.full?.date, curve?.fullAfterGap]).toEqual(["2024-09-13", undefined]);
  });

  it("what is not a number, a section without seats, and days after the term are left out", () => {
    expect(
      only([
        record([
          ["2024-09-12", "n/a", "10"],
          ["2024-09-13", "1", "0"],
          ["2024-12-14", "1", "2"],
        ]),
      ]),
    ).toBeUndefined();
  });

  it("a cancelled section counts until that day; terms stand newest first; one without dates has no curve", () => {
    const change = (kind: Change["kind"], at: string) =>
      ({ year: "2024", quarter: "Fall", sectionCode: "05000", kind, at }) as Change;
    const changes = [
      change("cancelled", "2024-09-01T10:00:00Z"),
      change("reinstated", "2024-09-02T10:00:00Z"),
      change("cancelled", "2024-09-13T10:00:00Z"),
    ];
    const days = [
      ["2024-09-12", "1", "2"],
      ["2024-09-13", "1", "2"],
    ] as const;
    expect(only([record(days)], cancellations(changes, []))?.days).toHaveLength(1);
    expect(only([record(days)], cancellations([], ["2024 Fall 05000"]))).toBeUndefined();
    const terms = fillCurves(
      [
        record(days),
        record([["2025-01-01", "1", "2"]], { year: "2025", quarter: "Winter" }),
        record(days, { year: "1999" }),
      ],
      calendar,
      none,
    );
    expect(terms.map(({ term }) => term)).toEqual(["2025 Winter", "2024 Fall"]);
  });
});

it.each([
  [0, "on the first day of instruction"],
  [-1 / 7, "1 day before instruction"],
  [-2, "2 weeks before instruction"],
  [-13 / 7, "13 days before instruction"],
  [5, "5 weeks after instruction"],
])("%d weeks: %s", (week, words) => expect(weekText(week)).toBe(words));
