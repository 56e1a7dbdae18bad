/** Pipelined requests: a connection has one of them in work, and what a client does not read costs the server one response. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { H3 } from "h3";
import { afterEach, describe, expect, it } from "vitest";
import type { Limits } from "../../../pipeline/settings/server.ts";
import { draws } from "../../support/extent.ts";
import { ask, sendRaw } from "./wire.ts";
import { type Closing, closeAll, listenWith, open, until } from "./narrow.ts";

const closing: Closing = [];
afterEach(() => closeAll(closing));

/** Counts the requests of its only client that are in work at once. */
async function openCounted(limits: Partial<Limits> = {}) {
  const counts = { begun: 0, inWork: 0, most: 0 };
  const inWork = async <T>(work: () => Promise<T>): Promise<T> => {
    counts.begun++;
    counts.most = Math.max(counts.most, ++counts.inWork);
    return work().finally(() => counts.inWork--);
  };
  const app = new H3()
    .get("/slow/:n", ({ context }) => inWork(() => sleep(1).then(() => `answer ${context.params?.["n"]}.`)))
    .get("/late", () => inWork(() => sleep(300).then(() => "late")))
    .get("/large", () => inWork(() => Promise.resolve(Buffer.alloc(16_000_000, "x").toString())))
    .post("/read/:n", async ({ context, req }) => `answer ${context.params?.["n"]}.${(await req.text()).length}`)
    .get("/none", () => inWork(() => Promise.resolve(new Response(null, { status: 304 }))));
  const { url, cuts } = await listenWith(app, limits, closing);
  return { url, cuts, counts };
}

const get = (path: string, rest = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;
const LAST = "Connection: close\r\n";

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const answers = (text: string) => [...text.matchAll(/answer (\d+)\./g)].map(([, n]) => Number(n));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

describe("a connection has one request in work", () => {
  it("of hundreds in one packet, and the responses come in order", async () => {
    const { url, counts } = await openCounted();
    const requests = upTo(500).map((n) => get(`/slow/${n}`, n === 499 ? LAST : ""));
    expect(answers(await sendRaw(url, requests.join("")))).toEqual(upTo(500));
    expect(counts).toEqual({ begun: 500, inWork: 0, most: 1 });
  });

  it("however the bytes are cut, with bodies, empty lines and HEAD between them", async () => {
    const { url, counts } = await openCounted();
    const piece = fc.constantFrom(
      (n: number) => get(`/slow/${n}`),
      (n: number) => `\r\n\r\n${get(`/slow/${n}`)}`,
      (n: number) => `HEAD /slow/${n} HTTP/1.1\r\nHost: x\r\n\r\n`,
      (n: number) => `${get(`/slow/${n}`, "Content-Length: 9\r\n")}a\r\n\r\nGET `,
      (n: number) => `${get(`/slow/${n}`, "Transfer-Encoding: chunked\r\n")}4\r\n\r\n\r\n\r\n0\r\n\r\n`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 90 }), async (pieces, size) => {
        const text = pieces.map((make, n) => make(n)).join("") + get("/slow/99", LAST);
        const sent = await sendRaw(url, text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [], 1);
        expect(statuses(sent)).toEqual([...pieces, "last"].map(() => 200));
        const withBody = pieces.flatMap((make, n) => (make(n).startsWith("HEAD") ? [] : [n]));
        expect(answers(sent)).toEqual([...withBody, 99]);
        expect(counts.most).toBe(1);
      }),
      { numRuns: draws(40, 8) },
    );
  });

  it("while the client does not read: the next begins when the response has left the server", async () => {
    const { url, counts } = await openCounted();
    const client = open(url, get("/large").repeat(5) + get("/slow/1", LAST), closing);
    client.pause();
    await until(() => counts.begun === 1);
    await sleep(300);
    expect(counts.begun).toBe(1);
    const text = await readAll(client);
    expect(statuses(text)).toHaveLength(6);
    expect(text.endsWith("answer 1.")).toBe(true);
    expect(counts.most).toBe(1);
  });

  it("ten thousand in one packet", async () => {
    const { url, counts } = await openCounted();
    const text = await sendRaw(url, get("/none").repeat(10_000) + get("/slow/1", LAST));
    expect(statuses(text)).toHaveLength(10_001);
    expect(counts).toEqual({ begun: 10_001, inWork: 0, most: 1 });
  });
});

