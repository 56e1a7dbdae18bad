/** Sections as events of an iCalendar file: their meetings week by week, and their finals. Times are those of campus. */
import { nextDay, startOfCampusDay } from "../../../../pipeline/contract/campus-time.ts";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Section, Time } from "../../../../pipeline/contract/rows/section.ts";
import { CAMPUS_TIME_ZONE } from "../../../../pipeline/contract/vocabulary.ts";
import { component, line, text, utc } from "./lines.ts";

/** What an event shows of a section. */
export const SHOWN_FIELDS = [
  "year",
  "quarter",
  "deptCode",
  "courseNumber",
  "courseTitle",
  "sectionCode",
  "sectionType",
  "sectionNum",
  "units",
  "instructors",
  "meetings",
  "finalExam",
  "cancelled",
] as const satisfies readonly (keyof Section)[];
export type ShownSection = Pick<Section, (typeof SHOWN_FIELDS)[number]>;

interface Occasion {
  /** Undefined for a term that the calendar does not know. */
  readonly dates: TermDates | undefined;
  /** When the data is from. */
  readonly at: Date;
  /** How often what an event shows of the section has changed. */
  readonly sequence: number;
}

/** The rules of the United States since 2007. */
export const TIME_ZONE = component("VTIMEZONE", [
  line("TZID", CAMPUS_TIME_ZONE),
  component("DAYLIGHT", [
    line("DTSTART", "20070311T020000"),
    line("RRULE", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
    line("TZOFFSETFROM", "-0800"),
    line("TZOFFSETTO", "-0700"),
    line("TZNAME", "PDT"),
  ]),
  component("STANDARD", [
    line("DTSTART", "20071104T020000"),
    line("RRULE", "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
    line("TZOFFSETFROM", "-0700"),
    line("TZOFFSETTO", "-0800"),
    line("TZNAME", "PST"),
  ]),
]);

/** By number, Sunday = 0. */
const DAYS = ["Su", "M", "Tu", "W", "Th", "F", "Sa"] as const;
const ICS_DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;

/** `TuTh` → [2, 4]. */
const weekdaysIn = (days: string): number[] =>
  [...new Set(days.match(/Su|M|Tu|W|Th|F|Sa/g))].map((day) => DAYS.indexOf(day as (typeof DAYS)[number]));

/** Of a day `YYYY-MM-DD`. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

const two = (value: number) => String(value).padStart(2, "0");
const minutes = ({ hour, minute }: Time): number => hour * 60 + minute;

/** A time on a day; one after hour 23 is on the next day. */
function local(day: string, { hour, minute }: Time): string {
  const date = hour < 24 ? day : nextDay(day);
  return `${date.replaceAll("-", "")}T${two(hour % 24)}${two(minute)}00`;
}

interface Span {
  readonly day: string;
  readonly startTime: Time;
  readonly endTime: Time;
  /** Weekdays on which it is repeated until the last day of instruction. */
  readonly weekly?: { readonly days: readonly number[]; readonly until: string };
}

/** From the first meeting day of the term on; undefined where days or times are to be announced, or no such day lies in the term. */
function spanOfMeeting(
  { timeIsTBA, days, startTime, endTime }: Section["meetings"][number],
  dates: TermDates | undefined,
): Span | undefined {
  if (!dates || timeIsTBA || !startTime || !endTime || minutes(endTime) <= minutes(startTime)) return undefined;
  const weekdays = weekdaysIn(days ?? "");
  if (weekdays.length === 0) return undefined;
  let day = dates.instructionStart;
  while (!weekdays.includes(weekdayOf(day))) day = nextDay(day);
  if (day > dates.instructionEnd) return undefined;
  return { day, startTime, endTime, weekly: { days: weekdays, until: dates.instructionEnd } };
}

function spanOfFinal(
  { examStatus, month, day, startTime, endTime }: Section["finalExam"],
  year: string,
): Span | undefined {
  if (examStatus !== "SCHEDULED_FINAL" || month === null || day === null || !startTime || !endTime) return undefined;
  if (minutes(endTime) <= minutes(startTime)) return undefined;
  return { day: `${year}-${two(month + 1)}-${two(day)}`, startTime, endTime };
}

const nameOf = ({ deptCode, courseNumber, sectionType, sectionNum }: ShownSection): string =>
  `${deptCode} ${courseNumber} ${sectionType} ${sectionNum}`;

const placesOf = (bldg: readonly string[] | null): string => (bldg ?? []).filter((place) => place !== "TBA").join(", ");

/** The events of a section, each a VEVENT; none where no time is known. */
export function eventsOf(section: ShownSection, { dates, at, sequence }: Occasion): string[] {
  const { year, quarter, sectionCode, courseTitle, instructors, units, meetings, finalExam, cancelled } = section;
  const description = [
    cancelled ? "Cancelled" : "",
    courseTitle,
    `Section ${sectionCode}, ${units} units`,
    instructors.join("; "),
  ];
  const event = (id: string, span: Span, title: string, places: string): string =>
    component("VEVENT", [
      line("UID", `${year}-${quarter}-${sectionCode}-${id}@academic-data`),
      line("DTSTAMP", utc(at)),
      line("SEQUENCE", String(sequence)),
      line(`DTSTART;TZID=${CAMPUS_TIME_ZONE}`, local(span.day, span.startTime)),
      line(`DTEND;TZID=${CAMPUS_TIME_ZONE}`, local(span.day, span.endTime)),
      ...(span.weekly ? [line("RRULE", toRule(span.weekly))] : []),
      line("SUMMARY", text(title)),
      ...(places === "" ? [] : [line("LOCATION", text(places))]),
      line("DESCRIPTION", text(description.filter(Boolean).join("\n"))),
      line("STATUS", cancelled ? "CANCELLED" : "CONFIRMED"),
      line("TRANSP", cancelled ? "TRANSPARENT" : "OPAQUE"),
    ]);
  const weekly = meetings.flatMap((meeting, i) => {
    const span = spanOfMeeting(meeting, dates);
    return span ? [event(String(i), span, nameOf(section), placesOf(meeting.bldg))] : [];
  });
  const final = spanOfFinal(finalExam, dates?.finalsStart.slice(0, 4) ?? year);
  return final ? [...weekly, event("final", final, `${nameOf(section)} final`, placesOf(finalExam.bldg))] : weekly;
}

/** UNTIL is in UTC where DTSTART has a time zone (RFC 5545 section 3.3.10): the last second of the day on campus. */
function toRule({ days, until }: Required<Span>["weekly"]): string {
  const end = new Date(startOfCampusDay(nextDay(until)).getTime() - 1000);
  return `FREQ=WEEKLY;UNTIL=${utc(end)};BYDAY=${days.map((day) => ICS_DAYS[day]).join(",")}`;
}

/** Sections that are not cancelled and of which no meeting has a time: nothing of them is in the calendar but this note. */
export const noteOfUntimed = (sections: readonly ShownSection[]): string =>
  sections.map((section) => `${nameOf(section)} (${section.sectionCode})`).join(", ");
