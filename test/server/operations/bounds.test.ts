/** No client can take more than its share: heads that never end, readers that never read, too many connections or large answers. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { H3 } from "h3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createApp } from "../../../server/app.ts";
import { sql } from "../../../server/bind.ts";
import { defineEndpoint, type Endpoint } from "../../../server/endpoint.ts";
import { openLiveDoor } from "../../../server/live-door.ts";
import { listenOn } from "../../../server/listening.ts";
import { type Bounds, BOUNDS } from "../../../server/operations/bounds.ts";
import { createLargeAnswers } from "../../../server/operations/large-answers.ts";
import { createMetrics } from "../../../server/operations/metrics.ts";
import { createPool } from "../../../server/pool.ts";
import { StatementTooLong } from "../../../server/statement-time.ts";
import { openStore } from "../../../server/store.ts";
import { openSurface } from "../surface-server.ts";
import { ask, parseRaw, sendRaw } from "../wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 500) throw new Error("it never came to that");
    await sleep(10);
  }
}

/** A server with bounds so narrow that a test reaches them, and why it closed connections. */
async function listenWith(app: H3, change: Partial<Bounds>) {
  const cuts: string[] = [];
  const metrics = { ...createMetrics(), cut: (why: string) => void cuts.push(why) };
  const listening = await listenOn(app, {
    host: "127.0.0.1",
    port: 0,
    compat: false,
    bounds: { ...BOUNDS, ...change },
    metrics,
  });
  closing.push(listening.close);
  return { url: listening.url, cuts };
}

function open(url: string, text: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => void socket.write(text));
  socket.on("error", () => undefined);
  closing.push(() => void socket.destroy());
  return socket;
}

/** 16 MB: more than the buffers between two processes hold. */
const large = new H3()
  .get("/large", () => Buffer.alloc(16_000_000, "x").toString())
  .get("/slow", () => sleep(700).then(() => "late"));

describe("heads", () => {
  it("one that does not end in time gets 408, in the shape of all errors", async () => {
    const { url } = await listenWith(large, { headMs: 300 });
    const { status, headers, body } = parseRaw(await sendRaw(url, "GET /large HTTP/1.1\r\nHost: x\r\nX-Slow: "));
    expect([status, headers.get("connection"), headers.get("access-control-allow-origin")]).toEqual([
      408,
      "close",
      "*",
    ]);
    expect(JSON.parse(body)).toMatchObject({
      statusCode: 408,
      error: "Request Timeout",
      message: "The request did not arrive in time.",
      requestId: headers.get("x-request-id"),
    });
  });

  it("one that says nothing at all is closed too", async () => {
    const { url } = await listenWith(large, { headMs: 300 });
    const socket = open(url, "");
    socket.resume();
    await once(socket, "close");
  });
});

