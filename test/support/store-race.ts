/**
 * Two publishers with different crawls on one store are killed again and again; three servers follow it behind a
 * balancer, with readers in a loop. What was acknowledged is never lost, a number never has two snapshots, history only
 * grows, and no answer mixes two snapshots.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import { TABLE_NAMES } from "../../pipeline/contract/tables.ts";
import { readTableLog } from "../../pipeline/lake/delta/log.ts";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { readPointer, type StoredPointer } from "../../pipeline/store/pointer.ts";
import type { Store } from "../../pipeline/store/store.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { ask } from "../server/http/wire.ts";
import { openBalancer, type Running, startReplica, stop } from "./balancer.ts";
import { gradeRow } from "./grade-row.ts";
import { storeRun } from "./store-runs.ts";
import type { Acknowledged } from "./publisher-loop.ts";

export interface RaceOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly to: string;
  /** How publishers reach the store: faults may stand between. */
  readonly publisherEnv: Readonly<Record<string, string>>;
  /** How servers and this observer reach it. */
  readonly env: Readonly<Record<string, string>>;
  readonly nginx: string;
  readonly generations: number;
  /** The time between two kills. */
  readonly killMs: number;
  /** A broken race ends. */
  readonly limitMs: number;
}

export interface RaceResult {
  readonly generations: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly kills: number;
  readonly answers: number;
  readonly seconds: number;
  /** Everything that must not be. */
  readonly problems: readonly string[];
}