describe("a client that pipelines", () => {
  it("and leaves: what it had not been answered is dropped", async () => {
    const { url, counts } = await openCounted();
    const client = open(url, get("/late").repeat(50), closing);
    await until(() => counts.begun === 1);
    client.destroy();
    await until(() => counts.inWork === 0);
    await sleep(400);
    expect(counts.begun).toBeLessThanOrEqual(2);
    expect((await ask(`${url}/slow/7`, { undocumented: true })).text).toBe("answer 7.");
  });

  it("and ends its side gets every response before the last one", async () => {
    const { url } = await openCounted();
    const client = open(
      url,
      upTo(9)
        .map((n) => get(`/slow/${n}`))
        .join(""),
      closing,
    );
    client.once("connect", () => void client.end());
    expect(answers(await readAll(client)).slice(0, 8)).toEqual(upTo(8));
  });

  it("does not delay others", async () => {
    const { url } = await openCounted();
    const client = open(url, get("/none").repeat(50_000), closing);
    client.resume();
    await once(client, "data");
    expect((await ask(`${url}/slow/7`, { undocumented: true })).text).toBe("answer 7.");
    expect(client.bytesRead).toBeLessThan(50_000 * 60);
  });

  it("is not late with a request that the server has not read yet", async () => {
    const { url } = await openCounted({ headersMs: 600 });
    const late = get("/late").repeat(3);
    // Longer than what the server reads at once, so that it ends within a request.
    const rest = get("/slow/1", `X: ${"x".repeat(900)}\r\n`).repeat(200);
    const text = await sendRaw(url, late + rest + get("/slow/2", LAST));
    expect(statuses(text)).toEqual(Array.from({ length: 204 }, () => 200));
  });

  it("with others, has at most so many requests waiting; a connection with more is closed", async () => {
    const { url, cuts, counts } = await openCounted({ waitingRequests: 100 });
    const large = open(url, get("/large"), closing);
    large.pause();
    await once(large, "readable");
    large.write(get("/slow/1").repeat(60));
    await sleep(50);
    const greedy = open(url, get("/late").repeat(60), closing);
    greedy.resume();
    await once(greedy, "close");
    expect(cuts).toEqual(["too many"]);
    expect((await ask(`${url}/slow/7`, { undocumented: true })).text).toBe("answer 7.");
    await until(() => counts.inWork === 0);
    expect(answers(await sendRaw(url, get("/slow/1").repeat(39) + get("/slow/2", LAST)))).toHaveLength(40);
  });

  it("gets the error of a malformed request after the responses before it", async () => {
    const { url, counts } = await openCounted();
    const text = await sendRaw(url, `${get("/slow/1")}${get("/slow/2")}nonsense\r\n\r\n${get("/slow/3")}`);
    expect(statuses(text)).toEqual([200, 200, 400]);
    expect(answers(text)).toEqual([1, 2]);
    expect(counts.begun).toBe(2);
  });

  it.each([
    ["is cut off by the client's end", "Content-Length: 9\r\n", "abc"],
    ["is cut off within a chunk", "Transfer-Encoding: chunked\r\n", "9\r\nabc"],
    ["is cut off between chunks", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"],
    ["is no chunk", "Transfer-Encoding: chunked\r\n", "nonsense\r\nabc"],
  ])(
    "with a body that %s gets that as its answer, after those before, and the connection ends",
    async (_what, head, body) => {
      // No limit helps it.
      const { url } = await openCounted({ stallMs: 3_600_000 });
      for (const before of ["", get("/slow/1"), get("/late") + get("/slow/1")]) {
        const client = open(url, `${before}POST /read/2 HTTP/1.1\r\nHost: x\r\n${head}\r\n${body}`, closing);
        client.once("connect", () => void client.end());
        const text = await readAll(client);
        expect(statuses(text)).toEqual([...before.matchAll(/GET/g)].map(() => 200).concat(400));
      }
    },
  );

  it("is not answered twice where a response did not wait for the body", async () => {
    const { url } = await openCounted();
    const client = open(url, get("/slow/1", "Content-Length: 9\r\n") + "abc", closing);
    await once(client, "readable");
    client.end();
    expect(statuses(await readAll(client))).toEqual([200]);
  });

  it("gets no more after a response that closes the connection", async () => {
    const { url, counts } = await openCounted();
    expect(answers(await sendRaw(url, get("/slow/1", LAST) + get("/slow/2").repeat(100)))).toEqual([1]);
    expect(counts.begun).toBe(1);
  });
});
