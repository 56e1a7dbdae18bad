/**
 * Days as numbers (days since 1 January 1970), so that comparing, adding and weekdays are plain arithmetic without a
 * time zone.
 */
import { CAMPUS_TIME_ZONE, MONTHS } from "../contract/vocabulary.ts";

const MS_PER_DAY = 86_400_000;

/** `month` counts from 1. */
export function toDay(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / MS_PER_DAY;
}

/** 0 = Sunday; 1 January 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** `2024-09-26` */
export function isoDay(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The month (from 0) and the day of the month. */
export function monthAndDate(day: number): { month: number; date: number } {
  const date = new Date(day * MS_PER_DAY);
  return { month: date.getUTCMonth(), date: date.getUTCDate() };
}

/** `Sep 26` */
export function printDay(day: number): string {
  const { month, date } = monthAndDate(day);
  return `${MONTHS[month]} ${date}`;
}

/** The moment when a day reaches `hour` o'clock UTC. */
export function toDate(day: number, hour: number): Date {
  return new Date(day * MS_PER_DAY + hour * 3_600_000);
}

const HOURS = 24;

const campusCalendar = new Intl.DateTimeFormat("en-CA", {
  timeZone: CAMPUS_TIME_ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});
const campusClock = new Intl.DateTimeFormat("en-US", { timeZone: CAMPUS_TIME_ZONE, hour: "numeric", hourCycle: "h23" });

/** The day on campus at that moment. */
export function campusDay(moment: Date): number {
  return Date.parse(`${campusCalendar.format(moment)}T00:00:00Z`) / MS_PER_DAY;
}

/** The day with its hour as a fraction: at noon, `campusDay` plus one half. */
export const campusHour = (moment: Date): number => campusDay(moment) + Number(campusClock.format(moment)) / HOURS;
