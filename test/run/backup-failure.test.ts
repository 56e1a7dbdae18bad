/** A backup that fails is no reason to withhold data, and none to keep silent. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../pipeline/store/database.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { dropEnrollment, IMPORTED_DAYS, openReader, readHistory } from "../support/published/recorded-history.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";

const onDay = (day: number) => () => new Date(`2026-11-${day}T18:00:00Z`);

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
  const refresh = async (day: number) => {
    const header = "year,quarter,instructionStart,instructionEnd,finalsStart,finalsEnd";
    const calendar = `${header}\n2026,Fall,2026-09-${day},2026-12-04,2026-12-05,2026-12-11\n`;
    await writeFile(join(place.data, "calendar.csv"), calendar);
    return run(place.env, "refresh", onDay(day), { addresses: {}, sample: undefined });
  };
  await dropEnrollment(place.data);
  expect((await refresh(20)).failed).toBe(false);
  await rm(join(place.data, "backup"), { recursive: true });
  await writeFile(join(place.data, "backup"), "in the way");
  const report = await refresh(28);
  expect(report).toMatchObject({ failed: true, changed: true, backup: { taken: false, failed: true, newest: null } });
  const published = await readCurrent(place.artifacts);
  expect((await readHistory(reader, published as PublishedSnapshot)).snapshots).toHaveLength(IMPORTED_DAYS);
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
