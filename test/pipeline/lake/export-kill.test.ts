/**
 * An export that is killed, or whose disk fails, at any step: every retained snapshot reads as it was, and the next
 * export continues.
 */
import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { DIVISIBLE, faultyDisk } from "../publish/faulty-disk.ts";
import { newestVersion, readVersion } from "./delta-reader.ts";
import { exportLake, listedSnapshots, openLakeWorld } from "./lake-world.ts";
import { someOf } from "../../support/extent.ts";

const { connection, publishMarks, readMarks, scratch } = await openLakeWorld();

const START = Date.parse("2024-10-01T12:00:00Z");
const retain = { hours: 5, days: 0, months: 0 };
const artifacts = join(scratch, "artifacts");
const template = join(scratch, "template");
const at = (hours: number) => new Date(START + hours * 3_600_000);
const run = (lake: string, hours: number, disk: Disk = nodeDisk) =>
  exportLake(artifacts, lake, { now: at(hours), retain, checkpointInterval: 3, disk });

// Afterwards a file of version 0 is in no retained version, and version 3 is due for a checkpoint.
const snapshots = [
  { years: { 2022: 1, 2023: 1 }, terms: 1 },
  { years: { 2022: 2, 2023: 1 }, terms: 1 },
  { years: { 2022: 2, 2023: 2 }, terms: 1 },
];
for (const [hours, marks] of snapshots.entries()) {
  await publishMarks(artifacts, marks, at(hours));
  await run(template, hours);
}
const last = { years: { 2022: 3, 2023: 2 }, terms: 2 };
const lastId = await publishMarks(artifacts, last, at(6));

/** A copy whose folders are its own. What is replaced in it gets another inode. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === ".lock") continue;
    if (entry.isDirectory()) linkTree(join(from, entry.name), join(to, entry.name));
    else linkSync(join(from, entry.name), join(to, entry.name));
  }
}

let copies = 0;
function freshCopy(): string {
  const lake = join(scratch, `copy-${copies++}`);
  linkTree(template, lake);
  return lake;
}

const traced = faultyDisk();
await run(freshCopy(), 6, traced.disk);

/** @returns the promises that were not kept */
async function failAt(step: number, fault: "kill-during" | "kill-after" | "ENOSPC"): Promise<string[]> {
  const broken: string[] = [];
  const lake = freshCopy();
  const { disk } = faultyDisk({ at: step, fault });
  const what = `${fault} at step ${step} (${traced.steps[step]?.name} ${traced.steps[step]?.path})`;
  const look = async (when: string): Promise<void> => {
    const listed = listedSnapshots(lake);
    for (const snapshot of listed) {
      const expected = snapshot.id === lastId ? last : snapshots[snapshot.generation - 1];
      const marks = await readMarks(lake, snapshot).catch((error: unknown) => String(error));
      if (JSON.stringify(marks) !== JSON.stringify(expected))
        broken.push(`${what}, ${when}: ${snapshot.id} is ${JSON.stringify(marks)}`);
    }
    for (const table of ["grades", "terms", "courses"])
      await readVersion(connection, join(lake, table), newestVersion(join(lake, table))).catch((error: unknown) =>
        broken.push(`${what}, ${when}: ${table}: ${String(error)}`),
      );
  };
  await run(lake, 6, disk).catch(() => undefined);
  await look("after the fault");
  await run(lake, 6);
  await look("after the next export");
  if (listedSnapshots(lake)[0]?.id !== lastId) broken.push(`${what}: the next export did not complete`);
  if ((await nodeDisk.stat(join(lake, ".drafts"))) !== undefined) broken.push(`${what}: drafts are left`);
  return broken;
}

test.each(["kill-during", "kill-after", "ENOSPC"] as const)("%s", async (fault) => {
  const steps = [...traced.steps.keys()].filter((step) => {
    const { name } = traced.steps[step] ?? {};
    if (name === undefined || name === "mkdir") return false;
    return fault === "kill-after" || DIVISIBLE.has(name) || (fault === "ENOSPC" && name === "link");
  });
  const broken: string[] = [];
  for (const step of someOf(steps, 6)) broken.push(...(await failAt(step, fault)));
  expect(broken).toEqual([]);
});
