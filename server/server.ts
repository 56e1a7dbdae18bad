/** Starts and stops the parts of the server in the order of their dependencies. */
import { isSample } from "../pipeline/contract/sample-campus.ts";
import { openLive } from "../pipeline/live.ts";
import type { ServerConfig } from "../pipeline/settings/server.ts";
import { createServerLog } from "./telemetry/logging.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { createObservation } from "./telemetry/observation.ts";
import { createPool } from "./duckdb/pool.ts";
import { checkArtifacts } from "./snapshot/startup.ts";
import { openStore } from "./snapshot/store.ts";
import { bodyVersions, createBodyCache, createResponseCache } from "./http/cache.ts";
import { createViews } from "./http/views.ts";
import { createRespond } from "./http/respond.ts";
import { openLiveSchedule } from "./endpoints/schedule/live-schedule.ts";
import { createDuckLake } from "./data/ducklake.ts";
import { createBulk } from "./data/pages.ts";
import { createDocumentation } from "./docs/pages.ts";
import type { Page, Pages } from "./pages/page.ts";
import { createSite } from "./site/site.ts";
import { createIndex } from "./status/overview.ts";
import { introductionOf } from "./status/introduction.ts";
import { createOperations } from "./status/pages.ts";
import { checkAddress, listenOn } from "./http/listening.ts";
import { createApp } from "./http/app.ts";
import { createChangeStreams } from "./http/events/change-streams.ts";
import { createLargeResponses } from "./http/large-responses.ts";
import { compat, plain } from "./modes.ts";
import { createSqlRunner, createStatementRows } from "./mcp/sql/run-statement.ts";
import { createCurrentTerm } from "./pages/current-term.ts";
import { termName } from "../pipeline/contract/vocabulary.ts";

