/** The ids of events, which clients send back to resume. */
import { describe, expect, it } from "vitest";
import { readEventId } from "../../../../server/endpoints/changes/change-range.ts";

const SNAPSHOT = "3f2a9c0b7d1e4a58";

describe("the id of an event", () => {
  it.each([
    "2026-11-22T10:00:00.000Z",
    "2026-11-22T10:00:00.000Z_2026-6_34250_status",
    "2026-11-22T10:00:00.000Z_2026-6_34250_numCurrentlyEnrolled.totalEnrolled",
  ])("%s@… is read as it is written", (cursor) => {
    expect(readEventId(`${cursor}@${SNAPSHOT}`)).toEqual({ cursor, snapshot: SNAPSHOT });
  });

  it.each([
    "",
    "1",
    SNAPSHOT,
    `@${SNAPSHOT}`,
    "2026-11-22T10:00:00.000Z",
    "2026-11-22T10:00:00.000Z@",
    `2026-11-22@${SNAPSHOT}`,
    `2026-11-22T10:00:00Z@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000@${SNAPSHOT}`,
    // No such days, no such hours.
    `2026-13-22T10:00:00.000Z@${SNAPSHOT}`,
    `2026-02-29T10:00:00.000Z@${SNAPSHOT}`,
    `2026-11-22T24:00:00.000Z@${SNAPSHOT}`,
    `2026-11-22T25:00:00.000Z_2026-6_34250_status@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000Z_@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000Z_a b@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000Z_a'@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000Z@${SNAPSHOT.slice(1)}`,
    `2026-11-22T10:00:00.000Z@${SNAPSHOT}0`,
    `2026-11-22T10:00:00.000Z@${SNAPSHOT.toUpperCase()}`,
    ` 2026-11-22T10:00:00.000Z@${SNAPSHOT}`,
    `2026-11-22T10:00:00.000Z@${SNAPSHOT}\n`,
  ])("is not %j", (text) => expect(readEventId(text)).toBeUndefined());
});
