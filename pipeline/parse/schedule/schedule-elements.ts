/** The text elements of the schedule's XML, and the record fields that they fill. */
import type { SourceFinal, SourceMeeting, SourceSection } from "../../contract/schedule-page.ts";

type TextsOf<Row> = { [Field in keyof Row]: Row[Field] extends string ? Field : never }[keyof Row];

export const SECTION_TEXTS = new Map<string, TextsOf<SourceSection>>([
  ["course_code", "code"],
  ["sec_type", "type"],
  ["sec_num", "num"],
  ["sec_units", "units"],
  ["sec_max_enroll", "maxEnroll"],
  ["sec_enrolled", "enrolled"],
  ["sec_xlist_subenrolled", "xlistEnrolled"],
  ["sec_waitlist", "waitlist"],
  ["sec_wait_cap", "waitCap"],
  ["sec_enroll_requests", "requests"],
  ["sec_new_only_reserved", "newOnlyReserved"],
  ["sec_restrictions", "restrictions"],
  ["sec_status", "status"],
  ["sec_comment", "comment"],
]);

export const MEETING_TEXTS = new Map<string, keyof SourceMeeting>([
  ["sec_days", "days"],
  ["sec_time", "time"],
  ["sec_bldg", "bldg"],
  ["sec_room", "room"],
]);

export const FINAL_TEXTS = new Map<string, keyof SourceFinal>([
  ["sec_final_date", "date"],
  ["sec_final_day", "day"],
  ["sec_final_time", "time"],
]);

/** Elements whose text is HTML, usually escaped or CDATA; unescaped tags are part of the text too. */
export const COMMENTS = new Set([
  "school_comment",
  "department_comment",
  "course_code_range_comment",
  "course_number_range_comment",
  "course_comment",
  "sec_comment",
]);

export const newSection = (): SourceSection => ({
  code: "",
  type: "",
  num: "",
  units: "",
  maxEnroll: "",
  enrolled: "",
  xlistEnrolled: "",
  waitlist: "",
  waitCap: "",
  requests: "",
  newOnlyReserved: "",
  restrictions: "",
  status: "",
  comment: "",
  instructors: [],
  meetings: [],
  final: undefined,
});
