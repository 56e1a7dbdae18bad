/** How the server hears of what is published, without being told. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
let artifacts: string;
let pool: Pool;
let store: Store;

beforeEach(async () => {
  folder = await openFolder();
  artifacts = join(folder.artifacts, "not-there-yet");
  pool = await createPool({ artifactsDir: folder.artifacts });
  store = await openStore({ artifactsDir: artifacts, pool, log: silentLog });
});
afterEach(async () => {
  await store.close();
  await pool.close();
  await folder.remove();
});

const publish = (longName: string) => publishRows(artifacts, { terms: [{ year: "2024", quarter: "Fall", longName }] });
const served = () => store.current()?.id;

it("a generation is served when it is published, also the first one in a folder that was not there", async () => {
  expect(served()).toBeUndefined();
  for (const longName of ["first", "second"]) {
    const { id } = await publish(longName);
    await expect.poll(served).toBe(id);
  }
});

it("a crawl that changed nothing is noticed too; until then the freshness is the same object", async () => {
  const { id } = await publish("first");
  await expect.poll(served).toBe(id);
  for (const nextRefresh of ["2024-10-01T10:00:00.000Z", "2024-10-01T11:00:00.000Z"]) {
    await writeFreshness(artifacts, { products: {}, terms: {}, nextRefresh });
    await expect.poll(() => store.freshness().nextRefresh).toBe(nextRefresh);
  }
  const before = store.freshness();
  await store.checkForUpdate();
  expect(store.freshness()).toBe(before);
  expect(served()).toBe(id);
});

it("after its end nothing more is served", async () => {
  const { id } = await publish("first");
  await expect.poll(served).toBe(id);
  await store.close();
  await publish("second");
  await sleep(500);
  expect(served()).toBe(id);
});
