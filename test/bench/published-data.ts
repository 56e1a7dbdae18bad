/** The data that is measured: what BENCH_ARTIFACTS names, or a build of the sample campus, which is measured as well. */
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Probe } from "./probe.ts";
import { startWorker } from "./worker.ts";

export interface RunFigures {
  /** The run's own report; the sample campus is a process of its own, on the same cores. */
  readonly seconds: number;
  readonly peakMegabytes: number;
}

export interface PublishedData {
  /** A copy that may be written to. */
  readonly artifacts: string;
  readonly built?: RunFigures;
  readonly refreshed?: RunFigures;
  /** Another hourly run, where the data was built here. */
  refresh?(): Promise<RunFigures>;
  remove(): Promise<void>;
}

const LOOK_MS = 200;

async function runPipeline(folder: string, command: string, env: Record<string, string>): Promise<RunFigures> {
  const artifacts = join(folder, "artifacts");
  const worker = startWorker("../../dist/current/pipeline/main.js", {
    preload: ["./probe.ts"],
    args: [command],
    env: { ...env, DATA_DIR: join(folder, "data"), ARTIFACTS_DIR: artifacts },
  });
  let peak = 0;
  const looking = setInterval(() => {
    worker.ask<Probe>({ look: true }).then(
      ({ everPeak }) => (peak = everPeak),
      () => undefined,
    );
  }, LOOK_MS);
  const [status] = (await once(worker.child, "exit")) as [number | null];
  clearInterval(looking);
  if (status !== 0) throw new Error(`pipeline ${command} ended with status ${status}`);
  const report = JSON.parse(await readFile(join(artifacts, "report.json"), "utf8")) as { ms: number };
  return { seconds: report.ms / 1000, peakMegabytes: peak };
}

/** Copies what is given, or builds the sample campus of that size (of some terms only, where TERMS names them) and refreshes it once. */
export async function openPublishedData(
  given: string | undefined,
  sample: { readonly SAMPLE: string; readonly TERMS?: string },
): Promise<PublishedData> {
  const folder = await mkdtemp(join(tmpdir(), "academic-bench-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const artifacts = join(folder, "artifacts");
  try {
    if (given !== undefined) {
      await cp(given, artifacts, { recursive: true, verbatimSymlinks: true });
      return { artifacts, remove };
    }
    const built = await runPipeline(folder, "build", sample);
    const refreshed = await runPipeline(folder, "refresh", sample);
    const refresh = () => runPipeline(folder, "refresh", sample);
    return { artifacts, built, refreshed, refresh, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
