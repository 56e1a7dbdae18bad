/**
 * Crash safety: "SIGKILL, ENOSPC, EIO, read-only directory at any step leave the old snapshot or the new one, never
 * neither".
 */
import { linkSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { nodeDisk, type Disk } from "../../../pipeline/disk/disk.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { layoutOf } from "../../../pipeline/store/layout.ts";
import { collect } from "../../../pipeline/publish/retention.ts";
import { someOf } from "../../support/extent.ts";
import { type Fault, FAULTS, DIVISIBLE, faultyDisk, isFlip } from "./faulty-disk.ts";
import { inService } from "./crash-work.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

/** Failures are independent: while one waits for the disk another continues, each lane with its database. */
const lanes = await Promise.all([1, 2, 3].map(() => scratchDatabase(1)));
const [lane] = lanes as [Database];
const scratch = scratchFolder();
const template = join(scratch, "template");
const NOW = new Date("2024-10-01T12:00:00Z");
const LATER = new Date("2024-10-01T15:00:00Z");

/** A whole run, like a refresh: publish, check the time, remove what is old. */
async function run(
  database: Database,
  { artifacts, stamp, disk, now }: { artifacts: string; stamp: number; disk: Disk; now: Date },
): Promise<string> {
  const publisher = await openPublisher(artifacts, {
    disk,
    database,
    rows: 5,
    tables: ["terms", "headings"],
    now: () => now,
  });
  const { id } = await publisher.publish(stamp);
  await writeFreshness(artifacts, { products: { grades: now.toISOString() }, terms: {}, nextRefresh: null }, disk);
  await collect(artifacts, { now, disk });
  return id;
}

mkdirSync(template);
const ids: string[] = [];
// Old enough that the run under test also removes some: its removals are steps as well.
for (const stamp of [1, 2, 3, 4]) ids.push(await run(lane, { artifacts: template, stamp, disk: nodeDisk, now: NOW }));
const oldId = ids.at(-1);

/** A published file never changes: a second name for it is as good as a copy, and quicker. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(old, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), copy);
    else linkSync(old, copy);
  }
}

const copies = { number: 0 };
function freshCopy(): string {
  const artifacts = join(scratch, String(copies.number++));
  linkTree(template, artifacts);
  return artifacts;
}

const traced = faultyDisk();
const newId = await run(lane, { artifacts: freshCopy(), stamp: 5, disk: traced.disk, now: LATER });
const { steps } = traced;

/**
 * Fails a step of a run, checks the remains, runs again undisturbed, checks again. `broken` lists the promises that
 * were not kept.
 */
async function failAt(
  database: Database,
  { at, fault }: { at: number; fault: Fault },
): Promise<{ broken: string[]; served: string | undefined }> {
  const { connection } = database;
  const broken: string[] = [];
  const promise = (kept: boolean, what: string) => {
    if (!kept) broken.push(`${fault} at step ${at} (${steps[at]?.name} ${steps[at]?.path}): ${what}`);
  };
  const artifacts = freshCopy();
  const { disk } = faultyDisk({ at, fault });
  const reported = await run(database, { artifacts, stamp: 5, disk, now: LATER }).catch(() => undefined);
  const { generation: current, problems } = await inService(connection, artifacts);
  const served = current?.manifest.id;
  promise(served === oldId || served === newId, `neither the old nor the new one is served, but ${served}`);
  promise(reported === undefined || served === newId, "success was reported, but the old one is served");
  promise(problems.length === 0, `damaged: ${JSON.stringify(problems)}`);

  await run(database, { artifacts, stamp: 5, disk: nodeDisk, now: LATER });
  const after = await inService(connection, artifacts, { isSettled: true });
  promise(after.generation?.manifest.id === newId, `the next run serves ${after.generation?.manifest.id}`);
  promise(after.problems.length === 0, `the next run's is damaged: ${JSON.stringify(after.problems)}`);
  promise((await nodeDisk.readdir(layoutOf(artifacts).staging)).length === 0, "leftovers in staging");
  const names = (await nodeDisk.readdir(artifacts)).join(" ");
  promise(
    names === "checkouts current current.json freshness.json headings snapshots staging terms",
    `leftovers: ${names}`,
  );
  rmSync(artifacts, { recursive: true });
  return { broken, served };
}

test.each(FAULTS)("%s at any step: the old snapshot or the new one, and the next run converges", async (fault) => {
  const broken: string[] = [];
  const served: (string | undefined)[] = [];
  const all = [...steps.entries()]
    .filter(([, { name }]) => fault !== "kill-during" || DIVISIBLE.has(name))
    .map(([at]) => at);
  const flip = steps.findIndex(isFlip);
  const waiting = [...new Set([...someOf(all, 10), ...all.filter((at) => Math.abs(at - flip) <= 1)])];
  const work = async (database: Database) => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const outcome = await failAt(database, { at, fault });
      broken.push(...outcome.broken);
      served.push(outcome.served);
    }
  };
  await Promise.all(lanes.map(work));
  expect(broken).toEqual([]);
  // Both outcomes occur: the faults do hit before and after the flip.
  expect(served).toContain(oldId);
  expect(served).toContain(newId);
});
