/** Serves what is published: `npm run -s serve`. */
import { constants } from "node:os";
import { openFollower } from "../pipeline/follow.ts";
import { openLive } from "../pipeline/live.ts";
import { createApp } from "./http/app.ts";
import { BASE } from "./response/endpoint.ts";
import { createBulk } from "./site/data/pages.ts";
import { createBodyCache } from "./response/body-cache.ts";
import { olderPath } from "./response/compat/requests.ts";
import { readServerConfig, type ServerConfig } from "./config.ts";
import { createDocumentation } from "./site/docs/pages.ts";
import { endpoints } from "./endpoints/all.ts";
import { createResponseCache } from "./http/response-cache.ts";
import { openLiveSchedule } from "./endpoints/schedule/live-schedule.ts";
import { listenOn } from "./http/listening.ts";
import { checkAddress } from "./site/status/address-check.ts";
import { checkArtifacts } from "./snapshot/check-artifacts.ts";
import { createLargeResponses } from "./http/large-responses.ts";
import { createServerLog } from "./telemetry/logging.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { instrumentLiveSchedule } from "./endpoints/schedule/instrumented-live-schedule.ts";
import { createObserving } from "./telemetry/observation.ts";
import { createOperations } from "./site/status/pages.ts";
import { createRateLimitCheck, createRateLimiter } from "./http/rate-limit.ts";
import { createRouteNames } from "./http/route-names.ts";
import { createStartPage } from "./site/start/start.ts";
import { createPool } from "./duckdb/pool.ts";
import { departmentCodes } from "./search/department-codes.ts";
import { searchIndex } from "./search/search-index.ts";
import { openStore } from "./snapshot/store.ts";
import { createWarmUp } from "./http/warm-up.ts";

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the store, then listens: the first request finds everything loaded. */
export async function startServer(config: ServerConfig): Promise<RunningServer> {
  const { artifactsDir, compat, bounds, rateLimit } = config;
  const log = createServerLog(config.logLevel, config.logFormat ?? (process.stderr.isTTY ? "text" : "json"));
  for (const warning of config.warnings) log.warn(warning);
  await checkAddress(config);
  await checkArtifacts(artifactsDir);
  const metrics = createMetrics();
  const pool = await createPool({
    artifactsDir,
    statementMs: bounds.statementMs,
    waited: metrics.waitedForPool,
  });
  const cache = createBodyCache();
  let warm: ReturnType<typeof createWarmUp> | undefined;
  const events = {
    ...metrics,
    swapped(before: string | undefined) {
      metrics.swapped();
      void warm?.(before);
    },
    freed: (id: string) => cache.forget(id),
  };
  const store = await openStore({
    artifactsDir,
    pool,
    log,
    compat,
    derivations: [departmentCodes, searchIndex],
    events,
  });
  const follower =
    config.followUrl &&
    openFollower({ url: config.followUrl, artifactsDir, everyMs: config.followSeconds * 1000, log });
  if (follower && !store.current()) {
    await follower.look();
    await store.look();
  }
  const live = openLive({
    address: config.scheduleUrl,
    publishedSource: () => store.current()?.generation.manifest.source["schedule"],
    timeoutMs: config.upstreamTimeoutMs,
    log,
  });
  let isEnding = false;
  const beside = {
    ...(await createDocumentation({ endpoints, compat })),
    ...createBulk({ store, artifactsDir }),
    ...createOperations({
      artifactsDir,
      store,
      following: () => follower?.state(),
      metrics,
      isEnding: () => isEnding,
      poolWaiting: () => pool.waiting(),
      underWay: () => observing.underWay.size,
    }),
  };
  const pages = { ...beside, ...(await createStartPage(store, endpoints, beside)) };
  const observing = createObserving({
    metrics,
    log,
    routeOf: createRouteNames(routesOf(pages)),
    tellsAll: config.logLevel === "debug",
  });
  const known = createResponseCache({ store, cache });
  const app = createApp({
    endpoints,
    pages,
    store,
    pool,
    cache,
    known,
    live: instrumentLiveSchedule(
      openLiveSchedule(() => live.find()),
      metrics,
    ),
    log,
    compat,
    large: createLargeResponses({ most: bounds.largeResponses, waiting: bounds.largeWaiting }),
  });
  warm = createWarmUp({ known, app, current: () => (isEnding ? undefined : store.current()) });
  const limit = rateLimit && createRateLimitCheck(createRateLimiter(rateLimit), config.trustProxy, metrics.limited);
  const listening = await listenOn(app, { ...config, metrics, observing, limit, known });
  if (!store.current())
    log.warn(`${store.mismatch() ?? "no data has been published yet"}; until then every question answers 503`, {
      artifacts: artifactsDir,
    });
  const source = Object.values(store.current()?.generation.manifest.source ?? {});
  if (source.some((from) => from.startsWith("sample campus")))
    log.info("this data comes from the embedded sample campus: people and numbers are invented");
  log.info("listening", { url: listening.url });
  return {
    url: listening.url,
    async close() {
      isEnding = true;
      log.info("ending: running answers have their time");
      await listening.close();
      await follower?.close();
      await live.close();
      await store.close();
      await pool.close();
      log.info("ended");
    },
  };
}

/** Under these names requests are counted. */
const routesOf = (pages: object) => [
  ...Object.keys(pages).map((pattern) => ({ pattern })),
  ...endpoints.flatMap(({ path }) => [
    { pattern: `${BASE}${path}` },
    { pattern: `${BASE}${olderPath(path) ?? path}`, name: `${BASE}${path}` },
  ]),
];

async function main(): Promise<void> {
  try {
    const server = await startServer(readServerConfig(process.env));
    let stopping = false;
    const stop = (signal: "SIGTERM" | "SIGINT"): void => {
      // Who asks twice does not want to wait.
      if (stopping) process.exit(128 + constants.signals[signal]);
      stopping = true;
      server.close().then(
        () => process.exit(0),
        (error: unknown) => fail(error, 1),
      );
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  } catch (error) {
    fail(error, 2);
  }
}

/** One sentence, for people. */
function fail(error: unknown, status: number): never {
  const words = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${words.split("\n")[0]}\n`);
  process.exit(status);
}

if (import.meta.url === `file://${process.argv[1]}` || process.argv[1]?.endsWith("server/main.ts")) await main();
