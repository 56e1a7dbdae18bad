/** server/RULES.md, HTTP, for every endpoint in the list: methods, slashes, errors, headers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "../../support/examples.ts";
import { partOf } from "../../support/extent.ts";
import { expectCommonHeaders, expectProblem } from "./surface-answers.ts";
import { CRAWLED, NEXT_REFRESH, openSurface } from "./surface-server.ts";
import { type Answer, ask } from "./wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { method, headers });

const UNKNOWN = [
  "departmnet",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "x\r\nSet-Cookie: a=b",
  "學系",
  '"',
];

describe.each(endpoints.map((endpoint, at) => [endpoint.path, endpoint, at] as const))("%s", (_path, endpoint, at) => {
  const example = exampleOf(endpoint);
  const [place = "", query = ""] = example.split("?");

  it("answers with the bare result and every header", async () => {
    const asked = Date.now();
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
    expect(age).toBeLessThanOrEqual((NEXT_REFRESH.getTime() - asked) / 1000 + 1);
    expect(answer.json()).not.toHaveProperty("statusCode");
  });

  it("HEAD is GET without the body", async () => {
    // The first answer may be streamed; a remembered one has its length.
    await get(example);
    const [got, head] = [await get(example), await get(example, {}, "HEAD")];
    expect(head.status).toBe(200);
    expect(head.raw).toHaveLength(0);
    const comparable = ({ headers: { date: _d, "x-request-id": _r, "cache-control": _c, ...rest } }: Answer) => rest;
    expect(comparable(head)).toEqual(comparable(got));
    expect(Number(head.headers["content-length"])).toBe(got.raw.length);
  });

  it("OPTIONS is 204 with the headers that a browser needs", async () => {
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
    for (const method of partOf(["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"], at, 3)) {
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
    for (const known of partOf([tag, `W/${tag}`, `"other", ${tag}`, `W/"a",W/${tag} , "b"`, "*"], at, 2)) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await get(example, { "if-none-match": known }, method);
        expect([answer.status, known]).toEqual([304, known]);
        expect(answer.raw).toHaveLength(0);
        expectCommonHeaders(answer);
        expect(answer.headers["etag"]).toBe(tag);
        expect(answer.headers["cache-control"]).toMatch(/^public, max-age=\d+$/);
        expect(tag).toContain(surface.id);
      }
    }
    for (const other of partOf(['"other"', tag.slice(1, -1), `"x${tag.slice(1)}`, "", '"*"'], at, 2))
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

  it('"Unknown parameter: ignored, and named in a `Warning: 299` header with the parameter that was probably meant"', async () => {
    const plain = await get(example);
    for (const name of partOf(UNKNOWN, at, 4)) {
      const answer = await get(withParameter(example, name, "COMPSCI"));
      expect([answer.status, name]).toEqual([200, name]);
      expect(answer.raw.equals(plain.raw)).toBe(true);
      expect(answer.headers["etag"]).toBe(plain.headers["etag"]);
      expect(answer.headers["warning"]).toMatch(/^299 - "unknown parameter [^" ]+ ignored[^"]*"$/);
      expect(answer.headers["warning"]).toContain(encodeURIComponent(name).slice(0, 60));
      if ("department" in endpoint.params && name === "departmnet")
        expect(answer.headers["warning"]).toMatch(/not filtered by it\. Did you mean department\?"$/);
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
