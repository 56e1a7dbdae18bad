/** Requests about an earlier snapshot beside current ones: the same responses, few at once, and none for clients that are gone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { appOf } from "../../support/published/app-of.ts";
import type { History } from "../../../server/snapshot/history.ts";
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
  store = await openStore({ artifactsDir: folder.artifacts, pool, log: silentLog });
});
afterAll(async () => {
  await store?.close();
  await pool?.close();
  await folder.remove();
});

const openApp = () =>
  appOf({
    endpoints,
    store,
    pool,
    log: silentLog,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
  });

type Run = (...all: Parameters<History["withSnapshot"]>) => Promise<unknown>;

describe("requests about an earlier snapshot", () => {
  /** Runs `use` with a history whose requests go through `change`. */
  async function withHistory(change: (run: Run) => Run, use: () => Promise<void>) {
    const { history } = store;
    const { withSnapshot } = history;
    Object.assign(history, { withSnapshot: change(withSnapshot as Run) });
    try {
      await use();
    } finally {
      Object.assign(history, { withSnapshot });
    }
  }

  it("are answered beside current ones that never pause, and no more than two run at once", async () => {
    const app = openApp();
    const text = await (await app.request(`${PATH}&asOf=${earlier}`)).text();
    let isDone = false;
    const askOn = async (i: number) => {
      for (let n = 0; !isDone; n++)
        expect((await app.request(`${PATH}&courseNumber=0-${1000 * i + n}`)).status).toBe(200);
    };
    const current = [1, 2].map(askOn);
    let [running, most] = [0, 0];
    const counted =
      (run: Run): Run =>
      async (...all) => {
        most = Math.max(most, ++running);
        await sleep(5);
        return run(...all).finally(() => running--);
      };
    await withHistory(counted, async () => {
      const asked = Array.from({ length: 20 }, async (_, i) => {
        const response = await app.request(`${PATH}&asOf=${earlier}&room=&x=${i}`);
        return [response.status, response.headers.get("x-data-snapshot"), await response.text()];
      });
      for (const one of await Promise.all(asked)) expect(one).toEqual([200, earlier, text]);
    });
    isDone = true;
    await Promise.all(current);
    expect([running, most]).toEqual([0, 2]);
  });

  it("are not run for clients that hung up while they waited", async () => {
    const app = openApp();
    const gone = new AbortController();
    let start = () => {};
    const waiting = new Promise<void>((resolve) => (start = resolve));
    let runs = 0;
    const held =
      (run: Run): Run =>
      async (...all) => {
        runs++;
        await waiting;
        return run(...all);
      };
    await withHistory(held, async () => {
      const first = [1, 2].map((n) => app.request(`${PATH}&asOf=${earlier}&limit=&x=${n}`));
      await expect.poll(() => runs).toBe(2);
      const leaves = app.request(`${PATH}&asOf=${earlier}&offset=`, { signal: gone.signal });
      const stays = app.request(`${PATH}&asOf=${earlier}&offset=&x=1`);
      await sleep(50);
      gone.abort();
      start();
      await Promise.allSettled([...first, leaves, stays]);
      expect((await stays).status).toBe(200);
      expect(runs).toBe(3);
    });
  });
});
