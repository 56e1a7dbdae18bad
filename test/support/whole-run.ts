/** Real parts: folders of one's own, a whole run, a listening server. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PipelineConfig, readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { silentLog } from "../../pipeline/log.ts";
import type { Disk } from "../../pipeline/disk/disk.ts";
import type { RunMode } from "../../pipeline/products/context.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { readServerConfig } from "../../pipeline/settings/server.ts";
import { seenByTests } from "./documented.ts";

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

/** Copies data and artifacts of a folder into a new one, with the same hard links. */
export async function copyFolder({ data }: { data: string }) {
  const folder = await openFolder();
  execFileSync("cp", ["-a", `${dirname(data)}/.`, dirname(folder.data)]);
  return folder;
}

/** The pipeline, and below the server, are loaded by the tests that need them: each is half of the program. */
export async function run(
  env: Record<string, string>,
  mode: RunMode = "build",
  now: () => Date = () => new Date(),
  change: Partial<PipelineConfig> = {},
  disk?: Disk,
) {
  const { runPipeline } = await import("../../pipeline/run/run.ts");
  return runPipeline({
    config: { ...readPipelineConfig(env), ...change },
    mode,
    now,
    log: silentLog,
    progress: createProgressLines(silentLog),
    ...(disk && { disk }),
  });
}

/** A listening server on a free port, and a way to ask it. */
export async function serve(env: Record<string, string>) {
  const { startServer } = await import("../../server/server.ts");
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

/** Serves a folder in the same way, and removes it afterwards. */
export async function serveFolder({ env, remove }: Awaited<ReturnType<typeof openFolder>>) {
  const server = await serve(env);
  return {
    ...server,
    async close() {
      await server.close();
      await remove();
    },
  };
}
