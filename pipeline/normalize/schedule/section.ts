/** Converts records of the schedule system to rows of the contract. */
import type { SourceSchool, SourceSection } from "../../contract/schedule-page.ts";
import { UNNAMED } from "../../contract/name-key.ts";
import type { LandedSection } from "../../contract/rows/section.ts";
import { courseDigits, FIRST_HIDDEN_CODE, termName, type Term } from "../../contract/vocabulary.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { toCourseTexts, toCourseTitle } from "../catalogue/course-texts.ts";
import { toInstructors } from "../people/short-name.ts";
import { toFinalExam } from "./final-exam.ts";
import { toRestrictions, toSectionType, toStatus } from "./labels.ts";
import { type Clock, clockOf, toMeetings } from "./meeting-time.ts";

export interface SectionRules {
  /** True to keep codes from 98000 on, which are not courses: a crawl drops them, a live query by code returns them. */
  keepHidden: boolean;
}

/** The columns that all sections of a course share. */
type CourseFields = Pick<
  LandedSection,
  | "year"
  | "quarter"
  | "schoolName"
  | "deptCode"
  | "courseNumber"
  | "courseNumeric"
  | "courseTitle"
  | "courseComment"
  | "prerequisiteLink"
>;

/** Reasons for texts that cannot be read, with the element of each. */
export const UNREADABLE = {
  "a meeting time that cannot be read, kept as TBA": "sec_time",
  "days that cannot be read, kept unchanged": "sec_days",
  "a final that cannot be read, kept as TBA": "sec_final_time",
} as const;
type Unreadable = keyof typeof UNREADABLE;
const UNREADABLE_MEETING = {
  time: "a meeting time that cannot be read, kept as TBA",
  days: "days that cannot be read, kept unchanged",
} as const satisfies Record<string, Unreadable>;

/** The reason for dropping a repeated section, which is common in overlapping searches. */
export const REPEATED_CODE = "a repeated section code";

type Note = (reason: string, text: string) => void;

/**
 * Returns a row for each section, in the order of the source. Repeated codes and codes that are not five digits are
 * dropped; odd times and counts are noted.
 */
export function toLandedSections(
  term: Term,
  schools: readonly SourceSchool[],
  tally: Pick<Tally, "read" | "keep" | "drop" | "note">,
  { keepHidden }: SectionRules,
): LandedSection[] {
  const rows: LandedSection[] = [];
  const codes = new Set<string>();
  const texts = toCourseTexts(schools, (link) =>
    tally.note("a prerequisite link that is not a web address, left out", `${termName(term)}: ${link}`),
  );
  const clocks = clocksOf(schools);
  for (const school of schools) {
    for (const department of school.departments) {
      for (const course of department.courses) {
        const courseNumber = course.number.trim();
        const fields: CourseFields = {
          year: term.year,
          quarter: term.quarter,
          schoolName: school.name.trim(),
          deptCode: department.code.trim(),
          courseNumber,
          courseNumeric: courseDigits(courseNumber),
          courseTitle: toCourseTitle(course.title),
          courseComment: texts.get(course)?.comment ?? "",
          prerequisiteLink: texts.get(course)?.link ?? "",
        };
        tally.read(course.sections.length);
        for (const section of course.sections) {
          const code = section.code.trim();
          const name = () => `${termName(term)} ${fields.deptCode} ${courseNumber} ${code || "(no code)"}`;
          if (!/^\d{5}$/.test(code)) tally.drop("a section code that is not five digits", name());
          else if (!keepHidden && Number(code) >= FIRST_HIDDEN_CODE)
            tally.drop("a code of study abroad or tests", name());
          else if (codes.has(code)) tally.drop(REPEATED_CODE, name());
          else {
            codes.add(code);
            rows.push(toRow(fields, section, code, clocks, (reason, text) => tally.note(reason, `${name()}: ${text}`)));
          }
        }
      }
    }
  }
  tally.keep(rows.length);
  return rows;
}

/** The clocks of the meetings and of the finals, which may differ. */
interface Clocks {
  readonly meetings: Clock;
  readonly finals: Clock;
}

