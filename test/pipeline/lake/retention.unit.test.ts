/** RETAIN: "all snapshots of the last 48 hours, the last of each campus day for 60 days, then the last of each month for 24 months". */
import { expect, test } from "vitest";
import { retainedSnapshots } from "../../../pipeline/lake/retention.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";

const NOW = new Date("2026-11-22T20:00:00Z");
const HOUR = 3_600_000;

test("two years of hourly snapshots", () => {
  const hourly = Array.from({ length: 3 * 366 * 24 }, (_, hours) => ({
    id: String(hours),
    generation: 1,
    createdAt: new Date(NOW.getTime() - hours * HOUR).toISOString(),
    versions: {},
  }));
  const retained = retainedSnapshots(hourly, { now: NOW, retain: RETENTION }).map(({ createdAt }) => createdAt);
  expect(retained.slice(0, 49)).toEqual(hourly.slice(0, 49).map(({ createdAt }) => createdAt));
  // The campus day ends at 8:00 in UTC, and at 7:00 in summer.
  expect(retained.slice(49, 52)).toEqual([
    "2026-11-20T07:00:00.000Z",
    "2026-11-19T07:00:00.000Z",
    "2026-11-18T07:00:00.000Z",
  ]);
  const older = retained.filter((createdAt) => createdAt < "2026-09-23");
  expect(older.slice(0, 2)).toEqual(["2026-09-01T06:00:00.000Z", "2026-08-01T06:00:00.000Z"]);
  expect(older).toHaveLength(22);
  expect(older.at(-1)?.slice(0, 10)).toBe("2024-12-01");
});

test("the newest stays, whatever its age", () => {
  const old = { id: "1", generation: 1, createdAt: "2001-01-01T00:00:00Z", versions: {} };
  expect(retainedSnapshots([old], { now: NOW, retain: RETENTION })).toEqual([old]);
});
