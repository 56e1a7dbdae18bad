/** Crash safety: "SIGKILL, ENOSPC, EIO, read-only directory at any step leave the old generation or the new one, never neither". */
import { linkSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFreshness } from "../../../pipeline/publish/freshness.ts";
import { nodeDisk, type Disk } from "../../../pipeline/publish/disk.ts";
import { listGenerations, readCurrent, readGeneration } from "../../../pipeline/generations/generation.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { layoutOf } from "../../../pipeline/generations/layout.ts";
import { collect } from "../../../pipeline/publish/retention.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { someOf } from "../../support/extent.ts";
import { type Fault, FAULTS, DIVISIBLE, faultyDisk, isFlip, type Step } from "./faulty-disk.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

/** Failures do not depend on each other: while one waits for the disk another goes on, each lane with a database of its own. */
const lanes = await Promise.all([1, 2, 3].map(() => scratchDatabase(1)));
const [lane] = lanes as [Database];
const scratch = scratchFolder();
const template = join(scratch, "template");
const NOW = new Date("2024-10-01T12:00:00Z");
const LATER = new Date("2024-10-01T15:00:00Z");

/** One whole run, as a refresh does it: publish, look at the clock, clear away what is old. */
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
  // A new folder has not the old one's time, from which retention counts.
  const { generations } = layoutOf(artifacts);
  for (const name of readdirSync(generations)) utimesSync(join(generations, name), NOW, NOW);
  return artifacts;
}

const traced = faultyDisk();
const newId = await run(lane, { artifacts: freshCopy(), stamp: 5, disk: traced.disk, now: LATER });
const { steps } = traced;

test("the steps of a run are what they should be", () => {
  const names = new Set(steps.map(({ name }) => name));
  expect([...names].toSorted()).toEqual(
    [
      "link",
      "mkdir",
      "rename",
      "rm",
      "symlink",
      "syncFile",
      "syncFolder",
      "touch",
      "writeFile",
      "writtenBy",
    ].toSorted(),
  );
  expect(newId).not.toBe(oldId);
  expect(steps.filter(({ path }) => path.includes("/staging/trash-"))).not.toEqual([]);
});

test("before the flip every new file and every new folder has reached the disk, and after it the link", () => {
  const flip = steps.findIndex(isFlip);
  const before = steps.slice(0, flip);
  const at = (name: Step["name"], path: string) =>
    before.findLastIndex((step) => step.name === name && step.path === path);
  const place = before.findIndex(({ name, path }) => name === "rename" && path.includes("/generations/"));
  // Files: written, then synced, both before the folder gets its name.
  const unsynced = before
    .filter(({ name }) => name === "writtenBy" || name === "writeFile")
    .filter(({ name, path }) => !(at("syncFile", path) > at(name, path) && at("syncFile", path) < place));
  expect(unsynced).toEqual([]);
  // Folders of the new tree: each synced after its last entry came.
  const links = before.filter(({ name }) => name === "link");
  expect(links.length).toBeGreaterThan(1);
  for (const { path } of links) {
    for (let folder = path; !folder.endsWith("/generation");) {
      folder = join(folder, "..");
      expect([folder, at("syncFolder", folder) > at("link", path)]).toEqual([folder, true]);
    }
  }
  const generations = join(before[place]?.path ?? "", "..");
  expect(at("syncFolder", generations)).toBeGreaterThan(place);
  expect(steps[flip + 1]).toEqual({ name: "syncFolder", path: join(generations, "..") });
});

/** Fails one step of a run, looks at what is left, runs again undisturbed, looks again. `broken` says which promises were not kept. */
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
  const current = await readCurrent(artifacts);
  const served = current?.manifest.id;
  promise(served === oldId || served === newId, `neither the old nor the new one is served, but ${served}`);
  promise(reported === undefined || served === newId, "success was reported, but the old one is served");
  const problems = current ? await verifyGeneration(connection, current) : [];
  promise(problems.length === 0, `damaged: ${JSON.stringify(problems)}`);
  const { generations, staging } = layoutOf(artifacts);
  for (const { name } of await listGenerations(artifacts)) {
    const complete = await readGeneration(join(generations, name)).catch(() => undefined);
    promise(complete !== undefined, `${name} has a generation's name, but is not complete`);
  }

  await run(database, { artifacts, stamp: 5, disk: nodeDisk, now: LATER });
  const after = await readCurrent(artifacts);
  promise(after?.manifest.id === newId, `the next run serves ${after?.manifest.id}`);
  const left = after ? await verifyGeneration(connection, after) : [];
  promise(left.length === 0, `the next run's is damaged: ${JSON.stringify(left)}`);
  promise((await nodeDisk.readdir(staging)).length === 0, "leftovers in staging");
  const names = (await nodeDisk.readdir(artifacts)).join(" ");
  promise(names === "current freshness.json generations staging", `leftovers: ${names}`);
  rmSync(artifacts, { recursive: true });
  return { broken, served };
}

test.each(FAULTS)("%s at any step: the old generation or the new one, and the next run converges", async (fault) => {
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
