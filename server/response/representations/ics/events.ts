/** iCalendar (RFC 5545): content lines, and sections as events: weekly meetings and finals, in campus time. */
import { nextDay, startOfCampusDay } from "../../../../pipeline/contract/campus-time.ts";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Section, Time } from "../../../../pipeline/contract/rows/section.ts";
import { CAMPUS_TIME_ZONE } from "../../../../pipeline/contract/vocabulary.ts";

const MAX_OCTETS = 75;
const CRLF = "\r\n";

/** Formats a property as a content line: folded at 75 octets, never inside a character (section 3.1). */
export function line(name: string, value: string): string {
  const whole = `${name}:${value}`;
  if (Buffer.byteLength(whole) <= MAX_OCTETS) return whole + CRLF;
  let folded = "";
  let octets = 0;
  for (const character of whole) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      folded += `${CRLF} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded + CRLF;
}

/** Escapes a value of type TEXT (section 3.3.11), which must not contain control characters. */
export const text = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r?\n/g, String.raw`\n`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");

export const component = (name: string, lines: readonly string[]): string =>
  [line("BEGIN", name), ...lines, line("END", name)].join("");

/** Formats a UTC time: `2026-12-05T07:59:59.000Z` → `20261205T075959Z`. */
export const utc = (time: Date): string => `${time.toISOString().replaceAll(/[-:]/g, "").slice(0, 15)}Z`;

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

interface TermDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The day of the week; Sunday = 0. */
  readonly weekday: number;
  readonly isHoliday: boolean;
}

interface EventContext {
  /** Undefined for a term that the calendar lacks. */
  readonly dates: TermDates | undefined;
  /** The days of instruction of the term, in order. */
  readonly days: readonly TermDay[];
  /** The time of the data. */
  readonly timestamp: Date;
  /** The number of changes of shown fields of the section. */
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

/** Abbreviations by weekday number; Sunday = 0. */
const DAYS = ["Su", "M", "Tu", "W", "Th", "F", "Sa"] as const;
const ICS_DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;

/** Parses weekdays: `TuTh` → [2, 4]. */
const weekdaysIn = (days: string): number[] =>
  [...new Set(days.match(/Su|M|Tu|W|Th|F|Sa/g))].map((day) => DAYS.indexOf(day as (typeof DAYS)[number]));

export function daysOfTerm({ instructionStart, instructionEnd }: TermDates, holidays: ReadonlySet<string>): TermDay[] {
  const days: TermDay[] = [];
  for (let day = instructionStart; day <= instructionEnd; day = nextDay(day))
    days.push({ day, weekday: new Date(`${day}T00:00:00Z`).getUTCDay(), isHoliday: holidays.has(day) });
  return days;
}

const twoDigits = (value: number) => String(value).padStart(2, "0");
const minutes = ({ hour, minute }: Time): number => hour * 60 + minute;

/** Formats a time on a day; an hour beyond 23 is on the next day. */
function local(day: string, { hour, minute }: Time): string {
  const date = hour < 24 ? day : nextDay(day);
  return `${date.replaceAll("-", "")}T${twoDigits(hour % 24)}${twoDigits(minute)}00`;
}

interface Span {
  readonly day: string;
  readonly startTime: Time;
  readonly endTime: Time;
  /** The weekdays of a weekly repetition, its last day, and the days without class. */
  readonly weekly?: { readonly days: readonly number[]; readonly until: string; readonly except: readonly string[] };
}

type Meeting = Section["meetings"][number];
type TimedMeeting = Meeting & { readonly startTime: Time; readonly endTime: Time };

const isTimed = (meeting: Meeting): meeting is TimedMeeting => {
  const { timeIsTBA, startTime, endTime } = meeting;
  return !timeIsTBA && startTime !== null && endTime !== null && minutes(endTime) > minutes(startTime);
};

/**
 * Returns the span from the first day of the term on which a meeting takes place; undefined if its days or times are
 * unknown, or no such day is in the term.
 */
function spanOfMeeting(meeting: Meeting, { dates, days }: EventContext): Span | undefined {
  if (!dates || !isTimed(meeting)) return undefined;
  const weekdays = weekdaysIn(meeting.days ?? "");
  const meetingDays = days.filter(({ weekday }) => weekdays.includes(weekday));
  const first = meetingDays.find(({ isHoliday }) => !isHoliday)?.day;
  if (first === undefined) return undefined;
  const except = meetingDays.filter(({ day, isHoliday }) => day > first && isHoliday).map(({ day }) => day);
  const { startTime, endTime } = meeting;
  return { day: first, startTime, endTime, weekly: { days: weekdays, until: dates.instructionEnd, except } };
}

/** The reasons why a section has no class in the file: unknown facts, or no such day in the term. */
export const ABSENCES = ["time", "weekdays", "dates", "days"] as const;
export type Absence = (typeof ABSENCES)[number];

function absenceOf({ meetings }: ShownSection, dates: TermDates | undefined): Absence {
  const timed = meetings.filter(isTimed);
  if (timed.length === 0) return "time";
  if (timed.every(({ days }) => weekdaysIn(days ?? "").length === 0)) return "weekdays";
  return dates ? "days" : "dates";
}

function spanOfFinal(
  { examStatus, month, day, startTime, endTime }: Section["finalExam"],
  year: string,
): Span | undefined {
  if (examStatus !== "SCHEDULED_FINAL" || month === null || day === null || !startTime || !endTime) return undefined;
  if (minutes(endTime) <= minutes(startTime)) return undefined;
  return { day: `${year}-${twoDigits(month + 1)}-${twoDigits(day)}`, startTime, endTime };
}

export const nameOf = ({ deptCode, courseNumber, sectionType, sectionNum }: ShownSection): string =>
  `${deptCode} ${courseNumber} ${sectionType} ${sectionNum}`;

const placesOf = (bldg: readonly string[] | null): string => (bldg ?? []).filter((place) => place !== "TBA").join(", ");

/** Returns the classes of a section and its final as VEVENTs, and the reason if it has no class. */
export function eventsOf(section: ShownSection, context: EventContext): { events: string[]; absence?: Absence } {
  const { year, quarter, sectionCode, courseTitle, instructors, units, meetings, finalExam, cancelled } = section;
  const { dates, timestamp, sequence } = context;
  const description = [
    cancelled ? "Cancelled" : "",
    courseTitle,
    `Section ${sectionCode}, ${units} units`,
    instructors.join("; "),
  ];
  const event = (id: string, span: Span, title: string, places: string): string =>
    component("VEVENT", [
      line("UID", `${year}-${quarter}-${sectionCode}-${id}@academic-data`),
      line("DTSTAMP", utc(timestamp)),
      line("SEQUENCE", String(sequence)),
      line(`DTSTART;TZID=${CAMPUS_TIME_ZONE}`, local(span.day, span.startTime)),
      line(`DTEND;TZID=${CAMPUS_TIME_ZONE}`, local(span.day, span.endTime)),
      ...(span.weekly ? [line("RRULE", toRule(span.weekly))] : []),
      ...(span.weekly?.except ?? []).map((day) => line(`EXDATE;TZID=${CAMPUS_TIME_ZONE}`, local(day, span.startTime))),
      line("SUMMARY", text(title)),
      ...(places === "" ? [] : [line("LOCATION", text(places))]),
      line("DESCRIPTION", text(description.filter(Boolean).join("\n"))),
      line("STATUS", cancelled ? "CANCELLED" : "CONFIRMED"),
      line("TRANSP", cancelled ? "TRANSPARENT" : "OPAQUE"),
    ]);
  const weekly = meetings.flatMap((meeting, i) => {
    const span = spanOfMeeting(meeting, context);
    return span ? [event(String(i), span, nameOf(section), placesOf(meeting.bldg))] : [];
  });
  const final = spanOfFinal(finalExam, dates?.finalsStart.slice(0, 4) ?? year);
  const finals = final ? [event("final", final, `${nameOf(section)} final`, placesOf(finalExam.bldg))] : [];
  const events = [...weekly, ...finals];
  return weekly.length > 0 ? { events } : { events, absence: absenceOf(section, dates) };
}

/**
 * Builds the rule. UNTIL is in UTC if DTSTART has a time zone (RFC 5545 section 3.3.10): the last second of the day on
 * campus.
 */
function toRule({ days, until }: Required<Span>["weekly"]): string {
  const end = new Date(startOfCampusDay(nextDay(until)).getTime() - 1000);
  return `FREQ=WEEKLY;UNTIL=${utc(end)};BYDAY=${days.map((day) => ICS_DAYS[day]).join(",")}`;
}
