/** Requests that no assistant sends: each gets an error of the protocol or of HTTP, and the server goes on. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { openSurface } from "../http/surface-server.ts";
import { ask, parseRaw, sendRaw } from "../http/wire.ts";
import { post, toMessage } from "./assistant.ts";

let server: Awaited<ReturnType<typeof openSurface>>;
let url = "";
beforeAll(async () => {
  server = await openSurface();
  ({ url } = server);
});
afterAll(() => server?.close());
afterEach(() => void vi.useRealTimers());

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const PARSE_ERROR = -32_700;

const rpc = (method: unknown, params?: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** The status, and the error's code. */
async function outcome(body: string, headers: Record<string, string> = {}) {
  const { status, message, text } = await post(url, body, { headers });
  expect(text).not.toMatch(/\/work|node_modules|\.ts\b|\.js\b|at \w+ \(/);
  return [status, message.error?.code];
}

it.each([
  ["nothing", "", PARSE_ERROR],
  ["no JSON", "{", PARSE_ERROR],
  ["text", '"tools/list"', PARSE_ERROR],
  ["null", "null", PARSE_ERROR],
  ["an empty list", "[]", PARSE_ERROR],
  ["half a character", Buffer.from([0x7b, 0x22, 0xff]).toString("latin1"), PARSE_ERROR],
  ["another version", JSON.stringify({ jsonrpc: "1.0", id: 1, method: "ping" }), PARSE_ERROR],
  ["a number as method", rpc(7), PARSE_ERROR],
  ["an object as id", rpc("ping", {}, { a: 1 }), PARSE_ERROR],
  ["deep lists", nested(30_000, "[", "]"), PARSE_ERROR],
  ["deep objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, PARSE_ERROR],
])("%s is no message", async (_, body, code) => {
  const [status, given] = await outcome(body);
  expect(status).toBe(400);
  expect([code, INVALID_REQUEST, INVALID_PARAMS]).toContain(given);
});

it.each([
  ["an unknown method", rpc("tools/run", {}), METHOD_NOT_FOUND],
  ["a name of every object as method", rpc("constructor", {}), METHOD_NOT_FOUND],
  ["__proto__ as method", rpc("__proto__", {}), METHOD_NOT_FOUND],
  ["resources", rpc("resources/list", {}), METHOD_NOT_FOUND],
  ["no parameters", rpc("tools/call"), INVALID_PARAMS],
  ["a number as tool", rpc("tools/call", { name: 7 }), INVALID_PARAMS],
  ["a list as arguments", rpc("tools/call", { name: "week", arguments: [1] }), INVALID_PARAMS],
  ["an unknown tool", toMessage("weeks", {}), INVALID_PARAMS],
  ["constructor as tool", toMessage("constructor", {}), INVALID_PARAMS],
  ["__proto__ as tool", toMessage("__proto__", {}), INVALID_PARAMS],
  ["a long name", toMessage("x".repeat(60_000), {}), INVALID_PARAMS],
])("%s is an error of the protocol", async (_, body, code) => {
  expect(await outcome(body)).toEqual([200, code]);
});

it.each([
  [
    "names of every object",
    '{"constructor":1,"__proto__":{"year":"2024"},"toString":2,"hasOwnProperty":3}',
    /Unknown parameter/,
  ],
  ["deep arguments", `{"year":${nested(20_000, "[", "]")}}`, /it takes one value/],
  ["an object with toString", '{"year":{"toString":"2024"}}', /it takes one value/],
  ["control characters", '{"year":"\\u0000\\n","month":1,"day":1}', /must not hold the character U\+0000/],
  ["half of a pair", '{"year":"\\ud800","month":1,"day":1}', /Invalid year provided/],
  [
    "thousands of unknown names",
    JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, n]))),
    /2995 more unknown parameters/,
  ],
  ["a long value", JSON.stringify({ year: "2".repeat(20_000) }), /longer than 8192 characters|Invalid year/],
  ["a huge number", '{"year":1e400,"month":1,"day":1}', /Invalid year/],
])("%s as arguments are an error of the tool", async (_, args, message) => {
  const { status, message: answer } = await post(
    url,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"week","arguments":${args}}}`,
  );
  expect([status, answer.result?.isError]).toEqual([200, true]);
  expect(answer.result?.content[0]?.text).toMatch(message);
  expect(({} as { year?: string }).year).toBeUndefined();
});

it.each([0, -1, 1.5, "", "x".repeat(5000), Number.MAX_SAFE_INTEGER, "__proto__"])(
  "an id comes back: %s",
  async (id) => {
    const { status, message } = await post(url, rpc("ping", {}, id));
    if (status === 200) expect(message).toEqual({ jsonrpc: "2.0", id, result: {} });
    else expect([status, message.error !== undefined]).toEqual([400, true]);
  },
);

it("a batch is refused as a whole, by one error that says so", async () => {
  for (const count of [1, 2, 300]) {
    const calls = Array.from({ length: count }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    const { status, json } = await post(url, ` \n[${calls.join(",")}]`);
    expect([status, json()]).toEqual([
      400,
      { jsonrpc: "2.0", error: { code: INVALID_REQUEST, message: expect.stringContaining("batch") }, id: null },
    ]);
  }
});

it("notifications and answers that nobody waits for are taken and dropped", async () => {
  for (const body of [
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    '{"jsonrpc":"2.0","method":"notifications/none"}',
    '{"jsonrpc":"2.0","id":9,"result":{}}',
  ])
    expect((await post(url, body)).status).toBe(202);
});

it("other types of content and other Accept headers are refused", async () => {
  const body = rpc("ping");
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    expect((await outcome(body, { "content-type": type }))[0]).toBe(415);
  expect((await outcome(body, { accept: "text/html" }))[0]).toBe(406);
  expect((await outcome(body, { accept: "application/json, text/event-stream;q=0" }))[0]).toBe(406);
  expect((await outcome(body, { accept: "*/*" }))[0]).toBe(200);
  expect((await outcome(body, { "content-type": "application/json; charset=utf-8" }))[0]).toBe(200);
  expect((await outcome(body, { "content-encoding": "gzip" }))[0]).toBe(200);
  expect((await outcome(body, { "mcp-protocol-version": "1999-01-01" }))[0]).toBe(400);
  expect((await outcome(body, { "mcp-session-id": "made-up" }))[0]).toBe(200);
});

it("subscriptions are not offered, so that no stream stays open", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const body = rpc("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: meta });
  const { message } = await post(url, body, { headers });
  expect(message.error?.message).toBe("Subscription limit reached");
});

it("requests one behind the other on one connection are answered in their order", async () => {
  const [first, second] = [toMessage("week", {}), rpc("ping", {}, "second")].map(
    (body) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const last = "GET /v1/rest/week HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const text = await sendRaw(url, [`${first}${second}${last}`]);
  const order = ['"weeks\\":', '"id":"second"', '{"weeks":'].map((part) => text.lastIndexOf(part));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(0);
});

it("a body that does not come, or is none, is no request, and other clients do not notice", async () => {
  const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const late = sendRaw(url, `${head}Content-Length: 50\r\nConnection: close\r\n\r\n{"jsonrpc"`);
  expect((await ask(`${server.base}/week`)).status).toBe(200);
  while (vi.getTimerCount() < 1) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(20_000);
  expect(parseRaw(await late).status).toBe(408);
  expect(parseRaw(await sendRaw(url, `${head}Transfer-Encoding: chunked\r\n\r\nnot a chunk`)).status).toBe(400);
});