export async function race(options: RaceOptions): Promise<RaceResult> {
  const { env, folder, generations, killMs, limitMs, nginx, to } = options;
  const { aws, publishTo } = readPipelineConfig({ ...env, PUBLISH_TO: to });
  const store = openStore(publishTo as URL, { aws });
  const problems: string[] = [];
  const began = performance.now();
  const acknowledged: Acknowledged[] = [];
  let refused = 0;
  let kills = 0;
  let isOver = false;

  function publisher(name: string): { kill: () => Promise<void> } {
    const at = join(folder, `publisher-${name}`);
    const own = { ARTIFACTS_DIR: join(at, "artifacts"), DATA_DIR: join(at, "data"), PUBLISH_TO: to };
    const child = spawn(process.execPath, ["--import", "tsx", "test/support/publisher-loop.ts", name], {
      env: { ...process.env, SCHEDULE_URL: "http://127.0.0.1:9", ...options.publisherEnv, ...own },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (text: Buffer) => (said = (said + text.toString()).slice(-2_000)));
    createInterface(child.stdout).on("line", (line) => {
      const told = JSON.parse(line) as Acknowledged | { locked: string };
      if ("locked" in told) refused++;
      else acknowledged.push(told);
    });
    const ended = once(child, "exit").then(([code, signal]) => {
      if (signal !== "SIGKILL") problems.push(`publisher ${name} ended with ${String(code ?? signal)}: ${said}`);
    });
    return { kill: () => killed(child, ended) };
  }

  // Start them one after the other, so that the first snapshot is there for the servers.
  const publishers = new Map([["1", publisher("1")]]);
  while ((await store.read("current.json")) === undefined && performance.now() - began < limitMs) await sleep(50);
  publishers.set("2", publisher("2"));
  const replicas = await Promise.all(
    ["a", "b", "c"].map((name) => startReplica({ ...env, ARTIFACTS_DIR: join(folder, name), FOLLOW_URL: to })),
  );
  const balancer = await openBalancer(
    nginx,
    join(folder, "nginx"),
    replicas.map(({ url }) => url),
  );

  const seen = new Map<number, Manifest>();
  async function watch(): Promise<void> {
    let last = 0;
    for (let etag: string | null = null; !isOver; await sleep(10)) {
      const pointer = await readPointer(store, { etag });
      if (typeof pointer !== "object") continue;
      ({ etag } = pointer);
      const { snapshot } = pointer;
      const { generation, id } = snapshot;
      const before = seen.get(generation);
      if (before && before.id !== id) problems.push(`number ${generation} is ${before.id} and ${id}`);
      if (generation < last) problems.push(`${last} was replaced by ${generation}`);
      last = generation;
      seen.set(generation, snapshot);
    }
  }

  let answers = 0;
  const bodies = new Map<string, string>();
  async function readAnswers(): Promise<void> {
    while (!isOver) {
      for (const path of ["/v1/rest/grades/aggregate", "/v1/rest/changes?limit=1&offset=0"]) {
        const answer = await ask(`${balancer.url}${path}`, { undocumented: true });
        const key = `${path} of ${String(answer.headers["x-data-snapshot"])}`;
        const body = answer.raw.toString() + String(answer.headers["x-total-count"] ?? "");
        if (answer.status !== 200) problems.push(`${key}: status ${answer.status}`);
        if ((bodies.get(key) ?? body) !== body) problems.push(`${key} has two bodies`);
        bodies.set(key, body);
        answers++;
      }
      await sleep(20);
    }
  }

  const watching = Promise.all([watch(), readAnswers(), readAnswers()]);
  watching.catch(() => undefined);
  try {
    while (Math.max(0, ...seen.keys()) < generations && performance.now() - began < limitMs) {
      await sleep(killMs * (0.5 + Math.random()));
      const name = String(1 + (kills % 2));
      await publishers.get(name)?.kill();
      kills++;
      publishers.set(name, publisher(name));
    }
  } finally {
    for (const { kill } of publishers.values()) await kill();
    await sleep(2_000);
    isOver = true;
    await watching.catch((error: unknown) => problems.push(String(error)));
    for (const running of [balancer, ...replicas] satisfies Running[]) await stop(running);
  }
  // The next run completes the state that the last kill interrupted.
  const own = join(folder, "publisher-1");
  await storeRun(
    {
      ...env,
      SCHEDULE_URL: "http://127.0.0.1:9",
      ARTIFACTS_DIR: join(own, "artifacts"),
      DATA_DIR: join(own, "data"),
      PUBLISH_TO: to,
    },
    { grade: gradeRow({ year: "2024", gradeACount: 0 }) },
  );
  const { snapshot: last } = (await readPointer(store)) as StoredPointer;
  seen.set(last.generation, last);
  problems.push(...(await lookBack(store, [...seen.values()], acknowledged, folder)));
  return {
    generations: last.generation,
    acknowledged: acknowledged.length,
    refused,
    kills,
    answers,
    seconds: Math.round((performance.now() - began) / 1000),
    problems,
  };
}

async function killed(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

/** Changes of a snapshot hold those of the one before, and the last one holds all that was acknowledged. */
async function lookBack(
  store: Store,
  seen: readonly Manifest[],
  acknowledged: readonly Acknowledged[],
  folder: string,
): Promise<string[]> {
  const problems: string[] = [];
  const ordered = seen.toSorted((a, b) => a.generation - b.generation);
  let before = 0;
  for (const { files, generation } of ordered) {
    const rows = files.reduce((sum, file) => sum + (file.table === "changes" ? file.rows : 0), 0);
    if (rows < before) problems.push(`snapshot ${generation} has ${rows} changes, the one before ${before}`);
    before = rows;
  }
  const newest = ordered.at(-1);
  if (!newest) return ["nothing was published"];
  for (const file of newest.files)
    if (typeof (await store.read(file.path)) !== "object") problems.push(`${file.path} is missing`);
  const { connection, close } = await openDatabase({ memoryLimit: "500MB", threads: 1, tempFolder: folder });
  const held = new Set<string>();
  for (const file of newest.files.filter(({ table }) => table === "changes")) {
    const path = join(folder, "changes.parquet");
    await store.download(file.path, file.bytes, path);
    const read = await connection.runAndReadAll(`SELECT epoch_ms("at") FROM read_parquet('${path}')`);
    for (const [ms] of read.getRowsJson()) held.add(new Date(Number(ms)).toISOString());
  }
  for (const name of TABLE_NAMES) {
    const { files } = await readTableLog(connection, store, name, folder);
    const [delta, current] = [
      [...files.keys()].map((path) => `${name}/${path}`),
      newest.files.filter(({ table }) => table === name).map(({ path }) => path),
    ];
    if (delta.toSorted().join() !== current.toSorted().join()) problems.push(`the Delta table ${name} is not current`);
  }
  close();
  for (const { at, id, isStored } of acknowledged)
    if (isStored && !held.has(at)) problems.push(`what ${id} recorded at ${at} is lost`);
  return problems;
}
