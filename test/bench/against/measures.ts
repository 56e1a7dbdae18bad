/** What is measured of both sides, and the aim of each figure as a share of the older side. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toCases } from "../cases.ts";
import { putLoad, quantile } from "../load.ts";
import type { MeasuredServer } from "../processes.ts";
import { readWords } from "../words.ts";
import { callSQL } from "./assistant.ts";
import { importDays } from "./import.ts";
import { runPipeline, serve, type Side } from "./sides.ts";

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

export interface Measure {
  /** Measures a side once. */
  readonly measure: (side: Side, turn: number) => Promise<Figures>;
  readonly turns: number;
}

export interface Aim {
  readonly share: number;
  /** The newer side's figure must be at least this share; else at most. */
  readonly isLeast?: boolean;
}

const least = (share: number): Aim => ({ share, isLeast: true });
const most = (share: number): Aim => ({ share });

/** In the order of the table. A figure without an aim is for information. */
export const AIMS: Readonly<Record<string, Aim | undefined>> = {
  "make serve, first answer: s": most(0.35),
  "make serve, everything: s": most(0.6),
  "packages to serve": undefined,
  "make build-data: processor s": most(0.65),
  "make build-data: MB": most(0.65),
  "refresh, a term changed: processor s": most(0.6),
  "refresh, a term changed: MB": most(0.7),
  "refresh, nothing changed: processor s": most(0.4),
  "import of enrollment days: rows a processor second": least(4),
  "server after start: MB": most(0.7),
  "server after a mixed load, most: MB": most(0.8),
  "distinct grade sums, a course: requests/s": least(1.1),
  "distinct grade sums by course: requests/s": least(0.9),
  "distinct schedule, a department: requests/s": least(0.9),
  "history of a course over all terms ÷ schedule": least(1),
  "repeated: requests/s": least(0.9),
  "304: requests/s": least(0.9),
  "all courses, COMPAT=1 ÷ plain, processor time": most(1),
  "sql of an assistant, median: ms": most(0.3),
};

const LATER = new URL("later.mjs", import.meta.url).href;
const CONNECTIONS = 16;
const MS = 3000;
/** A server that has used no processor time for so long is at rest. */
const REST_MS = 300;

export const MEASURES: readonly Measure[] = [
  {
    turns: 5,
    async measure(side, turn) {
      // A later hour of the sample campus, in which its current term has changed; then the same hour again.
      const hour = { BENCH_HOURS: String(turn), NODE_OPTIONS: `--import ${LATER}` };
      const changed = await runPipeline(side, ["refresh"], hour);
      const same = await runPipeline(side, ["refresh"], hour);
      return {
        "refresh, a term changed: processor s": changed.processorSeconds,
        "refresh, a term changed: MB": changed.megabytes,
        "refresh, nothing changed: processor s": same.processorSeconds,
      };
    },
  },
  { turns: 5, measure: measureServer },
  {
    turns: 5,
    async measure(side, turn) {
      // No earlier than the last of the refreshes above.
      const env = { BENCH_HOURS: "6", NODE_OPTIONS: `--import ${LATER}` };
      return { "import of enrollment days: rows a processor second": await importDays(side, turn, env) };
    },
  },
];

async function measureServer(side: Side, turn: number): Promise<Figures> {
  const cases = new Map(toCases(await readWords(join(side.root, "artifacts"))).map((each) => [each.name, each]));
  const server = await serve(side);
  const perSecond = async (name: string, kind: "distinct" | "repeated", headers = {}): Promise<number> => {
    const all = [cases.get(name)?.[kind] ?? []].flat();
    // Each turn has requests that this server has not seen, whichever turn it is.
    const paths = kind === "distinct" ? all.filter((_, index) => index % 5 === turn % 5) : all;
    const load = await putLoad({
      ...{ base: server.base, paths, connections: CONNECTIONS, ms: MS, headers },
      once: kind === "distinct",
    });
    if (load.failures > 0) throw new Error(`${name}: ${load.failures} requests failed`);
    return load.perSecond;
  };
  try {
    const { now } = await server.readMemory();
    const schedule = await perSecond("schedule, a department", "distinct");
    const figures = {
      "server after start: MB": now,
      "distinct grade sums, a course: requests/s": await perSecond("grades/aggregate, a course", "distinct"),
      "distinct grade sums by course: requests/s": await perSecond(
        "grades/aggregateByCourse, a department",
        "distinct",
      ),
      "distinct schedule, a department: requests/s": schedule,
      "history of a course over all terms ÷ schedule":
        (await perSecond("enrollmentHistory, a course over all terms", "distinct")) / schedule,
      "repeated: requests/s": await perSecond("schedule, a department", "repeated"),
      "304: requests/s": await perSecond("schedule, a department", "repeated", await tagOf(server, cases)),
      "sql of an assistant, median: ms": quantile(await callSQL(server.base), 0.5),
    };
    await perSecond("mixed load", "distinct");
    return {
      ...figures,
      "server after a mixed load, most: MB": (await server.readMemory()).most,
      "all courses, COMPAT=1 ÷ plain, processor time": (await allCourses(side, "1")) / (await allCourses(side, "0")),
    };
  } finally {
    await server.stop();
  }
}

async function tagOf({ base }: MeasuredServer, cases: ReadonlyMap<string, { repeated?: string | readonly string[] }>) {
  const response = await fetch(`${base}${String(cases.get("schedule, a department")?.repeated)}`);
  await response.arrayBuffer();
  return { "If-None-Match": response.headers.get("etag") ?? "" };
}

/** Measures the processor seconds of distinct requests for all courses, of a server that has just been started. */
async function allCourses(side: Side, mode: "0" | "1"): Promise<number> {
  const server = await serve(side, { COMPAT: mode });
  const paths = Array.from({ length: 40 }, (_, index) => `/v1/rest/courses/all?none=${index}`);
  try {
    // A server responds before all of its tables are loaded.
    let began = NaN;
    for (let last = -1; last !== began; await sleep(REST_MS))
      [last, began] = [began, await server.readProcessorSeconds()];
    await putLoad({ base: server.base, paths, connections: 1, ms: MS * 10, once: true });
    return (await server.readProcessorSeconds()) - began;
  } finally {
    await server.stop();
  }
}
