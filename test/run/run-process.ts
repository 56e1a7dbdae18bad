/** A run in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { RunMode } from "../../pipeline/products/context.ts";
import { translated } from "../support/program.ts";

export interface RunProcess {
  /** Resolves when it is loaded; the run itself begins with `begin`. */
  readonly ready: Promise<void>;
  begin(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  readonly ended: Promise<{ status: number | null; errors: string }>;
}

/** Starts a child that runs when it is told to, with this clock. */
export function startRun(env: Record<string, string>, mode: RunMode, now: Date): RunProcess {
  const child = spawnModule(["test/run/run-child.ts", mode, now.toISOString()], env);
  const ended = endOf(child);
  return {
    ready: once(child.stdout as NodeJS.ReadableStream, "data").then(() => undefined),
    begin: () => void child.stdin?.write("go\n"),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}

/** Starts a module of this repository. */
export function spawnModule(
  [name = "", ...parameters]: readonly string[],
  env: Record<string, string>,
  options: { uid?: number } = {},
): ChildProcess {
  return spawn(process.execPath, [translated(name), ...parameters], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...options,
  });
}

export async function endOf(child: ChildProcess): Promise<{ status: number | null; errors: string }> {
  let errors = "";
  child.stderr?.on("data", (piece: Buffer) => (errors += piece.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, errors };
}
