/** Behaviour §1, "HTTP surface", for every endpoint in the list: methods, slashes, errors, headers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "./examples.ts";
import { CRAWLED, NEXT_REFRESH, openSurface } from "./surface-server.ts";
import { type Answer, ask, parseRaw, sendRaw } from "./wire.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { method, headers });

/** What stands on every answer, whatever its status. */
function expectCommonHeaders({ headers }: Answer): void {
  expect(headers["x-request-id"]).toMatch(UUID);
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["vary"]).toMatch(/^Accept-Encoding(, Accept)?$/);
  for (const name of ["ETag", "X-Request-Id", "X-Data-Snapshot", "X-Cache", "Age", "Warning", "Last-Modified"])
    expect(headers["access-control-expose-headers"]?.split(", ")).toContain(name);
}

function expectProblem(answer: Answer, status: number, error: string): string {
  expectCommonHeaders(answer);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["etag"]).toBeUndefined();
  const body = answer.json<{ message: string; requestId: string; timestamp: string }>();
  expect(body).toEqual({
    statusCode: status,
    error,
    message: body.message,
    requestId: answer.headers["x-request-id"],
    timestamp: body.timestamp,
  });
  expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
  return body.message;
}

describe.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))("%s", (_path, endpoint) => {
  const example = exampleOf(endpoint);
  const [place = "", query = ""] = example.split("?");

  it("answers with the bare result and every header", async () => {
    const answer = await get(example);
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    const { headers } = answer;
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["x-data-snapshot"]).toBe(surface.id);
    expect(headers["etag"]).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(headers["warning"]).toBeUndefined();
    const since = Date.parse(headers["last-modified"] ?? "");
    expect(since).toBeGreaterThanOrEqual(CRAWLED.getTime());
    expect(since).toBeLessThanOrEqual(Date.now());
    const age = Number(/^public, max-age=(\d+)$/.exec(headers["cache-control"] ?? "")?.[1]);
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThanOrEqual((NEXT_REFRESH.getTime() - Date.now()) / 1000 + 1);
    expect(answer.json()).not.toHaveProperty("statusCode");
  });

  it("HEAD is GET without the body", async () => {
    // The first answer may be streamed; a remembered one has its length.
    await get(example);
    const [got, head] = [await get(example), await get(example, {}, "HEAD")];
    expect(head.status).toBe(200);
    expect(head.raw).toHaveLength(0);
    const comparable = ({ headers: { date: _d, "x-request-id": _r, age: _a, "cache-control": _c, ...rest } }: Answer) =>
      rest;
    expect(comparable(head)).toEqual(comparable(got));
    expect(Number(head.headers["content-length"])).toBe(got.raw.length);
  });

  it("OPTIONS is 204 with what a browser asks for", async () => {
    const answer = await get(
      example,
      { origin: "https://a.example", "access-control-request-method": "GET" },
      "OPTIONS",
    );
    expect(answer.status).toBe(204);
    expect(answer.raw).toHaveLength(0);
    expectCommonHeaders(answer);
    expect(answer.headers["access-control-allow-methods"]).toBe("GET, HEAD, OPTIONS");
    expect(answer.headers["access-control-allow-headers"]).toBe("*");
    expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it('"405 with `Allow` for anything but GET/HEAD/OPTIONS on a known route"', async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
      const answer = await get(example, {}, method);
      expectProblem(answer, 405, "Method Not Allowed");
      expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
    }
    const large = await ask(`${surface.base}${example}`, { method: "POST", body: "x".repeat(300_000) });
    expectProblem(large, 405, "Method Not Allowed");
  });

  it("one trailing slash is served, two are not", async () => {
    const [plain, slash] = [await get(example), await get(`${place}/?${query}`)];
    expect(slash.status).toBe(200);
    expect(slash.headers["etag"]).toBe(plain.headers["etag"]);
    expect(slash.raw.equals(plain.raw)).toBe(true);
    for (const path of [`${place}//?${query}`, `/${place}?${query}`, `${place.replace(/\/([^/]+)$/, "//$1")}?${query}`])
      expectProblem(await get(path), 404, "Not Found");
  });

  it("a tag that is known gives 304, an other one the answer", async () => {
    const { headers } = await get(example);
    const tag = headers["etag"] ?? "";
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `W/"a",W/${tag} , "b"`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await get(example, { "if-none-match": known }, method);
        expect([answer.status, known]).toEqual([304, known]);
        expect(answer.raw).toHaveLength(0);
        expectCommonHeaders(answer);
        expect(answer.headers["etag"]).toBe(tag);
        expect(answer.headers["cache-control"]).toMatch(/^public, max-age=\d+$/);
        expect(answer.headers["last-modified"]).toBe(headers["last-modified"]);
        expect(answer.headers["x-data-snapshot"]).toBe(surface.id);
      }
    }
    for (const other of ['"other"', tag.slice(1, -1), `"x${tag.slice(1)}`, "", '"*"'])
      expect((await get(example, { "if-none-match": other })).status).toBe(200);
  });

  it("a tag belongs to one encoding; 304 repeats the tag that the client has", async () => {
    const plain = await get(example);
    const packed = await get(example, { "accept-encoding": "gzip" });
    const [ofPlain, ofPacked] = [plain.headers["etag"] ?? "", packed.headers["etag"] ?? ""];
    if (plain.raw.length < 1024) {
      expect(ofPacked).toBe(ofPlain);
    } else {
      expect(ofPacked).not.toBe(ofPlain);
      const mixed = await get(example, { "accept-encoding": "br", "if-none-match": ofPacked });
      expect([mixed.status, mixed.headers["content-encoding"]]).toEqual([200, "br"]);
    }
    for (const known of [ofPlain, ofPacked]) {
      const answer = await get(example, { "accept-encoding": "gzip", "if-none-match": known });
      expect([answer.status, answer.headers["etag"]]).toEqual([304, known]);
    }
  });

  it('"Unknown parameter: ignored, and named in a `Warning: 299` header with the closest known name"', async () => {
    const plain = await get(example);
    for (const name of [
      "departmnet",
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
      "x\r\nSet-Cookie: a=b",
      "學系",
      '"',
    ]) {
      const answer = await get(withParameter(example, name, "COMPSCI"));
      expect([answer.status, name]).toEqual([200, name]);
      expect(answer.raw.equals(plain.raw)).toBe(true);
      expect(answer.headers["etag"]).toBe(plain.headers["etag"]);
      expect(answer.headers["warning"]).toMatch(/^299 - "unknown parameter [^" ]+ ignored[^"]*"$/);
      expect(answer.headers["warning"]).toContain(encodeURIComponent(name).slice(0, 60));
      if ("department" in endpoint.params && name === "departmnet")
        expect(answer.headers["warning"]).toMatch(/closest known one is department"$/);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  it("an empty value is the same as none, for every parameter", async () => {
    const plain = await get(example);
    const all = Object.keys(endpoint.params)
      .filter((name) => !example.includes(`${name}=`))
      .map((name) => `${name}=`);
    const answer = await get(`${place}?${[query, ...all, ...all].join("&")}`);
    expect(answer.status).toBe(200);
    expect(answer.headers["etag"]).toBe(plain.headers["etag"]);
    expect(answer.headers["warning"]).toBeUndefined();
  });
});

