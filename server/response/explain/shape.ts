/** The schema of an explanation. */
import { z } from "zod";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { sources } from "../../../pipeline/contract/rows/source.ts";

const source = sources.row.shape;
const grade = grades.row.shape;

const ExplainedFile = z.object({
  path: z.string().describe("path within the generation"),
  url: z.string().describe("where to download it from this server"),
  sha256: z.string().describe("hash of the file"),
  rows: z.int().describe("rows in the file"),
});

export const ExplainedSource = z.object({
  system: source.system,
  name: source.name,
  year: source.year,
  quarter: source.quarter.describe("quarter of that year; null where it covers more"),
  fetchedAt: z.iso.datetime().nullable().describe("when it was fetched, or when the crawl began"),
  sha256: source.sha256.nullable().describe("hash of the bytes that were received; null when it is not recorded"),
  rows: source.rows.nullable().describe("rows that it delivered; null when it is not recorded"),
});

export const ExplainedTable = z.object({
  name: z.string().describe("name of the table, in SQL too"),
  files: z.array(ExplainedFile).describe("the files that the response is made from"),
  sources: z.array(ExplainedSource).describe("the exports and crawls that the table was made from"),
});

const ExplainedGrade = z.object({
  year: grade.year,
  quarter: grade.quarter,
  sectionCode: grade.sectionCode,
  file: grade.exportFile.describe("export of the records office"),
  sha256: grade.exportSha256.describe("hash of that export"),
  sheet: grade.exportSheet.describe("sheet of that export"),
  row: grade.exportRow.describe("row of that sheet; its header is row 1"),
});

/**
 * The media type of explanations. It is JSON of another shape than the response; a client that accepts only this type
 * gets the explanation.
 */
export const EXPLANATION_TYPE = "application/vnd.academic-data.explanation+json";

export const Explanation = z.object({
  title: z.string().describe("what the response shows, such as `Open sections in COMPSCI, Fall 2026`"),
  request: z.object({
    url: z.string().describe("the same request in its normal form, without `explain`"),
    values: z.record(z.string(), z.unknown()).describe("the given parameters as they were understood"),
    fields: z
      .array(z.string())
      .optional()
      .describe("the fields that `fields` leaves of the response, with their full names; the statement gives all"),
  }),
  snapshot: z.object({
    id: z.string().describe("id of the snapshot"),
    generation: z.int().describe("its number"),
    createdAt: z.iso.datetime().describe("when it was published"),
  }),
  tables: z.array(ExplainedTable).describe("empty when the upstream was asked"),
  upstream: z.string().nullable().describe("address that was asked instead of the published data; null when none was"),
  sql: z
    .string()
    .nullable()
    .describe("gives the rows of the response in `make sql` and in the site's SQL; null when the upstream was asked"),
  rows: z.int().describe("rows that the statement gives, or sections that the upstream gave"),
  grades: z
    .array(ExplainedGrade)
    .optional()
    .describe("for grades: where each row that the response is made from was delivered"),
});
