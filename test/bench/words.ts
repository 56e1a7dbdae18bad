/** The values for requests, read from the published Parquet files, so that the server has not seen a request yet. */
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term } from "../../pipeline/contract/vocabulary.ts";

interface CourseName {
  readonly department: string;
  readonly courseNumber: string;
}

export interface Words {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The terms with many sections, latest first. */
  readonly main: readonly Term[];
  readonly departments: readonly string[];
  readonly courses: readonly (CourseName & { readonly id: string })[];
  /** Courses with grades, and with enrollment history. */
  readonly gradedCourses: readonly CourseName[];
  readonly recordedCourses: readonly CourseName[];
  /** Section codes of the latest main term. */
  readonly sectionCodes: readonly string[];
  readonly instructors: readonly string[];
  readonly years: readonly string[];
}

/** The files of a table, of one term where one is given. */
export function tablePaths(
  { folder, manifest }: Pick<Words, "folder" | "manifest">,
  table: TableName,
  term?: Term,
): string[] {
  return manifest.files
    .filter((file) => file.table === table)
    .filter(({ partition }) => !term || (partition.year === term.year && partition.quarter === term.quarter))
    .map(({ path }) => join(folder, path));
}

export const filesText = (paths: readonly string[]): string =>
  `read_parquet([${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(", ")}], hive_partitioning = false)`;

export async function readWords(artifacts: string): Promise<Words> {
  const folder = await realpath(join(artifacts, "current"));
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  const ofSections = manifest.files.filter(({ table }) => table === "sections");
  const most = Math.max(...ofSections.map(({ rows }) => rows));
  const main = ofSections
    .filter(({ rows }) => rows > most / 2)
    .map(({ partition }) => partition as Term)
    .sort((a, b) => compareTerms(b, a));
  const from = (table: TableName, term?: Term) => filesText(tablePaths({ folder, manifest }, table, term));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = async <T>(query: string) =>
    (await connection.runAndReadAll(query)).getRowObjectsJson() as unknown as T[];
  const column = async (query: string) => (await rows<{ value: string }>(query)).map(({ value }) => value);
  const names = (table: TableName) =>
    rows<CourseName>(`SELECT DISTINCT department, courseNumber FROM ${from(table)} ORDER BY ALL`);
  try {
    return {
      folder,
      manifest,
      main,
      departments: await column(`SELECT DISTINCT department AS value FROM ${from("grades")} ORDER BY ALL`),
      courses: await rows(`SELECT id, department, courseNumber FROM ${from("courses")} ORDER BY ALL`),
      gradedCourses: await names("grades"),
      recordedCourses: await names("enrollment_history"),
      sectionCodes: await column(`SELECT sectionCode AS value FROM ${from("sections", main[0])} ORDER BY ALL`),
      instructors: await column(
        `SELECT DISTINCT unnest(instructors) AS value FROM ${from("sections", main[0])} ORDER BY ALL`,
      ),
      years: await column(`SELECT DISTINCT "year" AS value FROM ${from("grades")} ORDER BY ALL`),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
