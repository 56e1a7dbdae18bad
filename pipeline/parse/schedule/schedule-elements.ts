/**
 * The elements and attributes of the schedule's XML, the record fields that they fill, and the columns that are built
 * from those.
 */
import type { SourceFinal, SourceMeeting, SourceSection } from "../../contract/schedule-page.ts";
import type { KnownField } from "../../contract/source-fields.ts";

type TextsOf<Row> = { [Field in keyof Row]: Row[Field] extends string ? Field : never }[keyof Row];
type Texts<Field> = ReadonlyMap<string, readonly [field: Field, ...fills: string[]]>;

export const SECTION_TEXTS: Texts<TextsOf<SourceSection>> = new Map([
  ["course_code", ["code", "sectionCode"]],
  ["sec_type", ["type", "sectionType"]],
  ["sec_num", ["num", "sectionNum"]],
  ["sec_units", ["units", "units"]],
  ["sec_max_enroll", ["maxEnroll", "maxCapacity"]],
  ["sec_enrolled", ["enrolled", "numCurrentlyEnrolled.totalEnrolled"]],
  ["sec_xlist_subenrolled", ["xlistEnrolled", "numCurrentlyEnrolled.sectionEnrolled"]],
  ["sec_waitlist", ["waitlist", "numOnWaitlist"]],
  ["sec_wait_cap", ["waitCap", "numWaitlistCap"]],
  ["sec_enroll_requests", ["requests", "numRequested"]],
  ["sec_new_only_reserved", ["newOnlyReserved", "numNewOnlyReserved"]],
  ["sec_restrictions", ["restrictions", "restrictions"]],
  ["sec_status", ["status", "status"]],
  ["sec_comment", ["comment", "sectionComment", "cancelled"]],
]);

export const MEETING_TEXTS: Texts<keyof SourceMeeting> = new Map([
  ["sec_days", ["days", "meetings.days"]],
  ["sec_time", ["time", "meetings.startTime", "meetings.endTime", "meetings.days"]],
  ["sec_bldg", ["bldg", "meetings.bldg", "meetings.room"]],
  ["sec_room", ["room", "meetings.bldg", "meetings.room"]],
]);

const FINAL_COLUMNS = ["finalExam.examStatus", "finalExam.month", "finalExam.day", "finalExam.startTime"];

export const FINAL_TEXTS: Texts<keyof SourceFinal> = new Map([
  ["sec_final_date", ["date", ...FINAL_COLUMNS]],
  // Without it, the weekday follows from the date.
  ["sec_final_day", ["day"]],
  ["sec_final_time", ["time", ...FINAL_COLUMNS, "finalExam.endTime", "finalExam.bldg"]],
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

type Place = Readonly<Record<"element" | "attribute", Readonly<Record<string, readonly string[]>>>>;

/**
 * Elements and attributes by the enclosing element, with the columns that they fill; none for those that are ignored.
 */
const PLACES: Readonly<Record<string, Place>> = {
  websoc_results: {
    element: { search_criteria: [], term: [], course_list: [], restriction_codes: [] },
    attribute: { generated: [], author: [], get_parm: [] },
  },
  school: {
    element: { school_comment: ["schoolComment"], department: [] },
    attribute: { school_code: [], school_name: ["schoolName"] },
  },
  department: {
    element: {
      department_comment: ["deptComment"],
      course_code_range_comment: ["sectionCodeRangeComments"],
      course_number_range_comment: ["courseNumberRangeComments"],
      course: [],
    },
    attribute: { dept_code: ["deptCode"], dept_name: ["deptName"], dept_case: [] },
  },
  course: {
    element: { course_comment: ["courseComment"], course_prereq_link: ["prerequisiteLink"], section: [] },
    attribute: { course_number: ["courseNumber", "courseNumeric"], course_title: ["courseTitle"] },
  },
  section: {
    element: {
      ...columnsOf(SECTION_TEXTS),
      sec_instructors: [],
      instructor: ["instructors"],
      sec_meetings: [],
      sec_meet: [],
      sec_final: [],
      sec_enrollment: [],
      sec_active: [],
      sec_modality: [],
      sec_books: [],
      sec_graded: [],
      sec_linkage: [],
      sec_backward_ptr: [],
      sec_group_backward_ptr: [],
      sec_forward_ptr: [],
      sec_group_forward_ptr: [],
      sec_cross_list: [],
      cross_course_code: [],
    },
    attribute: {},
  },
  sec_meet: { element: { ...columnsOf(MEETING_TEXTS), sec_room_link: [] }, attribute: {} },
  sec_final: { element: columnsOf(FINAL_TEXTS), attribute: {} },
};

function columnsOf<Field>(texts: Texts<Field>): Record<string, string[]> {
  return Object.fromEntries([...texts].map(([name, [, ...fills]]) => [name, fills]));
}

/** Every element and attribute that the parser knows. */
export const SCHEDULE_FIELDS: readonly KnownField[] = Object.entries(PLACES).flatMap(([place, kinds]) =>
  (["element", "attribute"] as const).flatMap((kind) =>
    Object.entries(kinds[kind]).map(([name, fills]) => ({ kind, place, name, fills })),
  ),
);

/** True when the parser knows the possible children of that element. */
export const isSchedulePlace = (name: string): boolean => Object.hasOwn(PLACES, name);

export const isKnownInSchedule = (kind: "element" | "attribute", place: string, name: string): boolean =>
  Object.hasOwn(PLACES[place]?.[kind] ?? {}, name);

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
