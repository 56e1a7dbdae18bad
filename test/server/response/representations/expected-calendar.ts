/** What a calendar has to hold, written without the server's code. */
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Meeting } from "../../../../pipeline/contract/rows/section.ts";

/** Whether there are classes on a day, `YYYY-MM-DD`. */
export type IsHeld = (day: string) => boolean;

/** `TuTh` between two days, holidays left out, written without the server's code. */
function meetingDays(days: string, { instructionStart, instructionEnd }: TermDates, isHeld: IsHeld): string[] {
  const wanted = new Set(days.match(/Su|Sa|Tu|Th|M|W|F/g));
  const names = ["Su", "M", "Tu", "W", "Th", "F", "Sa"];
  const all: string[] = [];
  for (let at = Date.parse(instructionStart); at <= Date.parse(instructionEnd); at += 86_400_000)
    if (wanted.has(names[new Date(at).getUTCDay()] as string)) all.push(new Date(at).toISOString().slice(0, 10));
  return all.filter(isHeld);
}
/** `07` */
export const two = (value: number) => String(value).padStart(2, "0");
/** `2024-09-26 14:00`; after hour 23 it is on the next day. */
export function at(day: string, { hour, minute }: { hour: number; minute: number }): string {
  const date = new Date(Date.parse(day) + Math.floor(hour / 24) * 86_400_000).toISOString().slice(0, 10);
  return `${date} ${two(hour % 24)}:${two(minute)}`;
}
/** When a meeting of a term takes place: `2024-09-26 14:00–2024-09-26 15:20`. */
export const occurrences = ({ days, startTime, endTime }: Meeting, dates: TermDates, isHeld: IsHeld): string[] =>
  startTime && endTime
    ? meetingDays(days ?? "", dates, isHeld).map((day) => `${at(day, startTime)}–${at(day, endTime)}`)
    : [];
