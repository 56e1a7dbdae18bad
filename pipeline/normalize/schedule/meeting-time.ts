/** The schedule's notation of times and meetings → times of day. */
import type { SourceMeeting } from "../../contract/schedule-page.ts";
import type { Meeting, Time } from "../../contract/rows/section.ts";

export interface TimeRange {
  startTime: Time;
  endTime: Time;
}

/** ` 3:30- 4:50p`, `10:30-12:30pm`, `8:00-10:00am`: only the end has the half of the day. */
const RANGE = /^\s*(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})\s*(?:([ap])m?)?\s*$/i;

const HALF_DAY = 12 * 60;

/**
 * Parses a time range. The start is in the end's half of the day, or in the one before if it would follow the end. A range across midnight has an end
 * past hour 23.
 * @returns undefined when the text is not a time range
 */
export function toTimeRange(text: string): TimeRange | undefined {
  const found = RANGE.exec(text);
  if (!found) return undefined;
  const [, startHour, startMinute, endHour, endMinute, half] = found;
  let start = toMinutes(startHour, startMinute);
  let end = toMinutes(endHour, endMinute);
  if (start === undefined || end === undefined) return undefined;
  if (half === "p" || half === "P") {
    start += HALF_DAY;
    end += HALF_DAY;
  }
  if (start > end) start -= HALF_DAY;
  if (start < 0) {
    start += 2 * HALF_DAY;
    end += 2 * HALF_DAY;
  }
  return { startTime: toTime(start), endTime: toTime(end) };
}

/** From a 12-hour clock: 12 is hour 0. */
function toMinutes(hourText: string | undefined, minuteText: string | undefined): number | undefined {
  const hour = Number(hourText);
  const minute = Number(minuteText);
  return hour >= 1 && hour <= 12 && minute < 60 ? (hour % 12) * 60 + minute : undefined;
}

const toTime = (minutes: number): Time => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

/**
 * Joins lines with equal days and time, one for each room, into one meeting with the rooms in order of appearance. `TBA` in the time makes a meeting
 * TBA; `TBA` as the days of a known time means unknown days.
 * @param onOddTime called with a text that is neither a time nor TBA; the meeting is kept as TBA, so that no section is lost
 */
export function toMeetings(lines: readonly SourceMeeting[], onOddTime: (text: string) => void): Meeting[] {
  const meetings: { days: string | null; time: string; meeting: Meeting }[] = [];
  for (const line of lines) {
    let time = line.time.trim();
    const range = time.includes("TBA") ? undefined : toTimeRange(time);
    if (!range && !time.includes("TBA") && time !== "") onOddTime(time);
    if (!range) time = "TBA";
    const named = line.days.trim();
    const days = range ? (named === "TBA" ? "" : named) : null;
    const label = toPlace(line.bldg, line.room);
    const same = meetings.find((entry) => entry.time === time && entry.days === days);
    if (!same) {
      meetings.push({
        days,
        time,
        meeting: {
          timeIsTBA: range === undefined,
          bldg: label === "" ? [] : [label],
          days,
          startTime: range?.startTime ?? null,
          endTime: range?.endTime ?? null,
        },
      });
    } else if (label !== "" && !same.meeting.bldg.includes(label)) same.meeting.bldg.push(label);
  }
  return meetings.map((entry) => entry.meeting);
}

/** `ALP 2300`, `ON LINE`, and `TBA` alone where there is no room. */
function toPlace(bldg: string, room: string): string {
  const building = bldg.trim();
  const number = room.trim();
  if (number === "" || (building === "TBA" && number === "TBA")) return building;
  return `${building} ${number}`.trimStart();
}
