/** How an answer lies flat: which of its objects are the rows, what they take from the objects above them, and their columns. */
import { z } from "zod";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/enrollment-history.ts";
import { sections } from "../../../pipeline/contract/section.ts";
import { day, integer, jsonText } from "../../../pipeline/contract/table.ts";
import {
  AggregateGrades,
  Course,
  CourseGrades,
  EnrollmentHistory,
  Larc,
  OfferingGrades,
  RawGrades,
  Schedule,
  SHAPES,
  type ShapeName,
} from "../shapes.ts";
import type { Row } from "./scan.ts";

export interface Layout {
  /** The fields that lead from the answer, or from each object of its list, to the rows; none where those are the rows. */
  readonly steps: readonly string[];
  /** Names and types in their order; what a row holds besides is left out. */
  readonly columns: z.ZodRawShape;
  /**
   * The rows of one object; itself where this is absent. `above` are the objects that it stands in, outermost first, without their lists; `values` are those
   * of the question.
   */
  readonly toRows?: (own: Row, above: readonly Row[], values: Row) => readonly Row[];
  /** What was asked, for rows that say so. */
  readonly values?: Row;
}

const itemOf = <S extends z.ZodType>(list: z.ZodArray<S>): S => list.element;

/** An average over sections is no number of two decimals. */
const exactAverage = { averageGPA: z.number() };

const school = itemOf(Schedule.shape.schools);
const department = itemOf(school.shape.departments);
const course = itemOf(department.shape.courses);
const section = itemOf(course.shape.sections);

const history = itemOf(EnrollmentHistory).shape;
const {
  dates: _dates,
  maxCapacityHistory: _m,
  totalEnrolledHistory: _t,
  waitlistHistory: _w,
  waitlistCapHistory: _c,
  requestedHistory: _r,
  newOnlyReservedHistory: _n,
  statusHistory: _s,
  ...described
} = history;

/** One row for each day; the values of that day under the names of the import files in `data/enrollment/`. */
function toDays(own: Row): Row[] {
  const days = own["dates"] as string[];
  const same = Object.fromEntries(Object.keys(described).map((name) => [name, own[name]]));
  const lists = SNAPSHOT_VALUES.map((name) => [name, own[`${name}History`] as string[]] as const);
  return days.map((date, i) => ({
    ...same,
    date,
    ...Object.fromEntries(lists.map(([name, values]) => [name, values[i]])),
  }));
}

const SPECIAL: { readonly [N in ShapeName]?: Layout } = {
  Schedule: {
    steps: ["schools", "departments", "courses", "sections"],
    columns: {
      year: sections.row.shape.year,
      quarter: sections.row.shape.quarter,
      ...school.omit({ departments: true }).shape,
      ...department.omit({ courses: true }).shape,
      ...course.omit({ sections: true }).shape,
      ...section.shape,
    },
    toRows: (own, above, { year, quarter }) => [Object.assign({ year, quarter }, ...above, own) as Row],
  },
  RawGrades: { steps: [], columns: { ...itemOf(RawGrades).shape, ...exactAverage } },
  // The sections are those of /grades/raw.
  AggregateGrades: {
    steps: ["gradeDistribution"],
    columns: { ...AggregateGrades.shape.gradeDistribution.shape, ...exactAverage },
  },
  CourseGrades: { steps: [], columns: { ...itemOf(CourseGrades).shape, ...exactAverage } },
  OfferingGrades: { steps: [], columns: { ...itemOf(OfferingGrades).shape, ...exactAverage } },
  GradeOptions: {
    steps: [],
    columns: { list: z.string(), value: z.string() },
    toRows: (own) =>
      Object.entries(own).flatMap(([list, values]) => (values as string[]).map((value) => ({ list, value }))),
  },
  Course: { steps: [], columns: { ...Course.shape, prerequisiteTree: jsonText() } },
  Courses: { steps: [], columns: { ...Course.shape, prerequisiteTree: jsonText() } },
  Week: {
    steps: [],
    columns: { week: integer(), quarter: z.string(), display: z.string() },
    toRows: ({ weeks, quarters, display }) =>
      (weeks as number[]).map((week, i) => ({ week, quarter: (quarters as string[])[i], display })),
  },
  Larc: {
    steps: ["sections"],
    columns: { ...itemOf(Larc).shape.courseInfo.shape, ...itemOf(itemOf(Larc).shape.sections).shape },
    toRows: (own, [entry]) => [{ ...(entry?.["courseInfo"] as Row), ...own }],
  },
  EnrollmentHistory: {
    steps: [],
    columns: {
      ...described,
      sectionCode: integer(),
      date: day(),
      ...Object.fromEntries(SNAPSHOT_VALUES.map((name) => [name, z.string()])),
    },
    toRows: toDays,
  },
};

/** A list of objects, or one object, lies flat as it is. */
export function layoutOf(shape: ShapeName): Layout {
  const special = SPECIAL[shape];
  if (special) return special;
  const whole: z.ZodType = SHAPES[shape];
  const one = whole instanceof z.ZodArray ? (whole.element as z.ZodType) : whole;
  if (!(one instanceof z.ZodObject)) throw new TypeError(`${shape} does not lie flat`);
  return { steps: [], columns: one.shape as z.ZodRawShape };
}
