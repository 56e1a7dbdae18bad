/** What the publishing tests share: a scratch folder, a database, and grade rows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Grade } from "../../../pipeline/contract/rows/grade.ts";
import { type Database, openDatabase } from "../../../pipeline/publish/database.ts";

/** A folder that goes when the test file is done. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "publish-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database that is closed when the test file is done. */
export async function scratchDatabase(threads = 2): Promise<Database> {
  const database = await openDatabase({ memoryLimit: "500MB", threads, tempFolder: join(tmpdir(), "publish-spill") });
  afterAll(() => database.close());
  return database;
}

/** One grade row of 2024 Fall; `change` says what is different. */
export function gradeRow(change: Partial<Grade> = {}): Grade {
  return {
    year: "2024",
    quarter: "Fall",
    sectionCode: "34160",
    department: "I&C SCI",
    courseNumber: "46",
    courseNumeric: 46,
    geCategories: ["GE-5B"],
    gradeACount: 34,
    gradeBCount: 19,
    gradeCCount: 40,
    gradeDCount: 0,
    gradeFCount: 18,
    gradePCount: 3,
    gradeNPCount: 5,
    gradeWCount: 4,
    averageGPA: 2.45,
    instructors: ["AMBERLEY, R."],
    sheetOnly: false,
    exportFile: "UG_Grades_2024-25.csv",
    exportSha256: "a".repeat(64),
    exportSheet: null,
    exportRow: 2,
    ...change,
  };
}
