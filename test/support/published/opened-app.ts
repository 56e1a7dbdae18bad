/** The application over a folder of artifacts, without a listening socket: thousands of questions in a few seconds. */
import { silentLog } from "../../../pipeline/log.ts";
import { appOf } from "./app-of.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { historySections } from "../../../server/snapshot/tables/enrollment-history.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { seenByTests } from "../documented.ts";

export interface OpenedApp {
  readonly store: Store;
  /** Answers a path below `/v1/rest`. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Loads what was published meanwhile. */
  update(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenedAppOptions {
  /** Every so many-th answer is compared with the OpenAPI document: all of them unless thousands are asked for. */
  readonly judgedEvery?: number;
  readonly compat?: boolean;
}

/** Opens the data published in `artifacts`, without an upstream for live requests. `now` is the server's present. */
export async function openApp(
  artifacts: string,
  now?: () => Date,
  { judgedEvery = 1, compat = false }: OpenedAppOptions = {},
): Promise<OpenedApp> {
  let asked = 0;
  const pool = await createPool({ artifactsDir: artifacts });
  const store = await openStore({ artifactsDir: artifacts, pool, log: silentLog, derivations: [historySections] });
  const app = appOf({
    endpoints,
    store,
    pool,
    log: silentLog,
    compat,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
    ...(now ? { now } : {}),
  });
  return {
    store,
    async get(path, init) {
      const response = await app.request(`/v1/rest${path}`, init);
      return asked++ % judgedEvery === 0 ? seenByTests(response, path, init) : response;
    },
    update: () => store.checkForUpdate(),
    async close() {
      await store.close();
      await pool.close();
    },
  };
}
