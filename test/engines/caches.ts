/**
 * Measures how caches treat the server's responses, counted at the server: how many of a number of equal requests reach
 * it.
 */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { publishRows } from "../support/published/published.ts";
import { openFolder, serve } from "../support/whole-run.ts";
import { courseRow } from "../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../support/worlds/section-rows.ts";
import { CACHES } from "./proxies.ts";
import type { CacheProgram, Reply, RunningCache } from "./running-cache.ts";

/** Minutes since the crawl of the data, of an hour from one refresh to the next. */
const AGES = [0, 35, 59] as const;
const EQUAL_REQUESTS = 3;
const MINUTE_MS = 60_000;
/** The wait until after the manifest's `max-age`. */
const STALE_MS = 2500;
const FIRST_EVENT_MS = 5000;

export interface CacheResult {
  readonly cache: string;
  readonly version: string;
  /** Cells of the table, by column. */
  readonly kept: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

const TERM = "year=2024&quarter=Fall";
const SCHEDULE = `/v1/rest/schedule?${TERM}&department=DANCE`;

/** A server whose data was crawled so many minutes ago. */
async function serveAged(minutes: number) {
  const { env, artifacts, remove } = await openFolder();
  const sections = Array.from({ length: 40 }, (_, n) => sectionRow({ sectionCode: String(20_000 + n) }));
  const now = new Date(Date.now() - minutes * MINUTE_MS);
  await publishRows(
    artifacts,
    {
      sections,
      headings: headingsOf(sections),
      courses: [
        courseRow({ description: "Steps. ".repeat(300) }),
        courseRow({ department: "CRM/LAW", courseNumber: "C7", courseNumeric: 7 }),
      ],
    },
    { now, nextRefresh: new Date(now.getTime() + 60 * MINUTE_MS) },
  );
  const server = await serve(env);
  /** Requests for published data until now, by status. */
  async function counts(): Promise<Map<string, number>> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const byStatus = new Map<string, number>();
    for (const [, status = "", count] of text.matchAll(
      /^academic_data_http_requests_total\{route="\/v1[^"]*",status="(\d+)"\} (\d+)$/gm,
    ))
      byStatus.set(status, (byStatus.get(status) ?? 0) + Number(count));
    return byStatus;
  }
  return {
    url: server.url,
    port: Number(new URL(server.url).port),
    /** How many requests reach the server meanwhile, by status and in all. */
    async reaching(action: () => Promise<unknown>): Promise<{ all: number; of: (status: string) => number }> {
      const earlier = await counts();
      await action();
      await sleep(50);
      const after = await counts();
      const of = (status: string) => (after.get(status) ?? 0) - (earlier.get(status) ?? 0);
      return { all: [...after.keys()].reduce((sum, status) => sum + of(status), 0), of };
    },
    async close() {
      await server.close();
      await remove();
    },
  };
}
type Aged = Awaited<ReturnType<typeof serveAged>>;

const typeOf = ({ headers }: Reply): string => String(headers["content-type"] ?? "").split(";")[0] ?? "";

