/** "Changes between two versions, applied to the first, yield the second." */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import type { Section } from "../../../pipeline/contract/rows/section.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { applyChanges, openRecordedSchedule } from "../../support/published/recorded-schedule.ts";
import { meeting, sectionRow, tba } from "../../support/worlds/section-rows.ts";

const at = (hour: number) => new Date(Date.UTC(2024, 8, 30, hour));

/** Small values, so that a field often goes back to what it was. */
const text = fc.constantFrom("", "1", "2", "n/a", 'a "quoted" <b>text</b>', "é'\n");
const term = (year: string, quarter: Quarter) => ({ year, quarter });
const TERMS = [term("2024", "Fall"), term("2025", "Winter")];
const drawnSection = fc.record({
  sectionCode: fc.constantFrom("10000", "10001", "10002"),
  deptCode: fc.constantFrom("DANCE", "ART"),
  courseNumber: fc.constantFrom("1", "H2B"),
  units: text,
  status: text,
  restrictions: text,
  sectionComment: text,
  maxCapacity: text,
  numOnWaitlist: text,
  numCurrentlyEnrolled: fc.record({ totalEnrolled: text, sectionEnrolled: text }),
  instructors: fc.array(fc.constantFrom("LEE, K.", "STAFF"), { maxLength: 2 }),
  meetings: fc.array(
    fc.constantFrom(meeting("MWF", "9:00", "9:50", "HALL 1"), meeting("F", "8:00", "8:50"), tba("TBA")),
    {
      maxLength: 2,
    },
  ),
  geCategories: fc.subarray(["GE-2", "GE-4"] as const).map((ge) => [...ge]),
  cancelled: fc.boolean(),
});
const drawnTerm = fc.uniqueArray(drawnSection, { selector: ({ sectionCode }) => sectionCode, maxLength: 3 });
const drawnWorlds = fc.array(fc.tuple(drawnTerm, drawnTerm), { minLength: 2, maxLength: 6 });

/**
 * Publishes drawn schedules one after the other, and rebuilds every later snapshot from every earlier one by the
 * recorded changes.
 */
export async function replayChanges(scratch: string, numRuns: number): Promise<void> {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(drawnWorlds, async (worlds) => {
      const artifacts = join(scratch, `replayed-${count++}`);
      mkdirSync(artifacts);
      const schedule = await openRecordedSchedule(artifacts);
      const versions: { id: string; rows: Map<string, Section>[] }[] = [];
      for (const [hour, world] of worlds.entries()) {
        const terms = TERMS.map((of, i) => ({
          term: of,
          rows: (world[i] ?? []).map((row) => sectionRow({ ...row, ...of })),
        }));
        const { id } = await schedule.publish(at(hour * 5), terms);
        const rows = terms.map(({ rows }) => new Map(rows.map((row) => [row.sectionCode, row])));
        if (versions.at(-1)?.id !== id) versions.push({ id, rows });
      }
      const recorded = await schedule.changes();
      expect(new Set(versions.map(({ id }) => id)).size).toBe(versions.length);
      for (const [i, from] of versions.entries()) {
        let rows = from.rows;
        for (const { id, rows: expected } of versions.slice(i + 1)) {
          rows = rows.map((before, t) => {
            const own = recorded.filter((change) => change.snapshot === id && change.quarter === TERMS[t]?.quarter);
            return applyChanges(before, own);
          });
          expect(rows.map((row) => [...row].toSorted())).toEqual(expected.map((one) => [...one].toSorted()));
        }
      }
      schedule.close();
    }),
    { numRuns },
  );
}
