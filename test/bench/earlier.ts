/** Requests about earlier snapshots beside requests about the current one: what the latter notice, and what the former cost. */
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { type Asking, type Load, quantiles } from "./load.ts";
import { startServer } from "./measured-server.ts";
import type { Worker } from "./worker.ts";
import { SHORTEST_MS } from "./wrk.ts";

export interface EarlierFigures {
  /** The geometric mean of the p99 of current requests beside earlier ones, divided by that without them. */
  readonly besideRepeated: number;
  /** The same, with earlier requests that nobody asked before. */
  readonly besideDistinct: number;
  /** Distinct requests about earlier snapshots: without current ones, and the median beside them. */
  readonly alonePerSecond: number;
  readonly besidePerSecond: number;
  readonly peakMegabytes: number;
}

const SNAPSHOTS = 5;
/**
 * The p99 of one window varies threefold where the load shares its cores with the server, also without earlier requests; the geometric mean weighs
 * a quick window as much as a slow one.
 */
const ROUNDS = 12;

const geometricMean = (numbers: readonly number[]): number =>
  Math.exp(numbers.reduce((sum, one) => sum + Math.log(one), 0) / numbers.length);

/** `askingEarlier` is a second load beside that of `asking`. */
export async function measureEarlier(
  { asking, askingEarlier, publishing }: { asking: Worker; askingEarlier: Worker; publishing: Worker },
  artifacts: string,
  term: Term,
  { repeated, distinct }: { repeated: readonly string[]; distinct: readonly string[] },
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
    // wrk counts in whole seconds, and both loads shall end together.
    const windowMs = ms < SHORTEST_MS ? ms : 1000 * Math.round(ms / 1000);
    const current = { base: server.base, paths: repeated, connections: 8, ms: windowMs } as const;
    const askCurrent = () => asking.ask<Load>(current satisfies Asking);
    const askEarlier = async (paths: readonly string[]) => {
      // Not by wrk: it asks some paths beforehand, to learn their sizes, and these would take as long as the load of current requests.
      const load = { ...current, paths, connections: 2, traced: true } satisfies Asking;
      const { failures, perSecond } = await askingEarlier.ask<Load>(load);
      if (failures > 0) throw new Error(`${failures} requests about earlier snapshots failed`);
      return perSecond;
    };
    const asOf = (path: string, i: number) => `${path}${path.includes("?") ? "&" : "?"}asOf=${ids[i % SNAPSHOTS]}`;
    const measure = async (pathsOf: (round: number) => readonly string[]) => {
      const steady: number[] = [];
      const beside: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const measureSteady = async () => steady.push((await askCurrent()).p99);
        // What comes first differs from round to round: a machine gets slower and faster while it is measured.
        if (round % 2 === 0) await measureSteady();
        const [{ p99 }, rate] = await Promise.all([askCurrent(), askEarlier(pathsOf(round))]);
        beside.push(p99);
        rates.push(rate);
        if (round % 2 === 1) await measureSteady();
      }
      return { ratio: geometricMean(beside) / geometricMean(steady), perSecond: quantiles(rates)(0.5) };
    };
    await askCurrent();
    await askEarlier(repeated.map(asOf));
    const besideRepeated = await measure(() => repeated.map(asOf));
    // No two rounds ask alike.
    const share = Math.floor(distinct.length / (ROUNDS + 1));
    const shareOf = (round: number) => distinct.slice(round * share, (round + 1) * share).map(asOf);
    const besideDistinct = await measure(shareOf);
    const alonePerSecond = await askEarlier(shareOf(ROUNDS));
    const { everPeak } = await server.look();
    return {
      besideRepeated: besideRepeated.ratio,
      besideDistinct: besideDistinct.ratio,
      alonePerSecond,
      besidePerSecond: besideDistinct.perSecond,
      peakMegabytes: everPeak,
    };
  } finally {
    await server.stop();
  }
}
