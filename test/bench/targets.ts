/**
 * The targets on two cores with the standard sample; with more data or another machine, compare the figures instead of
 * judging them.
 */
import type { Exports } from "./exports.ts";
import type { Row } from "./measure.ts";
import type { Storm } from "./storm.ts";
import type { Swap } from "./swap.ts";

export interface Measured {
  readonly rows: readonly Row[];
  readonly storms: readonly Storm[];
  readonly startMs: number;
  /** Memory after the mixed load. */
  readonly memoryMegabytes: number;
  readonly exports: Exports;
  readonly swap: Swap;
}

export interface Target {
  readonly name: string;
  /** undefined: this run did not measure it. */
  readonly value: number | undefined;
  readonly limit: number;
  /** The value must be at least the limit; else at most. */
  readonly isLeast?: boolean;
}

const GRADES = [
  "grades/aggregate, a course",
  "grades/aggregateByCourse, a department",
  "grades/aggregateByOffering, a department",
];
const SCHEDULES = ["schedule, a department", "schedule, 40 section codes", "schedule, GE", "schedule, an instructor"];
const LOOK_UPS = ["courses/{id}", "week"];
const HISTORY = "enrollmentHistory, a course over all terms";

export function toTargets({ rows, storms, startMs, memoryMegabytes, exports, swap }: Measured): readonly Target[] {
  const distinct = (name: string, connections: number) =>
    rows.find((row) => row.name === name && row.kind === "distinct" && row.connections === connections);
  const least = (values: readonly (number | undefined)[]) => {
    const measured = values.filter((value) => value !== undefined);
    return measured.length === 0 ? undefined : Math.min(...measured);
  };
  const rate = (about: string, names: readonly string[], limit: number): Target => ({
    name: `${about}, distinct, 16 connections: responses a second`,
    value: least(names.map((name) => distinct(name, 16)?.perSecond)),
    limit,
    isLeast: true,
  });
  // The mixed load is of so many requests that their first responses are among those that are measured.
  const repeated = rows.filter((row) => row.kind === "repeated" && row.connections > 1 && row.name !== "mixed load");
  return [
    rate("grade aggregates", GRADES, 700),
    rate("schedule", SCHEDULES, 600),
    rate("look-ups", LOOK_UPS, 3000),
    rate("history of a course over all terms", [HISTORY], 400),
    { name: "the same, alone: p50 in ms", value: distinct(HISTORY, 1)?.p50, limit: 4 },
    {
      name: "repeated responses, the lowest: share of bare node:http",
      value: least(repeated.map(({ ofBare }) => ofBare)),
      limit: 0.4,
      isLeast: true,
    },
    {
      name: "64 clients of one large response, the last: times a single client",
      value: Math.max(...storms.map(({ aloneMs, lastMs }) => lastMs / aloneMs)),
      limit: 3,
    },
    { name: "every endpoint, format and flag, the slowest: s", value: exports.slowestMs / 1000, limit: 3 },
    { name: "every endpoint, format and flag, the largest: MB", value: exports.largestMegabytes, limit: 300 },
    { name: "every endpoint, format and flag: failures", value: exports.failures.length, limit: 0 },
    { name: "p99 beside two exports: times the steady one", value: exports.besideP99 / exports.steadyP99, limit: 3 },
    { name: "a swapped term is served: s", value: swap.servedMs / 1000, limit: 0.5 },
    { name: "p99 during the swap: times the steady one", value: swap.duringP99 / swap.steadyP99, limit: 3 },
    { name: "start to the first response with data: s", value: startMs / 1000, limit: 1.5 },
    { name: "memory after the mixed load: MB", value: memoryMegabytes, limit: 350 },
  ];
}

export function isMet({ value, limit, isLeast = false }: Target): boolean | undefined {
  return value === undefined ? undefined : isLeast ? value >= limit : value <= limit;
}
