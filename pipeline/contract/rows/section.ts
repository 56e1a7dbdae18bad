/** Sections of the schedule of classes, and the headings (schools, departments) above them. */
import { z } from "zod";
import {
  courseNumber,
  courseNumeric,
  deptCode,
  geCategories,
  quarter,
  sectionCode,
  sectionNum,
  sectionType,
  shortenedNames,
  units,
  year,
} from "./fields.ts";
import { defineTable, integer, type RowOf } from "../table.ts";
import { COUNT, formed, HOUR, MINUTE, oneOf, PLACE, RESTRICTIONS, vocabulary, WAITLIST, WEEK_DAYS } from "../forms.ts";
import { EXAM_STATUSES, GE_CATEGORIES, STATUSES, WEEKDAYS } from "../vocabulary.ts";

const count = () => formed(z.string(), COUNT);
/** `ALP 2300`, `ON LINE`, `TBA`. */
export const place = () => formed(z.string(), PLACE);

/** A time of day on the 24-hour clock; a meeting that runs past midnight ends after hour 23. */
export const time = z.object({
  hour: formed(integer(), HOUR).describe("0 to 23; past 23 for a meeting that runs past midnight"),
  minute: formed(integer(), MINUTE).describe("0 to 59"),
});
export type Time = z.infer<typeof time>;

/** `bldg` holds labels such as `ALP 2300`, `ON LINE`, `TBA`. When the time is TBA, days and both times are null. */
export const meeting = z.object({
  timeIsTBA: z.boolean().describe("true when the time is to be announced: days and both times are null then"),
  bldg: z.array(place()).describe("building and room, such as `ALP 2300`; also `ON LINE`, `VRTL REMOTE` or `TBA`"),
  days: formed(z.string(), WEEK_DAYS).nullable().describe("days run together, such as `MWF` or `TuTh`"),
  startTime: time.nullable().describe("when it begins, by the 24-hour clock"),
  endTime: time.nullable().describe("when it ends, by the 24-hour clock"),
});
export type Meeting = z.infer<typeof meeting>;

/**
 * `month` is zero-based (January = 0), as clients of the field expect. `bldg` is null unless the final is scheduled.
 */
export const finalExam = z
  .object({
    examStatus: vocabulary(z.enum(EXAM_STATUSES), { nothing: ["NO_FINAL", "TBA_FINAL"] }).describe(
      "every other field is null unless it is SCHEDULED_FINAL",
    ),
    dayOfWeek: formed(z.string(), oneOf(WEEKDAYS)).nullable().describe("three letters, such as `Mon`"),
    month: integer().nullable().describe("ZERO-BASED: January is 0, December is 11"),
    day: integer().nullable().describe("day of the month, 1 to 31"),
    startTime: time.nullable().describe("when it begins, by the 24-hour clock"),
    endTime: time.nullable().describe("when it ends, by the 24-hour clock"),
    bldg: z.array(place()).nullable().describe("where it takes place; may differ from the meetings' places"),
  })
  .describe("the final; `month` is ZERO-BASED");
export type FinalExam = z.infer<typeof finalExam>;

/** The columns that determine a status. */
const SEATS = [
  "maxCapacity",
  "numCurrentlyEnrolled.totalEnrolled",
  "numOnWaitlist",
  "numWaitlistCap",
  "numNewOnlyReserved",
];

const sectionShape = {
  year: year(),
  quarter: quarter(),
  schoolName: vocabulary(z.string()).describe("school that offers it"),
  deptCode: deptCode(),
  courseNumber: courseNumber(),
  courseNumeric: courseNumeric(),
  courseTitle: z.string().describe("title as the schedule shortens it, in capitals"),
  courseComment: z.string().describe("comment on the course, may hold HTML; empty when there is none"),
  prerequisiteLink: z.string().describe("address of the registrar's page on prerequisites; empty when there is none"),
  sectionCode: sectionCode(),
  sectionType: sectionType(),
  sectionNum: sectionNum(),
  units: units(),
  instructors: shortenedNames(),
  meetings: z.array(meeting).describe("one or more; a section may meet in several places"),
  finalExam,
  maxCapacity: count().describe("seats, a number as text"),
  numCurrentlyEnrolled: z
    .object({
      totalEnrolled: count().describe("students enrolled, in all cross-listed sections together"),
      sectionEnrolled: count().describe("students enrolled in this section where it is cross-listed, else empty"),
    })
    .describe("students enrolled, as the schedule writes them"),
  numOnWaitlist: formed(z.string(), WAITLIST).describe("students on the waitlist; empty when there is none"),
  numWaitlistCap: formed(z.string(), WAITLIST).describe("seats of the waitlist; empty when there is none"),
  numRequested: count().describe("how often it was requested"),
  numNewOnlyReserved: count().describe("seats kept for new students; empty when there are none"),
  restrictions: formed(z.string(), RESTRICTIONS).describe("letter codes of enrollment restrictions, such as `A and L`"),
  status: vocabulary(formed(z.string(), oneOf(STATUSES)), { follows: SEATS }).describe(
    "the schedule's own text: `OPEN`, `Waitl`, `FULL` or `NewOnly`",
  ),
  sectionComment: z.string().describe("may hold HTML; empty when there is none"),
  cancelled: z.boolean().describe("true when the schedule marks it as cancelled"),
};

/** A section without its GE categories, which are crawled by separate searches. */
export const landedSections = defineTable({
  name: "landed_sections",
  about: "one row per section, as crawled",
  row: z.object(sectionShape),
  partitionedBy: [],
  sortedBy: [],
  key: ["sectionCode"],
});

export const sections = defineTable({
  name: "sections",
  about: "one row per section of a term, with its meetings and final",
  row: z.object({ ...sectionShape, geCategories: geCategories() }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["schoolName", "deptCode", "courseNumeric", "courseNumber", "courseTitle", "sectionCode"],
  key: ["sectionCode"],
});
export type Section = RowOf<typeof sections>;
export type LandedSection = RowOf<typeof landedSections>;

export const headings = defineTable({
  name: "headings",
  about: "one row per department of a school in a term: names and comments that stand above the sections",
  row: z.object({
    year: year(),
    quarter: quarter(),
    schoolName: vocabulary(z.string()).describe("name of the school"),
    schoolComment: z.string().describe("the school's own comment, may hold HTML; empty when there is none"),
    deptCode: deptCode(),
    deptName: z.string().describe("name of the department"),
    deptComment: z.string().describe("may hold HTML; empty when there is none"),
    sectionCodeRangeComments: z.array(z.string()).describe("comments on ranges of section codes"),
    courseNumberRangeComments: z.array(z.string()).describe("comments on ranges of course numbers"),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["schoolName", "deptCode"],
  key: ["schoolName", "deptCode"],
});
export type Heading = RowOf<typeof headings>;

export const landedGe = defineTable({
  name: "landed_ge",
  about: "one row per section and GE category of a term",
  row: z.object({ sectionCode: z.string(), category: z.enum(GE_CATEGORIES) }),
  partitionedBy: [],
  sortedBy: [],
  key: ["sectionCode", "category"],
});
