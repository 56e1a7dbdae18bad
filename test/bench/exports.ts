/**
 * Every endpoint, format and flag at full size, one after another: the slowest, and its memory; then the effect of
 * exports on other requests.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { everyRequest } from "../support/every-request.ts";
import { putLoad } from "./load.ts";
import type { MeasuredServer } from "./processes.ts";
import type { Words } from "./words.ts";

export interface Exports {
  readonly slowest: string;
  readonly slowestMs: number;
  readonly largest: string;
  readonly largestMegabytes: number;
  /** Answers other than 200, 400 and 404. */
  readonly failures: readonly string[];
  readonly steadyP99: number;
  /** While one client after another takes the largest exports, two at once. */
  readonly besideP99: number;
}

const LOOK_MS = 20;
const BASE = "/v1/rest";
const DELIBERATE = [200, 400, 404];

export async function measureExports(server: MeasuredServer, { main, courses }: Words, mix: readonly string[]) {
  const [{ year, quarter } = { year: "", quarter: "Fall" }] = main;
  const ids = { "/courses/:id": courses[0]?.id ?? "", "/instructors/:id": "nobody" };
  const exports = { slowest: "", slowestMs: 0, largest: "", largestMegabytes: 0, failures: [] as string[] };
  for (const path of everyRequest({ year, quarter, ids })) {
    const { now: before } = await server.readMemory();
    let most = before;
    const began = performance.now();
    const response = fetch(`${server.base}${BASE}${path}`).then(async (answer) => {
      for await (const _ of answer.body ?? []);
      return answer;
    });
    for (let isDone = false; !isDone;) {
      isDone = await Promise.race([response.then(() => true), sleep(LOOK_MS, false)]);
      most = Math.max(most, (await server.readMemory()).now);
    }
    const ms = performance.now() - began;
    const { status } = await response;
    if (!DELIBERATE.includes(status)) exports.failures.push(`${status} ${path}`);
    if (ms > exports.slowestMs) Object.assign(exports, { slowest: path, slowestMs: ms });
    if (most - before > exports.largestMegabytes)
      Object.assign(exports, { largest: path, largestMegabytes: most - before });
  }
  const load = () => putLoad({ base: server.base, paths: mix, connections: 8, ms: 3_000 });
  const steady = await load();
  const large = ["parquet", "csv"].map((format) => `${BASE}/enrollmentHistory?format=${format}`);
  const [beside] = await Promise.all([
    load(),
    ...large.map((path) => putLoad({ base: server.base, paths: [path], connections: 1, ms: 3_000 })),
  ]);
  return { ...exports, steadyP99: steady.p99, besideP99: beside.p99 } satisfies Exports;
}
