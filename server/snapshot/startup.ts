/**
 * Before the server starts: the artifacts directory is checked, and `make serve` builds data where none is published.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { readdir } from "node:fs/promises";
import { UsageError } from "../../pipeline/errors.ts";
import { isBuilt } from "../../pipeline/store/published.ts";

/**
 * Runs the pipeline's `ensure` unless there is nothing to build. `program` is the path of the running server; `signal`
 * ends the pipeline.
 * @returns the pipeline's exit status
 */
export async function buildFirst(artifactsDir: string, program: string, signal: AbortSignal): Promise<number> {
  if (await isBuilt(artifactsDir)) return 0;
  const pipeline = join(program, "../../pipeline", `main${extname(program)}`);
  const child = spawn(process.execPath, [...process.execArgv, pipeline, "ensure"], { stdio: "inherit" });
  const stop = () => child.kill("SIGTERM");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const [status] = (await once(child, "exit")) as [number | null];
  return status ?? 1;
}

/** A missing directory is accepted: data may come later. @throws UsageError */
export async function checkArtifacts(artifactsDir: string): Promise<void> {
  try {
    await readdir(artifactsDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`the artifacts folder ${artifactsDir} cannot be read (${code ?? "unknown reason"})`);
  }
}
