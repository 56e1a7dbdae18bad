/** Requests about an earlier snapshot beside current ones: the same responses, in bounded time, and none for clients that are gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { createApp } from "../../../server/http/app.ts";
import { type Background, createBackground } from "../../../server/http/background.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder } from "../../support/whole-run.ts";

const PATH = "/v1/rest/schedule?year=2024&quarter=Fall&department=DANCE";
const folder = await openFolder();
let pool: Pool;
let store: Store;
let earlier = "";
beforeAll(async () => {
  earlier = (await publishVersion(folder.artifacts, 0, PARTS)).id;
  await publishVersion(folder.artifacts, 1, PARTS);
  pool = await createPool({ artifactsDir: folder.artifacts });
  store = await openStore({ artifactsDir: folder.artifacts, pool, log: silentLog, compat: false });
});
afterAll(async () => {
  await store?.close();
  await pool?.close();
  await folder.remove();
});

const openApp = (background: Background) =>
  createApp({
    endpoints,
    store,
    pool,
    background,
    log: silentLog,
    compat: false,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
  });

describe("requests about an earlier snapshot", () => {
  it("are answered beside current ones that never pause", async () => {
    const background = createBackground();
    const app = openApp(background);
    const load = setInterval(() => (background.lastCurrent = performance.now()), 1);
    try {
      const alone = await app.request(`${PATH}&asOf=${earlier}`);
      const text = await alone.text();
      const many = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const response = await app.request(`${PATH}&asOf=${earlier}&room=&x=${i}`);
          return [response.status, response.headers.get("x-data-snapshot"), await response.text()];
        }),
      );
      for (const one of many) expect(one).toEqual([200, earlier, text]);
    } finally {
      clearInterval(load);
    }
  });

  it("are not run for clients that hung up while they waited", async () => {
    let start = () => {};
    const waiting = new Promise<void>((resolve) => (start = resolve));
    const app = openApp({ ...createBackground(), turn: () => waiting });
    const gone = new AbortController();
    const { history } = store;
    const { withSnapshot } = history;
    let runs = 0;
    const counted: typeof withSnapshot = (...all) => (runs++, withSnapshot(...all));
    Object.assign(history, { withSnapshot: counted });
    try {
      const asked = app.request(`${PATH}&asOf=${earlier}&limit=`, { signal: gone.signal });
      const stays = app.request(`${PATH}&asOf=${earlier}&offset=`);
      await sleep(50);
      gone.abort();
      start();
      await Promise.allSettled([asked, stays]);
      expect((await stays).status).toBe(200);
      expect(runs).toBe(1);
    } finally {
      Object.assign(history, { withSnapshot });
    }
  });
});
