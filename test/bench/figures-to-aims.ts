/** Every aim, with the figure of this run and what stands in the way where it is missed. */
import { type Aim, judge, type Judged } from "./aims.ts";
import type { FirstAnswer } from "./first-answers.ts";
import { type Measured, operationAims } from "./operation-aims.ts";
import type { Kind } from "./rows.ts";

/** They have an aim of their own, or their questions are so many that the first round is among what is measured. */
const NOT_REPEATED = new Set(["a 304", "mixed load"]);

export function toAims(measured: Measured): readonly Aim[] {
  const { rows, firsts } = measured;
  const find = (what: string, kind: Kind, connections: number) =>
    rows.find((row) => row.what === what && row.kind === kind && row.connections === connections);
  const first = (what: string) => firsts.filter((one) => one.what.startsWith(what));
  const worst = (ones: readonly FirstAnswer[], of: (one: FirstAnswer) => number) =>
    ones.length === 0 ? undefined : Math.max(...ones.map(of));
  const repeated = rows
    .filter((row) => row.kind === "repeated" && row.connections > 1 && !NOT_REPEATED.has(row.what))
    .flatMap(({ what, connections, ceiling }) => (ceiling ? [{ what, connections, share: ceiling.share }] : []))
    .sort((a, b) => a.share - b.share);
  const [lowest] = repeated;
  const offering = "grades/aggregateByOffering, a department";
  const course = "grades/aggregateByCourse, a department";
  const alone = [offering, course].map((what) => find(what, "distinct", 1));
  const together = [offering, course].map((what) => find(what, "distinct", 16));
  /** Undefined when one of them was not measured. */
  const among = (pick: (...numbers: number[]) => number, numbers: readonly (number | undefined)[]) =>
    numbers.every((value) => value !== undefined) ? pick(...numbers) : undefined;
  const least = (numbers: readonly (number | undefined)[]) => among(Math.min, numbers);
  const most = (numbers: readonly (number | undefined)[]) => among(Math.max, numbers);
  const packed = ["schedule, a whole term, gzip", "schedule, a whole term, br"].map(
    (what) => find(what, "repeated", 16)?.perSecond,
  );
  const raw = first("grades/raw, everything");
  const perSecond = (what: string) => find(what, "distinct", 16)?.perSecond;
  const [aggregate, byCourse, byId] = [
    ["grades/aggregate, a course"],
    [course, offering, "grades/options, a department"],
    ["courses/{id}", "week"],
  ];
  const schedules = ["schedule, a department", "schedule, 40 section codes", "schedule, GE", "schedule, an instructor"];
  const distinct = (names: readonly string[], limit: number, reason: string): Judged => ({
    aim: `distinct, 16 connections: ${names.join("; ")}: ≥ ${limit}/s`,
    value: least(names.map(perSecond)),
    limit,
    unit: "/s",
    least: true,
    reason,
  });
  return [
    {
      aim: "repeated, 16 and 64 connections: the lowest ≥ 0.7 of the ceiling",
      value: lowest?.share,
      limit: 0.7,
      unit: "",
      least: true,
      reason: `${lowest?.what}, ${lowest?.connections}; what is not in bare node:http: a request id, the age of the data, the search for the finished answer`,
    },
    {
      aim: "the same: the median ≥ 0.85",
      value: repeated[Math.floor(repeated.length / 2)]?.share,
      limit: 0.85,
      unit: "",
      least: true,
      reason: "as above",
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
    distinct(aggregate, 1000, "the statement: a millisecond of two cores that the asking side shares"),
    distinct(byCourse, 700, "the statements: more than a millisecond each"),
    distinct(schedules, 900, "the statements, and bodies of 5 to 200 kB"),
    distinct(byId, 6000, "the way through the router, on cores that the asking side shares"),
    distinct(["enrollmentHistory, a course"], 400, "two statements"),
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
    ...operationAims(measured),
  ].map(judge);
}
