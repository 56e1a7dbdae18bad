/** Measures a case at a number of connections, and in the same minute its baselines. */
import http from "node:http";
import type { Recorded } from "./bare.ts";
import type { Case } from "./cases.ts";
import { type Load, putLoad } from "./load.ts";
import type { MeasuredServer, Neighbour } from "./processes.ts";

export interface Row {
  readonly name: string;
  /** `repeated`: the same requests again and again. `distinct`: each one once. */
  readonly kind: "repeated" | "distinct";
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
  readonly failures: number;
  /** The share of the responses per second of node:http with the same bytes. */
  readonly ofBare: number;
  /** How many times as many as the naive server's. */
  readonly timesNaive: number | undefined;
}

export interface Bench {
  readonly server: MeasuredServer;
  readonly bare: Neighbour;
  readonly naive: Neighbour;
  /** How long one load lasts; the naive server's takes half of it. */
  readonly ms: number;
  readonly connections: readonly number[];
}

/** A machine is not equally fast at all times: a load and its neighbour take turns. */
const TURNS = 4;
const WARM_SHARE = 0.15;
const MOST_WARMING = 200;
/** node:http writes these itself. */
const NOT_RECORDED = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

export async function measureCase(bench: Bench, one: Case): Promise<Row[]> {
  const { repeated, distinct = [] } = one;
  const rows: Row[] = [];
  let unused = distinct.slice(Math.min(MOST_WARMING, Math.floor(distinct.length * WARM_SHARE)));
  const warming = distinct.slice(0, -unused.length);
  for (const connections of bench.connections) {
    if (repeated !== undefined) rows.push(await measureRepeated(bench, one, [repeated].flat(), connections));
    // A request that was sent before would be served from the cache.
    if (unused.length === 0) continue;
    const { row, sent } = await measureDistinct(bench, one, { warming, unused }, connections);
    rows.push(row);
    unused = unused.slice(sent);
  }
  return rows;
}

async function measureRepeated(bench: Bench, one: Case, paths: readonly string[], connections: number): Promise<Row> {
  const { server, bare, ms } = bench;
  const { tag } = await record(server.base, paths[0] as string, one.headers);
  const headers = one.isConditional ? { ...one.headers, "If-None-Match": tag } : one.headers;
  const load = (base: string, asked: readonly string[], share: number) =>
    putLoad({ base, paths: asked, connections, ms: ms * share, ...(headers ? { headers } : {}) });
  const first = await load(server.base, paths, WARM_SHARE);
  await prepareBare(bench, paths[0] as string, headers, first.bytes);
  await load(bare.base, ["/"], WARM_SHARE);
  const [loads, bareLoads]: [Load[], Load[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    loads.push(await load(server.base, paths, 1 / TURNS));
    bareLoads.push(await load(bare.base, ["/"], 1 / TURNS / 2));
  }
  return toRow(one.name, "repeated", connections, combine(loads), combine(bareLoads), undefined);
}

async function measureDistinct(
  bench: Bench,
  one: Case,
  { warming, unused }: { readonly warming: readonly string[]; readonly unused: readonly string[] },
  connections: number,
): Promise<{ row: Row; sent: number }> {
  const { server, bare, naive, ms } = bench;
  const options = { connections, ...(one.headers ? { headers: one.headers } : {}) };
  await putLoad({ ...options, base: server.base, paths: warming, ms: ms * WARM_SHARE });
  const load = await putLoad({ ...options, base: server.base, paths: unused, ms, once: true });
  await prepareBare(bench, unused[0] as string, one.headers, load.bytes);
  await putLoad({ connections, base: bare.base, paths: ["/"], ms: ms * WARM_SHARE });
  const bareLoad = await putLoad({ connections, base: bare.base, paths: ["/"], ms: ms / 2 });
  const naiveLoad = await putLoad({ connections, base: naive.base, paths: unused, ms: ms / 2 });
  if (naiveLoad.failures > 0) throw new Error(`${one.name}: the naive server fails`);
  return { row: toRow(one.name, "distinct", connections, load, bareLoad, naiveLoad), sent: load.responses };
}

function toRow(
  name: string,
  kind: Row["kind"],
  connections: number,
  { perSecond, p50, p99, bytes, failures }: Load,
  bare: Load,
  naive: Load | undefined,
): Row {
  const [ofBare, timesNaive] = [perSecond / bare.perSecond, naive && perSecond / naive.perSecond];
  return { name, kind, connections, perSecond, p50, p99, bytes, failures, ofBare, timesNaive };
}

/** The rate of all turns, and the quantiles of the median one. */
function combine(loads: readonly Load[]): Load {
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const median = loads.toSorted((a, b) => a.p99 - b.p99)[Math.floor(loads.length / 2)] as Load;
  const perSecond = sum(({ responses }) => responses) / sum(({ seconds }) => seconds);
  return { ...median, perSecond, failures: sum(({ failures }) => failures) };
}

/** Different requests have bodies of different sizes: the bare server sends as many bytes as they have on average. */
async function prepareBare(
  { server, bare }: Bench,
  path: string,
  headers: Case["headers"],
  bytes: number,
): Promise<void> {
  const { recorded } = await record(server.base, path, headers);
  const body = recorded.body.length === bytes ? recorded.body : Buffer.alloc(bytes, recorded.body);
  const sized = recorded.headers.map((value, i) =>
    recorded.headers[i - 1]?.toLowerCase() === "content-length" && i % 2 === 1 ? String(bytes) : value,
  );
  await bare.tell({ ...recorded, headers: sized, body });
}

/** A response as it is on the wire, which `fetch` would decompress. */
function record(
  base: string,
  path: string,
  headers: Case["headers"] = {},
): Promise<{ recorded: Recorded; tag: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${base}${path}`, { agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const raw = response.rawHeaders;
        const kept = raw.filter((_, i) => !NOT_RECORDED.has((raw[i - (i % 2)] as string).toLowerCase()));
        const recorded = { status: response.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) };
        resolve({ recorded, tag: response.headers.etag ?? "" });
      });
    });
    request.on("error", reject);
  });
}
