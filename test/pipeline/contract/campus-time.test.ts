import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { campusToday, isCalendarDate } from "../../../pipeline/contract/campus-time.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe('"Today" never depends on the server\'s own zone (pipeline/RULES.md, Days)', () => {
  const moments = [
    ["2024-01-15T23:30:00-08:00", "2024-01-15"],
    ["2024-01-16T00:30:00-08:00", "2024-01-16"],
    ["2024-07-15T23:30:00-07:00", "2024-07-15"],
    ["2024-07-16T00:30:00-07:00", "2024-07-16"],
    ["2024-02-29T23:30:00-08:00", "2024-02-29"],
    ["2024-12-31T23:30:00-08:00", "2024-12-31"],
    ["2025-01-01T00:30:00-08:00", "2025-01-01"],
    // The nights of both clock changes.
    ["2024-03-10T00:30:00-08:00", "2024-03-10"],
    ["2024-03-10T23:30:00-07:00", "2024-03-10"],
    ["2024-11-03T23:30:00-08:00", "2024-11-03"],
  ] as const;

  test.each(["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"])(
    "23:30 and 00:30 campus time, a server in %s",
    (zone) => {
      const program = `
      import { campusToday } from "./pipeline/contract/campus-time.ts";
      const moments = ${JSON.stringify(moments.map(([at]) => at))};
      console.log(JSON.stringify({ zone: new Date(2024, 0, 1).getTimezoneOffset(), days: moments.map((at) => campusToday(new Date(at))) }));`;
      const printed = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
        cwd: root,
        env: { ...process.env, TZ: zone },
        encoding: "utf8",
      });
      const { zone: offset, days } = JSON.parse(printed) as { zone: number; days: string[] };
      expect(offset).toBe({ UTC: 0, "America/New_York": 300, "Asia/Tokyo": -540, "Pacific/Auckland": -780 }[zone]);
      expect(days).toEqual(moments.map(([, day]) => day));
    },
  );

  test("every hour of a year: days follow each other, 366 of them in 2024", () => {
    const days: string[] = [];
    for (let at = Date.UTC(2024, 0, 1, 8); at < Date.UTC(2025, 0, 1, 8); at += 1_800_000) {
      const day = campusToday(new Date(at));
      if (days.at(-1) !== day) days.push(day);
    }
    expect(days.length).toBe(366);
    expect([...days].sort()).toEqual(days);
  });
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
});
