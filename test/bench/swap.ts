/** A snapshot is swapped under load: how soon the new one is served, and what clients notice. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { putLoad, quantile } from "./load.ts";
import { startServer } from "./processes.ts";

export interface Swap {
  /** From the moment it is current to the first response from the new snapshot. */
  readonly servedMs: number;
  readonly steadyP99: number;
  /** From the moment it is current until half a second after that response. */
  readonly duringP99: number;
}

const AFTERWARDS_MS = 500;
const LOOK_MS = 5;
const LONGEST_MS = 20_000;

export async function measureSwap(artifacts: string, paths: readonly string[], steadyMs: number): Promise<Swap> {
  const server = await startServer(artifacts);
  const { base } = server;
  try {
    const load = (ms: number) => putLoad({ base, paths, connections: 8, ms });
    await load(steadyMs / 2);
    const steady = await load(steadyMs);
    // Publishing takes processor time that is not the server's: the load begins right after it.
    const { id, currentAt } = await publishChangedTerm(artifacts);
    const loaded = load(2000 + AFTERWARDS_MS);
    let servedAt = Infinity;
    for (const until = Date.now() + LONGEST_MS; servedAt === Infinity && Date.now() < until; await sleep(LOOK_MS)) {
      const response = await fetch(`${base}/v1/rest/schedule/terms`);
      await response.arrayBuffer();
      if (response.headers.get("x-data-snapshot") === id) servedAt = Date.now();
    }
    const during = (await loaded).ends.filter(([at]) => at <= servedAt + AFTERWARDS_MS).map(([, ms]) => ms);
    return { servedMs: servedAt - currentAt, steadyP99: steady.p99, duringP99: quantile(during, 0.99) };
  } finally {
    await server.stop();
  }
}

async function publishChangedTerm(artifacts: string): Promise<{ id: string; currentAt: number }> {
  const program = fileURLToPath(new URL("publish-changed-term.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, artifacts]);
  return JSON.parse(stdout) as { id: string; currentAt: number };
}
