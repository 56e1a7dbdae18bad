/** "a new contract version migrates the old history": from the base that each version published at its time to the current one, by real runs. */
import { readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import type { Database } from "../../pipeline/publish/database.ts";
import { readCurrent } from "../../pipeline/publish/generation.ts";
import { verifyGeneration } from "../../pipeline/publish/verify.ts";
import { openFolder, run } from "../world.ts";
import { openReader, placeOldBase, readHistory, VERSIONS } from "./old-base.ts";

/** Later than every recorded day. */
const NOW = new Date("2026-11-20T18:00:00Z");
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

/** A run without an upstream: what is published stays. */
const refresh = (now = NOW) => run(place.env, "refresh", () => now, { addresses: {}, sample: undefined });

async function published() {
  const generation = await readCurrent(place.artifacts);
  if (!generation) throw new Error("nothing is published");
  return generation;
}

test("there is a base of every contract version", () => {
  expect(VERSIONS).toEqual(Array.from({ length: CONTRACT_VERSION }, (_, i) => i + 1));
});

describe.each(VERSIONS)("a base of version %i", (version) => {
  test("is published in the current layout, snapshot by snapshot the same", async () => {
    const old = await placeOldBase(place.artifacts, version);
    const before = await readHistory(reader, old.folder, version);
    const report = await refresh();
    const { folder, manifest } = await published();
    expect(manifest.contract).toBe(CONTRACT_VERSION);
    const after = await readHistory(reader, folder, CONTRACT_VERSION);
    expect(before.snapshots.length).toBeGreaterThan(200);
    expect(after).toEqual(before);
    expect(await verifyGeneration(reader.connection, { folder, manifest })).toEqual([]);
    expect(report.failed).toBe(false);
  });
});
