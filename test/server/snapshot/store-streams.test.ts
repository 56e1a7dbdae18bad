/** What is still being sent keeps its snapshot, however slowly it is read and whatever is published meanwhile; then that is freed. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { openDatabase } from "../../../pipeline/store/database.ts";
import { appOf } from "../../support/published/app-of.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { type EndpointContext, defineEndpoint } from "../../../server/response/endpoint.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { listenOn } from "../../../server/http/listening.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { shapeOf } from "../../../server/response/shapes/shapes.ts";
import { openPublisher } from "../../pipeline/publish/publisher.ts";
import { openFolder } from "../../support/whole-run.ts";
import { stampsIn, SWAPPED_TABLES } from "../../support/stamps.ts";
import { ask, decode } from "../http/wire.ts";

/** Of each of two years of grades, and of one term: enough that no answer fits into the buffers between the server and a client. */
const ROWS = 10_000;
const PIECES = 24;

/** One statement for each piece, over a table in memory, each with a megabyte of blanks. */
async function* stampOfEachPiece({ pool, snapshot }: EndpointContext): AsyncGenerator<Buffer> {
  const blanks = Buffer.alloc(1024 * 1024, " ");
  yield Buffer.from("[0");
  for (let piece = 0; piece < PIECES; piece++) {
    const [stamps = []] = await pool.columns(
      sql`SELECT DISTINCT gradeACount::INTEGER FROM ${snapshot.tables.grades.from} WHERE row_id % ${PIECES} = ${piece}`,
    );
    yield Buffer.from(`,${stamps.join(",")}`);
    yield blanks;
  }
  yield Buffer.from("]");
}

const pieces = defineEndpoint({
  path: "/pieces",
  summary: "a body that asks the snapshot while it is sent",
  title: () => "a test",
  params: {},
  tables: [],
  products: ["grades"],
  returns: shapeOf("Terms"),
  streams: true,
  answer: (_values, asked) => Promise.resolve({ body: stampOfEachPiece(asked) }),
  statement: () => ({ reads: [], select: sql`SELECT 1` }),
});

const folder = await openFolder();
const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: folder.data });
const publisher = await openPublisher(folder.artifacts, { rows: ROWS, database, tables: SWAPPED_TABLES });
let server: Awaited<ReturnType<typeof open>>;

async function open() {
  const pool = await createPool({ artifactsDir: folder.artifacts });
  const store = await openStore({ artifactsDir: folder.artifacts, pool, log: silentLog });
  await store.current()?.prepare();
  const app = appOf({
    endpoints: [...endpoints, pieces],
    store,
    pool,
    log: silentLog,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
  });
  const { url, close } = await listenOn(app, { host: "127.0.0.1", port: 0 });
  return {
    base: `${url}/v1/rest`,
    look: () => store.checkForUpdate(),
    async tables(): Promise<number> {
      const [[count] = []] = await pool.columns(sql`SELECT count(*)::INTEGER FROM duckdb_tables()`);
      return count as number;
    },
    async close() {
      await close();
      await store.close();
      await pool.close();
    },
  };
}

let stamp = 0;
async function publish(): Promise<void> {
  ({ stamp } = await publisher.publish());
  await server?.look();
}

beforeAll(async () => {
  await publish();
  server = await open();
  // Histories are loaded at their first request, and for every later snapshot.
  await ask(`${server.base}/enrollmentHistory?sectionCode=00000`);
});
afterAll(async () => {
  await server?.close();
  database.close();
  await folder.remove();
});

/** Asks, and reads nothing of the answer yet. */
async function begin(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return (await once(get(`${server.base}${path}`, { headers, agent: false }), "response"))[0] as IncomingMessage;
}

async function readSlowly(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    if (parts.length % 64 === 0) await sleep(1);
  }
  return decode(Buffer.concat(parts), response.headers["content-encoding"]).toString();
}

/** Tables go without being waited for. */
const settles = (count: number) => expect.poll(server.tables, { timeout: 30_000 }).toBe(count);

const DOWNLOADS: readonly [path: string, sections: number][] = [
  ["/grades/raw", 2 * ROWS],
  ["/enrollmentHistory", ROWS],
  ["/schedule?year=2024&quarter=Fall&cacheOnly=true", ROWS],
];

describe("slow downloads across two swaps", () => {
  it("are whole and of one snapshot each, which is freed when the last of them has ended", async () => {
    const [before, count] = [stamp, await server.tables()];
    const downloads = await Promise.all(DOWNLOADS.map(([path]) => begin(path)));
    for (let i = 0; i < 2; i++) await publish();
    // The snapshot that is being sent, and the one that is served, also when everything has gone that is to go.
    await sleep(200);
    expect(await server.tables()).toBeGreaterThan(count);
    const bodies = await Promise.all(downloads.map(readSlowly));
    for (const [i, [path, sections]] of DOWNLOADS.entries()) {
      const body = bodies[i] ?? "";
      expect([path, stampsIn(path, body)]).toEqual([path, new Set([before])]);
      expect([path, body.match(/"sectionCode":/g)?.length]).toEqual([path, sections]);
    }
    await settles(count);
  });

  it("may query their snapshot while they are sent, compressed or not", async () => {
    const [before, count] = [stamp, await server.tables()];
    const encodings = ["identity", "gzip", "br"];
    const downloads = await Promise.all(encodings.map((one) => begin("/pieces", { "accept-encoding": one })));
    for (let i = 0; i < 2; i++) await publish();
    const whole = [0, ...Array.from({ length: PIECES }, () => before)];
    for (const download of downloads) expect(JSON.parse(await readSlowly(download))).toEqual(whole);
    await settles(count);
  });
});

describe("nothing is held for", () => {
  it("a client that hung up in the middle", async () => {
    const count = await server.tables();
    const paths = ["/pieces", ...DOWNLOADS.map(([path]) => path)];
    const downloads = await Promise.all(paths.map((path) => begin(path)));
    await Promise.all(downloads.map((response) => once(response, "readable")));
    await publish();
    for (const response of downloads) response.on("error", () => undefined).destroy();
    await settles(count);
  });

  it("HEAD, a tag that is known, a client that leaves before the first byte", async () => {
    const count = await server.tables();
    const url = `${server.base}/grades/raw`;
    const { headers } = await ask(url, { method: "HEAD" });
    expect((await ask(url, { headers: { "if-none-match": headers.etag ?? "" } })).status).toBe(304);
    expect((await begin("/pieces", { "if-none-match": "*" })).resume().statusCode).toBe(304);
    const left = get(`${server.base}/pieces`, { agent: false }).on("error", () => undefined);
    await once(left, "socket");
    left.destroy();
    await publish();
    await settles(count);
  });
});
