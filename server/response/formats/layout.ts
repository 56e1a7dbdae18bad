/** The rows of an answer in CSV, NDJSON and Parquet: their columns, and how they are read from the answer's JSON where no published rows stand behind it. */
import { z } from "zod";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { sections } from "../../../pipeline/contract/rows/section.ts";
import { day, duckdbColumns, duckdbType, integer, jsonText } from "../../../pipeline/contract/table.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { AggregateGrades, CourseGrades, GradeOptions, OfferingGrades, RawGrades } from "../shapes/grades.ts";
import { Course, EnrollmentHistory, Larc, type ShapeName, Week } from "../shapes/shapes.ts";
import { Schedule } from "../shapes/schedule.ts";
import type { Shape } from "../shapes/shape.ts";

export interface Layout {
  /** Names and types in their order. */
  readonly columns: z.ZodRawShape;
  /** Columns of JSON text, which NDJSON gives as what they are. */
  readonly jsonTexts?: readonly string[];
  /** The rows that the JSON of an answer holds, as a relation. */
  readonly fromJson: (json: Fragment) => Fragment;
}

const itemOf = <S extends z.ZodType>(list: z.ZodArray<S>): S => list.element;
const typeOf = (schema: z.ZodType): Fragment => constant(duckdbType(schema));

/** The columns of one struct after each other. */
const fieldsOf = (shape: z.ZodRawShape): Fragment =>
  constant(
    Object.keys(shape)
      .map((name) => `r."${name}"`)
      .join(", "),
  );

/** Every element of a list is a row. */
const listOf =
  (columns: z.ZodRawShape) =>
  (json: Fragment): Fragment =>
    sql`(SELECT ${fieldsOf(columns)} FROM (SELECT unnest(CAST(${json} AS ${typeOf(z.object(columns))}[])) AS r))`;

/** The whole is one row. */
const one =
  (columns: z.ZodRawShape) =>
  (json: Fragment): Fragment =>
    sql`(SELECT ${fieldsOf(columns)} FROM (SELECT CAST(${json} AS ${typeOf(z.object(columns))}) AS r))`;

const list = (columns: z.ZodRawShape): Layout => ({ columns, fromJson: listOf(columns) });

/** These endpoints give their rows as a relation. */
const neverRead = (): Fragment => {
  throw new TypeError("these rows are not read from JSON");
};

/** An average over sections is no number of two decimals. */
const exactAverage = { averageGPA: z.number() };

const school = itemOf(Schedule.shape.schools);
const department = itemOf(school.shape.departments);
const course = itemOf(department.shape.courses);
const section = itemOf(course.shape.sections);

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
} = itemOf(EnrollmentHistory).shape;

const distribution = { ...AggregateGrades.shape.gradeDistribution.shape, ...exactAverage };
const courseColumns = { ...Course.shape, prerequisiteTree: jsonText() };
const larc = itemOf(Larc);
const tutorial = itemOf(larc.shape.sections);

const SPECIAL: { readonly [N in ShapeName]?: Layout } = {
  Schedule: {
    columns: {
      year: sections.row.shape.year,
      quarter: sections.row.shape.quarter,
      ...school.omit({ departments: true }).shape,
      ...department.omit({ courses: true }).shape,
      ...course.omit({ sections: true }).shape,
      ...section.shape,
    },
    fromJson: neverRead,
  },
  RawGrades: list({ ...itemOf(RawGrades).shape, ...exactAverage }),
  // The sections are those of /grades/raw.
  AggregateGrades: { columns: distribution, fromJson: (json) => one(distribution)(sql`${json}->'gradeDistribution'`) },
  CourseGrades: list({ ...itemOf(CourseGrades).shape, ...exactAverage }),
  OfferingGrades: list({ ...itemOf(OfferingGrades).shape, ...exactAverage }),
  GradeOptions: {
    columns: { list: z.string(), value: z.string() },
    fromJson: (json) => {
      const pairs = Object.keys(GradeOptions.shape).map(
        (name) => `list_transform(r."${name}", lambda v: {'list': '${name}', 'value': v})`,
      );
      return sql`(SELECT unnest(flatten([${constant(pairs.join(", "))}]), recursive := true)
        FROM (SELECT CAST(${json} AS ${typeOf(GradeOptions)}) AS r))`;
    },
  },
  Course: { columns: courseColumns, jsonTexts: ["prerequisiteTree"], fromJson: one(courseColumns) },
  Courses: { ...list(courseColumns), jsonTexts: ["prerequisiteTree"] },
  Week: {
    columns: { week: integer(), quarter: z.string(), display: z.string() },
    fromJson: (json) =>
      sql`(SELECT unnest(r.weeks) AS week, unnest(r.quarters) AS quarter, r.display
        FROM (SELECT CAST(${json} AS ${typeOf(Week)}) AS r))`,
  },
  Larc: {
    columns: { ...larc.shape.courseInfo.shape, ...tutorial.shape },
    fromJson: (json) =>
      sql`(SELECT courseInfo.courseNumber, courseInfo.courseName, ${fieldsOf(tutorial.shape)}
        FROM (SELECT courseInfo, unnest(sections) AS r FROM ${listOf(larc.shape)(json)}))`,
  },
  EnrollmentHistory: {
    columns: {
      ...described,
      sectionCode: integer(),
      date: day(),
      ...Object.fromEntries(SNAPSHOT_VALUES.map((name) => [name, z.string()])),
    },
    fromJson: neverRead,
  },
};

/** A list of objects, or one object, lies flat as it is. */
export function layoutOf({ name, schema: whole }: Shape): Layout {
  const special = SPECIAL[name as ShapeName];
  if (special) return special;
  const single = whole instanceof z.ZodArray ? (whole.element as z.ZodType) : whole;
  if (!(single instanceof z.ZodObject)) throw new TypeError(`${name} does not lie flat`);
  const columns = single.shape as z.ZodRawShape;
  return whole === single ? { columns, fromJson: one(columns) } : list(columns);
}

/** A column of a CSV: a value, or a part of a struct. Lists and maps are JSON text. */
export interface CsvColumn {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** The columns of a CSV, those of structs after each other. */
export function csvColumns(shape: z.ZodRawShape, above: readonly string[] = []): CsvColumn[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return csvColumns(inner.shape as z.ZodRawShape, path);
    return [{ path, schema: inner as z.ZodType }];
  });
}

const quoted = (name: string): string => `"${name}"`;

/** What a file in `format` has of the rows `r`. */
export function selectFor(format: "csv" | "ndjson" | "parquet", { columns, jsonTexts = [] }: Layout): Fragment {
  const fields =
    format === "csv"
      ? csvColumns(columns).map(({ path, schema }) => {
          const value = `r.${path.map(quoted).join(".")}`;
          const isNested = schema instanceof z.ZodArray || schema instanceof z.ZodRecord;
          return `${isNested ? `to_json(${value})::VARCHAR` : `${value}::${duckdbType(schema)}`} AS ${quoted(path.join("."))}`;
        })
      : duckdbColumns(columns).map(({ name, type }) => {
          const isJson = format === "ndjson" && jsonTexts.includes(name);
          return `r.${quoted(name)}::${isJson ? "JSON" : type} AS ${quoted(name)}`;
        });
  return constant(fields.join(", "));
}
