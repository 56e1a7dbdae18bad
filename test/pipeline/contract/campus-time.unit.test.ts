/** Calendar days of the campus. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { campusToday, isCalendarDate, nextDay, startOfCampusDay } from "../../../pipeline/contract/campus-time.ts";

describe("the campus's day", () => {
  test("every hour of a year: days follow each other, 366 of them in 2024", () => {
    const days: string[] = [];
    for (let at = Date.UTC(2024, 0, 1, 8); at < Date.UTC(2025, 0, 1, 8); at += 1_800_000) {
      const day = campusToday(new Date(at));
      if (days.at(-1) !== day) days.push(day);
    }
    expect(days.length).toBe(366);
    expect([...days].sort()).toEqual(days);
  });
  test("begins at its midnight, and the next one follows it, over every change of the clocks", () => {
    for (let day = "2024-02-27"; day < "2025-03-12"; day = nextDay(day)) {
      const start = startOfCampusDay(day).getTime();
      expect([campusToday(new Date(start)), campusToday(new Date(start - 1)) < day]).toEqual([day, true]);
      expect(campusToday(new Date(startOfCampusDay(nextDay(day)).getTime() - 1))).toBe(day);
    }
  });
  test("of an early year has four digits too", () =>
    expect(campusToday(new Date("0987-07-01T20:00:00Z"))).toMatch(/^0987-/));
});

describe("an impossible date (31 February)", () => {
  test.each([
    [2023, 2, 28],
    [2024, 2, 29],
    [2000, 2, 29],
    [2023, 12, 31],
    [2023, 4, 30],
  ])("%i-%i-%i is a day", (year, month, day) => expect(isCalendarDate(year, month, day)).toBe(true));
  test.each([
    [2023, 2, 29],
    [2023, 2, 31],
    [1900, 2, 29],
    [2023, 4, 31],
    [2023, 0, 1],
    [2023, 13, 1],
    [2023, 1, 0],
    [2023, 1, 32],
    [2023, 1.5, 1],
    [Number.NaN, 1, 1],
  ])("%d-%d-%d is none", (year, month, day) => expect(isCalendarDate(year, month, day)).toBe(false));
  test("the days of a month are those of any calendar", () => {
    const date = [
      fc.integer({ min: 1000, max: 2999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    ];
    fc.assert(
      fc.property(
        ...(date as [fc.Arbitrary<number>, fc.Arbitrary<number>, fc.Arbitrary<number>]),
        (year, month, day) => {
          const date = new Date(Date.UTC(year, month - 1, day));
          expect(isCalendarDate(year, month, day)).toBe(date.getUTCMonth() === month - 1 && date.getUTCDate() === day);
        },
      ),
    );
    for (let year = 1896; year <= 2104; year++)
      expect(isCalendarDate(year, 2, 29)).toBe(new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29);
  });
});
