import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { z } from "zod";
import { startOfCampusDay } from "../../../pipeline/contract/campus-time.ts";
import { MOMENT, momentOf, type RetainedSnapshot, resolveAsOf, snapshotsOf } from "../../../pipeline/contract/as-of.ts";

const NOW = new Date("2026-11-22T18:30:00Z");

const retained = (
  id: string,
  servedFrom: string,
  servedUntil: string | null,
  generation: number,
): RetainedSnapshot => ({
  id: id.repeat(16),
  generation,
  servedFrom,
  servedUntil,
});

/** Between the second and the third, snapshots were removed. */
const oldest = retained("a", "2026-03-01T10:00:00.000Z", "2026-03-09T07:30:00.000Z", 1);
const second = retained("b", "2026-03-09T07:30:00.000Z", "2026-03-09T12:00:00.000Z", 2);
const third = retained("c", "2026-11-21T09:00:00.000Z", "2026-11-22T18:00:00.000Z", 9);
const current = retained("d", "2026-11-22T18:00:00.000Z", null, 10);
const snapshots = [current, third, second, oldest];

const resolved = (asOf: string) => resolveAsOf(asOf, snapshots, NOW);

describe("asOf=<snapshot id or ISO 8601 date or time> (pipeline/RULES.md, Snapshots)", () => {
  test.each([
    ["b".repeat(16), second],
    ["D".repeat(16), current],
    // A time in UTC, one with an offset, and the moments of a change.
    ["2026-03-05T00:00:00Z", oldest],
    ["2026-03-09T00:29:59-07:00", oldest],
    ["2026-03-09T07:30:00Z", second],
    ["2026-03-09T07:29:59.999Z", oldest],
    ["2026-11-22T18:00Z", current],
    ["2026-11-22T18:30:00Z", current],
    // The end of a campus day: 8 March 2026 ends at 07:00 in UTC, because the clocks went forward on it.
    ["2026-03-08", oldest],
    ["2026-11-21", third],
    // Today: now.
    ["2026-11-22", current],
  ])("%s", (asOf, snapshot) => expect(resolved(asOf)).toEqual({ snapshot }));

  test.each([
    ["a time before the first snapshot", "2026-01-01T00:00:00Z", [oldest]],
    ["a day before the first snapshot", "2026-02-28", [oldest]],
    ["a time between two snapshots", "2026-03-09T12:00:00Z", [second, third]],
    ["a day whose last snapshot is gone", "2026-03-09", [second, third]],
    ["a time that is yet to come", "2026-11-22T18:30:01Z", [current]],
    ["a day that is yet to come", "2026-11-23", [current]],
    ["an id that is not retained", "e".repeat(16), [oldest, current]],
  ])("%s names the nearest ones", (_, asOf, nearest) => expect(resolved(asOf)).toEqual({ nearest }));

  test.each([
    "",
    "yesterday",
    "2026-02-30",
    "2026-11",
    "2026-11-22T18:00:00",
    "2026-11-22 18:00Z",
    "abc",
    "a".repeat(17),
  ])("%j is neither", (asOf) => expect(resolved(asOf)).toEqual({ invalid: true }));

  test("without any snapshot nothing is near", () => {
    expect(resolveAsOf("2026-11-22", [], NOW)).toEqual({ nearest: [] });
    expect(resolveAsOf("a".repeat(16), [], NOW)).toEqual({ nearest: [] });
  });
});

describe("the snapshots of a pointer", () => {
  test("are the current one, and the earlier ones until they were replaced", () => {
    const earlier = { id: "c", generation: 9, createdAt: "2026-11-21T09:00:00Z", replacedAt: "2026-11-22T18:00:00Z" };
    const manifest = { id: "d", generation: 10, createdAt: "2026-11-22T18:00:00Z" };
    expect(snapshotsOf(manifest, [earlier])).toEqual([
      { id: "d", generation: 10, servedFrom: manifest.createdAt, servedUntil: null },
      { id: "c", generation: 9, servedFrom: earlier.createdAt, servedUntil: earlier.replacedAt },
    ]);
  });
});

describe("the ends of days and of snapshots", () => {
  test("a day is over at the next one's midnight, and begins at its own", () => {
    const [start, end] = [startOfCampusDay("2026-11-18").getTime(), startOfCampusDay("2026-11-19").getTime()];
    expect(momentOf("2026-11-18", end)).toBe(end - 1);
    expect(momentOf("2026-11-18", end - 1)).toBe(end - 1);
    expect(momentOf("2026-11-18", start)).toBe(start);
    // A day to come means its end.
    expect(momentOf("2026-11-18", start - 1)).toBe(end - 1);
  });
  test("of two that are served from the same time the newer one counts, whatever their order", () => {
    const snapshot = retained("a", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", 1);
    const other = retained("b", "2026-11-20T00:00:00Z", null, 2);
    for (const both of [
      [snapshot, other],
      [other, snapshot],
    ])
      expect(resolveAsOf("2026-11-20T00:00:00Z", both, NOW)).toEqual({ snapshot: other });
  });
  test("one that is served from a time that nobody has reached is named once", () => {
    const ahead = retained("a", "2026-11-23T00:00:00Z", null, 1);
    expect(resolveAsOf("2026-11-23T00:00:00Z", [ahead], NOW)).toEqual({ nearest: [ahead] });
  });
});

describe("the form of what is taken", () => {
  const TAKEN = z.union([
    z.hex().length(16),
    z.iso.date(),
    z.iso.datetime({ offset: true }),
    z.iso.datetime({ offset: true, precision: -1 }),
  ]);
  const number = (most: number) => fc.nat(most).map((n) => String(n).padStart(2, "0"));
  const day = fc.tuple(fc.integer({ min: 1896, max: 2105 }), number(13), number(32)).map((parts) => parts.join("-"));
  const clock = fc.tuple(number(25), number(61)).map(([hour, minute]) => `T${hour}:${minute}`);
  const end = fc.constantFrom("", "Z", "z", "+08:00", "-24:00", ":07Z", ":60Z", ":07.5Z", ":07.Z", ":07+0800");
  const text = fc.oneof(
    day,
    fc.tuple(day, clock, end).map((parts) => parts.join("")),
    fc.string(),
    fc.stringMatching(MOMENT),
  );

  test("says of every text whether it is one", () =>
    fc.assert(
      fc.property(text, (asOf) => {
        const isTaken = TAKEN.safeParse(asOf).success;
        expect([asOf, MOMENT.test(asOf), !("invalid" in resolved(asOf))]).toEqual([asOf, isTaken, isTaken]);
      }),
      { numRuns: 2000 },
    ));
});
