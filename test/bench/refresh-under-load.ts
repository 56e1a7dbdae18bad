/** The hourly run on the machine that serves: what clients notice. */
import { type Asking, type Load, quantiles } from "./load.ts";
import { startServer } from "./measured-server.ts";
import type { PublishedData } from "./published-data.ts";
import type { Worker } from "./worker.ts";

export interface RefreshUnderLoad {
  readonly seconds: number;
  readonly steadyP99: number;
  readonly duringP99: number;
  readonly duringMax: number;
}

/** A load that leaves the server half idle, as a day's clients do. */
const CONNECTIONS = 4;

export async function measureRefreshUnderLoad(
  asking: Worker,
  { artifacts, refresh }: Required<Pick<PublishedData, "artifacts" | "refresh">>,
  paths: readonly string[],
  steadyMs: number,
): Promise<RefreshUnderLoad> {
  const server = await startServer(artifacts);
  try {
    const ask = { base: server.base, paths, connections: CONNECTIONS } as const;
    await asking.ask<Load>({ ...ask, ms: steadyMs } satisfies Asking);
    const steady = await asking.ask<Load>({ ...ask, ms: steadyMs } satisfies Asking);
    const traces: number[] = [];
    const refreshed = refresh();
    let isOver = false;
    void refreshed.finally(() => (isOver = true));
    while (!isOver) {
      const load = await asking.ask<Load>({ ...ask, ms: 500, traced: true } satisfies Asking);
      for (const [, ms] of load.traces ?? []) traces.push(ms);
    }
    const at = quantiles(traces);
    return { seconds: (await refreshed).seconds, steadyP99: steady.p99, duringP99: at(0.99), duringMax: at(1) };
  } finally {
    await server.stop();
  }
}
