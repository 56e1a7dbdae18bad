/** One case at one number of connections, and beside it, in the same minute, what it is compared with. */
import http from "node:http";
import type { Recorded } from "./bare.ts";
import type { Case } from "./cases.ts";
import type { Floor, FloorAsked } from "./floor.ts";
import type { Asking, Load } from "./load.ts";
import type { MeasuredServer } from "./measured-server.ts";
import type { Kind, Row } from "./rows.ts";
import type { Worker } from "./worker.ts";
import { hasWrk, SHORTEST_MS } from "./wrk.ts";

export interface Bench {
  readonly server: MeasuredServer;
  readonly asking: Worker;
  readonly bare: Worker;
  readonly floor: Worker;
  readonly naive: { readonly worker: Worker; readonly base: string };
  /** How long one load lasts; baselines take half of it. */
  readonly ms: number;
  readonly connections: readonly number[];
}

/** The naive server and the statements alone are asked at these only: more connections do not make them quicker. */
const BASELINE_CONNECTIONS = 16;
const WARM_SHARE = 0.15;
const MOST_WARMING = 200;
/** node:http writes these itself. */
const NOT_RECORDED = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** All rows of a case. */
export async function measureCase(bench: Bench, one: Case): Promise<Row[]> {
  const rows: Row[] = [];
  const known = one.repeated === undefined || typeof one.repeated !== "string" ? undefined : one.repeated;
  const tag = one.knows && known !== undefined ? (await record(bench.server.base, known, one.headers)).tag : undefined;
  const headers = tag === undefined ? one.headers : { ...one.headers, "If-None-Match": tag };
  if (one.repeated !== undefined) {
    const paths = [one.repeated].flat();
    for (const connections of bench.connections)
      rows.push(await measure(bench, one, "repeated", connections, paths, headers));
  }
  let used = 0;
  for (const connections of one.distinct ? bench.connections : []) {
    // Those that come round again were pushed out in between, or there are more than are ever asked.
    const paths = [...(one.distinct ?? []).slice(used), ...(one.distinct ?? []).slice(0, used)];
    const { row, asked } = await measureDistinct(bench, one, connections, paths);
    used = (used + asked) % paths.length;
    rows.push(row);
  }
  return rows;
}

async function measureDistinct(bench: Bench, one: Case, connections: number, paths: readonly string[]) {
  const row = await measure(bench, one, "distinct", connections, paths, one.headers);
  return { row, asked: row.answers };
}

async function measure(
  bench: Bench,
  one: Case,
  kind: Kind,
  connections: number,
  paths: readonly string[],
  headers: Case["headers"] = {},
): Promise<Row & { answers: number }> {
  const { server, asking, ms } = bench;
  const load: PutLoad = (base, asked, time, once = false) =>
    asking.ask<Load>({ base, paths: asked, connections, ms: time, headers, once } satisfies Asking);
  // The code is warm in both; the answers are finished in one only: these distinct ones are not asked again.
  await load(server.base, kind === "repeated" ? paths : paths.slice(-MOST_WARMING), ms * WARM_SHARE);
  await server.look();
  const { found, peak, loopDelay, ceiling } = await measureBesideCeiling(
    bench,
    { paths, headers, kind, connections },
    load,
  );
  const comparable = connections <= BASELINE_CONNECTIONS;
  const statements =
    one.noFloor || !comparable || (kind === "repeated" && one.distinct)
      ? undefined
      : await bench.floor.ask<Floor | undefined>({ paths, connections, ms: ms / 2 } satisfies FloorAsked);
  const naive =
    one.noNaive || !comparable || (kind === "repeated" && one.distinct)
      ? undefined
      : await load(bench.naive.base, paths, ms / 2);
  return {
    what: one.name,
    kind,
    connections,
    perSecond: found.perSecond,
    p50: found.p50,
    p99: found.p99,
    bytes: found.bytes,
    peakMegabytes: peak,
    loopDelayMs: loopDelay,
    failures: found.failures + (naive?.failures ?? 0),
    answers: found.answers,
    ceiling: { perSecond: ceiling, share: found.perSecond / ceiling },
    ...(statements ? { floor: { ...statements, times: statements.perSecond / found.perSecond } } : {}),
    ...(naive ? { naive: { perSecond: naive.perSecond, times: found.perSecond / naive.perSecond } } : {}),
  };
}

