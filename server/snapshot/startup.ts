/**
 * Before the server starts: the artifacts directory is checked, and `make serve` builds data where none is published.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../../pipeline/errors.ts";
import { isFinished, isPublished } from "../../pipeline/store/published.ts";

const LOOK_AGAIN_MS = 100;

export type Build = NonNullable<Awaited<ReturnType<typeof startBuild>>>;

/**
 * Starts the pipeline's `ensure` as a process of its own, unless everything is built. `program` is the path of the
 * running server.
 */
export async function startBuild(artifactsDir: string, program: string) {
  if (await isFinished(artifactsDir)) return undefined;
  const pipeline = join(program, "../../pipeline", `main${extname(program)}`);
  const child = spawn(process.execPath, [...process.execArgv, pipeline, "ensure"], { stdio: "inherit" });
  let status: number | undefined;
  const ended = once(child, "exit").then(([code]) => (status = (code as number | null) ?? 1));
  async function untilPublished(): Promise<number | undefined> {
    while (status === undefined && !(await isPublished(artifactsDir)))
      await Promise.race([ended, sleep(LOOK_AGAIN_MS)]);
    return (await isPublished(artifactsDir)) ? undefined : status;
  }
  return {
    /** Resolves with undefined when something is published, or with the exit status of a build that published nothing. */
    published: untilPublished(),
    /** Stops the build and waits until it has ended. */
    async stop(): Promise<void> {
      if (status === undefined) child.kill("SIGTERM");
      await ended;
    },
  };
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