function clocksOf(schools: readonly SourceSchool[]): Clocks {
  const courses = schools.flatMap(({ departments }) => departments.flatMap((department) => department.courses));
  const sections = courses.flatMap((course) => course.sections);
  return {
    meetings: clockOf(sections.flatMap(({ meetings }) => meetings.map(({ time }) => time))),
    finals: clockOf(sections.map(({ final }) => final?.time.split("@", 1)[0] ?? "")),
  };
}

function toRow(course: CourseFields, section: SourceSection, code: string, clocks: Clocks, note: Note): LandedSection {
  const meetings = toMeetings(section.meetings, (what, text) => note(UNREADABLE_MEETING[what], text), clocks.meetings);
  const maxCapacity = toCount(section.maxEnroll, note);
  const totalEnrolled = toCount(section.enrolled, note);
  return {
    year: course.year,
    quarter: course.quarter,
    schoolName: course.schoolName,
    deptCode: course.deptCode,
    courseNumber: course.courseNumber,
    courseNumeric: course.courseNumeric,
    courseTitle: course.courseTitle,
    courseComment: course.courseComment,
    prerequisiteLink: course.prerequisiteLink,
    sectionCode: code,
    sectionType: toSectionType(section.type),
    sectionNum: section.num.trim(),
    units: section.units.trim(),
    instructors: toInstructors(section.instructors, (text) =>
      note(`a placeholder instead of an instructor's name, read as ${UNNAMED}`, text),
    ),
    meetings,
    finalExam: toFinalExam(
      section.final,
      meetings,
      (text) => note("a final that cannot be read, kept as TBA" satisfies Unreadable, text),
      clocks.finals,
      course.year,
    ),
    maxCapacity,
    numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled: toCount(section.xlistEnrolled, note) },
    numOnWaitlist: unlessOwn(section.waitlist, code),
    numWaitlistCap: unlessOwn(section.waitCap, code),
    numRequested: toCount(section.requests, note),
    numNewOnlyReserved: unlessOwn(section.newOnlyReserved, code),
    restrictions: toRestrictions(section.restrictions),
    status: toStatus(section.status) || statusOf(totalEnrolled, maxCapacity),
    sectionComment: section.comment,
    cancelled: isCancelled(section.comment),
  };
}

/** Counts are text in the contract; a count that is not a number is kept and noted. */
function toCount(text: string, note: Note): string {
  const count = text.trim();
  if (count !== "" && !/^\d+$/.test(count)) note("a count that is not a number", count);
  return count;
}

/** The system writes the section's code for "does not apply". */
function unlessOwn(text: string, code: string): string {
  const value = text.trim();
  return value === code ? "" : value;
}

/** A missing status is derived from the seats (pipeline/RULES.md, Schedule). */
function statusOf(enrolled: string, capacity: string): string {
  return enrolled !== "" && capacity !== "" && Number(enrolled) >= Number(capacity) ? "FULL" : "OPEN";
}

/** `***  CANCELLED  ***`: asterisks, the word in either spelling, asterisks; any spacing and markup between them. */
const CANCELLED = /\*(?:\s|&nbsp;|&#160;|<[^<>]*>)*CANCELL?ED(?:\s|&nbsp;|&#160;|<[^<>]*>)*\*/i;

/** Matches a line that is nothing but the word. */
const CANCELLED_LINE = /^CANCELL?ED$/i;

const LINE_BREAK = /[\r\n]|<\/?(?:p|br|div|li|ul|ol|tr|td|table|h\d)\b[^<>]*>/i;

/**
 * True when a comment has the cancellation marker, or a separate line with the word; the word in prose does not count.
 */
export function isCancelled(comment: string): boolean {
  if (!/CANCELL?ED/i.test(comment)) return false;
  const lines = comment.split(LINE_BREAK).map((line) => line.replace(/<[^<>]*>|&nbsp;|&#160;/g, " ").trim());
  return CANCELLED.test(comment) || lines.some((line) => CANCELLED_LINE.test(line));
}
