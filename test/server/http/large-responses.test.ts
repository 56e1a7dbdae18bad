/** Work that is bounded, whoever asks for it: large answers, and statements that never end. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { isWhole } from "../../support/extent.ts";
import { appOf } from "../../support/published/app-of.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../../../server/response/endpoint.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { type Limits, DEFAULT_LIMITS } from "../../../pipeline/settings/server.ts";
import { createLargeResponses } from "../../../server/http/large-responses.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { StatementTimeout } from "../../../server/duckdb/query.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { shapeOf } from "../../../server/response/shapes/shapes.ts";
import { openSurface } from "./surface-server.ts";
import { ask } from "./wire.ts";
import { type Closing, closeAll, listenWith, open as openOn, until } from "./narrow.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const closing: Closing = [];
afterEach(() => closeAll(closing));
const open = (url: string, text: string) => openOn(url, text, closing);

/** The application over the surface's data with one endpoint. */
async function serveOne(endpoint: Endpoint, bounds: Partial<Limits> = {}) {
  const { largeResponses, queuedLargeResponses, statementMs } = { ...DEFAULT_LIMITS, ...bounds };
  const pool = await createPool({ artifactsDir: surface.artifacts, connections: 1, statementMs });
  const store = await openStore({ artifactsDir: surface.artifacts, pool, log: silentLog });
  const limiter = createLargeResponses({ maxInFlight: largeResponses, maxQueued: queuedLargeResponses });
  const app = appOf({
    endpoints: [endpoint],
    store,
    pool,
    log: silentLog,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
    largeResponses: limiter,
  });
  closing.push(async () => {
    await store.close();
    await pool.close();
  });
  const { url } = await listenWith(app, bounds, closing);
  return { base: `${url}/v1/rest`, pool, large: limiter };
}

/** The description knows nothing of endpoints that only a test has. */
const UNDOCUMENTED = { undocumented: true } as const;

const plain = {
  summary: "a test",
  title: () => "a test",
  params: {},
  tables: [],
  products: ["grades"],
  returns: shapeOf("Terms"),
  statement: () => ({ reads: [], select: sql`SELECT 1` }),
} as const;

describe("large answers", () => {
  const streamed = defineEndpoint({
    ...plain,
    path: "/numbers",
    streams: true,
    answer: () =>
      Promise.resolve({
        body: (async function* () {
          for (let n = 0; n < 250; n++) yield Buffer.alloc(65_536, "1");
        })(),
      }),
  });

  it("so many at once, so many that wait, and 503 with Retry-After for the rest", async () => {
    const { base, large: turns } = await serveOne(streamed, { largeResponses: 2, queuedLargeResponses: 2 });
    const head = "GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const readers = [open(base, head), open(base, head)];
    for (const reader of readers) reader.pause();
    await until(() => turns.inFlight() === 2);
    const waiting = [ask(`${base}/numbers`, UNDOCUMENTED), ask(`${base}/numbers`, UNDOCUMENTED)];
    expect((await ask(`${base}/numbers`, { ...UNDOCUMENTED, method: "HEAD" })).status).toBe(200);
    await until(() => turns.waiting() === 2);
    const refused = await ask(`${base}/numbers`, UNDOCUMENTED);
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("5");
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
    expect(refused.json()).toMatchObject({ statusCode: 503, error: "Service Unavailable" });
    // One is read to its end, the other leaves: both give their turn to those who wait.
    readers[0]?.resume();
    readers[1]?.destroy();
    for (const answer of await Promise.all(waiting)) expect(answer.raw).toHaveLength(250 * 65_536);
    await until(() => turns.inFlight() === 0);
    expect((await ask(`${base}/numbers`, UNDOCUMENTED)).status).toBe(200);
  });

  it("who leaves while it waits takes no turn with it", async () => {
    const { base, large: turns } = await serveOne(streamed, { largeResponses: 1, queuedLargeResponses: 5 });
    const head = "GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const reader = open(base, head);
    reader.pause();
    await until(() => turns.inFlight() === 1);
    const leavers = [open(base, head), open(base, head)];
    await sleep(100);
    for (const leaver of leavers) leaver.destroy();
    reader.resume();
    expect((await ask(`${base}/numbers`, UNDOCUMENTED)).raw).toHaveLength(250 * 65_536);
    await until(() => turns.inFlight() === 0);
  });
});

describe("bodies in memory", () => {
  /** Of `size` digits in brackets; counts how often it is made. */
  const digits = (size: number) => {
    const made = { times: 0 };
    const endpoint = defineEndpoint({
      ...plain,
      path: "/digits",
      answer: () => {
        made.times++;
        const chunks = Array.from({ length: size / 1024 }, () => Buffer.alloc(1024, "7"));
        return Promise.resolve({ body: [Buffer.from("["), ...chunks, Buffer.from("]")] });
      },
    });
    return { endpoint, made };
  };

  it.each(["gzip", "br", "identity"])(
    "up to 16 MB are made once for all who wait, and then known (%s)",
    async (encoding) => {
      const { endpoint, made } = digits(4 * 1024 * 1024);
      const { base } = await serveOne(endpoint);
      const get = () => ask(`${base}/digits`, { ...UNDOCUMENTED, headers: { "accept-encoding": encoding } });
      const together = await Promise.all(Array.from({ length: isWhole ? 64 : 16 }, get));
      for (const { raw, headers, text } of [...together, await get()]) {
        expect(headers["content-length"]).toBe(String(raw.length));
        expect(text.length).toBe(4 * 1024 * 1024 + 2);
      }
      expect(new Set(together.map(({ headers }) => headers["etag"])).size).toBe(1);
      expect(made.times).toBe(1);
    },
  );

  it.each(["gzip", "br", "identity"])(
    "larger ones are sent while they are encoded, and not kept (%s)",
    async (encoding) => {
      const { endpoint, made } = digits(17 * 1024 * 1024);
      const { base, large } = await serveOne(endpoint);
      for (const time of [1, 2]) {
        const answer = await ask(`${base}/digits`, { ...UNDOCUMENTED, headers: { "accept-encoding": encoding } });
        expect(answer.headers["transfer-encoding"]).toBe("chunked");
        expect(answer.text.length).toBe(17 * 1024 * 1024 + 2);
        expect(made.times).toBe(time);
      }
      await until(() => large.inFlight() === 0);
    },
  );
});

describe("statements", () => {
  const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3`;

  it("one that takes too long is ended: 503 without a word about the inside, and its connection goes on", async () => {
    const endpoint = defineEndpoint({
      ...plain,
      path: "/endless",
      answer: async (_values, { pool }) => ({ body: [Buffer.from(String(await pool.columns(endless)))] }),
    });
    const { base, pool } = await serveOne(endpoint, { statementMs: 300 });
    const answer = await ask(`${base}/endless`, UNDOCUMENTED);
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({
      message: "This query takes too long. Please narrow it with further parameters.",
    });
    await expect(pool.columns(endless)).rejects.toThrow(StatementTimeout);
    expect(await pool.columns(sql`SELECT 1`)).toEqual([[1]]);
    await expect(pool.columns(sql`SELECT error('of its own')`)).rejects.not.toThrow(StatementTimeout);
  });
});
