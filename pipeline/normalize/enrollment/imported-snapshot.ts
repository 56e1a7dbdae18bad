/**
 * Converts the parts of a row of an imported enrollment file. Texts are trimmed, numbers converted to text.
 * data/README.md describes the format.
 */
import { isCalendarDate } from "../../contract/campus-time.ts";
import { damageIn } from "../../text/decode-text.ts";
import type {
  DESCRIBED_COLUMNS,
  ImportedSnapshot,
  MeetingText,
  SnapshotValue,
} from "../../contract/rows/enrollment-history.ts";
import { courseDigits, QUARTERS } from "../../contract/vocabulary.ts";

import { toSectionType, toStatus } from "../schedule/labels.ts";
import { toInstructors } from "../people/short-name.ts";

type Fields = Readonly<Record<string, unknown>>;
export type SectionDescription = Pick<ImportedSnapshot, (typeof DESCRIBED_COLUMNS)[number]>;

/** The maximum length of a text of the schedule. */
const MAX_TEXT = 500;

/** An invalid row, with the reason, which names the column, as its message. */
export class BadSnapshot extends Error {}

/** @throws BadSnapshot */
export const toSection = (fields: Fields): Pick<ImportedSnapshot, "year" | "quarter" | "sectionCode"> => ({
  year: matching(fields, "year", /^\d{4}$/, "four digits"),
  quarter: QUARTERS.find((quarter) => quarter === text(fields, "quarter")) ?? bad("quarter", fields),
  // Spreadsheets strip leading zeros.
  sectionCode: matching(fields, "sectionCode", /^\d{1,5}$/, "five digits").padStart(5, "0"),
});

/** @param today later dates are rejected @throws BadSnapshot */
export function toDate(fields: Fields, today: string): string {
  const date = text(fields, "date");
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return bad("date", fields, "a day such as 2024-09-26");
  return date <= today ? date : bad("date", fields, "a day that was");
}

/** @throws BadSnapshot */
export const toValues = (fields: Fields): Pick<ImportedSnapshot, SnapshotValue> => ({
  maxCapacity: matching(fields, "maxCapacity", /^\d+$/, "a whole number"),
  totalEnrolled: matching(fields, "totalEnrolled", /^\d+$/, "a whole number"),
  waitlist: text(fields, "waitlist"),
  waitlistCap: text(fields, "waitlistCap"),
  requested: matching(fields, "requested", /^\d*$/, "a whole number or nothing"),
  newOnlyReserved: text(fields, "newOnlyReserved"),
  status: toStatus(text(fields, "status")),
});

/** Absent properties are null. @throws BadSnapshot */
export function toDescription(fields: Fields): SectionDescription {
  const courseNumber = optional(fields, "courseNumber");
  const instructors = listOf(fields["instructors"], "instructors");
  return {
    department: optional(fields, "department"),
    courseNumber,
    courseNumeric: courseNumber === null ? null : courseDigits(courseNumber),
    sectionType: toSectionType(text(fields, "sectionType")) || null,
    sectionNum: optional(fields, "sectionNum"),
    units: optional(fields, "units"),
    instructors: instructors && toInstructors(instructors.map((item) => plain(item, "instructors"))),
    meetings: toMeetings(fields["meetings"]),
    finalExam: optional(fields, "finalExam"),
  };
}

function bad(column: string, fields: Fields, wanted?: string): never {
  const value = fields[column];
  const shown = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  throw new BadSnapshot(
    `${column} is ${shown.slice(0, 40) || "empty"}${wanted === undefined ? "" : `, not ${wanted}`}`,
  );
}

function plain(value: unknown, column: string): string {
  const trimmed = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : undefined;
  if (trimmed === undefined || trimmed.length > MAX_TEXT)
    throw new BadSnapshot(`${column} is ${trimmed === undefined ? "no text" : "too long"}`);
  const damage = damageIn(trimmed);
  if (damage !== undefined) throw new BadSnapshot(`${column} has the character ${damage}, as after a wrong conversion`);
  return trimmed;
}

const text = (fields: Fields, column: string): string => {
  const value = fields[column];
  return value === undefined || value === null ? "" : plain(value, column);
};

const optional = (fields: Fields, column: string): string | null => text(fields, column) || null;

function matching(fields: Fields, column: string, form: RegExp, wanted: string): string {
  const value = text(fields, column);
  return form.test(value) ? value : bad(column, fields, wanted);
}

/** A list, or text with items separated by semicolons; null when absent. */
function listOf(value: unknown, column: string): unknown[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value;
  const items = plain(value, column)
    .split(";")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return items.length > 0 ? items : null;
}

/** `MWF 8:00- 8:50 @ EH 1200; TBA @ ON LINE`, or a list of such texts or of `{days, time, bldg}`. */
function toMeetings(value: unknown): MeetingText[] | null {
  return (
    listOf(value, "meetings")?.map((item) => {
      if (typeof item !== "object" || item === null) return toMeeting(plain(item, "meetings"));
      const { days, time, bldg } = item as Fields;
      const places = Array.isArray(bldg) ? bldg : [];
      return {
        days: plain(days ?? "", "meetings"),
        time: plain(time ?? "", "meetings"),
        bldg: places.map((place) => plain(place, "meetings")),
      };
    }) ?? null
  );
}

function toMeeting(item: string): MeetingText {
  const [when = "", places = ""] = item.split("@", 2).map((part) => part.trim());
  const [, days = "", time = ""] = /^((?:Su|M|Tu|W|Th|F|Sa)+(?= |$))?\s*(.*)$/.exec(when) ?? [];
  const bldg = places
    .split(",")
    .map((place) => place.trim())
    .filter((place) => place !== "");
  return { days, time, bldg };
}
