/** A backup that fails is no reason to withhold data, and none to keep silent. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import type { Database } from "../../pipeline/publish/database.ts";
import { readCurrent } from "../../pipeline/generations/generation.ts";
import { openReader, placeOldBase, readHistory } from "../pipeline/migrations/old-base.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

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

test("a backup that cannot be written fails the run's status, not its publication; the report and the server name it", async () => {
  await placeOldBase(place.artifacts, 1);
  await mkdir(place.data);
  await writeFile(join(place.data, "backup"), "in the way");
  const report = await run(place.env, "refresh", () => NOW, { addresses: {}, sample: undefined });
  expect(report).toMatchObject({ failed: true, changed: true, backup: { taken: false, failed: true, newest: null } });
  const generation = await readCurrent(place.artifacts);
  expect((await readHistory(reader, generation?.folder ?? "", CONTRACT_VERSION)).snapshots).toHaveLength(241);
  expect(await readFile(join(place.artifacts, "report.txt"), "utf8")).toMatch(
    /backup failed: the backup could not be written: E\w+/,
  );
  const server = await serve(place.env);
  try {
    const status = (await (await fetch(`${server.url}/status`)).json()) as { lastRun: { backup: object } };
    expect(status.lastRun.backup).toEqual(report.backup);
    const ready = (await (await fetch(`${server.url}/health/ready`)).json()) as { lastRun: { faults: object[] } };
    expect(ready.lastRun.faults).toContainEqual({
      product: "backup",
      why: expect.stringContaining("could not be written"),
    });
  } finally {
    await server.close();
  }
});
