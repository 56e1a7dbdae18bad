/** A first snapshot is served while it loads: requests wait for the rows of COMPAT=1 too, which are made last. */
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { silentLog } from "../../../../pipeline/log.ts";
import { createPool } from "../../../../server/duckdb/pool.ts";
import { slice } from "../../../../server/snapshot/loading/json-rows.ts";
import { openStore } from "../../../../server/snapshot/store.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { courseRow } from "../../../support/worlds/catalogue-rows.ts";

const COURSES = 3000;

const folder = await openFolder();
await publishRows(folder.artifacts, {
  courses: Array.from({ length: COURSES }, (_, i) => courseRow({ courseNumber: String(i + 1) })),
});
const pool = await createPool({ artifactsDir: folder.artifacts });
const store = await openStore({
  artifactsDir: folder.artifacts,
  pool,
  log: silentLog,
  compat: true,
  servesEarly: true,
});
afterAll(async () => {
  await store.close();
  await pool.close();
  await folder.remove();
});

it("no request gets the rows of the other mode", async () => {
  const first = await store.withSnapshot(async ({ compat, isLoaded }) => {
    // From then on requests do not wait for their tables.
    while (!isLoaded()) await setImmediate();
    return compat && slice(compat.tables.courses.jsonRows.course, 0, 1).toString();
  });
  expect(JSON.parse(first ?? "")).toHaveProperty("instructors");
});
