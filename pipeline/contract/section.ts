/** Sections of the schedule of classes, and the headings (schools, departments) above them. */
import { z } from "zod";
import { defineTable, integer, type RowOf } from "./table.ts";
import { EXAM_STATUSES, GE_CATEGORIES, QUARTERS } from "./vocabulary.ts";

/** A time of day on the 24-hour clock; a meeting that runs past midnight ends after hour 23. */
export const time = z.object({ hour: integer(), minute: integer() });
export type Time = z.infer<typeof time>;

/** `bldg` holds labels such as `ALP 2300`, `ON LINE`, `TBA`. When the time is TBA, days and both times are null. */
export const meeting = z.object({
  timeIsTBA: z.boolean(),
  bldg: z.array(z.string()),
  days: z.string().nullable(),
  startTime: time.nullable(),
  endTime: time.nullable(),
});
export type Meeting = z.infer<typeof meeting>;

/** `month` is zero-based (January = 0), as clients of the field expect. `bldg` is null unless the final is scheduled. */
export const finalExam = z.object({
  examStatus: z.enum(EXAM_STATUSES),
  dayOfWeek: z.string().nullable(),
  month: integer().nullable(),
  day: integer().nullable(),
  startTime: time.nullable(),
  endTime: time.nullable(),
  bldg: z.array(z.string()).nullable(),
});
export type FinalExam = z.infer<typeof finalExam>;

const sectionShape = {
  year: z.string(),
  quarter: z.enum(QUARTERS),
  schoolName: z.string(),
  deptCode: z.string(),
  courseNumber: z.string(),
  courseNumeric: integer(),
  courseTitle: z.string(),
  courseComment: z.string(),
  prerequisiteLink: z.string(),
  sectionCode: z.string(),
  sectionType: z.string(),
  sectionNum: z.string(),
  units: z.string(),
  instructors: z.array(z.string()),
  meetings: z.array(meeting),
  finalExam,
  maxCapacity: z.string(),
  numCurrentlyEnrolled: z.object({ totalEnrolled: z.string(), sectionEnrolled: z.string() }),
  numOnWaitlist: z.string(),
  numWaitlistCap: z.string(),
  numRequested: z.string(),
  numNewOnlyReserved: z.string(),
  restrictions: z.string(),
  status: z.string(),
  sectionComment: z.string(),
  cancelled: z.boolean(),
};

/** A section as the crawl lands it: GE categories are learnt by searches of their own. */
export const landedSections = defineTable({
  name: "landed_sections",
  about: "one row a section, as crawled",
  row: z.object(sectionShape),
  partitionedBy: [],
  sortedBy: [],
  key: ["sectionCode"],
});

export const sections = defineTable({
  name: "sections",
  about: "one row a section of a term, with its meetings and final",
  row: z.object({ ...sectionShape, geCategories: z.array(z.enum(GE_CATEGORIES)) }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["schoolName", "deptCode", "courseNumeric", "courseNumber", "courseTitle", "sectionCode"],
  key: ["sectionCode"],
});
export type Section = RowOf<typeof sections>;
export type LandedSection = RowOf<typeof landedSections>;

export const headings = defineTable({
  name: "headings",
  about: "one row a department of a school in a term: names and comments that stand above the sections",
  row: z.object({
    year: z.string(),
    quarter: z.enum(QUARTERS),
    schoolName: z.string(),
    schoolComment: z.string(),
    deptCode: z.string(),
    deptName: z.string(),
    deptComment: z.string(),
    sectionCodeRangeComments: z.array(z.string()),
    courseNumberRangeComments: z.array(z.string()),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["schoolName", "deptCode"],
  key: ["schoolName", "deptCode"],
});
export type Heading = RowOf<typeof headings>;

/** Which sections a GE search of a term found. */
export const landedGe = defineTable({
  name: "landed_ge",
  about: "one row a section and GE category of a term",
  row: z.object({ sectionCode: z.string(), category: z.enum(GE_CATEGORIES) }),
  partitionedBy: [],
  sortedBy: [],
  key: ["sectionCode", "category"],
});
export type LandedGe = RowOf<typeof landedGe>;
