/** The aims of everything but single requests: crowds, starts, swaps, refreshes, memory, builds. */
import type { Judged } from "./aims.ts";
import type { EarlierFigures } from "./earlier.ts";
import type { FirstAnswer } from "./first-answers.ts";
import type { RunFigures } from "./published-data.ts";
import type { RefreshUnderLoad } from "./refresh-under-load.ts";
import type { Row } from "./rows.ts";
import type { StormFigures } from "./storm.ts";
import type { SwapFigures } from "./swap.ts";

export interface Measured {
  readonly rows: readonly Row[];
  readonly firsts: readonly FirstAnswer[];
  readonly storms: readonly StormFigures[];
  readonly startMs: number;
  readonly makeServeMs: number;
  readonly underLoad?: RefreshUnderLoad | undefined;
  readonly mixed: { readonly rss: number; readonly peak: number };
  readonly swap: SwapFigures;
  readonly earlier: EarlierFigures;
  readonly built?: RunFigures | undefined;
  readonly refreshed?: RunFigures | undefined;
}

export const operationAims = ({
  storms,
  startMs,
  makeServeMs,
  underLoad,
  mixed,
  swap,
  earlier,
  built,
  refreshed,
}: Measured): readonly Judged[] => [
  {
    aim: "64 clients, one large answer that is not finished: the last ≤ 2 × one alone (slowest)",
    value: Math.max(...storms.map(({ aloneMs, lastMs }) => lastMs / aloneMs)),
    limit: 2,
    unit: "×",
    reason: "sending 64 copies",
  },
  {
    aim: "the same, asked again: ≥ 2,000/s",
    value: Math.min(...storms.map(({ againPerSecond }) => againPerSecond)),
    limit: 2000,
    unit: "/s",
    least: true,
    reason: "megabytes, on cores that the asking side shares",
  },
  {
    aim: "make serve to the first answer with data: ≤ 1.5 s",
    value: makeServeMs / 1000,
    limit: 1.5,
    unit: "s",
    reason: "half a second for the modules; the listings need the grades, which take the longest to load",
  },
  {
    aim: "the server alone, with its probe, to its first answer: ≤ 2 s",
    value: startMs / 1000,
    limit: 2,
    unit: "s",
    reason: "the listings need the grades, which take the longest to load",
  },
  {
    aim: "an hourly refresh beside a load: p99 ≤ 2 × steady",
    value: underLoad && underLoad.duringP99 / underLoad.steadyP99,
    limit: 2,
    unit: "× steady",
    reason: "the crawl and the sample campus on the same two cores",
  },
  {
    aim: "the same: the slowest answer ≤ 300 ms",
    value: underLoad?.duringMax,
    limit: 300,
    unit: "ms",
    reason: "the crawl and the sample campus on the same two cores",
  },
  {
    aim: "swap of a term, flip to first answer: ≤ 0.5 s",
    value: swap.noticedMs / 1000,
    limit: 0.5,
    unit: "s",
    reason: "the term is loaded before it is served",
  },
  {
    aim: "p99 during a swap: ≤ 1.5 × steady",
    value: swap.duringP99 / swap.steadyP99,
    limit: 1.5,
    unit: "× steady",
    reason: "nearly all of the load asks for the term that changed, so that every answer is made anew",
  },
  {
    aim: "server memory after the mixed load, resident: ≤ 350 MB",
    value: mixed.rss,
    limit: 350,
    unit: "MB",
    reason: "tables, their JSON and remembered answers",
  },
  {
    aim: "the most it ever was until then: ≤ 500 MB",
    value: mixed.peak,
    limit: 500,
    unit: "MB",
    reason: "loading holds a table twice for a moment",
  },
  {
    aim: "requests beside those about five earlier snapshots: p99 ≤ 1.5 × steady",
    value: earlier.besideRepeated,
    limit: 1.5,
    unit: "× steady",
    reason: "two loads on two cores",
  },
  {
    aim: "the same, no two requests about earlier snapshots alike: p99 ≤ 1.5 × steady",
    value: earlier.besideDistinct,
    limit: 1.5,
    unit: "× steady",
    reason: "the statements take a core from the event loop or from the load",
  },
  {
    aim: "those requests about earlier snapshots beside the load: ≥ 4/s",
    value: earlier.besidePerSecond,
    limit: 4,
    unit: "/s",
    least: true,
    reason: "current requests go first",
  },
  {
    aim: "the same without other requests, 2 connections: ≥ 200/s",
    value: earlier.alonePerSecond,
    limit: 200,
    unit: "/s",
    least: true,
    reason: "the statements, on two connections",
  },
  {
    aim: "memory with five earlier snapshots: ≤ 600 MB",
    value: earlier.peakMegabytes,
    limit: 600,
    unit: "MB",
    reason: "the tables that changed, once for each",
  },
  {
    aim: "full-size build: ≤ 150 s",
    value: built?.seconds,
    limit: 150,
    unit: "s",
    reason: "the sample campus takes one of the two cores",
  },
  {
    aim: "full-size build: ≤ 0.9 GB resident",
    value: built && built.peakMegabytes / 1000,
    limit: 0.9,
    unit: "GB",
    reason: "the rows of a crawl and the buffers of DuckDB; which of them is not known",
  },
  {
    aim: "an hourly refresh: ≤ 8 s",
    value: refreshed?.seconds,
    limit: 8,
    unit: "s",
    reason: "the sample campus takes one of the two cores",
  },
];