/** Starts the server; loads the published data before it listens. @throws UsageError for an unusable configuration */
export async function startServer(config: ServerConfig) {
  const { artifactsDir, limits } = config;
  const { isTTY } = process.stderr;
  // A person sees only warnings; everything else is in the introduction.
  const level = isTTY && !config.isLogWanted ? "warn" : config.logLevel;
  const log = createServerLog(level, config.logFormat ?? (isTTY ? "text" : "json"));
  for (const warning of config.warnings) log.warn(warning);
  await checkAddress(config);
  await checkArtifacts(artifactsDir);
  const metrics = createMetrics();
  const observation = createObservation({ metrics, log, logsAll: config.logLevel === "debug" });

  const pool = await createPool({ artifactsDir, statementMs: limits.statementMs, waits: metrics.poolWait });

  const mode = config.compat ? compat : plain;
  const bodies = createBodyCache();
  const onSwap: (() => unknown)[] = [metrics.snapshotSwapped];
  const follower =
    config.followUrl &&
    (await import("../pipeline/follow.ts")).openFollower({
      url: config.followUrl,
      aws: config.aws,
      artifactsDir,
      dataDir: config.dataDir,
      everyMs: config.followSeconds * 1000,
      log,
    });
  const store = await openStore({
    artifactsDir,
    origin: follower?.origin,
    pool,
    log,
    derivations: mode.derivations,
    servesEarly: true,
    events: {
      swapped() {
        for (const listener of onSwap) void listener();
      },
      refused: metrics.snapshotRejected,
      disposed: (current) => current && bodies.retain(bodyVersions(plain.endpoints, current)),
    },
  });
  if (follower && !store.current()) {
    await follower.poll();
    await store.checkForUpdate();
  }

  const changeStreams = createChangeStreams({ store, pool, log, trustProxy: config.trustProxy });
  onSwap.push(changeStreams.published);
  const responseCache = createResponseCache(store);
  const largeResponses = createLargeResponses({
    maxInFlight: limits.largeResponses,
    maxQueued: limits.queuedLargeResponses,
  });

  const upstream = openLive({
    address: config.scheduleUrl,
    publishedSource: () =>
      store.freshness().closed?.["schedule"] === undefined
        ? store.current()?.published.manifest.source["schedule"]
        : undefined,
    publishedMark: () => store.current()?.published.manifest.forgotten,
    dataDir: config.dataDir,
    timeoutMs: config.upstreamTimeoutMs,
    maxBytes: config.upstreamMaxBytes,
    log,
  });
  const live = openLiveSchedule(() => upstream.find(), metrics.observeUpstream);

  let isEnding = false;
  const request = async (path: string) => plainApp.request(path);
  const currentTerm = createCurrentTerm(store, request);
  const site = await createSite({
    base: config.base,
    request,
    currentTerm,
    terms: () => store.current()?.publishedTerms.map(termName) ?? [],
    snapshotId: () => store.current()?.id,
    runStatement: createStatementRows(artifactsDir),
  });
  const pages: Pages = {
    ...site.pages,
    "/": createIndex(store, plain.endpoints, currentTerm, site.page),
    ...createDocumentation(mode, currentTerm, config, site.page),
    ...createBulk({ store, artifactsDir }),
    ...createDuckLake(store, config),
    ...createOperations({
      artifactsDir,
      store,
      following: () => follower?.state(),
      metrics,
      page: site.page,
      isEnding: () => isEnding,
      poolWaiting: pool.waiting,
      eventStreams: changeStreams.count,
      requestsInFlight: () => observation.inFlight.size,
    }),
  };

  const sql = createSqlRunner(limits.statementMs);
  const parts = {
    withView: createViews({ store, pool, live, bodies, installation: config }),
    ...{ installation: config, largeResponses, responseCache },
  };
  let mcp: Promise<Page> | undefined;
  /** Loads the package of the protocol with the first message: it takes 6 MB, and most servers get no messages. */
  const loadMcp = async () =>
    (await import("./mcp/mcp.ts")).createMcp({
      ...{ endpoints: plain.endpoints, store, currentTerm, sql, trustProxy: config.trustProxy, log },
      reserveMemory: largeResponses.reserveLarge,
      sendRequest: async (url, init) => plainApp.request(url, init),
    });
  const app = createApp({
    ...mode,
    respond: createRespond({ ...parts, ...mode, openStream: changeStreams.respond }),
    pages,
    posts: { "/mcp": async (request) => (await (mcp ??= loadMcp()))(request) },
    fallback: site.notFound,
    log,
  });
  /** The plain application for the site and the tools, in both modes. */
  const plainApp = createApp({ ...plain, respond: createRespond({ ...parts, ...plain }), log });
  const listening = await listenOn(app, {
    ...config,
    toErrorBody: mode.toErrorBody,
    metrics,
    observation,
    responseCache,
  });

  if (!store.current())
    log.warn(`${store.mismatch() ?? "no data has been published yet"}; until then every request gets 503`, {
      artifacts: artifactsDir,
    });
  if (isSample(store.current()?.published.manifest.source ?? {}))
    log.info("this data comes from the embedded sample campus: people and numbers are invented");
  log.info("listening", { url: listening.url });
  return {
    url: listening.url,
    /** Returns the text for the terminal: addresses, data, how to stop. */
    introduction: () => introductionOf(listening.url + config.base, store),
    /** Explains why the published snapshot is not served, once all of it is loaded; undefined when it is. */
    async notServed(): Promise<string | undefined> {
      await store.prepared();
      const { id, refused } = store.state();
      return refused ?? (id === undefined ? "nothing is published" : undefined);
    },
    async close(): Promise<void> {
      isEnding = true;
      log.info("ending: waiting for requests in flight");
      changeStreams.close();
      await listening.close();
      sql.close();
      await follower?.close();
      await upstream.close();
      await store.close();
      await pool.close();
      log.info("ended");
    },
  };
}

/**
 * Checks if a server that starts now would serve the published data: starts a server and stops it. It follows no
 * origin, so that nothing is written, and listens on a free port of `HOST`, because the configured port may be that of
 * a running server.
 * @returns the reason why it would not, in a sentence; undefined when it would
 * @throws UsageError for an unusable configuration
 */
export async function checkServing(config: ServerConfig): Promise<string | undefined> {
  const server = await startServer({ ...config, port: 0, followUrl: undefined, logLevel: "silent", isLogWanted: true });
  try {
    return await server.notServed();
  } finally {
    await server.close();
  }
}
