/** Defines the columns of a response in CSV, NDJSON and Parquet. */
import { z } from "zod";
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { larc } from "../../../pipeline/contract/rows/larc.ts";
import { sections } from "../../../pipeline/contract/rows/section.ts";
import { day, duckdbColumns, duckdbType, fieldsOf, integer, jsonText } from "../../../pipeline/contract/table.ts";
import { constant, type Fragment } from "../../duckdb/sql.ts";
import { SECTION_FIELDS } from "../../snapshot/tables/enrollment-history.ts";
import { Distribution } from "../shapes/grades.ts";
import { Course, EnrollmentHistory, type ShapeName } from "../shapes/shapes.ts";
import { ScheduleCourse, ScheduleDepartment, School, Section } from "../shapes/schedule.ts";
import type { Shape } from "../shapes/shape.ts";

const { courseNumber, courseName, sections: tutorials } = larc.row.shape;
const course = { ...Course.shape, prerequisiteTree: jsonText() };
/** Columns of JSON text, which NDJSON writes as JSON values. */
const JSON_TEXTS: readonly string[] = ["prerequisiteTree"];

/** The columns of shapes whose rows are neither the response nor elements of it. */
const ROWS: { readonly [N in ShapeName]?: z.ZodRawShape } = {
  Schedule: {
    year: sections.row.shape.year,
    quarter: sections.row.shape.quarter,
    ...School.omit({ departments: true }).shape,
    ...ScheduleDepartment.omit({ courses: true }).shape,
    ...ScheduleCourse.omit({ sections: true }).shape,
    ...Section.shape,
  },
  // The sections are available as /grades/raw.
  AggregateGrades: Distribution.shape,
  GradeOptions: { list: z.string(), value: z.string() },
  Course: course,
  Courses: course,
  Week: { week: integer(), quarter: z.string(), display: z.string() },
  Larc: { courseNumber, courseName, ...tutorials.element.shape },
  EnrollmentHistory: {
    ...fieldsOf(EnrollmentHistory.element.shape, SECTION_FIELDS),
    sectionCode: integer(),
    date: day(),
    ...Object.fromEntries(SNAPSHOT_VALUES.map((name) => [name, z.string()])),
  },
};

/**
 * Returns the names and types of a row's columns in order. An optional column is included if the parameter of its name
 * is set.
 */
export function rowOf({ name, schema: whole }: Shape, values: Readonly<Record<string, unknown>> = {}): z.ZodRawShape {
  const row = ROWS[name as ShapeName] ?? (whole instanceof z.ZodArray ? (whole.element as z.ZodType) : whole);
  if (row instanceof z.ZodType && !(row instanceof z.ZodObject)) throw new TypeError(`${name} has no columns`);
  const columns = Object.entries((row instanceof z.ZodObject ? row.shape : row) as Record<string, z.ZodType>);
  return Object.fromEntries(
    columns.flatMap(([column, schema]) => {
      if (!(schema instanceof z.ZodOptional)) return [[column, schema]];
      return values[column] ? [[column, schema.unwrap() as z.ZodType]] : [];
    }),
  );
}

/** A column of a CSV: a value, or a field of a struct. Lists and maps are JSON text. */
interface CsvColumn {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** Returns the columns of a CSV; the fields of structs are flattened. */
export function csvColumns(shape: z.ZodRawShape, above: readonly string[] = []): CsvColumn[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return csvColumns(inner.shape as z.ZodRawShape, path);
    return [{ path, schema: inner as z.ZodType }];
  });
}

const quoted = (name: string): string => `"${name}"`;

/** Returns the SELECT list of a file in `format` over the rows `r`. */
export function selectFor(format: "csv" | "ndjson" | "parquet", columns: z.ZodRawShape): Fragment {
  const fields =
    format === "csv"
      ? csvColumns(columns).map(({ path, schema }) => {
          const value = `r.${path.map(quoted).join(".")}`;
          const isNested = schema instanceof z.ZodArray || schema instanceof z.ZodRecord;
          return `${isNested ? `to_json(${value})::VARCHAR` : `${value}::${duckdbType(schema)}`} AS ${quoted(path.join("."))}`;
        })
      : duckdbColumns(columns).map(({ name, type }) => {
          const isJson = format === "ndjson" && JSON_TEXTS.includes(name);
          return `r.${quoted(name)}::${isJson ? "JSON" : type} AS ${quoted(name)}`;
        });
  return constant(fields.join(", "));
}