describe("readers", () => {
  it("one that reads nothing is cut off, others are not", async () => {
    const { url, cuts } = await listenWith(large, { stallMs: 400 });
    const socket = open(url, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.pause();
    expect((await ask(`${url}/large`)).raw).toHaveLength(16_000_000);
    await until(() => cuts.length > 0);
    expect(cuts).toEqual(["stalled"]);
  });

  it("an answer that takes its time to be made is no stall", async () => {
    const { url, cuts } = await listenWith(large, { stallMs: 200 });
    expect((await ask(`${url}/slow`)).text).toBe("late");
    expect(cuts).toEqual([]);
  });

  it("a connection that is merely kept is closed without a word", async () => {
    const { url, cuts } = await listenWith(large, { stallMs: 100 });
    const socket = open(url, "");
    socket.resume();
    await once(socket, "close");
    expect(cuts).toEqual([]);
  });

  it("one that always reads a little does not go on for ever", async () => {
    const { url, cuts } = await listenWith(large, { answerMs: 600 });
    const socket = open(url, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.pause();
    const trickle = setInterval(() => socket.read(1000), 20);
    closing.push(() => clearInterval(trickle));
    await until(() => cuts.length > 0);
    expect(cuts).toEqual(["too long"]);
  });
});

it("a connection beyond the most is closed at once; when one ends there is room again", async () => {
  const { url, cuts } = await listenWith(large, { connections: 2 });
  const [first, second] = [open(url, ""), open(url, "")];
  await Promise.all([once(first, "connect"), once(second, "connect")]);
  await expect(ask(`${url}/slow`)).rejects.toThrow();
  expect(cuts).toEqual(["too many"]);
  first.destroy();
  for (let tries = 0; ; tries++) {
    const answer = await ask(`${url}/slow`).catch(() => undefined);
    if (answer?.text === "late") break;
    expect(tries).toBeLessThan(50);
  }
});

it("an end waits for running answers, but not for ever", async () => {
  const { url } = await listenWith(large, { drainMs: 500 });
  const close = closing.pop() as () => Promise<void>;
  const reader = open(url, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  reader.pause();
  await sleep(100);
  // One that never asked anything holds nobody up.
  open(url, "");
  const late = ask(`${url}/slow`).catch((error: unknown) => error);
  await sleep(50);
  let isClosed = false;
  const closed = close().then(() => (isClosed = true));
  await sleep(200);
  expect(isClosed).toBe(false);
  await closed;
  expect(await late).toBeInstanceOf(Error);
});

/** The application over the surface's data with one endpoint. */
async function serveOne(endpoint: Endpoint, bounds: Partial<Bounds> = {}) {
  const { largeAnswers, largeWaiting, statementMs } = { ...BOUNDS, ...bounds };
  const pool = await createPool({ artifactsDir: surface.artifacts, connections: 1, statementMs });
  const store = await openStore({ artifactsDir: surface.artifacts, pool, log: silentLog, compat: false });
  const largeAnswersUnderWay = createLargeAnswers({ most: largeAnswers, waiting: largeWaiting });
  const app = createApp({
    endpoints: [endpoint],
    store,
    pool,
    log: silentLog,
    compat: false,
    live: openLiveDoor(() => Promise.resolve(undefined)),
    large: largeAnswersUnderWay,
  });
  closing.push(async () => {
    await store.close();
    pool.close();
  });
  const { url } = await listenWith(app, bounds);
  return { base: `${url}/v1/rest`, pool, large: largeAnswersUnderWay };
}

/** The description knows nothing of endpoints that only a test has. */
const UNDOCUMENTED = { undocumented: true } as const;

const plain = { summary: "a test", params: {}, products: ["grades"], returns: "Terms" } as const;

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
    const { base, large: turns } = await serveOne(streamed, { largeAnswers: 2, largeWaiting: 2 });
    const head = "GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const readers = [open(base, head), open(base, head)];
    for (const reader of readers) reader.pause();
    await until(() => turns.underWay() === 2);
    const waiting = [ask(`${base}/numbers`, UNDOCUMENTED), ask(`${base}/numbers`, UNDOCUMENTED)];
    let refused = await ask(`${base}/numbers`, { ...UNDOCUMENTED, method: "HEAD" });
    expect(refused.status).toBe(200);
    for (let tries = 0; refused.status !== 503; tries++) {
      expect(tries).toBeLessThan(20);
      const asked = ask(`${base}/numbers`, UNDOCUMENTED);
      refused = await Promise.race([asked, sleep(100).then(() => refused)]);
      if (refused.status !== 503) waiting.push(asked);
    }
    expect(refused.headers["retry-after"]).toBe("5");
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
    expect(refused.json()).toMatchObject({ statusCode: 503, error: "Service Unavailable" });
    // One is read to its end, the other leaves: both give their turn to those who wait.
    readers[0]?.resume();
    readers[1]?.destroy();
    for (const answer of await Promise.all(waiting)) expect(answer.raw).toHaveLength(250 * 65_536);
    await until(() => turns.underWay() === 0);
    expect((await ask(`${base}/numbers`, UNDOCUMENTED)).status).toBe(200);
  });

  it("who leaves while it waits takes no turn with it", async () => {
    const { base, large: turns } = await serveOne(streamed, { largeAnswers: 1, largeWaiting: 5 });
    const head = "GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const reader = open(base, head);
    reader.pause();
    await until(() => turns.underWay() === 1);
    const leavers = [open(base, head), open(base, head)];
    await sleep(100);
    for (const leaver of leavers) leaver.destroy();
    reader.resume();
    expect((await ask(`${base}/numbers`, UNDOCUMENTED)).raw).toHaveLength(250 * 65_536);
    await until(() => turns.underWay() === 0);
  });
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
      message: "This question takes too long. Please narrow it with further parameters.",
    });
    await expect(pool.columns(endless)).rejects.toThrow(StatementTooLong);
    expect(await pool.columns(sql`SELECT 1`)).toEqual([[1]]);
    await expect(pool.columns(sql`SELECT error('of its own')`)).rejects.not.toThrow(StatementTooLong);
  });
});
