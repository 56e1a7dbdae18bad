/** A base that a version of this program published at its time, as it lies in `test/fixtures/contract/`, and what its recorded history says. */
import { createHash } from "node:crypto";
import { cp, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { type Database, openDatabase } from "../../../pipeline/publish/database.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/contract", import.meta.url));

/** The versions of which there is a base. */
export const VERSIONS = (await readdir(FIXTURES)).map(Number).sort((a, b) => a - b);

export interface OldBase {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Publishes the base of a version in an empty artifacts folder; its files are copies. `source`: the address at which it was crawled. */
export async function placeOldBase(artifacts: string, version: number, source?: string): Promise<OldBase> {
  const from = join(FIXTURES, String(version));
  const manifest = JSON.parse(await readFile(join(from, "manifest.json"), "utf8")) as Manifest;
  const name = `${manifest.generation}-${manifest.id}`;
  const folder = join(artifacts, "generations", name);
  await mkdir(folder, { recursive: true });
  await cp(from, folder, { recursive: true });
  if (source !== undefined) {
    manifest.source = Object.fromEntries(Object.keys(manifest.source).map((system) => [system, source]));
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  }
  await symlink(`generations/${name}`, join(artifacts, "current"));
  return { folder, manifest };
}

const VALUES = "maxCapacity, totalEnrolled, waitlist, waitlistCap, requested, newOnlyReserved, status";
const DESCRIBED =
  "department, courseNumber, courseNumeric, sectionType, sectionNum, units, instructors, meetings, finalExam";

export interface History {
  /** One text a section and day: what was recorded. */
  readonly snapshots: string[];
  /** One text a section: what it is. */
  readonly sections: string[];
  /** One text an imported file. */
  readonly imports: string[];
}

export async function openReader(tempFolder: string): Promise<Database> {
  return openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder });
}

/** Reads the recorded history of a generation in the layout of its version, day by day, without anything of the migration. */
export async function readHistory({ connection }: Database, folder: string, version: number): Promise<History> {
  const texts = async (select: string) => {
    const read = await connection.runAndReadAll(
      `SELECT to_json(row)::VARCHAR AS line FROM (${select}) row ORDER BY line`,
    );
    return read.getRowsJson().map(([line]) => String(line));
  };
  const rows = (table: string) => `read_parquet('${folder}/${table}/**/*.parquet', hive_partitioning = false)`;
  const periods =
    version === 1
      ? `(SELECT year, quarter, sectionCode, unnest(p) FROM (SELECT year, quarter, sectionCode, unnest(periods) AS p FROM ${rows("enrollment_history")}))`
      : rows("enrollment_periods");
  return {
    snapshots: await texts(
      `SELECT year, quarter, sectionCode, unnest(generate_series(first, last, INTERVAL 1 DAY))::DATE AS day, ${VALUES}, imported FROM ${periods}`,
    ),
    sections: await texts(`SELECT year, quarter, sectionCode, ${DESCRIBED} FROM ${rows("enrollment_history")}`),
    imports: await texts(`SELECT * FROM ${rows("enrollment_imports")}`),
  };
}

/** Changes one bit in the middle of a file; the file keeps its size, and other names of it are changed as well. */
export async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(path, bytes);
}

/** Every file and link below a folder with its content, but for the lock's claims. */
export async function listTree(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of (await readdir(folder, { recursive: true })).toSorted()) {
    if (/^(lock|staging)\b/.test(entry)) continue;
    const path = join(folder, entry);
    const about = await lstat(path);
    if (about.isFile())
      found[entry] = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    if (about.isSymbolicLink()) found[entry] = await readlink(path);
  }
  return found;
}
