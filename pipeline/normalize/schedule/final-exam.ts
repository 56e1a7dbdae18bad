/** The schedule's notation of a final → time and place. */
import type { SourceFinal } from "../../contract/schedule-page.ts";
import type { FinalExam, Meeting } from "../../contract/rows/section.ts";
import { MONTHS } from "../../contract/vocabulary.ts";
import { toTimeRange } from "./meeting-time.ts";

/** `Mon Jun 12 10:30-12:30pm @ HIB 100, ALP 1300`, when day, date and time are joined. */
const SCHEDULED = /^(?:([A-Z][a-z]{2})[a-z]*,? )?([A-Z][a-z]{2})[a-z]* (\d{1,2}),? ([^@]*[^@ ]) ?(?:@(.*))?$/;

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
 * A missing or empty element means no final; `TBA` means not scheduled yet. The month is zero-based. Without places after `@` the final is in the
 * first room of the first meeting.
 * @param onOddFinal called with an unreadable text, which counts as TBA
 */
export function toFinalExam(
  final: SourceFinal | undefined,
  meetings: readonly Meeting[],
  onOddFinal: (text: string) => void,
): FinalExam {
  if (final === undefined) return withoutPlan("NO_FINAL");
  const text = `${final.day} ${final.date} ${final.time}`.replace(/\s+/g, " ").trim();
  if (text === "") return withoutPlan("NO_FINAL");
  if (/\bTBA\b/.test(text.split("@", 1)[0] as string)) return withoutPlan("TBA_FINAL");
  const [, dayOfWeek, monthName, day, time, places] = SCHEDULED.exec(text) ?? [];
  const month = MONTHS.findIndex((name) => name === monthName);
  const range = toTimeRange(time ?? "");
  if (month < 0 || range === undefined) {
    onOddFinal(text);
    return withoutPlan("TBA_FINAL");
  }
  return {
    examStatus: "SCHEDULED_FINAL",
    dayOfWeek: dayOfWeek ?? null,
    month,
    day: Number(day),
    ...range,
    bldg: toPlaces(places) ?? meetings[0]?.bldg.slice(0, 1) ?? [],
  };
}

/** `HIB 100, ALP 1300`; undefined without any place. */
function toPlaces(text = ""): string[] | undefined {
  const places = text
    .split(",")
    .map((place) => place.trim())
    .filter((place) => place !== "");
  return places.length > 0 ? places : undefined;
}
