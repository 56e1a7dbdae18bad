/** `make serve` with published data, as an operator restarts it: from the command to the first answer with data. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./measured-server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOOK_MS = 5;
const MOST_MS = 120_000;

/** The quickest of some starts in milliseconds: the first one reads the programs from disk. */
export async function measureMakeServe(artifacts: string, starts = 3): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < starts; i++) times.push(await startOnce(artifacts));
  return Math.min(...times);
}

async function startOnce(artifacts: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, ARTIFACTS_DIR: artifacts, PORT: String(port), HOST: "127.0.0.1", COMPAT: "0" };
  const began = performance.now();
  const child = spawn("make", ["-s", "serve"], { cwd: ROOT, env, stdio: "ignore", detached: true });
  const gone = once(child, "exit");
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/rest/schedule/terms`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) return performance.now() - began;
      if (child.exitCode !== null || performance.now() - began > MOST_MS) throw new Error("make serve does not answer");
      await sleep(LOOK_MS);
    }
  } finally {
    process.kill(-(child.pid as number), "SIGTERM");
    await gone;
  }
}
