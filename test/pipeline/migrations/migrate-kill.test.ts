/** A migration that is killed, or whose disk fails, at any step: the old base stays or the new one is there, and the next run converges. */
import { linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { migratePublished } from "../../../pipeline/migrations/migrate.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/publish/disk.ts";
import { readCurrent } from "../../../pipeline/generations/generation.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { DIVISIBLE, type Fault, faultyDisk, isFlip } from "../publish/faulty-disk.ts";
import { openFolder } from "../../support/whole-run.ts";
import { listTree, openReader, placeOldBase, readHistory } from "./old-base.ts";
import { someOf } from "../../support/extent.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
let reader: Database;
beforeEach(async () => {
  place = await openFolder();
  reader = await openReader(join(place.data, "spill"));
});
afterEach(async () => {
  reader.close();
  await place.remove();
});

const NOW = new Date("2026-11-20T18:00:00Z");

function migrate(artifactsDir: string, disk: Disk) {
  const dataDir = join(artifactsDir, "data");
  const assertHeld = () => Promise.resolve();
  return migratePublished({
    artifactsDir,
    dataDir,
    now: NOW,
    allowLoss: false,
    log: silentLog,
    assertHeld,
    disk,
  });
}

/** Second names for all files: a published file never changes. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(old, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), copy);
    else linkSync(old, copy);
  }
}

/** Killed after a step is killed before the next one. */
const FAULTS: readonly Fault[] = ["kill-before", "kill-during", "ENOSPC"];

test.each(FAULTS)("%s", async (fault) => {
  const template = join(place.artifacts, "template");
  const old = await placeOldBase(template, 1);
  const before = await readHistory(reader, old.folder, 1);
  const fresh = (name: string) => {
    linkTree(template, join(place.artifacts, name));
    return join(place.artifacts, name);
  };
  const traced = faultyDisk();
  const whole = fresh("whole");
  await migrate(whole, traced.disk);
  const id = (await readCurrent(whole))?.manifest.id;
  const content = await listTree(old.folder);
  expect(traced.steps.length).toBeGreaterThan(60);
  const concerned = [...traced.steps.entries()].flatMap(([at, { name }]) => {
    // Of steps alike, such as the links of a tree, the first and the last one stand for all.
    const alike = traced.steps.flatMap((step, i) => (step.name === name ? [i] : []));
    const isLast = fault !== "ENOSPC" && at === alike.at(-1);
    return (at === alike[0] || isLast) && (fault !== "kill-during" || DIVISIBLE.has(name)) ? [at] : [];
  });
  const flip = traced.steps.findIndex(isFlip);
  expect(flip).toBeGreaterThan(0);
  for (const at of new Set([...someOf(concerned, 2), ...(fault === "kill-during" ? [] : [flip])])) {
    const artifacts = fresh(`at-${at}`);
    await migrate(artifacts, faultyDisk({ at, fault }).disk).catch(() => undefined);
    // The old generation is whole whatever happened, and what is in service is one of the two.
    const oldFolder = join(artifacts, "generations", readdirSync(join(template, "generations"))[0] ?? "");
    expect(await listTree(oldFolder)).toEqual(content);
    const inService = readlinkSync(join(artifacts, "current"));
    expect(inService).toMatch(new RegExp(`^generations/(1-${old.manifest.id}|\\d+-${id})$`));
    await migrate(artifacts, nodeDisk);
    const generation = await readCurrent(artifacts);
    if (!generation) throw new Error(`nothing is published after step ${at}`);
    expect(generation.manifest.id).toBe(id);
    expect(await verifyGeneration(reader.connection, generation)).toEqual([]);
    expect(await readHistory(reader, generation.folder, CONTRACT_VERSION)).toEqual(before);
  }
});
