/** The real server in a process of its own, with a probe in it. */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Probe } from "./probe.ts";
import { startWorker } from "./worker.ts";

export interface MeasuredServer {
  readonly base: string;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
  /** What happened since the last look. */
  look(): Promise<Probe>;
  stop(): Promise<void>;
}

const TRY_AGAIN_MS = 10;
const LONGEST_START_MS = 120_000;

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

export async function startServer(artifacts: string): Promise<MeasuredServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const began = performance.now();
  // The program that users start, which `make setup` compiled.
  const worker = startWorker("../../dist/current/server/main.js", {
    preload: ["./probe.ts"],
    env: { ARTIFACTS_DIR: artifacts, PORT: String(port), HOST: "127.0.0.1", COMPAT: "0" },
  });
  const isAnswered = () =>
    fetch(`${base}/v1/rest/schedule/terms`).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
  while (!(await isAnswered())) {
    if (worker.child.exitCode !== null || performance.now() - began > LONGEST_START_MS) {
      await worker.stop();
      throw new Error("the server does not answer");
    }
    await sleep(TRY_AGAIN_MS);
  }
  return {
    base,
    startMs: performance.now() - began,
    look: () => worker.ask<Probe>({ look: true }),
    stop: () => worker.stop(),
  };
}
