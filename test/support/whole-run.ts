/** The visible world through real parts: the upstream that plays it, a whole run, a listening server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type PipelineConfig, readPipelineConfig } from "../../pipeline/config.ts";
import { silentLog } from "../../pipeline/log.ts";
import type { RunMode } from "../../pipeline/products/context.ts";
import { createProgress } from "../../pipeline/crawl/progress.ts";
import { readServerConfig } from "../../server/config.ts";
import { seenByTests } from "./documented.ts";
import { shared } from "./shared.ts";

export interface Upstream {
  urls: Record<string, string>;
  requests: { system: string; path: string; params: Record<string, string>; status: number; fault: string | null }[];
  setFaults(rules: object[]): void;
  setWorld(world: unknown): void;
  reset(): void;
  close(): Promise<void>;
}

/** A world's rows are plain data in the service's own words. */
export type Row = Record<string, unknown>;
export type World = Record<
  "sections" | "grades" | "courses" | "instructors" | "larc" | "departments" | "schools" | "terms" | "calendar",
  Row[]
>;

export async function readVisibleWorld(): Promise<World> {
  const { loadWorld } = (await import(pathToFileURL(join(shared ?? "", "tools/upstream-world.mjs")).href)) as {
    loadWorld: (file: string) => World;
  };
  return loadWorld(join(shared ?? "", "real/world-visible.json.gz"));
}

export async function startUpstream(world: unknown, options: object = {}): Promise<Upstream> {
  const tools = (await import(pathToFileURL(join(shared ?? "", "tools/upstream.mjs")).href)) as {
    startUpstream: (world: unknown, options: object) => Promise<Upstream>;
  };
  return tools.startUpstream(world, options);
}

/** An empty place for one test's data and artifacts. */
export async function openFolder(): Promise<{
  env: Record<string, string>;
  artifacts: string;
  data: string;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "academic-data-"));
  const [data, artifacts] = [join(folder, "data"), join(folder, "artifacts")];
  return {
    env: { DATA_DIR: data, ARTIFACTS_DIR: artifacts },
    data,
    artifacts,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The pipeline, and below the server, are loaded by the tests that need them: each is half of the program. */
export async function run(
  env: Record<string, string>,
  mode: RunMode = "build",
  now: () => Date = () => new Date(),
  change: Partial<PipelineConfig> = {},
) {
  const { runPipeline } = await import("../../pipeline/run/run.ts");
  return runPipeline({
    config: { ...readPipelineConfig(env), ...change },
    mode,
    now,
    log: silentLog,
    progress: createProgress(false, silentLog),
  });
}

/** A listening server on a free port, and a way to ask it. */
export async function serve(env: Record<string, string>) {
  const { startServer } = await import("../../server/main.ts");
  const server = await startServer(readServerConfig({ HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent", ...env }));
  return {
    ...server,
    get: async (path: string, init?: RequestInit) =>
      seenByTests(await fetch(`${server.url}/v1/rest${path}`, init), path, init),
    async json<T>(path: string): Promise<T> {
      const response = seenByTests(await fetch(`${server.url}/v1/rest${path}`), path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
