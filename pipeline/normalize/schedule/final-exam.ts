/** Parses the schedule's notation of a final into time and place. */
import type { SourceFinal } from "../../contract/schedule-page.ts";
import type { FinalExam, Meeting } from "../../contract/rows/section.ts";
import { isCalendarDate } from "../../contract/campus-time.ts";
import { MONTHS, WEEKDAYS } from "../../contract/vocabulary.ts";
import { type Clock, toTimeRange } from "./meeting-time.ts";

/**
 * `Mon Jun 12 10:30-12:30pm @ HIB 100, ALP 1300`, when day, date and time are joined; the date may be `Jun 12, 2026` or
 * `2026-12-07`.
 */
const SCHEDULED =
  /^(?:([a-z]{3})[a-z]*\.?,? )?(?:([a-z]{3})[a-z]*\.? (\d{1,2})(?:,? \d{4}(?= |,))?|(\d{4}-\d{2}-\d{2})),? ([^@]*[^@ ]) ?(?:@(.*))?$/i;

/** Texts for no final. */
const NONE = /^(?:none|no final(?: exam)?|n\/a|-*)$/i;

const withoutPlan = (examStatus: "NO_FINAL" | "TBA_FINAL"): FinalExam => ({
  examStatus,
  dayOfWeek: null,
  month: null,
  day: null,
  startTime: null,
  endTime: null,
  bldg: null,
});

/**
 * A missing or empty element means no final; `TBA` means not scheduled yet. The month is zero-based. Without places
 * after `@`, the final is in the first room of the first meeting.
 * @param year the term's, from which a missing weekday follows
 * @param onOddFinal called with an unreadable text, which counts as TBA
 */
export function toFinalExam(
  final: SourceFinal | undefined,
  meetings: readonly Meeting[],
  onOddFinal: (text: string) => void,
  clock?: Clock,
  year?: string,
): FinalExam {
  if (final === undefined) return withoutPlan("NO_FINAL");
  const text = `${final.day} ${final.date} ${final.time}`.replace(/\s+/g, " ").trim();
  if (NONE.test(text)) return withoutPlan("NO_FINAL");
  if (/\b(?:TBA|TBD)\b/i.test(text.split("@", 1)[0] as string)) return withoutPlan("TBA_FINAL");
  const [, weekday, monthName, dayOfMonth, isoDate, time, places] = SCHEDULED.exec(text) ?? [];
  const date =
    isoDate === undefined
      ? toDate(capital(weekday), capital(monthName), Number(dayOfMonth), year)
      : fromIsoDate(capital(weekday), isoDate);
  const range = toTimeRange(time ?? "", clock);
  if (date === undefined || range === undefined) {
    onOddFinal(text);
    return withoutPlan("TBA_FINAL");
  }
  return {
    examStatus: "SCHEDULED_FINAL",
    ...date,
    ...range,
    bldg: toPlaces(places) ?? meetings[0]?.bldg.slice(0, 1) ?? [],
  };
}

/** `DEC` → `Dec` */
const capital = (word: string | undefined): string | undefined =>
  word && word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

type ExamDate = Pick<FinalExam, "dayOfWeek" | "month" | "day">;

function toDate(weekday: string | undefined, monthName: string | undefined, day: number, year: string | undefined) {
  const month = MONTHS.findIndex((name) => name === monthName);
  // 2024 has every day that any year has.
  if (month < 0 || !isCalendarDate(Number(year ?? 2024), month + 1, day)) return undefined;
  const inYear = year === undefined ? undefined : WEEKDAYS[new Date(Date.UTC(Number(year), month, day)).getUTCDay()];
  return { dayOfWeek: weekday ?? inYear ?? null, month, day } satisfies ExamDate;
}

/** Returns undefined for a day that does not exist, or that contradicts the named weekday. */
function fromIsoDate(weekday: string | undefined, isoDate: string): ExamDate | undefined {
  const date = new Date(`${isoDate}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(isoDate)) return undefined;
  const dayOfWeek = WEEKDAYS[date.getUTCDay()] ?? null;
  return weekday !== undefined && weekday !== dayOfWeek
    ? undefined
    : { dayOfWeek, month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** `HIB 100, ALP 1300`; undefined without any place. */
function toPlaces(text = ""): string[] | undefined {
  const places = text
    .split(",")
    .map((place) => place.trim())
    .filter((place) => place !== "");
  return places.length > 0 ? places : undefined;
}