describe("what no endpoint has", () => {
  it.each([
    "/",
    "",
    "/nothing",
    "/grades",
    "/grades/nothing",
    "/courses/a/b",
    "/Week",
    "/schedule/depts/x",
    "/__proto__",
  ])("404 for /v1/rest%s, with or without a slash", async (path) => {
    for (const method of ["GET", "POST", "DELETE"])
      expect(expectProblem(await get(path, {}, method), 404, "Not Found")).toBe(
        "The requested resource could not be found.",
      );
  });

  it("the older name of the schedule only with COMPAT=1", async () => {
    expectProblem(await get("/websoc/terms"), 404, "Not Found");
  });

  it("404 for an unknown id: the message names it, cut at 100 characters", async () => {
    for (const [one, noun] of [
      ["courses", "Course"],
      ["instructors", "Instructor"],
    ] as const) {
      expect(expectProblem(await get(`/${one}/NOBODY%261`), 404, "Not Found")).toBe(`${noun} "NOBODY&1" not found`);
      expect(expectProblem(await get(`/${one}/${"x".repeat(5000)}`), 404, "Not Found")).toBe(
        `${noun} "${"x".repeat(100)}…" not found`,
      );
      for (const id of ["__proto__", "constructor", "toString", "%00", "'%20OR%201=1--", "%25", "..%2F..%2Fetc"])
        expectProblem(await get(`/${one}/${id}`), 404, "Not Found");
      expectProblem(await get(`/${one}/NOBODY`, { "if-none-match": "*" }), 404, "Not Found");
    }
  });

  it("HEAD on an error has its headers and no body", async () => {
    const answer = await get("/courses/NOBODY", {}, "HEAD");
    expect(answer.status).toBe(404);
    expect(answer.raw).toHaveLength(0);
    expectCommonHeaders(answer);
    expect(Number(answer.headers["content-length"])).toBeGreaterThan(100);
  });
});

