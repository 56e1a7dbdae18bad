/**
 * Times a run with `PUBLISH_TO` without its crawl: the first publication, hours in which three terms changed, and an
 * hour without a change; to a folder and to a bucket (versitygw), with the requests of the publisher and of a replica:
 * `node --import tsx test/engines/measure-hour.ts <artifacts>`, which it does not modify.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PipelineConfig, readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { readParquet } from "../../pipeline/contract/sql-text.ts";
import { TABLES } from "../../pipeline/contract/tables.ts";
import { openFollower } from "../../pipeline/follow.ts";
import { readBase } from "../../pipeline/store/open.ts";
import { readPublished } from "../../pipeline/store/published.ts";
import { silentLog } from "../../pipeline/log.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { createStaging, type Staging } from "../../pipeline/publish/staging.ts";
import { openSharedStore, type SharedStore } from "../../pipeline/run/shared-store.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import { type StoreWithFolder, installStores } from "./stores.ts";

const CHANGED = ["sections", "enrollment_history", "enrollment_periods"] as const;
const TERMS = 3;
const NEVER_MS = 2 ** 31 - 1;

const [given = "artifacts"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "academic-hour-"));
const say = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const [versitygw] = await installStores(say, [], (name) => name === "versitygw");
  await measure("folder", join(folder, "folder", "lake"));
  const target = await versitygw?.start();
  if (target) await measure("bucket", `s3://${target.bucket}/lake`, target).finally(() => target.close());
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(place: string, to: string, target?: StoreWithFolder): Promise<void> {
  const at = join(folder, place);
  const artifacts = join(at, "artifacts");
  await cp(given, artifacts, { recursive: true, verbatimSymlinks: true });
  const requests: string[] = [];
  const fetch = countingFetch(requests);
  // A configured address prevents the sample campus, which would not continue from these changes.
  const schedule = { SCHEDULE_URL: "http://127.0.0.1:9" };
  const own = { ARTIFACTS_DIR: artifacts, DATA_DIR: join(at, "data"), PUBLISH_TO: to };
  const config = readPipelineConfig({ ...target?.env, ...schedule, ...own });
  const replica = openFollower({
    url: config.publishTo as URL,
    artifactsDir: join(at, "replica"),
    everyMs: NEVER_MS,
    log: silentLog,
    aws: config.aws,
    fetch,
  });
  const report = async (what: string, work: () => Promise<number>): Promise<void> => {
    const seconds = await work();
    say(`${place}, ${what}: ${seconds.toFixed(2)} s${countsText(requests.splice(0))}`);
    const started = performance.now();
    await replica.poll();
    const { problem } = replica.state();
    if (problem !== null) throw new Error(problem);
    say(`  replica: ${((performance.now() - started) / 1000).toFixed(2)} s${countsText(requests.splice(0))}`);
  };
  await report("the first publication", () => hour(config, fetch));
  for (const number of [1, 2, 3])
    await report(`hour ${number}, ${TERMS} terms`, () => hour(config, fetch, changeTerms));
  for (const number of [4, 5]) await report(`hour ${number}, no change`, () => hour(config, fetch));
  await replica.close();
}

/** The seconds in which a run works with the store; publishing in the artifacts folder is not in them. */
async function hour(
  config: PipelineConfig,
  fetch: Fetch,
  change?: (staging: Staging) => Promise<void>,
): Promise<number> {
  const { artifactsDir, aws, publishTo } = config;
  let spent = 0;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      spent += performance.now() - started;
    }
  };
  const now = new Date();
  const freshness = { products: { schedule: now.toISOString() }, terms: {}, nextRefresh: null };
  const store = openStore(publishTo as URL, { aws, fetch });
  const options = { config, store, now: () => now, today: now.toISOString().slice(0, 10), log: silentLog };
  const publisher = (await timed(() =>
    openSharedStore({ ...options, assertHeld: async () => undefined }),
  )) as SharedStore;
  const base = await readBase(artifactsDir);
  await timed(() => publisher.adopt(base));
  if (change) {
    const staging = createStaging(artifactsDir, base);
    await change(staging);
    await staging.publish({
      source: { schedule: "measured" },
      now,
      publishFirst: (made) => timed(() => publisher.publish(made, freshness)),
    });
    await staging.discard();
  }
  const published = await readPublished(artifactsDir);
  await timed(() => publisher.finish(published, freshness));
  const { problems } = publisher.report();
  if (problems.length > 0) throw new Error(problems.join("; "));
  return spent / 1000;
}

async function changeTerms(staging: Staging): Promise<void> {
  const database = await openDatabase({ memoryLimit: "1GB", threads: 2, tempFolder: staging.tempFolder });
  for (const name of CHANGED) {
    const files = staging.files().filter(({ table }) => table === name);
    for (const { partition } of files.toSorted((a, b) => (a.path < b.path ? 1 : -1)).slice(0, TERMS)) {
      const paths = staging.paths(name, partition);
      const select = `SELECT * REPLACE (units || ' ' AS units) FROM ${readParquet(paths)}`;
      const counted = `SELECT * REPLACE (totalEnrolled || '0' AS "totalEnrolled") FROM ${readParquet(paths)}`;
      const request = { table: TABLES[name], partition, select: name === "enrollment_periods" ? counted : select };
      staging.put(await writePartition(database.connection, staging, request));
    }
  }
  database.close();
}

type Fetch = typeof globalThis.fetch;

/** Notes the kind of each request. */
function countingFetch(requests: string[]): Fetch {
  return async (input, init = {}) => {
    const response = await fetch(input, init);
    const { pathname, search } = new URL(String(input));
    const method = search.includes("list-type") ? "LIST" : (init.method ?? "GET");
    const status = response.status === 200 ? "" : ` (${response.status})`;
    requests.push(`${method} ${kindOf(pathname)}${status}`);
    return response;
  };
}

function kindOf(path: string): string {
  const [, , , ...key] = path.split("/");
  if (key.length === 0) return "keys";
  if (key.includes("_delta_log")) return "Delta log";
  if (key[0] === "probe") return "probe";
  if (path.endsWith(".parquet")) return "data file";
  return key[0] === "snapshots" ? "manifest" : (key.at(-1) ?? "");
}

function countsText(requests: readonly string[]): string {
  if (requests.length === 0) return "";
  const counts = new Map<string, number>();
  for (const kind of requests) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return `, ${requests.length} requests: ${kinds.join(", ")}`;
}
