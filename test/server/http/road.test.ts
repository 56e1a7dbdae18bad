/** "The way of a request" in server/README.md names the files that a request runs through. */
import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { listenOn } from "../../../server/http/listening.ts";
import { createResponseCache } from "../../../server/http/cache.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { appOf } from "../../support/published/app-of.ts";
import { openSurface } from "./surface-server.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const told = readFileSync(join(ROOT, "server/README.md"), "utf8")
  .split("\n## The way of a request\n")[1]
  ?.split("\n## ")[0];
const named = [...(told ?? "").matchAll(/`([\w/-]+\.ts)`/g)].map(([, name]) => `server/${name}`);

let surface: Awaited<ReturnType<typeof openSurface>>;
let pool: Pool;
let store: Store;
beforeAll(async () => {
  surface = await openSurface();
  pool = await createPool({ artifactsDir: surface.artifacts });
  store = await openStore({ artifactsDir: surface.artifacts, pool, log: silentLog });
});
afterAll(async () => {
  await store?.close();
  await pool?.close();
  await surface?.close();
});

/** The files of the server of which a function is called meanwhile. */
async function filesOf(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  return called
    .filter(({ url }) => url.startsWith("/") || url.startsWith("file:"))
    .map(({ url }) => relative(ROOT, url.startsWith("file:") ? fileURLToPath(url) : url))
    .filter((file) => file.startsWith("server/"));
}

it("names what runs, and of server/http everything that runs", async () => {
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const responseCache = createResponseCache(store);
  const { url, close } = await listenOn(appOf({ store, pool, responseCache }), {
    host: "127.0.0.1",
    port: 0,
    responseCache,
  });
  const ask = async (department: string) => {
    const response = await fetch(`${url}/v1/rest/grades/aggregate?department=${department}`);
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
  };
  await ask("DANCE");
  const ran = await filesOf(() => ask("COMPSCI"));
  await close();
  // It listens once.
  const once = ["server/http/listening.ts"];
  expect(named.filter((file) => !ran.includes(file) && !once.includes(file))).toEqual([]);
  // Streams of other tests may send comments meanwhile, and connections are looked at every second.
  const onTheRoad = ran.filter((file) => /^server\/http\/(?!events\/|connections)/.test(file));
  expect(onTheRoad.filter((file) => !named.includes(file))).toEqual([]);
});
