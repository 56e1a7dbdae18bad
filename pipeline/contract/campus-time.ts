/** Calendar days in the campus's time zone, whatever the server's zone (pipeline/RULES.md, Days). */
import { CAMPUS_TIME_ZONE } from "./vocabulary.ts";

const CAMPUS_DAY = new Intl.DateTimeFormat("en-US", {
  timeZone: CAMPUS_TIME_ZONE,
  calendar: "gregory",
  numberingSystem: "latn",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The calendar day on campus at that moment, `YYYY-MM-DD`. */
export function campusToday(now: Date): string {
  const parts = new Map(CAMPUS_DAY.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}

/** True when the date exists; month and day are counted from 1 (pipeline/RULES.md, Days). */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (![year, month, day].every(Number.isInteger) || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= length;
}

/** Midnight at the beginning of a campus day `YYYY-MM-DD`. */
export function startOfCampusDay(day: string): Date {
  const inSummer = new Date(`${day}T07:00:00Z`);
  return campusToday(inSummer) === day ? inSummer : new Date(`${day}T08:00:00Z`);
}

/** The following day, `YYYY-MM-DD`. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
