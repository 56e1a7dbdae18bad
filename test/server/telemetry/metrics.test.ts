/** What `/metrics` says is what happened: every figure is compared with what a client saw. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { CRAWLED, openSurface } from "../http/surface-server.ts";
import { ask, sendRaw } from "../http/wire.ts";
import { scrape } from "./scrape.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(
  async () => void (surface = await openSurface({ SCHEDULE_URL: "http://127.0.0.1:1/", UPSTREAM_TIMEOUT_MS: "900" })),
);
afterAll(() => surface?.close());

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 200) throw new Error("it never came to that");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const requests = async (route: string, status: number) =>
  (await scrape(surface.url)).of("academic_data_http_requests_total", { route, status: String(status) }) ?? 0;

describe("requests", () => {
  it("are counted by route and status, with the bytes that went over the wire", async () => {
    const route = "/v1/rest/courses/:id";
    const text = "GET /v1/rest/courses/DANCE10 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const wire =
      (await sendRaw(surface.url, text)).length + (await sendRaw(surface.url, text.replace("10 ", "99 "))).length;
    await until(async () => (await requests(route, 404)) === 1);
    const scraped = await scrape(surface.url);
    expect(scraped.of("academic_data_http_requests_total", { route, status: "200" })).toBe(1);
    expect(scraped.of("academic_data_http_response_bytes_total", { route })).toBe(wire);
    expect(scraped.of("academic_data_http_request_duration_seconds_count", { route })).toBe(2);
    expect(scraped.of("academic_data_http_request_duration_seconds_bucket", { route, le: "30" })).toBe(2);
    const buckets = scraped.labelsOf("academic_data_http_request_duration_seconds_bucket").map(({ le }) => le);
    expect(buckets[0]).toBe("0.0005");
  });

  it("a streamed answer counts to its end", async () => {
    const route = "/v1/rest/grades/raw";
    const whole = await ask(`${surface.base}/grades/raw`);
    await until(async () => (await requests(route, 200)) === 1);
    expect((await scrape(surface.url)).of("academic_data_http_response_bytes_total", { route })).toBeGreaterThan(
      whole.raw.length,
    );
  });

  it("those that wait behind another on their connection have not begun: when it breaks, nothing is counted of them", async () => {
    const { hostname, port } = new URL(surface.url);
    const begun = async () => {
      const scraped = await scrape(surface.url);
      const counts = ["/v1/rest/grades/raw", "/v1/rest/week"].map(
        (route) => scraped.of("academic_data_http_request_duration_seconds_count", { route }) ?? 0,
      );
      // The request for the metrics itself is one.
      return { counts, inFlight: (scraped.of("academic_data_http_requests_in_flight") ?? 0) - 1 };
    };
    const before = await begun();
    const socket = connect(Number(port), hostname);
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.pause();
    // More than what the two ends of a connection hold between them.
    socket.write(head("/v1/rest/grades/raw").repeat(60) + head("/v1/rest/week").repeat(3));
    await until(async () => (await begun()).inFlight > 0);
    await sleep(500);
    expect((await begun()).inFlight).toBe(1);
    socket.destroy();
    await until(async () => (await begun()).inFlight === 0);
    await sleep(200);
    const after = await begun();
    expect(after.inFlight).toBe(0);
    expect(after.counts[1]).toBe(before.counts[1]);
    expect((after.counts[0] ?? 0) - (before.counts[0] ?? 0)).toBeLessThan(30);
  }, 20_000);

  it("addresses, methods and ids that clients invent become no labels", async () => {
    for (let n = 0; n < 60; n++) {
      await ask(`${surface.url}/nothing-${n}`);
      await ask(`${surface.base}/courses/NONE${n}`);
      await ask(`${surface.base}/week?x=${n}`, { method: "POST" });
    }
    await sendRaw(surface.url, "nonsense\r\n\r\n");
    await sendRaw(surface.url, "GET /v1/rest/week HTTP/1.1\r\n\r\n");
    const scraped = await scrape(surface.url);
    const known = new Set(["other", "/metrics", ...endpoints.map(({ path }) => `/v1/rest${path}`)]);
    for (const { route } of scraped.labelsOf("academic_data_http_requests_total")) expect(known).toContain(route);
    expect(scraped.of("academic_data_http_requests_total", { route: "other", status: "404" })).toBe(60);
    // Rejected before they reach a route.
    expect(scraped.of("academic_data_http_requests_total", { route: "other", status: "400" })).toBe(2);
    expect(scraped.of("academic_data_http_requests_total", { route: "/v1/rest/week", status: "405" })).toBe(60);
  });
});

it("answers that were remembered, made and not changed", async () => {
  const before = await scrape(surface.url);
  const grown = async (result: string) =>
    ((await scrape(surface.url)).of("academic_data_response_cache_total", { result }) ?? 0) -
    (before.of("academic_data_response_cache_total", { result }) ?? 0);
  const url = `${surface.base}/courses?department=DANCE`;
  const { headers } = await ask(url);
  await ask(url);
  await ask(url);
  await ask(url, { headers: { "if-none-match": headers["etag"] ?? "" } });
  expect([await grown("miss"), await grown("hit"), await grown("unchanged")]).toEqual([1, 2, 1]);
});

it("live questions: their failures are the upstream's, those of a client that hangs up are not", async () => {
  const answer = await ask(`${surface.base}/schedule?year=2024&quarter=Fall&department=DANCE&cache=false`);
  expect([502, 504]).toContain(answer.status);
  const scraped = await scrape(surface.url);
  expect(scraped.of("academic_data_upstream_requests_total", { outcome: "failed" })).toBe(1);
  expect(scraped.of("academic_data_upstream_requests_total", { outcome: "answered" })).toBe(0);
  expect(scraped.of("academic_data_upstream_request_duration_seconds_count")).toBe(1);
  const { hostname, port } = new URL(surface.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /v1/rest/schedule?year=2024&quarter=Fall&department=MUSIC&cache=false HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(async () => ((await scrape(surface.url)).of("academic_data_http_requests_in_flight") ?? 0) > 1);
  socket.destroy();
  await until(async () => (await requests("/v1/rest/schedule", 499)) === 1);
  await until(
    async () => (await scrape(surface.url)).of("academic_data_upstream_requests_total", { outcome: "abandoned" }) === 1,
  );
});

it("the snapshot, its age, the pool and the process", async () => {
  const scraped = await scrape(surface.url);
  expect(scraped.of("academic_data_snapshot_info", { id: surface.id, generation: "1" })).toBe(1);
  const age = (Date.now() - CRAWLED.getTime()) / 1000;
  expect(scraped.of("academic_data_snapshot_age_seconds")).toBeGreaterThan(age - 60);
  expect(scraped.of("academic_data_snapshot_age_seconds")).toBeLessThanOrEqual(age);
  expect(scraped.of("academic_data_snapshot_swaps_total")).toBe(1);
  expect(scraped.of("academic_data_snapshot_rejections_total")).toBe(0);
  expect(scraped.of("academic_data_pool_waiting")).toBe(0);
  expect(scraped.of("academic_data_pool_wait_seconds_count")).toBeGreaterThan(10);
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes", "process_cpu_seconds_total"])
    expect(scraped.names).toContain(name);
});

it("two servers in one process count for themselves", async () => {
  const other = await openSurface();
  await ask(`${other.base}/larc?year=2024&quarter=Fall`);
  const labels = { route: "/v1/rest/larc", status: "200" };
  expect((await scrape(other.url)).of("academic_data_http_requests_total", labels)).toBe(1);
  expect((await scrape(surface.url)).of("academic_data_http_requests_total", labels)).toBeUndefined();
  await other.close();
});
