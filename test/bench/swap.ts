/** A term is swapped under load: how soon the new one answers, and what the others notice. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { type Asking, type Load, quantiles } from "./load.ts";
import { startServer } from "./measured-server.ts";
import type { Worker } from "./worker.ts";

export interface SwapFigures {
  /** From the flip to the first answer of the new snapshot. */
  readonly noticedMs: number;
  readonly steadyP99: number;
  /** From the flip until half a second after the new one answered. */
  readonly duringP99: number;
  readonly loopDelayMs: number;
  readonly peakMegabytes: number;
}

const AFTERWARDS_MS = 500;
const LOOK_MS = 5;

export async function measureSwap(
  { asking, publishing }: { asking: Worker; publishing: Worker },
  artifacts: string,
  term: Term,
  paths: readonly string[],
  steadyMs: number,
): Promise<SwapFigures> {
  const server = await startServer(artifacts);
  try {
    const ask = { base: server.base, paths, connections: 8, traced: true } as const;
    await asking.ask<Load>({ ...ask, ms: steadyMs / 2 } satisfies Asking);
    const steady = await asking.ask<Load>({ ...ask, ms: steadyMs } satisfies Asking);
    // Publishing takes processor time before the flip, which is not the server's: the load begins right at the flip.
    const { id, flippedAt } = await publishing.ask<{ id: string; flippedAt: number }>({
      changed: term,
      mark: " .",
      artifacts,
    });
    await server.look();
    const loaded = asking.ask<Load>({ ...ask, ms: 2000 + AFTERWARDS_MS } satisfies Asking);
    let noticedAt = 0;
    for (const deadline = Date.now() + 20_000; noticedAt === 0 && Date.now() < deadline; await sleep(LOOK_MS)) {
      const response = await fetch(`${server.base}/v1/rest/schedule/terms`);
      await response.arrayBuffer();
      if (response.headers.get("x-data-snapshot") === id) noticedAt = Date.now();
    }
    const { traces = [] } = await loaded;
    const { loopDelay, peak } = await server.look();
    const during = traces.filter(([at]) => at <= noticedAt + AFTERWARDS_MS).map(([, ms]) => ms);
    return {
      noticedMs: noticedAt === 0 ? Infinity : noticedAt - flippedAt,
      steadyP99: steady.p99,
      duringP99: quantiles(during)(0.99),
      loopDelayMs: loopDelay,
      peakMegabytes: peak,
    };
  } finally {
    await server.stop();
  }
}
