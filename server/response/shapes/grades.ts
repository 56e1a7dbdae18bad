/** The schemas of grade responses, derived from the contract's rows. */
import { z } from "zod";
import { GRADE_COUNTS, grades } from "../../../pipeline/contract/rows/grade.ts";
import { fieldsOf } from "../../../pipeline/contract/table.ts";
import { GRADED_SECTION_FIELDS } from "../../snapshot/tables/grades.ts";
import { idsOfNames } from "./schedule.ts";
import { shape } from "./shape.ts";

const UNSERVED = { sheetOnly: true, exportFile: true, exportSha256: true, exportSheet: true, exportRow: true } as const;
export const RawGrade = grades.row.omit(UNSERVED).extend({
  averageGPA: z.number().describe("the records office's average, 0 to 4; 0 when it gives none"),
  instructorIds: idsOfNames,
});
export const GradeSection = z.object({
  ...fieldsOf(grades.row.shape, GRADED_SECTION_FIELDS),
  instructorIds: idsOfNames,
});
/** The aggregated counts, which are sums, and the average, which is a mean, unlike the fields of a single row. */
export const Distribution = z.object({
  ...fieldsOf(grades.row.shape, GRADE_COUNTS),
  averageGPA: z
    .number()
    .describe(
      "plain mean of the averages of sections with a letter grade, of those that have one; 0 when there is none",
    ),
});

const byCourse = { department: grades.row.shape.department, courseNumber: grades.row.shape.courseNumber };
export const CourseGrade = z.object({ ...byCourse, ...Distribution.shape });
export const OfferingGrade = z.object({
  ...byCourse,
  instructor: z.string().describe("shortened name; a section with several instructors counts once for each"),
  ...Distribution.shape,
  instructorIds: z
    .array(z.string())
    .optional()
    .describe("network ids of those whom the name may mean; with `instructorIds=true`"),
});

const counts = {
  gradeACount: 41,
  gradeBCount: 38,
  gradeCCount: 17,
  gradeDCount: 4,
  gradeFCount: 3,
  gradePCount: 6,
  gradeNPCount: 1,
  gradeWCount: 2,
  averageGPA: 3.07,
};
const gradedSection: z.infer<typeof GradeSection> = {
  year: "2025",
  quarter: "Fall",
  sectionCode: "34250",
  department: "COMPSCI",
  courseNumber: "161",
  courseNumeric: 161,
  geCategories: [],
  instructors: ["AMBERLEY, R."],
};
const ofCourse = { department: "COMPSCI", courseNumber: "161" };

export const gradeShapes = {
  RawGrades: shape(z.array(RawGrade), [{ ...gradedSection, ...counts }]),
  AggregateGrades: shape(z.object({ sectionList: z.array(GradeSection), gradeDistribution: Distribution }), {
    sectionList: [gradedSection],
    gradeDistribution: counts,
  }),
  GradeOptions: shape(
    z.object({
      years: z.array(z.string()).describe("newest first"),
      departments: z.array(z.string()).describe("department codes"),
      courseNumbers: z.array(z.string()).describe("by their digits, then by their text"),
      sectionCodes: z.array(z.string()).describe("five digits each"),
      instructors: z.array(z.string()).describe("shortened names"),
    }),
    {
      years: ["2025", "2024"],
      departments: ["COMPSCI"],
      courseNumbers: ["161"],
      sectionCodes: ["34250"],
      instructors: ["AMBERLEY, R."],
    },
  ),
  CourseGrades: shape(z.array(CourseGrade), [{ ...ofCourse, ...counts }]),
  OfferingGrades: shape(z.array(OfferingGrade), [{ ...ofCourse, instructor: "AMBERLEY, R.", ...counts }]),
} as const;
