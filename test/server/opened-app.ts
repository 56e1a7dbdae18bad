/** The application over a folder of artifacts, without a listening socket: thousands of questions in a few seconds. */
import { silentLog } from "../../pipeline/log.ts";
import { createApp } from "../../server/app.ts";
import { endpoints } from "../../server/endpoints/all.ts";
import { openLiveDoor } from "../../server/live-door.ts";
import { createPool } from "../../server/pool.ts";
import { openStore } from "../../server/store.ts";
import { seenByTests } from "./documentation/documented.ts";

export interface OpenedApp {
  /** Answers a path below `/v1/rest`. */
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Opens what is published in `artifacts`; there is nobody to ask live. `now` is what the server takes for the present. */
export async function openApp(artifacts: string, now?: () => Date): Promise<OpenedApp> {
  const pool = await createPool({ artifactsDir: artifacts });
  const store = await openStore({ artifactsDir: artifacts, pool, log: silentLog, compat: false });
  const app = createApp({
    endpoints,
    store,
    pool,
    log: silentLog,
    compat: false,
    live: openLiveDoor(() => Promise.resolve(undefined)),
    ...(now ? { now } : {}),
  });
  return {
    get: async (path, init) => seenByTests(await app.request(`/v1/rest${path}`, init), path, init),
    async close() {
      await store.close();
      await pool.close();
    },
  };
}
