/** What clients asked again and again is ready before they ask it of the next snapshot. */
import { expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { appOf } from "../../support/published/app-of.ts";
import { createBodyCache } from "../../../server/http/body-cache.ts";
import { createResponseCache } from "../../../server/http/response-cache.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { listenOn } from "../../../server/http/listening/listening.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { createWarmUp } from "../../../server/http/warm-up.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { openSurface } from "./surface-server.ts";
import { ask } from "./wire.ts";

const TERM = "/v1/rest/schedule?year=2024&quarter=Fall";

async function openWarmed(compat = false) {
  const surface = await openSurface();
  const { artifacts } = surface;
  const pool = await createPool({ artifactsDir: artifacts });
  let warm: ReturnType<typeof createWarmUp> | undefined;
  let warmed: Promise<void> | undefined;
  const events = { swapped: (before?: string) => void (warmed = warm?.(before)), refused() {} };
  const store = await openStore({ artifactsDir: artifacts, pool, log: silentLog, events });
  const cache = createBodyCache();
  const kept: string[] = [];
  const heard = { ...cache, set: (...all: Parameters<typeof cache.set>) => (kept.push(all[0]), cache.set(...all)) };
  const responseCache = createResponseCache();
  const live = openLiveSchedule(() => Promise.resolve(undefined));
  const app = appOf({ endpoints, store, pool, cache: heard, log: silentLog, compat, live });
  warm = createWarmUp({ responseCache, app, current: () => store.current() });
  const listening = await listenOn(app, { host: "127.0.0.1", port: 0, responseCache });
  return {
    url: listening.url,
    async swap(sectionCode: string) {
      const sections = [sectionRow({ sectionCode })];
      const { id } = await publishRows(artifacts, { sections, headings: headingsOf(sections) });
      await store.checkForUpdate();
      await warmed;
      const { sections: s = "", headings: h = "" } = store.current()?.versions ?? {};
      const version = compat ? id : `${s}-${h}`;
      return { id, kept: kept.filter((key) => key.startsWith(`${version} `)) };
    },
    async close() {
      await listening.close();
      await store.close();
      await pool.close();
      await surface.close();
    },
  };
}

it("repeated requests are answered for the new snapshot before a client repeats them, the most frequent first; others are not", async () => {
  const opened = await openWarmed();
  try {
    const askTimes = async (times: number, path: string, headers: Record<string, string> = {}) => {
      for (let i = 0; i < times; i++) await ask(`${opened.url}${path}`, { headers });
    };
    await askTimes(1, `${TERM}&department=MATH`);
    await askTimes(3, `${TERM}&department=DANCE`, { "Accept-Encoding": "gzip" });
    await askTimes(5, `${TERM}&cacheOnly=true`, { Accept: "text/csv" });
    await askTimes(1, `${TERM}&sectionCodes=1`);
    await askTimes(4, `${TERM}&maxCapacity=7`);

    const first = await opened.swap("20777");
    expect(first.kept).toHaveLength(2);
    expect(first.kept[0]).toMatch(/identity .*csv/);
    expect(first.kept[1]).toMatch(/gzip .*DANCE/);
    const answer = await ask(`${opened.url}${TERM}&department=DANCE`, { headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers["x-data-snapshot"]).toBe(first.id);

    // Nobody asked for the term as CSV of the snapshot between.
    const second = await opened.swap("20778");
    expect(second.kept).toEqual([expect.stringMatching(/gzip .*DANCE/)]);
  } finally {
    await opened.close();
  }
});

it("with COMPAT=1 too, whose envelopes are made for each response", async () => {
  const opened = await openWarmed(true);
  try {
    const path = `${opened.url}${TERM}&department=DANCE`;
    for (let i = 0; i < 3; i++) await ask(path);
    const { id, kept } = await opened.swap("20777");
    expect(kept).toEqual([expect.stringContaining("DANCE")]);
    expect((await ask(path)).json()).toMatchObject({ success: true });
    expect((await ask(path)).headers["x-data-snapshot"]).toBe(id);
  } finally {
    await opened.close();
  }
});
