/** Log lines of requests: what happened, at the level that it deserves; never on a client's screen. */
import { expect, it } from "vitest";
import { createLog } from "../../../pipeline/log.ts";
import { createServerLog } from "../../../server/telemetry/logging.ts";
import { createObservation, type RequestSummary } from "../../../server/telemetry/observation.ts";
import { createMetrics } from "../../../server/telemetry/metrics.ts";

type Line = Record<string, unknown>;

function record(level: "debug" | "info" | "silent") {
  const lines: Line[] = [];
  const log = createServerLog(level, "json", { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  return { lines, log };
}

const SEEN: RequestSummary = {
  requestId: "id-1",
  method: "GET",
  route: "/v1/rest/courses",
  address: "/v1/rest/courses?department=MATH",
  status: 200,
  ms: 12.345,
  bytes: 1000,
  rows: 3,
  cache: "miss",
};

function observeOne(level: "debug" | "info", change: Partial<RequestSummary>): Line[] {
  const { lines, log } = record(level);
  createObservation({ metrics: createMetrics(), log }).record({ ...SEEN, ...change });
  return lines;
}

it("a line is JSON with time, level, words and figures", () => {
  const { lines, log } = record("info");
  log.info("serving a snapshot", { id: "a", generation: 2 });
  log.warn("words alone");
  log.debug("not heard");
  expect(lines).toEqual([
    {
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      id: "a",
      generation: 2,
      msg: "serving a snapshot",
    },
    { level: "warn", time: expect.any(String) as string, msg: "words alone" },
  ]);
});

it("silent is silent", () => {
  const { lines, log } = record("silent");
  log.error("a disaster");
  expect(lines).toEqual([]);
});

it("plain lines are those of the pipeline", () => {
  const lines: string[] = [];
  createLog("info", (line) => lines.push(line)).info("listening", { url: "http://x" });
  expect(lines[0]).toMatch(/^\S+Z info {2}listening url=http:\/\/x\n$/);
});

it("an ordinary request is told at debug only, with id, route, status, time, rows and cache", () => {
  expect(observeOne("info", {})).toEqual([]);
  expect(observeOne("debug", {})).toMatchObject([
    {
      level: "debug",
      msg: "request",
      requestId: "id-1",
      route: "/v1/rest/courses",
      status: 200,
      ms: 12.3,
      rows: 3,
      cache: "miss",
      bytes: 1000,
    },
  ]);
});

it.each([400, 404, 429, 499])("%i is the client's affair: debug", (status) => {
  expect(observeOne("info", { status })).toEqual([]);
});

it("a slow response is a warning, a failure an error with its cause", () => {
  expect(observeOne("info", { ms: 1001 })).toMatchObject([
    { level: "warn", msg: "a slow response", ms: 1001, address: SEEN.address },
  ]);
  expect(observeOne("info", { ms: 1000 })).toEqual([]);
  expect(observeOne("info", { status: 502, ms: 5000, cause: "UpstreamRefused: no" })).toMatchObject([
    { level: "error", msg: "request failed", status: 502, cause: "UpstreamRefused: no", requestId: "id-1" },
  ]);
});

it("an address that a client made very long is cut", () => {
  const [line] = observeOne("info", { status: 500, address: `/${"x".repeat(8000)}` });
  expect(line?.["address"]).toHaveLength(500);
});