describe("input that is too long or malformed", () => {
  it("414 for a long address, 431 for a long head", async () => {
    expectProblem(await get(`/grades/raw?instructor=${"x".repeat(8192)}`), 414, "URI Too Long");
    expectProblem(await get(`/courses/${"x".repeat(10_000)}`), 414, "URI Too Long");
    expectProblem(await get("/week", { "x-long": "a".repeat(20_000) }), 431, "Request Header Fields Too Large");
  });

  it.each([
    ["a request line that is none", "hello there\r\n\r\n", 400],
    ["an unknown version", "GET /v1/rest/week HTTP/9.9\r\nHost: x\r\n\r\n", 400],
    ["no Host", "GET /v1/rest/week HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["a header that is none", "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400],
    ["bytes that are no text in the path", "GET /v1/rest/courses/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    [
      "half a percent sign in the path",
      "GET /v1/rest/courses/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "half a character in the path",
      "GET /v1/rest/courses/%ED%A0%80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "an unknown expectation",
      "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nExpect: cake\r\nConnection: close\r\n\r\n",
      417,
    ],
    ["a head that is too large", `GET /v1/rest/week HTTP/1.1\r\nX: ${"a".repeat(17_000)}\r\n\r\n`, 431],
  ])("%s", async (_what, text, status) => {
    const answer = parseRaw(await sendRaw(surface.url, text));
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).toMatch(UUID);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(Number(answer.headers.get("content-length"))).toBe(Buffer.byteLength(answer.body));
    expect(JSON.parse(answer.body)).toMatchObject({
      statusCode: status,
      requestId: answer.headers.get("x-request-id"),
    });
  });

  it("an address with a host, HTTP/1.0 and an offer to upgrade are answered", async () => {
    for (const text of [
      "GET http://elsewhere.example/v1/rest/week HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET /v1/rest/week HTTP/1.0\r\n\r\n",
      "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: close\r\n\r\n",
    ])
      expect(parseRaw(await sendRaw(surface.url, text))).toMatchObject({ status: 200 });
  });
});

describe("the pages beside the data", () => {
  it.each([
    ["/", 200, "application/json; charset=utf-8"],
    ["/openapi.json", 200, "application/json; charset=utf-8"],
    ["/health", 200, "application/json; charset=utf-8"],
    ["/ready", 200, "application/json; charset=utf-8"],
  ])("%s", async (path, status, type) => {
    const answer = await ask(`${surface.url}${path}`);
    expect([answer.status, answer.headers["content-type"]]).toEqual([status, type]);
    expectCommonHeaders(answer);
    const head = await ask(`${surface.url}${path}`, { method: "HEAD" });
    expect([head.status, head.raw.length]).toEqual([status, 0]);
    expect((await ask(`${surface.url}${path}`, { method: "OPTIONS" })).status).toBe(204);
    expectProblem(await ask(`${surface.url}${path}`, { method: "POST" }), 405, "Method Not Allowed");
  });
});
