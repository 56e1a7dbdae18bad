/** Serves what is published: `npm run -s serve`. */
import { openFollower } from "../pipeline/follow.ts";
import { openLive } from "../pipeline/live.ts";
import { createLog } from "../pipeline/log.ts";
import { createApp } from "./app.ts";
import { createBulk } from "./bulk/pages.ts";
import { createAnswerCache } from "./cache.ts";
import { readServerConfig, type ServerConfig } from "./config.ts";
import { createDocumentation } from "./documentation/pages.ts";
import { endpoints } from "./endpoints/all.ts";
import { createKnownQuestions } from "./known-questions.ts";
import { openLiveDoor } from "./live-door.ts";
import { listenOn } from "./listening.ts";
import { createHealth } from "./operations/health.ts";
import { createStartPage } from "./pages/start.ts";
import { createPool } from "./pool.ts";
import { openStore } from "./store.ts";

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the store, then listens: the first request finds everything loaded. */
export async function startServer(config: ServerConfig): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  const pool = await createPool({ artifactsDir: config.artifactsDir });
  const store = await openStore({ artifactsDir: config.artifactsDir, pool, log, compat: config.compat });
  const follower =
    config.followUrl &&
    openFollower({
      url: config.followUrl,
      artifactsDir: config.artifactsDir,
      everyMs: config.followSeconds * 1000,
      log,
    });
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
  const pages = {
    ...(await createDocumentation({ endpoints, compat: config.compat })),
    ...createHealth(store, follower),
    ...createBulk({ store, artifactsDir: config.artifactsDir }),
  };
  const cache = createAnswerCache();
  const known = createKnownQuestions({ store, cache });
  const app = createApp({
    endpoints,
    pages: { ...pages, ...createStartPage(store, endpoints, pages) },
    store,
    pool,
    cache,
    known,
    live: openLiveDoor(() => live.find()),
    log,
    compat: config.compat,
  });
  const listening = await listenOn(app, config, known);
  if (!store.current())
    log.warn("no data has been published yet: every question answers 503 until there is", {
      artifacts: config.artifactsDir,
    });
  const source = Object.values(store.current()?.generation.manifest.source ?? {});
  if (source.some((from) => from.startsWith("sample campus")))
    log.info("this data comes from the embedded sample campus: people and numbers are invented");
  log.info("listening", { url: listening.url });
  return {
    url: listening.url,
    async close() {
      await listening.close();
      await follower?.close();
      await live.close();
      await store.close();
      pool.close();
    },
  };
}

async function main(): Promise<void> {
  try {
    const server = await startServer(readServerConfig(process.env));
    const stop = () => void server.close().then(() => process.exit(0));
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

if (import.meta.url === `file://${process.argv[1]}` || process.argv[1]?.endsWith("server/main.ts")) await main();
