/** Requests about earlier snapshots beside requests about the current one: what the latter notice, and what the former cost. */
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import type { Asking, Load } from "./load.ts";
import { startServer } from "./measured-server.ts";
import type { Worker } from "./worker.ts";

export interface EarlierFigures {
  readonly steadyP99: number;
  /** Of the current snapshot's requests, while earlier ones are asked for. */
  readonly besideP99: number;
  readonly earlierPerSecond: number;
  readonly peakMegabytes: number;
}

const SNAPSHOTS = 5;

/** `askingEarlier` is a second load beside that of `asking`. */
export async function measureEarlier(
  { asking, askingEarlier, publishing }: { asking: Worker; askingEarlier: Worker; publishing: Worker },
  artifacts: string,
  term: Term,
  paths: readonly string[],
  ms: number,
): Promise<EarlierFigures> {
  const ids: string[] = [];
  // The last one is current.
  for (let i = 0; i <= SNAPSHOTS; i++) {
    const { id } = await publishing.ask<{ id: string }>({ changed: term, mark: ` v${i}`, artifacts });
    ids.push(id);
  }
  const server = await startServer(artifacts);
  try {
    const ask = { base: server.base, paths, connections: 8, ms } as const;
    await asking.ask<Load>(ask satisfies Asking);
    const steady = await asking.ask<Load>(ask satisfies Asking);
    const asOf = paths.flatMap((path, i) => `${path}${path.includes("?") ? "&" : "?"}asOf=${ids[i % SNAPSHOTS]}`);
    const [beside, earlier] = await Promise.all([
      asking.ask<Load>({ ...ask, ms: 2 * ms } satisfies Asking),
      askingEarlier.ask<Load>({ ...ask, paths: asOf, connections: 2, ms: 2 * ms } satisfies Asking),
    ]);
    if (earlier.failures > 0) throw new Error(`${earlier.failures} requests about earlier snapshots failed`);
    const { everPeak } = await server.look();
    return {
      steadyP99: steady.p99,
      besideP99: beside.p99,
      earlierPerSecond: earlier.perSecond,
      peakMegabytes: everPeak,
    };
  } finally {
    await server.stop();
  }
}
