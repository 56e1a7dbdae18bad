/** Recorded and imported enrollment history: a file to import, what a snapshot has of it, and damage to its files. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { emptyTable } from "../../../pipeline/contract/tables.ts";
import type { PublishedSnapshot } from "../../../pipeline/store/published.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";

/** Section and day pairs of the file that `dropEnrollment` writes. */
export const IMPORTED_DAYS = 36;

/** Puts a file of older enrollment of three terms into the data folder, which the next run imports. */
export async function dropEnrollment(data: string): Promise<void> {
  const header =
    "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status";
  const terms = [
    ["2025,Fall", "2025-09"],
    ["2026,Spring", "2026-03"],
    ["2026,Fall", "2026-11"],
  ] as const;
  const rows = terms.flatMap(([term, month]) =>
    ["98001", "98002"].flatMap((code) =>
      Array.from({ length: 6 }, (_, i) => `${term},${code},${month}-0${i + 1},30,${i >> 1},n/a,0,${i},,OPEN`),
    ),
  );
  await mkdir(join(data, "enrollment"), { recursive: true });
  await writeFile(join(data, "enrollment", "older.csv"), `${[header, ...rows].join("\n")}\n`);
}

const VALUES = "maxCapacity, totalEnrolled, waitlist, waitlistCap, requested, newOnlyReserved, status";
const DESCRIBED =
  "department, courseNumber, courseNumeric, sectionType, sectionNum, units, instructors, meetings, finalExam";

export interface History {
  /** A text for each section and day: the recorded values. */
  readonly snapshots: string[];
  /** A text for each section: its description. */
  readonly sections: string[];
  /** A text for each imported file. */
  readonly imports: string[];
}

export async function openReader(tempFolder: string): Promise<Database> {
  return openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder });
}

/** Reads the recorded history of a snapshot day by day, without anything of the pipeline. */
export async function readHistory(
  { connection }: Database,
  { folder, manifest }: Pick<PublishedSnapshot, "folder" | "manifest">,
): Promise<History> {
  const texts = async (select: string) => {
    const read = await connection.runAndReadAll(
      `SELECT to_json(row)::VARCHAR AS line FROM (${select}) row ORDER BY line`,
    );
    return read.getRowsJson().map(([line]) => String(line));
  };
  const rows = (table: string) => {
    const files = manifest.files.filter((file) => (emptyTable(file.table) ?? file.table) === table);
    return readParquet(files.map(({ path }) => join(folder, path)));
  };
  return {
    snapshots: await texts(
      `SELECT year, quarter, sectionCode, unnest(generate_series(first, last, INTERVAL 1 DAY))::DATE AS day, ${VALUES}, imported FROM ${rows("enrollment_periods")}`,
    ),
    sections: await texts(`SELECT year, quarter, sectionCode, ${DESCRIBED} FROM ${rows("enrollment_history")}`),
    imports: await texts(`FROM ${rows("enrollment_imports")}`),
  };
}

/** Changes one bit in the middle of a file; the file keeps its size, and other names of it are changed as well. */
export async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x10, middle);
  await writeFile(path, bytes);
}

/** Every file and link below a folder with its content, but for the lock's claims. */
export async function listTree(folder: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const entry of (await readdir(folder, { recursive: true })).toSorted()) {
    if (/^(lock|staging)\b/.test(entry)) continue;
    const path = join(folder, entry);
    const about = await lstat(path);
    if (about.isFile())
      contents[entry] = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    if (about.isSymbolicLink()) contents[entry] = await readlink(path);
  }
  return contents;
}
