/** What was aimed at, what came out. An aim that is missed stays here, with what stands in its way. */
import type { FirstAnswer } from "./first-answers.ts";
import type { RunFigures } from "./published-data.ts";
import { type Kind, type Row, tableText } from "./rows.ts";
import type { SwapFigures } from "./swap.ts";

export interface Measured {
  readonly rows: readonly Row[];
  readonly firsts: readonly FirstAnswer[];
  readonly startMs: number;
  readonly mixed: { readonly rss: number; readonly peak: number };
  readonly swap: SwapFigures;
  readonly built?: RunFigures | undefined;
  readonly refreshed?: RunFigures | undefined;
}

export interface Aim {
  readonly aim: string;
  readonly figure: string;
  /** undefined: this run did not measure it. */
  readonly met: boolean | undefined;
  readonly reason: string;
}

interface Judged {
  readonly aim: string;
  readonly value: number | undefined;
  readonly limit: number;
  readonly unit: string;
  /** The value must be at least the limit; else at most. */
  readonly least?: boolean;
  readonly reason?: string;
}

function judge({ aim, value, limit, unit, least = false, reason = "" }: Judged): Aim {
  if (value === undefined)
    return { aim, figure: "not measured", met: undefined, reason: "the data was given, or too small" };
  const met = least ? value >= limit : value <= limit;
  const figure = `${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`.trim();
  return { aim, figure, met, reason: met ? "" : reason };
}

/** They have an aim of their own, or their questions are so many that the first round is among what is measured. */
const NOT_REPEATED = new Set(["a 304", "mixed load"]);

