/** No client can take more than its share of connections: heads that never end, readers that never read, too many at once. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { H3 } from "h3";
import { afterEach, describe, expect, it } from "vitest";
import type { Limits } from "../../../pipeline/settings/server.ts";
import { ask, parseRaw, sendRaw } from "./wire.ts";
import { type Closing, closeAll, listenWith as listenOnWith, open as openOn, until } from "./narrow.ts";

const closing: Closing = [];
afterEach(() => closeAll(closing));
const listenWith = (app: H3, change: Partial<Limits>) => listenOnWith(app, change, closing);
const open = (url: string, text: string) => openOn(url, text, closing);

/** 16 MB: more than the buffers between two processes hold. */
const large = new H3()
  .get("/large", () => Buffer.alloc(16_000_000, "x").toString())
  .get("/slow", () => sleep(700).then(() => "late"));

describe("heads", () => {
  it("one that does not end in time gets 408, in the shape of all errors", async () => {
    const { url } = await listenWith(large, { headersMs: 300 });
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
    const { url } = await listenWith(large, { headersMs: 300 });
    const socket = open(url, "");
    socket.resume();
    await once(socket, "close");
  });
});

describe("readers", () => {
  it("one that reads nothing is cut off, others are not", async () => {
    const { url, cuts } = await listenWith(large, { stallMs: 2000 });
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
    const { url, cuts } = await listenWith(large, { responseMs: 600 });
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
