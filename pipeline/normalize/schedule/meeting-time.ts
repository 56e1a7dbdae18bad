/** Parses the schedule's notation of times and meetings into times of day. */
import type { SourceMeeting } from "../../contract/schedule-page.ts";
import type { Meeting, Time } from "../../contract/rows/section.ts";
import { toDays } from "./days.ts";

export interface TimeRange {
  startTime: Time;
  endTime: Time;
}

/** `3:30`, `4:50p`, `8:50 AM`, `9:00 a.m.`, `15:30:00`, `3.30`, `1530` */
const CLOCK = String.raw`(\d{1,2})(?:[:.]?(\d{2}))(?::00)?(?:\s*([ap])\.?(?:m\.?)?)?`;

/**
 * ` 3:30- 4:50p`, `10:30-12:30pm`, `8:00-10:00am`: usually only the end has am or pm. `8:00 AM – 8:50 AM`: both.
 * `13:00-14:50`: neither.
 */
const RANGE = new RegExp(String.raw`^\s*${CLOCK}\s*(?:[-\u2010-\u2015\u2212]|to)\s*${CLOCK}\s*$`, "i");

/** To be announced, determined or arranged. */
const TBA = /TBA|\b(?:TBD|ARR(?:ANGED)?|to be (?:announced|determined|arranged))\b/i;

const HALF_DAY = 12 * 60;
const DAY = 2 * HALF_DAY;

/** Minutes of the day. */
interface Minutes {
  readonly start: number;
  readonly end: number;
}

/** The clock of times without am or pm. */
export type Clock = 12 | 24;

/**
 * The times of a page are on a single clock: the 24-hour clock when at least one of them can only be on it, and none
 * has am or pm.
 */
export function clockOf(texts: Iterable<string>): Clock {
  let clock: Clock = 12;
  for (const text of texts) {
    const [, startHour = "", , startHalf, endHour = "", , endHalf] = RANGE.exec(text) ?? [];
    if (startHalf !== undefined || endHalf !== undefined) return 12;
    if ([startHour, endHour].some((hour) => is24Hours(hour))) clock = 24;
  }
  return clock;
}

/** `13`, `08`: hours of the schedule have a leading blank. */
const is24Hours = (hour: string): boolean => Number(hour) > 12 || /^0\d$/.test(hour);

/**
 * Parses a time range. A range across midnight has an end past hour 23.
 * @param clock the clock of the page; a text that can only be on the other clock is read by that
 * @returns undefined when the text is not a time range
 */
export function toTimeRange(text: string, clock: Clock = 12): TimeRange | undefined {
  const match = RANGE.exec(text);
  if (!match) return undefined;
  const [, startHour = "", startMinute, startHalf, endHour = "", endMinute, endHalf] = match;
  if (Number(startMinute) > 59 || Number(endMinute) > 59) return undefined;
  const [start, end] = [
    { hour: Number(startHour), minute: Number(startMinute), half: startHalf?.toLowerCase() },
    { hour: Number(endHour), minute: Number(endMinute), half: endHalf?.toLowerCase() },
  ];
  const isUnmarked = startHalf === undefined && endHalf === undefined;
  const isOn24Hours = isUnmarked && (clock === 24 || [startHour, endHour].some(is24Hours));
  const range = end.hour > 12 ? on24Hours(start, end) : (isOn24Hours && on24Hours(start, end)) || on12Hours(start, end);
  return range && { startTime: toTime(range.start), endTime: toTime(range.end) };
}

interface ClockTime extends Time {
  readonly half: string | undefined;
}

/** An end past 12 is on the 24-hour clock, and so is its start. */
function on24Hours(start: ClockTime, end: ClockTime): Minutes | undefined {
  const range = { start: start.hour * 60 + start.minute, end: end.hour * 60 + end.minute };
  const isHalfWrong = start.half !== undefined || end.half === "a";
  return isHalfWrong || range.end >= DAY || range.start > range.end ? undefined : range;
}

/** A start without am or pm is in the end's half of the day, or in the previous half if it would follow the end. */
function on12Hours(start: ClockTime, end: ClockTime): Minutes | undefined {
  if ([start, end].some(({ hour }) => !(hour >= 1 && hour <= 12))) return undefined;
  const endsAt = toMinutes(end);
  if (start.half !== undefined) return end.half === undefined ? undefined : inOrder(toMinutes(start), endsAt);
  const startsAt = toMinutes({ ...start, half: end.half });
  return inOrder(startsAt > endsAt ? startsAt - HALF_DAY : startsAt, endsAt);
}

/** A start before midnight ends on the next day; a start in the afternoon does not end earlier in the afternoon. */
function inOrder(start: number, end: number): Minutes | undefined {
  if (start < 0) return { start: start + DAY, end: end + DAY };
  if (start <= end) return { start, end };
  return start >= HALF_DAY && end < HALF_DAY ? { start, end: end + DAY } : undefined;
}

/** 12 is hour 0 of its half. */
const toMinutes = ({ hour, minute, half }: ClockTime): number =>
  (hour % 12) * 60 + minute + (half === "p" ? HALF_DAY : 0);

const toTime = (minutes: number): Time => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

/**
 * Joins lines with equal days and time, one for each room, into a meeting with the rooms in order of appearance. `TBA`
 * in the time makes a meeting TBA; `TBA` as the days of a known time means unknown days.
 * @param onOdd called with a time that is neither a time nor TBA, whose meeting is kept as TBA, so that no section is
 *   lost; and with days that cannot be read, which are kept unchanged
 */
export function toMeetings(
  lines: readonly SourceMeeting[],
  onOdd: (what: "time" | "days", text: string) => void,
  clock?: Clock,
): Meeting[] {
  const meetings = new Map<string, Meeting>();
  for (const line of lines) {
    const text = line.time.trim();
    const range = toTimeRange(text, clock);
    if (!range && text !== "" && !TBA.test(text)) onOdd("time", text);
    const time = range && text;
    const named = TBA.test(line.days) ? "" : line.days.trim();
    const read = named === "" ? "" : toDays(named);
    if (range && read === undefined) onOdd("days", named);
    const days = range ? (read ?? named) : null;
    const label = toPlace(line.bldg, line.room);
    const key = JSON.stringify([time, days]);
    const meeting = meetings.get(key) ?? {
      timeIsTBA: range === undefined,
      bldg: [],
      days,
      startTime: range?.startTime ?? null,
      endTime: range?.endTime ?? null,
    };
    meetings.set(key, meeting);
    if (label !== "") meeting.bldg.push(label);
  }
  return Array.from(meetings.values(), (meeting) => ({ ...meeting, bldg: [...new Set(meeting.bldg)] }));
}

/** `ALP 2300`, `ON LINE`, and just `TBA` if there is no room. */
function toPlace(bldg: string, room: string): string {
  const building = bldg.trim();
  const number = room.trim();
  if (number === "" || (building === "TBA" && number === "TBA")) return building;
  return `${building} ${number}`.trimStart();
}