export function toAims(measured: Measured): readonly Aim[] {
  const { rows, firsts, startMs, mixed, swap, built, refreshed } = measured;
  const find = (what: string, kind: Kind, connections: number) =>
    rows.find((row) => row.what === what && row.kind === kind && row.connections === connections);
  const first = (what: string) => firsts.filter((one) => one.what.startsWith(what));
  const worst = (ones: readonly FirstAnswer[], of: (one: FirstAnswer) => number) =>
    ones.length === 0 ? undefined : Math.max(...ones.map(of));
  const repeated = rows.filter(
    (row) => row.kind === "repeated" && row.connections === 16 && !NOT_REPEATED.has(row.what) && row.bytes < 1e6,
  );
  const lowest = repeated.reduce<Row | undefined>(
    (low, row) => (low && (low.ceiling?.share ?? 1) <= (row.ceiling?.share ?? 1) ? low : row),
    undefined,
  );
  const offering = "grades/aggregateByOffering, a department";
  const course = "grades/aggregateByCourse, a department";
  const alone = [offering, course].map((what) => find(what, "distinct", 1));
  const together = [offering, course].map((what) => find(what, "distinct", 16));
  const least = (numbers: readonly (number | undefined)[]) => Math.min(...numbers.map((value) => value ?? 0));
  const most = (numbers: readonly (number | undefined)[]) => Math.max(...numbers.map((value) => value ?? Infinity));
  const packed = ["schedule, a whole term, gzip", "schedule, a whole term, br"].map(
    (what) => find(what, "repeated", 16)?.perSecond,
  );
  const raw = first("grades/raw, everything");
  return [
    {
      aim: `a repeated answer below 1 MB, 16 connections: ≥ 0.8 of the ceiling (lowest: ${lowest?.what ?? ""})`,
      value: lowest?.ceiling?.share,
      limit: 0.8,
      unit: "",
      least: true,
      reason: "what is not in bare node:http: a request id, the age of the data, the search for the finished answer",
    },
    {
      aim: "a 304, 16 connections: ≥ 0.8 of the ceiling",
      value: find("a 304", "repeated", 16)?.ceiling?.share,
      limit: 0.8,
      unit: "",
      least: true,
      reason: "as above",
    },
    {
      aim: "distinct department aggregates, 1 connection: ≤ 1.5 × floor",
      value: most(alone.map((row) => row?.floor?.times)),
      limit: 1.5,
      unit: "× floor",
      reason: "HTTP around a statement of under a millisecond",
    },
    {
      aim: "the same: p50 ≤ 5 ms",
      value: most(alone.map((row) => row?.p50)),
      limit: 5,
      unit: "ms",
      reason: "the statement itself",
    },
    {
      aim: "the same, 16 connections: ≥ 500/s",
      value: least(together.map((row) => row?.perSecond)),
      limit: 500,
      unit: "/s",
      least: true,
      reason: "the statements themselves, on two cores with whoever asks",
    },
    {
      aim: "distinct schedule by department, 16 connections: ≥ 400/s",
      value: find("schedule, a department", "distinct", 16)?.perSecond,
      limit: 400,
      unit: "/s",
      least: true,
      reason: "the statements themselves",
    },
    {
      aim: "a whole term that is not loaded: complete ≤ 150 ms (slowest of identity, gzip, br)",
      value: worst(first("schedule, a whole term"), ({ completeMs }) => completeMs),
      limit: 150,
      unit: "ms",
      reason: "reading 17,500 sections and writing them out on two cores; compressing 10 MB",
    },
    {
      aim: "the same of a term that is loaded (slowest of gzip, br)",
      value: worst(first("schedule, the latest main term, "), ({ completeMs }) => completeMs),
      limit: 150,
      unit: "ms",
      reason: "compressing 10 MB on one core",
    },
    {
      aim: "a whole term, repeated, compressed, 16 connections: ≥ 50/s",
      value: least(packed),
      limit: 50,
      unit: "/s",
      least: true,
      reason: "compressed bytes not kept",
    },
    {
      aim: "raw unfiltered: first byte ≤ 50 ms (slowest of identity, gzip, br)",
      value: worst(raw, ({ firstByteMs }) => firstByteMs),
      limit: 50,
      unit: "ms",
      reason: "what the compressor holds back before its first bytes",
    },
    {
      aim: "raw unfiltered: complete ≤ 400 ms",
      value: worst(raw, ({ completeMs }) => completeMs),
      limit: 400,
      unit: "ms",
      reason: "compressing 20 MB on one core",
    },
    {
      aim: "raw unfiltered: loop delay ≤ 20 ms",
      value: worst(raw, ({ loopDelayMs }) => loopDelayMs),
      limit: 20,
      unit: "ms",
      reason: "a processor that the asking side shares",
    },
    {
      aim: "aggregate unfiltered: complete ≤ 60 ms, uncompressed",
      value: worst(
        firsts.filter(({ what }) => what === "grades/aggregate, everything"),
        ({ completeMs }) => completeMs,
      ),
      limit: 60,
      unit: "ms",
      reason: "sending 10 MB to a client that shares the processor",
    },
    {
      aim: "start of the process to its first answer: ≤ 2 s",
      value: startMs / 1000,
      limit: 2,
      unit: "s",
      reason: "a second for the modules, then every table is verified and loaded",
    },
    {
      aim: "swap of a term, flip to first answer: ≤ 1 s",
      value: swap.noticedMs / 1000,
      limit: 1,
      unit: "s",
      reason: "the term is loaded before it is served",
    },
    {
      aim: "p99 during a swap: ≤ 2 × steady",
      value: swap.duringP99 / swap.steadyP99,
      limit: 2,
      unit: "× steady",
      reason: "loading a term takes a core of two",
    },
    {
      aim: "server memory after the mixed load, resident: ≤ 600 MB",
      value: mixed.rss,
      limit: 600,
      unit: "MB",
      reason: "tables, their JSON and remembered answers",
    },
    {
      aim: "the most it ever was until then: ≤ 600 MB",
      value: mixed.peak,
      limit: 600,
      unit: "MB",
      reason: "loading holds a table twice for a moment",
    },
    {
      aim: "full-size build: ≤ 180 s",
      value: built?.seconds,
      limit: 180,
      unit: "s",
      reason: "the sample campus answers in the same process",
    },
    {
      aim: "full-size build: ≤ 1.5 GB resident",
      value: built && built.peakMegabytes / 1000,
      limit: 1.5,
      unit: "GB",
      reason: "the sample campus is in the same process",
    },
    {
      aim: "an hourly refresh: ≤ 20 s",
      value: refreshed?.seconds,
      limit: 20,
      unit: "s",
      reason: "the sample campus answers in the same process",
    },
  ].map(judge);
}

export const aimsText = (aims: readonly Aim[]): string =>
  tableText(
    ["aim", "figure", "met", "what stands in the way"],
    aims.map(({ aim, figure, met, reason }) => [aim, figure, met === undefined ? "?" : met ? "yes" : "NO", reason]),
    4,
  );
