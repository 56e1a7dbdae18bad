/** Shared by the publishing tests: a scratch folder, a database, and grade rows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";

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

export { gradeRow } from "../../support/grade-row.ts";
