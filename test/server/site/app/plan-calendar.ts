/** What a calendar file has of a section of the plan's world. */
import { expect } from "vitest";
import type { Time } from "../../../../pipeline/contract/rows/section.ts";
import { type ReadEvent, seenByCampus } from "../../response/representations/read-calendar.ts";
import { type servedSections } from "./served-sections.ts";

const minutes = ({ hour, minute }: Time) => hour * 60 + minute;

/** Its meetings every week but on holidays, and its final, with names and places. */
export function expectEvents(
  events: readonly ReadEvent[],
  section: Awaited<ReturnType<typeof servedSections>>[number],
): void {
  const own = events.filter(({ uid }) => uid.includes(section.sectionCode));
  const [weekly, final] = [
    own.filter(({ uid }) => !uid.includes("final")),
    own.filter(({ uid }) => uid.includes("final")),
  ];
  expect(weekly.map(({ summary, location, minutes: length }) => [summary, location, length])).toEqual(
    section.meetings.map(({ startTime, endTime, bldg }) => [
      section.name,
      bldg.join(", "),
      minutes(endTime as Time) - minutes(startTime as Time),
    ]),
  );
  expect(weekly.every(({ starts }) => starts.length >= 10)).toBe(true);
  expect(weekly.flatMap(({ starts }) => starts.map(seenByCampus)).join()).not.toMatch(/2024-11-2[89]/);
  expect(final.length).toBe(section.finalExam.day === null ? 0 : 1);
  if (section.finalExam.startTime)
    expect(seenByCampus(final[0]?.starts[0] as Date)).toBe(
      `2024-12-${section.finalExam.day} ${String(section.finalExam.startTime.hour).padStart(2, "0")}:${section.finalExam.startTime.minute}`,
    );
}
