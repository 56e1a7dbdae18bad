/** The data that is measured: a copy of what BENCH_ARTIFACTS names, or a build of the sample campus. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface PublishedData {
  /** May be written to. */
  readonly artifacts: string;
  remove(): Promise<void>;
}

export async function openPublishedData(
  given: string | undefined,
  sample: Readonly<Record<string, string>>,
): Promise<PublishedData> {
  const folder = await mkdtemp(join(tmpdir(), "academic-bench-"));
  const artifacts = join(folder, "artifacts");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (given === undefined) await build({ ...sample, DATA_DIR: join(folder, "data"), ARTIFACTS_DIR: artifacts });
    else await cp(given, artifacts, { recursive: true, verbatimSymlinks: true });
    return { artifacts, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function build(settings: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, ["dist/current/pipeline/main.js", "build"], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`the sample campus cannot be built: status ${status}`);
}
