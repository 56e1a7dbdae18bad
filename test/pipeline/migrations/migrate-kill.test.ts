/**
 * A migration that is killed, or whose disk fails, at any step: the old base stays or the new one is there, and the
 * next run converges.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDamaged } from "../../../pipeline/store/file-check.ts";
import { isOlder, readPointer } from "../../../pipeline/store/manifest.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { verifyGeneration } from "../../../pipeline/store/verify.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { someOf } from "../../support/extent.ts";
import { openReader, readHistory } from "../../support/published/recorded-history.ts";
import { openFolder } from "../../support/whole-run.ts";
import { DIVISIBLE, type Fault, faultyDisk, isFlip } from "../publish/faulty-disk.ts";
import { migrate, publishOlder } from "./older-base.ts";

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

/** Killed after a step is killed before the next one. */
const FAULTS: readonly Fault[] = ["kill-before", "kill-during", "ENOSPC"];

test.each(FAULTS)("%s", async (fault) => {
  const template = join(place.artifacts, "template", "artifacts");
  const old = await publishOlder(template, reader);
  const before = await readHistory(reader, old);
  const fresh = (name: string) => {
    const artifacts = join(place.artifacts, name, "artifacts");
    cpSync(template, artifacts, { recursive: true, verbatimSymlinks: true });
    return artifacts;
  };
  const traced = faultyDisk();
  const whole = fresh("whole");
  await migrate(whole, { disk: traced.disk });
  const id = (await readCurrent(whole))?.manifest.id;
  expect(traced.steps.length).toBeGreaterThan(60);
  const tried = [...traced.steps.entries()].flatMap(([number, { name }]) => {
    // Among similar steps, such as the links of a tree, only the first and the last are tried.
    const alike = traced.steps.flatMap((step, i) => (step.name === name ? [i] : []));
    const isLast = fault !== "ENOSPC" && number === alike.at(-1);
    return (number === alike[0] || isLast) && (fault !== "kill-during" || DIVISIBLE.has(name)) ? [number] : [];
  });
  const flip = traced.steps.findIndex(isFlip);
  expect(flip).toBeGreaterThan(0);
  for (const number of new Set([...someOf(tried, 2), ...(fault === "kill-during" ? [] : [flip])])) {
    const artifacts = fresh(`step-${number}`);
    await migrate(artifacts, { disk: faultyDisk({ at: number, fault }).disk }).catch(() => undefined);
    // The old snapshot is whole whatever happened, and what is in service is one of the two.
    expect(await findDamaged(artifacts, old.manifest.files, nodeDisk)).toEqual([]);
    expect([old.manifest.id, id]).toContain((await readPointer(artifacts, nodeDisk, isOlder))?.snapshot.id);
    await migrate(artifacts);
    const generation = await readCurrent(artifacts);
    if (!generation) throw new Error(`nothing is published after step ${number}`);
    expect(generation.manifest.id).toBe(id);
    // The next run makes the checkout.
    const problems = await verifyGeneration(reader.connection, generation);
    expect(problems.filter(({ path }) => path !== "current")).toEqual([]);
    expect(await readHistory(reader, generation)).toEqual(before);
  }
});
