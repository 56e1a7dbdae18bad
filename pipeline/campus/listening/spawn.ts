/** Starts the campus in a separate process, so that it does not share a core with the crawl. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Campus } from "./server.ts";
import type { CampusSize } from "../../contract/sample-campus.ts";

/**
 * Node runs compiled code: the file beside this module, or the one that `make setup` compiled where a test runs the
 * sources.
 */
const MAIN = import.meta.url.endsWith(".ts") ? "../../../dist/current/pipeline/campus/listening/main.js" : "main.js";

export interface SpawnOptions {
  readonly size: CampusSize;
  readonly seed?: number;
  /** Stops the campus clock at this moment. */
  readonly now?: Date;
  readonly port?: number;
}

/**
 * Resolves when the campus listens. The child exits on `close`, or when this process exits, which closes its standard
 * input. It does not keep this process alive.
 * @throws Error when the child exits before it listens
 */
export async function spawnCampus({ size, seed, now, port = 0 }: SpawnOptions): Promise<Campus> {
  const main = fileURLToPath(new URL(MAIN, import.meta.url));
  const options = [
    `--size=${size}`,
    `--port=${port}`,
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(now ? [`--now=${now.toISOString()}`] : []),
  ];
  const child = spawn(process.execPath, [main, ...options], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, "line"),
    exited.then(([status]) =>
      Promise.reject(new Error(`the sample campus ended with status ${status} before it listened`)),
    ),
  ]);
  const urls = JSON.parse(String(first[0])) as Campus["urls"];
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  return {
    urls,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill("SIGTERM");
      await exited;
    },
  };
}
