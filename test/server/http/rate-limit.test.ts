/** RATE_LIMIT: a bucket of tokens for each client address; off unless asked for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readServerConfig } from "../../../pipeline/settings/server.ts";
import { createRateLimiter } from "../../../server/http/rate-limit.ts";
import { openSurface } from "./surface-server.ts";
import { ask, sendRaw } from "./wire.ts";
import { scrape } from "../telemetry/scrape.ts";

describe("the setting", () => {
  it.each([
    ["20/s", { requests: 20, perMs: 1000 }],
    ["600/min", { requests: 600, perMs: 60_000 }],
    ["1/h", { requests: 1, perMs: 3_600_000 }],
  ])("%s", (text, limit) => {
    expect(readServerConfig({ RATE_LIMIT: text }).rateLimit).toEqual(limit);
  });

  it.each(["20", "0/s", "-1/s", "1.5/s", "20/day", "20 /s", "s/20", "off"])("%s is refused", (text) => {
    expect(() => readServerConfig({ RATE_LIMIT: text })).toThrow(
      /RATE_LIMIT must be a number of requests per s, min or h/,
    );
  });

  it("none means none", () => {
    expect(readServerConfig({}).rateLimit).toBeUndefined();
    expect(readServerConfig({ RATE_LIMIT: "" }).rateLimit).toBeUndefined();
  });
});

describe("a bucket", () => {
  function openBucket(requests: number, perMs: number) {
    let now = 0;
    const takeFor = createRateLimiter({ requests, perMs }, () => now);
    return { take: (client = "a") => takeFor(client), pass: (ms: number) => void (now += ms) };
  }

  it("gives what it holds, then refuses until one is back", () => {
    const { take, pass } = openBucket(3, 6000);
    expect([take(), take(), take()].map(({ headers }) => headers["RateLimit-Remaining"])).toEqual(["2", "1", "0"]);
    expect(take()).toEqual({
      isAllowed: false,
      headers: {
        ...{ "RateLimit-Limit": "3", "RateLimit-Remaining": "0", "RateLimit-Reset": "6", "Retry-After": "2" },
        ...{ "RateLimit-Policy": '"default";q=3;w=6', RateLimit: '"default";r=0;t=6' },
      },
    });
    pass(1999);
    expect(take()).toMatchObject({ isAllowed: false, headers: { "Retry-After": "1" } });
    pass(1);
    expect(take().isAllowed).toBe(true);
    expect(take().isAllowed).toBe(false);
  });

  it("who waits as long as Retry-After says is answered; a refusal costs nothing", () => {
    const { take, pass } = openBucket(2, 7000);
    for (let n = 0; n < 50; n++) take();
    pass(Number(take().headers["Retry-After"]) * 1000);
    expect(take().isAllowed).toBe(true);
  });

  it("never holds more than it can", () => {
    const { take, pass } = openBucket(2, 1000);
    take();
    pass(3_600_000);
    expect([take(), take(), take()].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
  });

  it("belongs to one client", () => {
    const { take } = openBucket(1, 1000);
    expect([take("a"), take("b"), take("a")].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
  });

  it("is forgotten when very many others came: memory stays bounded", () => {
    const { take } = openBucket(1, 3_600_000);
    take("first");
    for (let n = 0; n < 50_000; n++) take(`client ${n}`);
    expect(take("first").isAllowed).toBe(true);
    expect(take("client 49999").isAllowed).toBe(false);
  });
});

describe("a server with a limit", () => {
  let surface: Awaited<ReturnType<typeof openSurface>>;
  beforeAll(async () => void (surface = await openSurface({ RATE_LIMIT: "3/h", TRUST_PROXY: "1" })));
  afterAll(() => surface?.close());
  const get = (path: string, from: string, method = "GET") =>
    ask(`${surface.url}${path}`, { method, headers: { "x-forwarded-for": from } });

  it("answers with what is left; then 429 in the shape of all errors, which a script on another site can read", async () => {
    const left = [];
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await get("/v1/rest/week", "1.1.1.1");
      expect([status, headers["ratelimit-limit"]]).toEqual([200, "3"]);
      expect(headers["ratelimit-policy"]).toBe('"default";q=3;w=3600');
      expect(headers["ratelimit"]).toBe(
        `"default";r=${headers["ratelimit-remaining"]};t=${headers["ratelimit-reset"]}`,
      );
      left.push(headers["ratelimit-remaining"]);
    }
    expect(left).toEqual(["2", "1", "0"]);
    for (const path of ["/v1/rest/week", "/nothing", "/status"]) {
      const { status, headers, ...answer } = await get(path, "1.1.1.1");
      expect(status).toBe(429);
      expect(answer.json()).toMatchObject({
        statusCode: 429,
        error: "Too Many Requests",
        requestId: headers["x-request-id"],
      });
      expect(Number(headers["retry-after"])).toBeGreaterThan(1000);
      expect(Number(headers["ratelimit-reset"])).toBeGreaterThan(Number(headers["retry-after"]));
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["access-control-expose-headers"]).toBe("*");
      expect(headers["cache-control"]).toBe("no-store");
    }
    // The connection goes on.
    const head = "GET /v1/rest/week HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\n";
    const text = await sendRaw(surface.url, `${head}\r\n${head}Connection: close\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 429", "HTTP/1.1 429"]);
    expect((await get("/v1/rest/week", "2.2.2.2")).status).toBe(200);
    const scraped = await scrape(surface.url);
    expect(scraped.of("academic_data_http_rate_limited_total")).toBe(5);
    expect(scraped.of("academic_data_http_requests_total", { route: "other", status: "429" })).toBe(5);
  });

  it("never limits a preflight, health or metrics", async () => {
    for (let n = 0; n < 5; n++) {
      expect((await get("/v1/rest/week", "3.3.3.3", "OPTIONS")).status).toBe(204);
      for (const path of ["/health", "/health/live", "/health/ready", "/ready", "/metrics"]) {
        const { status, headers } = await get(path, "3.3.3.3");
        expect([status, headers["ratelimit-limit"], headers["ratelimit"]]).toEqual([200, undefined, undefined]);
      }
    }
    expect((await get("/v1/rest/week", "3.3.3.3")).headers["ratelimit-remaining"]).toBe("2");
  });
});
