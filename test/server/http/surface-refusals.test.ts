/** server/RULES.md, HTTP: what no endpoint has, and input that is too long or malformed. */
import { afterAll, describe, expect, it } from "vitest";
import { expectCommonHeaders, expectProblem, UUID } from "./surface-answers.ts";
import { openSurface } from "./surface-server.ts";
import { ask, parseRaw, sendRaw } from "./wire.ts";

const surface = await openSurface();
afterAll(surface.close);

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, { method, headers });

describe("what no endpoint has", () => {
  const R = "/v1/rest";
  it.each([
    ["/nothing", ""],
    ["/grades", `${R}/grades/aggregate, ${R}/grades/aggregateByCourse or ${R}/grades/aggregateByOffering`],
    ["/grades/nothing", ""],
    ["/grades/rwa", `${R}/grades/raw`],
    ["/instructors/a/b", `${R}/instructors/a or ${R}/instructors/all`],
    ["/instructors/a/bcd", ""],
    ["/Week", `${R}/week`],
    ["/course", `${R}/courses`],
    ["/course/COMPSCI161", `${R}/courses/COMPSCI161`],
    ["/enrollment", `${R}/enrollmentHistory`],
    ["/terms", `${R}/schedule/terms`],
    ["/schedule/depts/x", `${R}/schedule/depts`],
    ["/__proto__", ""],
    [`/${"x".repeat(5000)}`, ""],
    ["/%22%3Cb%3E", ""],
  ])("404 for /v1/rest%s, with or without a slash, and what was probably meant", async (path, meant) => {
    for (const method of ["GET", "POST", "DELETE"])
      for (const slash of ["", "/"])
        expect(expectProblem(await get(path + slash, {}, method), 404, "Not Found")).toBe(
          `The requested resource could not be found.${meant && ` Did you mean ${meant}?`}`,
        );
  });

  it.each([
    ["/v1/courses", "/v1/rest/courses"],
    ["/v1/snapshot", "/v1/snapshots"],
    ["/v1/openapi", "/v1/openapi.json"],
    ["/heath", "/health"],
  ])("404 for %s", async (path, meant) => {
    const { origin } = new URL(surface.base);
    const message = expectProblem(await ask(origin + path), 404, "Not Found");
    expect(message).toBe(`The requested resource could not be found. Did you mean ${meant}?`);
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