/** Measures a column of the table: its cells, and the problems. */
async function measure(cache: RunningCache, server: Aged, { keepsVary }: CacheProgram) {
  const problems: string[] = [];
  const kept: Record<string, string> = {};
  const expectEqual = (what: string, actual: unknown, wanted: unknown) => {
    if (actual !== wanted) problems.push(`${what}: ${String(actual)} instead of ${String(wanted)}`);
  };
  async function count(column: string, wanted: number, requests: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
    const replies: Reply[] = [];
    const { all } = await server.reaching(async () => {
      for (const send of requests) replies.push(await send());
    });
    kept[column] = all === requests.length ? "nothing" : "kept";
    expectEqual(`${column}, requests that reach the server`, all, wanted);
    for (const { status } of replies) expectEqual(`${column}, status`, status, 200);
    return replies;
  }
  const repeated = (path: string, headers: Record<string, string> = {}) =>
    Array.from({ length: EQUAL_REQUESTS }, () => () => cache.get(path, headers));
  const whole = keepsVary ? 1 : EQUAL_REQUESTS;

  const courses = "/v1/rest/courses/all";
  const packed = await count("gzip", whole, repeated(courses, { "accept-encoding": "gzip" }));
  const plain = await cache.get(courses, { "accept-encoding": "identity" });
  for (const { headers } of packed) expectEqual("gzip, Content-Encoding", headers["content-encoding"], "gzip");
  expectEqual("identity after gzip, Content-Encoding", plain.headers["content-encoding"], undefined);

  await cache.get(courses, { accept: "application/json" });
  const csv = await count("CSV by `Accept`", whole, repeated(courses, { accept: "text/csv" }));
  for (const reply of csv) expectEqual("Accept: text/csv", typeOf(reply), "text/csv");
  expectEqual(
    "Accept: application/json",
    typeOf(await cache.get(courses, { accept: "application/json" })),
    "application/json",
  );

  const manifest = JSON.parse((await cache.get("/v1/data/manifest.json")).body.toString()) as {
    tables: { sections: { files: { url: string }[] } };
  };
  await count("files of `/v1/data`", 1, repeated(manifest.tables.sections.files[0]?.url ?? ""));

  await sleep(STALE_MS);
  const again = await server.reaching(() => cache.get("/v1/data/manifest.json"));
  kept["asks with its `ETag`"] = again.of("304") === 1 ? "yes" : "no";

  await count(
    "live, `no-store`",
    EQUAL_REQUESTS,
    repeated(`/v1/rest/schedule?year=2024&quarter=Winter&cacheOnly=true`),
  );
  kept["live, `no-store`"] = "not kept";

  const { status, body } = await cache.get("/v1/rest/courses/CRM%2FLAWC7");
  const id = status === 200 ? (JSON.parse(body.toString()) as { id: string }).id : status;
  expectEqual("courses/CRM%2FLAWC7", id, "CRM/LAWC7");
  kept["`CRM%2FLAWC7`"] = id === "CRM/LAWC7" ? "found" : String(id);

  const { firstMs } = await cache
    .get("/v1/rest/changes", { accept: "text/event-stream" }, false)
    .catch(() => ({ firstMs: Infinity }));
  kept["event stream"] = firstMs < FIRST_EVENT_MS ? "at once" : "held back";
  if (firstMs >= FIRST_EVENT_MS) problems.push("the first part of an event stream is held back");
  return { kept, problems };
}

async function tryCache(program: CacheProgram, servers: readonly Aged[], folder: string): Promise<CacheResult> {
  const problems: string[] = [];
  const kept: Record<string, string> = {};
  for (const [i, server] of servers.entries()) {
    const cache = await program.open(server.port, join(folder, `${program.debian ?? "undici"}-${AGES[i]}`));
    try {
      const { all } = await server.reaching(async () => {
        for (let n = 0; n < EQUAL_REQUESTS; n++) await cache.get(SCHEDULE);
      });
      kept[`schedule, ${AGES[i]} minutes old`] = `${all} of ${EQUAL_REQUESTS}`;
      const wanted = program.keepsVary ? 1 : EQUAL_REQUESTS;
      if (all !== wanted) problems.push(`data ${AGES[i]} minutes old: ${all} of ${EQUAL_REQUESTS} reach the server`);
      if (i < servers.length - 1) continue;
      const measured = await measure(cache, server, program);
      Object.assign(kept, measured.kept);
      problems.push(...measured.problems);
    } finally {
      await cache.close();
    }
  }
  return { cache: program.name, version: await program.version(), kept, problems };
}

/** Installs a missing program, if it runs as root. @throws Error with the Debian package that is needed */
async function requireProgram({ debian, version }: CacheProgram): Promise<void> {
  if (debian === undefined || (await version().catch(() => undefined)) !== undefined) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  await promisify(execFile)("apt-get", ["install", "-y", "--no-install-recommends", debian], { env }).catch(() => {
    throw new Error(`it is not there (Debian: ${debian})`);
  });
}

/** @param missing gets a line for each cache that could not be installed */
export async function runCaches(
  missing: string[],
  say: (line: string) => void,
  isWanted: (cache: string) => boolean,
): Promise<CacheResult[]> {
  const results: CacheResult[] = [];
  const folder = await mkdtemp(join(tmpdir(), "caches-"));
  // Some of them give up the rights of root.
  await chmod(folder, 0o755);
  const servers = await Promise.all(AGES.map(serveAged));
  try {
    for (const program of CACHES.filter(({ name }) => isWanted(name))) {
      say(program.name);
      try {
        await requireProgram(program);
      } catch (error) {
        missing.push(`${program.name}: ${(error as Error).message}`);
        continue;
      }
      const failed = (error: Error): CacheResult => ({
        ...{ cache: program.name, version: "–", kept: {}, problems: [error.message] },
      });
      results.push(await tryCache(program, servers, folder).catch(failed));
    }
    return results;
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  }
}