type PutLoad = (base: string, paths: readonly string[], ms: number, once?: boolean) => Promise<Load>;

/** The machine is not equally quick at all times: repeated questions and their ceiling take turns. */
const TURNS = 4;

async function measureBesideCeiling(
  bench: Bench,
  { paths, headers, kind, connections }: EndpointContext,
  load: PutLoad,
): Promise<{ found: Load; peak: number; loopDelay: number; ceiling: number }> {
  const { server, ms } = bench;
  if (kind === "distinct") {
    const found = await load(server.base, paths, ms, true);
    const { peak, loopDelay } = await server.look();
    const bare = await prepareCeiling(bench, paths[0] ?? "", headers, found.bytes, connections);
    await load(bare, ["/"], ms * WARM_SHARE);
    return { found, peak, loopDelay, ceiling: (await load(bare, ["/"], ms / 2)).perSecond };
  }
  const first = await load(server.base, paths, (ms * WARM_SHARE) / 2);
  const bare = await prepareCeiling(bench, paths[0] ?? "", headers, first.bytes, connections);
  await load(bare, ["/"], ms * WARM_SHARE);
  const [loads, ceilings]: Load[][] = [[], []];
  const isLong = connections > 1 && ms >= SHORTEST_MS / 2 && (await hasWrk());
  const [turns, turnMs, ceilingMs] = isLong ? [2, SHORTEST_MS, SHORTEST_MS] : [TURNS, ms / TURNS, ms / TURNS / 2];
  for (let turn = 0; turn < turns; turn++) {
    loads?.push(await load(server.base, paths, turnMs));
    ceilings?.push(await load(bare, ["/"], ceilingMs));
  }
  const { peak, loopDelay } = await server.look();
  return { found: together(loads ?? []), peak, loopDelay, ceiling: together(ceilings ?? []).perSecond };
}

interface EndpointContext {
  readonly paths: readonly string[];
  readonly headers: Case["headers"];
  readonly kind: Kind;
  readonly connections: number;
}

/** Loads of the same questions as one; the median turn's quantiles stand for all. */
function together(loads: readonly Load[]): Load {
  const [answers, seconds] = [sum(loads.map((one) => one.answers)), sum(loads.map((one) => one.seconds))];
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    answers,
    seconds,
    perSecond: answers / Math.max(seconds, 1e-6),
    p50: median(loads.map(({ p50 }) => p50)),
    p99: median(loads.map(({ p99 }) => p99)),
    bytes: loads[0]?.bytes ?? 0,
    failures: sum(loads.map(({ failures }) => failures)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Puts the answer before the bare server; returns its address. */
async function prepareCeiling(
  { server, bare }: Bench,
  path: string,
  headers: Case["headers"],
  bytes: number,
  connections: number,
): Promise<string> {
  const { recorded } = await record(server.base, path, headers);
  // Different questions have bodies of different sizes: the ceiling sends as many bytes as they have on average.
  const body = recorded.body.length === bytes ? recorded.body : Buffer.alloc(bytes, recorded.body);
  const head = recorded.head.map((value, i) =>
    recorded.head[i - 1]?.toLowerCase() === "content-length" && i % 2 === 1 ? String(bytes) : value,
  );
  return bare.ask<string>({ recorded: { ...recorded, head, body } satisfies Recorded, connections });
}

/** An answer as it stands on the wire. */
export function record(
  base: string,
  path: string,
  headers: Case["headers"] = {},
): Promise<{ recorded: Recorded; tag: string }> {
  return new Promise((resolve, reject) => {
    http
      .get(`${base}${path}`, { agent: false, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const head: string[] = [];
          for (let i = 0; i < response.rawHeaders.length; i += 2) {
            const [name = "", value = ""] = response.rawHeaders.slice(i, i + 2);
            if (!NOT_RECORDED.has(name.toLowerCase())) head.push(name, value);
          }
          resolve({
            recorded: { status: response.statusCode ?? 0, head, body: Buffer.concat(parts) },
            tag: response.headers.etag ?? "",
          });
        });
      })
      .on("error", reject);
  });
}
