/** A process of its own that answers messages (see answer-messages.ts), and how it is started and asked. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export interface Worker {
  /** Sends a message and gives the answer. @throws what the worker threw */
  ask<T>(message: object): Promise<T>;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compiled beside the programs: what runs TypeScript takes 80 MB in a process that is measured. */
function compile(path: string): string {
  const outfile = script(`../../node_modules/.cache/bench/${basename(path, ".ts")}.mjs`);
  buildSync({ entryPoints: [script(path)], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return outfile;
}

/**
 * Starts `path` (beside this file, or relative to it) under the same Node, TypeScript or a compiled program; `preload` runs before it in the same
 * process.
 */
export function startWorker(
  path: string,
  { preload = [], env = {}, args = [] }: { preload?: string[]; env?: Record<string, string>; args?: string[] } = {},
): Worker {
  const modules = path.endsWith(".js") ? preload.map(compile) : ["tsx", ...preload.map(script)];
  const imports = modules.flatMap((name) => ["--import", name]);
  const child = spawn(process.execPath, [...imports, script(path), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    serialization: "advanced",
  });
  let tail = "";
  child.stderr?.on("data", (piece: Buffer) => (tail = (tail + piece.toString()).slice(-2000)));
  child.stdout?.resume();
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let asked = 0;
  child.on("message", (message: { id: number; value?: never; error?: string }) => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) one?.resolve(message.value as never);
    else one?.reject(new Error(message.error));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${path} ended with ${code}: ${tail}`));
    waiting.clear();
  });
  return {
    child,
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error(`${path} has ended: ${tail}`));
        const id = ++asked;
        waiting.set(id, { resolve, reject });
        child.send({ id, ...message }, (error) => (error ? reject(error) : undefined));
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}
