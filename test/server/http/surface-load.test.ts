/** Clients in crowds, slow ones, and those that leave in the middle: the server goes on, and what they held is free again. */
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { appOf } from "../../support/published/app-of.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { type EndpointContext, defineEndpoint } from "../../../server/response/endpoint.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { listenOn } from "../../../server/http/listening.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { shapeOf } from "../../../server/response/shapes/shapes.ts";
import { openSurface } from "./surface-server.ts";
import { type Asking, ask, sendRaw } from "./wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
let streaming: Awaited<ReturnType<typeof serveStreams>>;
beforeAll(async () => {
  surface = await openSurface();
  streaming = await serveStreams(surface.artifacts);
});
afterAll(async () => {
  await streaming?.close();
  await surface?.close();
});

const CONNECTIONS = 4;
const ROWS = 3_000_000;

/** Endpoints whose bodies are made while they are sent: each holds a connection of the pool until its end. */
async function serveStreams(artifactsDir: string) {
  const pool = await createPool({ artifactsDir, connections: CONNECTIONS });
  const store = await openStore({ artifactsDir, pool, log: silentLog });
  let underWay = 0;
  async function* rows({ pool }: EndpointContext, breakAt: number): AsyncGenerator<Buffer> {
    underWay++;
    try {
      let sent = 0;
      yield Buffer.from("[0");
      for await (const [numbers = []] of pool.chunks(sql`SELECT range::INTEGER FROM range(${ROWS})`)) {
        sent += numbers.length;
        if (sent > breakAt) throw new Error("a disk that breaks");
        yield Buffer.from(`,${numbers.join(",")}`);
      }
      yield Buffer.from("]");
    } finally {
      underWay--;
    }
  }
  const stream = (path: string, breakAt: number) =>
    defineEndpoint({
      path,
      summary: "many numbers",
      title: () => "a test",
      params: {},
      tables: [],
      products: ["grades"],
      returns: shapeOf("Terms"),
      streams: true,
      answer: (_values, context) => Promise.resolve({ body: rows(context, breakAt) }),
      statement: () => ({ reads: [], select: sql`SELECT 1` }),
    });
  const one = defineEndpoint({
    path: "/one",
    summary: "one statement",
    title: () => "a test",
    params: {},
    tables: [],
    products: ["grades"],
    returns: shapeOf("Terms"),
    live: { isAsked: () => true, crawledAt: () => undefined },
    statement: () => ({ reads: [], select: sql`SELECT 1` }),
    answer: async (_values, context) => ({
      body: [Buffer.from(JSON.stringify(await context.pool.columns(sql`SELECT 1`)))],
    }),
  });
  const app = appOf({
    endpoints: [stream("/numbers", Infinity), stream("/broken", 500_000), stream("/broken-early", 1000), one],
    store,
    pool,
    log: silentLog,
    live: openLiveSchedule(() => Promise.resolve(undefined)),
  });
  const listening = await listenOn(app, { host: "127.0.0.1", port: 0 });
  return {
    base: `${listening.url}/v1/rest`,
    underWay: () => underWay,
    async close() {
      await listening.close();
      await store.close();
      await pool.close();
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 500) throw new Error("it never came to that");
    await sleep(10);
  }
}

const askOwn = (url: string, asking: Asking = {}) => ask(url, { ...asking, undocumented: true });

