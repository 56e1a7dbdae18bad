/**
 * Publishes grades of a few years into an empty artifacts folder for each test: a year is a single row, and its A
 * grades are its mark.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { createStaging, type Staging } from "../../../pipeline/publish/staging.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "./scratch.ts";

export const now = new Date("2024-10-01T12:00:00Z");
export const options = { source: { grades: "test" }, now };

/** Call it where the tests are declared. */
export async function openYears() {
  const { connection } = await scratchDatabase();
  const scratch = scratchFolder();
  /** The place in which the current test publishes. */
  const place = { artifacts: "" };
  let count = 0;

  /** Uses another empty folder from here on. */
  function goElsewhere(): void {
    place.artifacts = join(scratch, String(count++));
    mkdirSync(place.artifacts);
  }
  beforeEach(goElsewhere);

  const start = async (disk: Disk = nodeDisk): Promise<Staging> =>
    createStaging(place.artifacts, await readBase(place.artifacts, disk), disk);

  /** Writes grades of a year whose row says `mark`. */
  async function writeYear(staging: Staging, year: string, mark: number): Promise<PublishedFile> {
    await loadRows(connection, grades, [gradeRow({ year, gradeACount: mark })]);
    return writePartition(connection, staging, { table: grades, partition: { year }, select: "FROM rows_grades" });
  }

  async function publishYears(...marks: [string, number][]) {
    const staging = await start();
    for (const [of, mark] of marks) staging.put(await writeYear(staging, of, mark));
    const published = await staging.publish(options);
    await staging.discard();
    return published;
  }

  return { connection, place, goElsewhere, start, writeYear, publishYears };
}
