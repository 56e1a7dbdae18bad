/** A calendar file of a whole term, for two readers. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { openApp } from "../../../support/published/opened-app.ts";
import { openSample } from "../../../support/sample-build.ts";
import { eventsByHand } from "./expand-calendar.ts";
import { at, occurrences, two } from "./expected-calendar.ts";
import { eventsIn, occurrencesOf } from "./read-calendar.ts";

describe("all sections of a term of the sample campus", () => {
  it("have exactly the meetings and finals of the JSON response but on holidays and breaks, for two readers", async () => {
    const app = await openApp((await openSample()).artifacts);
    const json = async <T>(path: string) => (await (await app.get(path)).json()) as T;
    const path = "/schedule?year=2026&quarter=Fall&cacheOnly=true&cancelledCourses=Include";
    type Schedule = { schools: { departments: { courses: { sections: Section[] }[] }[] }[] };
    const { schools } = await json<Schedule>(path);
    const text = await (await app.get(`${path}&format=ics`)).text();
    const terms = await json<(TermDates & { dates: CalendarDate[] })[]>("/calendar?year=2026");
    await app.close();
    const dates = terms.find(({ quarter }) => quarter === "Fall") as TermDates;
    const holidays = terms.flatMap((term) => term.dates).filter(({ kind }) => kind === "holiday");
    const isHeld = (day: string) =>
      !holidays.some(({ firstDay, lastDay }) => (firstDay ?? "") <= day && day <= (lastDay ?? ""));
    expect(["2026-11-11", "2026-11-26", "2026-11-27", "2026-12-24"].filter(isHeld)).toEqual([]);
    const all = schools.flatMap((school) => school.departments.flatMap((d) => d.courses.flatMap((c) => c.sections)));
    expect(all.length).toBeGreaterThan(100);
    const wanted = all.flatMap(({ sectionCode, meetings, finalExam }) => {
      const uid = (id: number | string) => `2026-Fall-${sectionCode}-${id}@academic-data`;
      const { examStatus, month, day, startTime, endTime } = finalExam;
      const date = `2026-${two((month ?? 0) + 1)}-${two(day ?? 0)}`;
      const times =
        examStatus === "SCHEDULED_FINAL" && startTime && endTime ? [`${at(date, startTime)}–${at(date, endTime)}`] : [];
      return [
        ...meetings.map((one, i) => [uid(i), occurrences(one, dates, isHeld)] as const),
        [uid("final"), times] as const,
      ].filter(([, all]) => all.length > 0);
    });
    for (const events of [eventsIn(text), eventsByHand(text)]) {
      const byUid = new Map(events.map((event) => [event.uid, occurrencesOf([event], event.uid)]));
      expect([...byUid]).toEqual(wanted);
    }
  }, 600_000);
});
