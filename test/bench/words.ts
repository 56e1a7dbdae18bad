/** What the published data holds, as far as questions are made of it; read from the Parquet files, so that the server has not been asked yet. */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term } from "../../pipeline/contract/vocabulary.ts";
import { readPublished } from "../../pipeline/generations/generation.ts";

export interface Words {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Latest first; `main` are those with many sections. */
  readonly terms: readonly Term[];
  readonly main: readonly Term[];
  readonly departments: readonly string[];
  readonly courses: readonly { id: string; department: string; courseNumber: string }[];
  readonly graded: readonly { department: string; courseNumber: string }[];
  /** Of the latest main term. */
  readonly sectionCodes: readonly string[];
  readonly sectionInstructors: readonly string[];
  readonly sectionCourses: readonly { department: string; courseNumber: string }[];
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
  const { folder, manifest } = await readPublished(artifacts);
  const counted = manifest.files
    .filter(({ table }) => table === "sections")
    .map(({ partition, rows }) => ({ term: partition as Term, rows }))
    .sort((a, b) => compareTerms(b.term, a.term));
  const most = Math.max(...counted.map(({ rows }) => rows));
  const main = counted.filter(({ rows }) => rows > most / 2).map(({ term }) => term);
  const at = { folder, manifest };
  const from = (table: TableName, term?: Term) => filesText(tablePaths(at, table, term));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = async (query: string) => (await connection.runAndReadAll(query)).getRowsJS() as string[][];
  const column = async (query: string) => (await rows(query)).map(([value]) => value as string);
  try {
    return {
      ...at,
      terms: counted.map(({ term }) => term),
      main,
      departments: await column(`SELECT DISTINCT department FROM ${from("grades")} ORDER BY 1`),
      courses: (await rows(`SELECT id, department, courseNumber FROM ${from("courses")} ORDER BY 1`)).map(
        ([id = "", department = "", courseNumber = ""]) => ({ id, department, courseNumber }),
      ),
      graded: (await rows(`SELECT DISTINCT department, courseNumber FROM ${from("grades")} ORDER BY 1, 2`)).map(
        ([department = "", courseNumber = ""]) => ({ department, courseNumber }),
      ),
      sectionCodes: await column(`SELECT sectionCode FROM ${from("sections", main[0])} ORDER BY 1`),
      sectionInstructors: await column(
        `SELECT DISTINCT unnest(instructors) FROM ${from("sections", main[0])} ORDER BY 1`,
      ),
      sectionCourses: (
        await rows(`SELECT DISTINCT deptCode, courseNumber FROM ${from("sections", main[0])} ORDER BY 1, 2`)
      ).map(([department = "", courseNumber = ""]) => ({ department, courseNumber })),
      years: await column(`SELECT DISTINCT "year" FROM ${from("grades")} ORDER BY 1`),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
