import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { UpstreamBadResponse, UpstreamRefused, UpstreamTimeout } from "../../../pipeline/errors.ts";
import { charsetOf } from "../../../pipeline/sources/client/exchange.ts";
import { createClient, type RequestPolicy } from "../../../pipeline/sources/client/http.ts";

const policy: RequestPolicy = {
  concurrency: 1,
  pauseMs: 0,
  timeoutMs: 1_000,
  retries: 2,
  backoffMs: 1,
  backoffCapMs: 2,
};

const read = ({ body }: { body: Buffer }) => body.toString();

const ask = (url: URL, more: Partial<RequestPolicy> = {}, follow = false) =>
  createClient("test", { ...policy, ...more }).request({ url, follow }, read);

describe("createClient", () => {
  let server: Server | undefined;
  let seen = 0;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const serve = async (answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void) => {
    seen = 0;
    server = createServer((request, response) => answer(request, response, ++seen));
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  };

  it("honours Retry-After, and fails at once when it is longer than its patience", async () => {
    const url = await serve((_, response, nth) => {
      if (nth > 1) return void response.end("fine");
      response.writeHead(503, { "Retry-After": "0" }).end();
    });
    expect(await ask(url)).toBe("fine");
    const later = await serve((_, response) => void response.writeHead(503, { "Retry-After": "3600" }).end());
    const refused = await ask(later, { maxRetryAfterMs: 1_000 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UpstreamRefused);
    expect(refused).toMatchObject({ status: 503, retryAfterMs: 3_600_000 });
    expect(seen).toBe(1);
  });

  it("takes a redirect for a refusal, and a loop of redirects for one when it follows them", async () => {
    const url = await serve((_, response) => void response.writeHead(302, { Location: "/" }).end());
    await expect(ask(url)).rejects.toMatchObject({ name: "UpstreamRefused", status: 302 });
    await expect(ask(url, { retries: 0 }, true)).rejects.toBeInstanceOf(UpstreamRefused);
  });

  it("refuses a body of another length than was promised", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "Content-Length": "10" });
      response.write("12345", () => response.destroy());
    });
    await expect(ask(url, { retries: 0 })).rejects.toBeInstanceOf(UpstreamBadResponse);
  });

  it("askers who leave together give their places to nobody who leaves with them", async () => {
    const url = await serve((_, response) => void setTimeout(() => response.end("fine"), 500));
    let begun = 0;
    const count = () => void begun++;
    subscribe("http.client.request.start", count);
    const client = createClient("test", { ...policy, retries: 0 });
    const askers = Array.from({ length: 20 }, () => new AbortController());
    const ends = askers.map(({ signal }) => client.request({ url, signal }, read).catch((error: unknown) => error));
    await sleep(50);
    // Like sockets that close at the same time: one callback after another, each followed by its microtasks.
    for (const asker of askers) setImmediate(() => asker.abort());
    for (const end of await Promise.all(ends)) expect(end).toBeInstanceOf(UpstreamTimeout);
    await sleep(50);
    unsubscribe("http.client.request.start", count);
    expect(begun).toBe(1);
  });

  it("lets nobody wait in the queue past a signal, and gives the place to the next", async () => {
    const held: ServerResponse[] = [];
    const url = await serve((_, response) => void held.push(response));
    const client = createClient("test", { ...policy, retries: 0 });
    const first = client.request({ url }, read);
    const gone = new AbortController();
    const second = client.request({ url, signal: gone.signal }, read);
    const third = client.request({ url }, read);
    gone.abort();
    await expect(second).rejects.toBeInstanceOf(UpstreamTimeout);
    await expect(client.request({ url, signal: gone.signal }, read)).rejects.toBeInstanceOf(UpstreamTimeout);
    const next = async (answer: string) => {
      while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      held.shift()?.end(answer);
    };
    await next("first");
    await next("third");
    expect(await Promise.all([first, third])).toEqual(["first", "third"]);
    expect(seen).toBe(2);
  });

  it("repeats work of several questions only for the errors that are named", async () => {
    const client = createClient("test", policy);
    let done = 0;
    const fail = async () => {
      done++;
      throw new UpstreamBadResponse("test", "odd");
    };
    await expect(client.retry(fail, () => true)).rejects.toThrow("odd");
    expect(done).toBe(3);
    await expect(client.retry(fail, () => false)).rejects.toThrow("odd");
    expect(done).toBe(4);
  });
});

describe("charsetOf", () => {
  it.each([
    ['text/xml; charset="ISO-8859-1"', "ISO-8859-1"],
    ["text/html;charset=utf-8", "utf-8"],
    ["text/html", undefined],
  ])("reads %j", (type, charset) => {
    expect(charsetOf({ headers: new Headers({ "content-type": type }) })).toBe(charset);
  });
});
