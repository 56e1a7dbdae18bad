/** A week of a campus that changes every hour: whole runs against an upstream, histories out of the server. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { isOf, type World, type WorldSection } from "../support/worlds/world.ts";
import { inventedWorld } from "../support/worlds/worlds.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

const FALL = { year: "2018", quarter: "Fall" } as const;
const WINTER = { year: "2019", quarter: "Winter" } as const;
/** Midnight of Sunday, 9 December 2018 on campus; the finals of that fall end on Friday, the 14th. */
const START = Date.parse("2018-12-09T08:00:00Z");
const HOUR = 3_600_000;
const HOURS = 7 * 24;
const MISSED_DAY = "2018-12-12";
/** On the 11th the upstream fails from three in the afternoon on. */
const isDown = (hour: number) => hour >= 2 * 24 + 15 && hour < 3 * 24;
/** Winter is on the form from the 10th on, at noon. */
const isAnnounced = (hour: number) => hour >= 24 + 12;

const campusDay = (hour: number) =>
  new Date(START + hour * HOUR).toLocaleDateString("en-CA", { timeZone: "America/Los_Angeles" });

/** Some sections change every hour, some once a day, some never. */
function enrolledAt(index: number, hour: number): number {
  if (index % 3 === 0) return hour;
  return index % 3 === 1 ? Math.floor(hour / 24) : 7;
}
/** Section 5 comes on the fourth day; section 7 is gone from the third on. */
const isThere = (index: number, hour: number) => (index === 5 ? hour >= 72 : index === 7 ? hour < 48 : true);

interface Record {
  year: string;
  quarter: string;
  sectionCode: number;
  instructors: string[];
  dates: string[];
  totalEnrolledHistory: string[];
}

/** Declares the tests of a week with a run every so many hours. */
export function describeWeek(everyHours: number): void {
  describe(`a week with a run every ${everyHours} hours`, () => {
    let folder: Awaited<ReturnType<typeof openFolder>>;
    let upstream: Upstream;
    let base: World;
    let sections: WorldSection[];
    let server: Awaited<ReturnType<typeof serve>>;
    let histories: Record[];
    const runs: { hour: number; failed: boolean }[] = [];

    function worldAt(hour: number): World {
      const shown = sections
        .map((section, index) => ({ section, index }))
        .filter(({ index }) => isThere(index, hour))
        .map(({ section, index }) => ({
          ...section,
          totalEnrolled: String(enrolledAt(index, hour)),
          instructors: hour < 24 ? ["STAFF"] : section.instructors,
        }));
      const winter = isAnnounced(hour) ? shown.map((section) => ({ ...section, ...WINTER })) : [];
      return { ...base, terms: winter.length > 0 ? [FALL, WINTER] : [FALL], sections: [...shown, ...winter] };
    }

    beforeAll(async () => {
      const world = inventedWorld.read();
      sections = world.sections
        .filter(isOf(FALL))
        .slice(0, 30)
        .map((section) => ({ ...section, maxCapacity: "900", status: "OPEN", geCategories: [] }));
      base = { ...world, departments: world.departments.filter(({ code }) => code === "I&C SCI") };
      upstream = await startUpstream(worldAt(0));
      folder = await openFolder();
      const { SCHEDULE_URL, CALENDAR_URL } = upstream.urls;
      const env = { ...folder.env, SCHEDULE_URL, CALENDAR_URL, CRAWL_CONCURRENCY: "8" };
      for (let hour = 0; hour < HOURS; hour += everyHours) {
        if (campusDay(hour) === MISSED_DAY) continue;
        upstream.setWorld(worldAt(hour));
        upstream.setFaults(isDown(hour) ? [{ match: { system: "schedule" }, status: 404 }] : []);
        const { failed } = await run(env, "refresh", () => new Date(START + hour * HOUR + 7 * 60_000));
        runs.push({ hour, failed });
      }
      server = await serve(folder.env);
      histories = await server.json<Record[]>("/enrollmentHistory");
    }, 900_000);

    afterAll(async () => {
      await server?.close();
      await upstream?.close();
      await folder?.remove();
    });

    test("a run fails while the upstream does, and only then", () => {
      expect(runs.filter(({ failed }) => failed).map(({ hour }) => hour)).toEqual(
        runs.filter(({ hour }) => isDown(hour)).map(({ hour }) => hour),
      );
    });

    test("each day's value is that of its latest successful run; the missed day is an honest gap; terms enter when they are announced and leave when their finals are over", () => {
      const lastDay = base.calendar.find(isOf(FALL))?.finalsEnd;
      expect(lastDay).toBe("2018-12-14");
      const expected = [FALL, WINTER].flatMap((term) =>
        sections.map((section, index) => {
          const days = new Map<string, string>();
          for (const { hour, failed } of runs) {
            const counts = term === FALL ? campusDay(hour) <= "2018-12-14" : isAnnounced(hour);
            if (!failed && counts && isThere(index, hour)) days.set(campusDay(hour), String(enrolledAt(index, hour)));
          }
          return {
            ...term,
            sectionCode: Number(section.sectionCode),
            instructors: section.instructors,
            dates: [...days.keys()],
            totalEnrolledHistory: [...days.values()],
          };
        }),
      );
      const shown = histories.map(({ year, quarter, sectionCode, instructors, dates, totalEnrolledHistory }) => ({
        ...{ year, quarter, sectionCode, instructors, dates, totalEnrolledHistory },
      }));
      const byCode = (a: { sectionCode: number }, b: { sectionCode: number }) => a.sectionCode - b.sectionCode;
      for (const { year } of [FALL, WINTER])
        expect(shown.filter((history) => history.year === year).toSorted(byCode)).toEqual(
          expected.filter((history) => history.year === year).toSorted(byCode),
        );
      expect(shown).toHaveLength(expected.length);
      expect(shown.flatMap(({ dates }) => dates)).not.toContain(MISSED_DAY);
    });
  });
}
