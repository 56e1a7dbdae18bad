/** Numbers, meetings and times as text. */
import type { FinalExam, Meeting, Time } from "../../../pipeline/contract/rows/section.ts";

export const count = (value: number): string => value.toLocaleString("en-US");
export const plural = (value: number, singular: string, many = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : many}`;
export const share = (part: number, whole: number): string =>
  part === 0 || whole === 0 ? "0%" : `${((100 * part) / whole).toFixed(part * 20 < whole ? 1 : 0)}%`;
export const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

const half = ({ hour }: Time): string => (hour % 24 < 12 ? "am" : "pm");
const onClock = ({ hour, minute }: Time): string =>
  `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")}`;

/** `9:30–10:50 am`, `11:00 am–12:20 pm`. */
export function clockRange(start: Time, end: Time): string {
  const prefix = half(start) === half(end) && end.hour - start.hour < 12 ? "" : ` ${half(start)}`;
  return `${onClock(start)}${prefix}–${onClock(end)} ${half(end)}`;
}

/** `TuTh 9:30–10:50 am` and `PCB 184`. */
export function formatMeeting({ timeIsTBA, days, startTime, endTime, bldg }: Meeting): { at: string; where: string } {
  const at = timeIsTBA || !startTime || !endTime ? "time TBA" : `${days ?? ""} ${clockRange(startTime, endTime)}`;
  const where = bldg.map(placeText).filter((place) => place !== "TBA");
  return { at: at.trim(), where: where.length > 0 ? where.join(", ") : "place TBA" };
}

const PLACES: Readonly<Record<string, string>> = { "ON LINE": "online", "VRTL REMOTE": "remote" };
/** A label of the schedule, in words where it is no building. */
export const placeText = (label: string): string => PLACES[label] ?? label;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mon, Dec 7, 1:30–3:30 pm`. */
export function formatFinal({ examStatus, dayOfWeek, month, day, startTime, endTime }: FinalExam): string {
  if (examStatus !== "SCHEDULED_FINAL") return examStatus === "NO_FINAL" ? "no final" : "final not scheduled yet";
  const date = month === null || day === null ? "" : `${MONTHS[month] ?? ""} ${day}`;
  const time = startTime && endTime ? clockRange(startTime, endTime) : "";
  return [dayOfWeek, date, time].filter(Boolean).join(", ");
}

const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;

/** `12 minutes ago`, `in 3 hours`. */
export function ago(date: Date, now = new Date()): string {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  const [each, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [60, "minute"];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / each), unit);
}

const CAMPUS = "America/Los_Angeles";
const MOMENT = new Intl.DateTimeFormat("en-US", {
  ...({ timeZone: CAMPUS, month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const),
});
const YEAR = new Intl.DateTimeFormat("en-US", { timeZone: CAMPUS, year: "numeric" });

/** A point in time on campus: `Nov 20, 2:05 pm`, in another year `Nov 20, 2025, 2:05 pm`. */
export function moment(time: string, now = new Date()): string {
  const date = new Date(time);
  const parts = new Map(MOMENT.formatToParts(date).map(({ type, value }) => [type, value]));
  const year = YEAR.format(date) === YEAR.format(now) ? "" : `, ${YEAR.format(date)}`;
  const clock = `${parts.get("hour")}:${parts.get("minute")} ${parts.get("dayPeriod")?.toLowerCase()}`;
  return `${parts.get("month")} ${parts.get("day")}${year}, ${clock}`;
}

/** `2026-11-20` → `Nov 20`, in another year `Nov 20, 2025`. */
export function day(date: string, now = new Date()): string {
  const [year, month, number] = date.split("-");
  return `${MONTHS[Number(month) - 1]} ${Number(number)}${year === YEAR.format(now) ? "" : `, ${year}`}`;
}

/** `2026-12-05` → `Sat, Dec 5`. */
export const weekday = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", {
    weekday: "short",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });

/** A number that the schedule writes as text; undefined for texts such as `n/a` and `off(2)`. */
export const countIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

/** `TAVOLAFORT, A.` → `A. Tavolafort`; `STAFF` → `staff`. */
export function spokenName(name: string): string {
  if (name === "STAFF") return "staff";
  const [last = "", first = ""] = name.split(/,\s*/);
  const spoken = last
    .toLowerCase()
    .replaceAll(/(^|[\s'’-])(\p{L})/gu, (_all, prefix, letter) => prefix + letter.toUpperCase());
  return `${first} ${spoken}`.trim();
}

/** `older terms are being added, 15 of 79 are published` */
export const olderTermsText = (published: number, olderTerms: number): string =>
  `older terms are being added, ${count(published)} of ${count(published + olderTerms)} are published`;
