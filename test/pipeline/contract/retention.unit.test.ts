/**
 * `RETAIN` (pipeline/RULES.md, Snapshots): "all snapshots of the last 48 hours, the last snapshot of each campus day
 * for 60 days, then the last snapshot of each month".
 */
import { describe, expect, test } from "vitest";
import { campusToday, nextDay, startOfCampusDay } from "../../../pipeline/contract/campus-time.ts";
import {
  DEFAULT_RETENTION,
  isRetained,
  parseRetention,
  type Retention,
  retentionText,
} from "../../../pipeline/contract/retention.ts";

const policy = parseRetention(DEFAULT_RETENTION) as Retention;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("the text", () => {
  test.each([
    ["48h,60d,24m", { hours: 48, days: 60, months: 24 }],
    ["0h,0d,0m", { hours: 0, days: 0, months: 0 }],
    [" 7d , 2h", { hours: 2, days: 7, months: 0 }],
    ["5m", { hours: 0, days: 0, months: 5 }],
  ])("%j", (text, expected) => expect(parseRetention(text)).toEqual(expected));
  test.each(["", "48", "48h,", "48h,24h", "-1h", "1.5d", "2 weeks", "48h;60d", "1000000h"])("%j is none", (text) =>
    expect(parseRetention(text)).toBeUndefined(),
  );
  test("is written as it is read", () => expect(retentionText(policy)).toBe(DEFAULT_RETENTION));
});

describe("26 months of hourly snapshots", () => {
  // A little after the full hour, over both clock changes of two years.
  const first = Date.UTC(2024, 9, 1, 7, 5);
  const now = new Date(Date.UTC(2026, 10, 22, 18, 30));
  const all: { createdAt: string; replacedAt: string }[] = [];
  for (let at = first; at + HOUR <= now.getTime(); at += HOUR)
    all.push({ createdAt: new Date(at).toISOString(), replacedAt: new Date(at + HOUR).toISOString() });
  const kept = all.filter((snapshot) => isRetained(snapshot, policy, now));
  const currentAt = (at: number) =>
    all.find(({ createdAt, replacedAt }) => Date.parse(createdAt) <= at && at < Date.parse(replacedAt));
  /** The last milliseconds of campus days. */
  const ends: number[] = [];
  for (let day = "2024-10-01"; startOfCampusDay(nextDay(day)) <= now; day = nextDay(day))
    ends.push(startOfCampusDay(nextDay(day)).getTime() - 1);

  test("those of the last 48 hours, of 60 day ends and of 24 month ends are kept, and no others", () => {
    const recent = all.filter(({ replacedAt }) => Date.parse(replacedAt) > now.getTime() - 48 * HOUR);
    expect(recent).toHaveLength(48);
    const dayEnds = ends.filter((at) => at > now.getTime() - 60 * DAY);
    expect(dayEnds).toHaveLength(60);
    const isMonthEnd = (at: number) =>
      campusToday(new Date(at)).slice(0, 7) !== campusToday(new Date(at + 1)).slice(0, 7);
    const monthEnds = ends.filter(isMonthEnd).filter((at) => at > Date.UTC(2024, 10, 22, 18, 30));
    expect(monthEnds).toHaveLength(24);
    const wanted = new Set([...recent, ...[...dayEnds, ...monthEnds].map(currentAt)]);
    expect(new Set(kept)).toEqual(wanted);
    expect(kept.length).toBeLessThan(48 + 60 + 24);
  });

  test("what was removed is never wanted again", () => {
    const few = all.filter((_, i) => i % 11 === 0);
    const wanted = new Set(kept);
    for (const days of [1, 2, 30, 59, 400]) {
      const later = new Date(now.getTime() + days * DAY + 5 * HOUR);
      expect(
        few.filter((snapshot) => isRetained(snapshot, policy, later)).filter((snapshot) => !wanted.has(snapshot)),
      ).toEqual([]);
    }
  });

  test("a snapshot that was served for weeks is the last one of each of its days", () => {
    const served = { createdAt: "2026-09-01T00:00:00Z", replacedAt: "2026-10-05T12:00:00Z" };
    expect(isRetained(served, policy, now)).toBe(true);
    expect(isRetained(served, { hours: 48, days: 30, months: 0 }, now)).toBe(false);
    const brief = { createdAt: "2026-10-05T12:00:00Z", replacedAt: "2026-10-05T13:00:00Z" };
    expect(isRetained(brief, policy, now)).toBe(false);
    // Two minutes on both sides of midnight on the campus.
    const overMidnight = { createdAt: "2026-10-05T06:59:00Z", replacedAt: "2026-10-05T07:01:00Z" };
    expect(isRetained(overMidnight, policy, now)).toBe(true);
  });

  test("exactly as old as is retained is too old", () => {
    const at = Date.parse("2026-11-01T20:00:00Z");
    const snapshot = { createdAt: "2026-10-31T20:00:00Z", replacedAt: new Date(at).toISOString() };
    for (const [retain, age] of [
      [{ hours: 5, days: 0, months: 0 }, 5 * HOUR],
      [{ hours: 0, days: 5, months: 0 }, 5 * DAY],
      // November has 30 days.
      [{ hours: 0, days: 0, months: 1 }, 30 * DAY],
    ] as const)
      expect([age - 1, age].map((past) => isRetained(snapshot, retain, new Date(at + past)))).toEqual([true, false]);
  });
  test("the end of a day is not that of its month", () => {
    const retain = { hours: 0, days: 0, months: 24 };
    const [day, month] = ["2026-10-05", "2026-11-01"].map((end) => ({
      createdAt: new Date(startOfCampusDay(end).getTime() - HOUR).toISOString(),
      replacedAt: new Date(startOfCampusDay(end).getTime() + HOUR).toISOString(),
    })) as [{ createdAt: string; replacedAt: string }, { createdAt: string; replacedAt: string }];
    expect([isRetained(day, retain, now), isRetained(month, retain, now)]).toEqual([false, true]);
  });
});
