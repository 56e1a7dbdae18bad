/**
 * Twenty thousand mutants of the heads of requests, as bytes on a connection: whatever arrives, the server answers or
 * closes, and continues.
 */
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { fuzzSeed, mutantsOf } from "../support/mutants.ts";
import { openSurface } from "../server/http/surface-server.ts";
import { parseRaw } from "../server/http/wire.ts";

const COUNT = Number(process.env["FUZZ_COUNT"] ?? 20_000);
const AT_ONCE = 20;
const seed = fuzzSeed(Date.now() % 1_000_000);
const surface = await openSurface();
afterAll(surface.close);

const HEADS: Readonly<Record<string, string>> = {
  plain: "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nConnection: close\r\n\r\n",
  conditional:
    'GET /v1/rest/courses/DANCE10?fields=title HTTP/1.1\r\nHost: x:3000\r\nIf-None-Match: W/"a", "b"\r\nIf-Modified-Since: Sun, 22 Nov 2026 20:00:00 GMT\r\nAccept-Encoding: gzip;q=0.5, br\r\nPrefer: handling=strict\r\ntraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n',
  ranged: 'GET /v1/data/manifest.json HTTP/1.1\r\nHost: x\r\nRange: bytes=0-99\r\nIf-Range: "a"\r\n\r\n',
  posted:
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  chunked:
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n2e\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}\r\n0\r\n\r\n',
  several:
    "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\n\r\nHEAD /health HTTP/1.1\r\nHost: x\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
};

/** The response to these bytes, after which the client sends no more. */
function send(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(surface.url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void socket.end(bytes));
    socket.setTimeout(20_000, () => reject(new Error("neither an answer nor an end")));
    socket.on("data", (part) => parts.push(part));
    socket.on("close", () => resolve(Buffer.concat(parts).toString("latin1")));
    // A server may close before it has read all.
    socket.on("error", () => undefined);
  });
}

test.each(Object.entries(HEADS))("%s", async (name, text) => {
  const before = await (await fetch(`${surface.base}/courses/all`)).text();
  const statuses: Record<string, number> = {};
  const count = Math.ceil(COUNT / Object.keys(HEADS).length);
  const mutants = mutantsOf({ name, bytes: Buffer.from(text), structure: "head" }, { seed, count });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const mutant of mutants) {
        const answer = await send(mutant.bytes).catch((error: unknown) => {
          throw new Error(mutant.name, { cause: error });
        });
        const { status, body } = answer === "" ? { status: 0, body: "" } : parseRaw(answer);
        statuses[status] = (statuses[status] ?? 0) + 1;
        expect(answer, mutant.name).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
        expect(body.slice(0, 4_096), mutant.name).not.toMatch(/node_modules|\n {4}at |\/tmp\//);
      }
    }),
  );
  process.stdout.write(`${JSON.stringify({ name, seed, mutants: count, statuses })}\n`);
  expect(await (await fetch(`${surface.base}/courses/all`)).text()).toBe(before);
});