/** Asks, waits for the first bytes of the body, and hangs up. */
function leaveEarly(url: string, encoding: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, headers: { "accept-encoding": encoding } }, (response) => {
      response.once("data", () => {
        response.on("error", () => undefined);
        asked.destroy();
        resolve();
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("clients that leave", () => {
  it.each(["identity", "gzip", "br"])(
    "in the middle of a download (%s): the pool's connections are free again",
    async (encoding) => {
      for (let n = 0; n < 2 * CONNECTIONS; n++) await leaveEarly(`${streaming.base}/numbers`, encoding);
      await until(() => streaming.underWay() === 0);
      expect((await askOwn(`${streaming.base}/one`)).json()).toEqual([[1]]);
    },
  );

  it("before the first byte", async () => {
    const { hostname, port } = new URL(streaming.base);
    for (let n = 0; n < 2 * CONNECTIONS; n++) {
      const socket = connect(Number(port), hostname);
      socket.write("GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\n\r\n", () => socket.destroy());
    }
    await sleep(100);
    await until(() => streaming.underWay() === 0);
    expect((await askOwn(`${streaming.base}/one`)).status).toBe(200);
  });

  it("a HEAD leaves no stream running", async () => {
    const answer = await askOwn(`${streaming.base}/numbers`, { method: "HEAD" });
    expect([answer.status, answer.raw.length]).toEqual([200, 0]);
    await until(() => streaming.underWay() === 0);
    expect((await askOwn(`${streaming.base}/one`)).status).toBe(200);
  });

  it("a body that breaks before anything of it is sent is an error like any other", async () => {
    const answer = await askOwn(`${streaming.base}/broken-early`);
    expect([answer.status, answer.json()]).toMatchObject([500, { statusCode: 500, error: "Internal Server Error" }]);
    await until(() => streaming.underWay() === 0);
  });

  it("a body that breaks cuts the answer off: it never looks whole, and the server goes on", async () => {
    for (const encoding of ["identity", "gzip", "br"]) {
      await expect(askOwn(`${streaming.base}/broken`, { headers: { "accept-encoding": encoding } })).rejects.toThrow();
      // Nothing of it is remembered.
      await expect(askOwn(`${streaming.base}/broken`, { headers: { "accept-encoding": encoding } })).rejects.toThrow();
    }
    await until(() => streaming.underWay() === 0);
    expect((await askOwn(`${streaming.base}/one`)).status).toBe(200);
  });
});

describe("slow clients", () => {
  it("one that sends its head letter by letter is answered", async () => {
    const text = "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    expect(await sendRaw(surface.url, text.match(/.{1,7}/gs) ?? [], 3)).toContain('"weeks"');
  });

  it("one that reads slowly gets everything, holds one connection, and does not make the server read on", async () => {
    const { hostname, port } = new URL(streaming.base);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write("GET /v1/rest/numbers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await until(() => streaming.underWay() === 1);
    await sleep(500);
    // The body has 23 MB; back-pressure stops the making of it.
    expect(streaming.underWay()).toBe(1);
    expect((await askOwn(`${streaming.base}/one`)).status).toBe(200);
    let [size, end] = [0, ""];
    for await (const part of socket) {
      size += (part as Buffer).length;
      end = (end + (part as Buffer).toString()).slice(-40);
    }
    expect(size).toBeGreaterThan(22_000_000);
    expect(end).toContain(`,${ROWS - 1}`);
  });
});

describe("many at once", () => {
  it("pipelined requests are answered in order", async () => {
    const paths = [
      "/week?year=2024&month=10&day=1",
      "/courses/DANCE10",
      "/nothing",
      "/grades/raw?sectionCode=10001",
      "/schedule/terms",
    ];
    const requests = paths.map(
      (path, n) => `GET /v1/rest${path} HTTP/1.1\r\nHost: x\r\n${n === 4 ? "Connection: close\r\n" : ""}\r\n`,
    );
    const text = await sendRaw(surface.url, requests.join(""));
    const order = ['"weeks"', '"DANCE10"', "could not be found", '"10001"', '"2024 Fall"'].map((word) =>
      text.indexOf(word),
    );
    expect(order.every((at, n) => at > (order[n - 1] ?? 0))).toBe(true);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
      ["200", "200", "404", "200", "200"].map((status) => `HTTP/1.1 ${status}`),
    );
  });

  it("a refused POST with a body leaves the connection to the next request", async () => {
    const body = "GET /v1/rest/nothing HTTP/1.1\r\n\r\n";
    const text = await sendRaw(surface.url, [
      `POST /v1/rest/week HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ]);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 405", "HTTP/1.1 200"]);
  });

  it("200 concurrent requests, each with its own answer", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const code = String(10_000 + (n % 100) * 7);
        const answer = await ask(`${surface.base}/grades/raw?sectionCode=${code}`);
        return [
          answer.status,
          answer.json<{ sectionCode: string }[]>()[0]?.sectionCode === code,
          answer.headers["x-request-id"],
        ];
      }),
    );
    expect(answers.filter(([status, isRight]) => status !== 200 || !isRight)).toEqual([]);
    expect(new Set(answers.map(([, , id]) => id)).size).toBe(200);
  });

  it("equal questions that arrive together get equal answers, large ones too", async () => {
    const asked = Array.from({ length: 20 }, () =>
      ask(`${surface.base}/grades/raw?year=2024&ge=GE-5B`, { headers: { "accept-encoding": "gzip" } }),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1);
    expect(answers[0]?.json<unknown[]>()).toHaveLength(8000);
  });
});
