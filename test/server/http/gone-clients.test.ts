/** A client that goes away costs nothing from that moment: every kind of request, left at every point of its way. */
import { connect, type Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { OVER_FILES } from "../../../server/duckdb/query.ts";
import { sql } from "../../../server/duckdb/sql.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { type ChangeStreams, createChangeStreams } from "../../../server/http/events/change-streams.ts";
import { createLargeResponses, type LargeResponses } from "../../../server/http/large-responses.ts";
import { listenOn } from "../../../server/http/listening.ts";
import { openStore, type Store } from "../../../server/snapshot/store.ts";
import { createMetrics } from "../../../server/telemetry/metrics.ts";
import { createObservation, type Observation } from "../../../server/telemetry/observation.ts";
import { everyRequest } from "../../support/every-request.ts";
import { draws } from "../../support/extent.ts";
import { gradeRow } from "../../support/grade-row.ts";
import { appOf } from "../../support/published/app-of.ts";
import { changeRow, publishChanges } from "../../support/published/published-changes.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { historyRow, periodRows } from "../response/representations/history-row.ts";
import { ask } from "./wire.ts";

const folder = await openFolder();
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const codeOf = (n: number) => String(10_000 + n);

let [pool, store, streams, large, observation]: [Pool, Store, ChangeStreams, LargeResponses, Observation] = [] as never;
let url: string;
let earlier: string;
const closing: (() => Promise<unknown> | void)[] = [];
let disposed = 0;
/** Statements that have begun, and what is called when another one does. */
let begun = 0;
let onStatement = () => {};

beforeAll(async () => {
  const sections = numbers(200).map((n) => sectionRow({ sectionCode: codeOf(n) }));
  const rows = {
    sections,
    headings: headingsOf(sections),
    grades: numbers(6_000).map((n) => gradeRow({ sectionCode: codeOf(n), gradeACount: n % 97 })),
    courses: numbers(300).map((n) => courseRow({ courseNumber: String(n + 1) })),
    instructors: [personRow()],
    enrollment_history: numbers(500).map((n) => historyRow(codeOf(n))),
    enrollment_periods: numbers(500).flatMap((n) => periodRows(codeOf(n), [["2019-10-01", "2019-10-31", "12"]])),
  };
  const drafts = numbers(9_000).map((n) => changeRow({ sectionCode: codeOf(n), after: "x".repeat(300) }));
  const first = await publishChanges(folder.artifacts, [], drafts, {}, rows);
  earlier = first.id;
  const later = drafts.slice(0, 10).map((draft) => ({ ...draft, at: "2024-11-02T10:00:00.000Z" }));
  await publishChanges(folder.artifacts, first.all, later, {}, rows);
  const waits = {
    observe() {
      begun++;
      onStatement();
    },
  };
  pool = await createPool({ artifactsDir: folder.artifacts, connections: 2, waits });
  const events = {
    swapped: () => void streams?.published(),
    refused: () => undefined,
    disposed: () => void disposed++,
  };
  store = await openStore({ artifactsDir: folder.artifacts, pool, log: silentLog, events });
  streams = createChangeStreams({ store, pool, log: silentLog });
  large = createLargeResponses({ maxInFlight: 2, maxQueued: 50 });
  observation = createObservation({ metrics: createMetrics(), log: silentLog });
  const live = openLiveSchedule(() => Promise.resolve(undefined));
  const parts = { endpoints, store, pool, live, openStream: streams.respond, largeResponses: large };
  const listening = await listenOn(appOf(parts), { host: "127.0.0.1", port: 0, observation });
  ({ url } = listening);
  closing.push(pool.close, store.close, listening.close, streams.close);
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  await folder.remove();
});

/** What is left of requests: all of it is to be 0. */
const left = async () => ({
  requests: observation.inFlight.size,
  streams: streams.count(),
  waiting: pool.waiting() + (await store.history.pool()).waiting() + large.waiting(),
  slots: large.inFlight(),
  heldBytes: large.heldBytes(),
});
const NOTHING = { requests: 0, streams: 0, waiting: 0, slots: 0, heldBytes: 0 };

/** Asks, and returns the connection with the number of bytes that it got. */
function open({ path, accept, encoding }: Request): { socket: Socket; received: () => number } {
  const { hostname, port } = new URL(url);
  let bytes = 0;
  const headers = `Host: x\r\nAccept: ${accept}\r\nAccept-Encoding: ${encoding}\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(`GET /v1/rest${path} HTTP/1.1\r\n${headers}\r\n`));
  socket.on("data", (part: Buffer) => (bytes += part.length)).on("error", () => undefined);
  return { socket, received: () => bytes };
}

const isThere = async (holds: () => boolean, tries: number) => {
  for (let n = 0; n < tries && !holds(); n++) await sleep(2);
};

/** Where a request is left: as its so many-th statement begins, or when so many bytes of its response are there. */
type Point = { readonly statement: number } | { readonly bytes: number };

interface Request {
  readonly path: string;
  readonly accept: string;
  readonly encoding: string;
}

async function leave(request: Request, point: Point): Promise<void> {
  const began = begun;
  const { socket, received } = open(request);
  const isReached = () => ("bytes" in point ? received() >= point.bytes : begun - began >= point.statement);
  onStatement = () => {
    if ("statement" in point && isReached()) socket.destroy();
  };
  // Not every request has so many of them.
  await isThere(() => isReached() || received() > 0, 200);
  await isThere(isReached, 10);
  socket.destroy();
  await isThere(() => observation.inFlight.size + streams.count() === 0, 2_000);
  const atClose = begun;
  onStatement = () => {};
  await expect.poll(left, { timeout: 20_000, interval: 5 }).toEqual(NOTHING);
  for (let n = 0; n < 20; n++) await setImmediate();
  expect([request.path, point, begun - atClose]).toEqual([request.path, point, 0]);
}

const paths = everyRequest({
  year: "2024",
  quarter: "Fall",
  ids: { "/courses/:id": "DANCE1", "/instructors/:id": "ramberley" },
});
const request = fc.oneof(
  {
    arbitrary: fc.record({
      path: fc
        .tuple(fc.constantFrom(...paths), fc.constantFrom("", "asOf", "explain"))
        .map(([path, more]) => path + (more === "" ? "" : more === "asOf" ? `&asOf=${earlier}` : "&explain=true")),
      accept: fc.constant("*/*"),
      encoding: fc.constantFrom("identity", "gzip", "br"),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      path: fc.constantFrom("/changes?since=2020-01-01", "/changes?since=2020-01-01&kind=status", "/changes"),
      accept: fc.constant("text/event-stream"),
      encoding: fc.constant("gzip"),
    }),
    weight: 1,
  },
);
const point = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((statement) => ({ statement })),
  fc.constantFrom(0, 1, 100_000, 1_500_000).map((bytes) => ({ bytes })),
);

const isHonest = async () => {
  const answers = await Promise.all(
    ["/week", "/grades/raw?limit=1&nothing=1", "/changes?limit=1&format=csv"].map((path) =>
      ask(`${url}/v1/rest${path}`),
    ),
  );
  return answers.every(({ status }) => status === 200);
};

describe("a client that goes away", () => {
  it("has no further statement begun, and gives back what was held for it", async () => {
    await fc.assert(fc.asyncProperty(request, point, leave), { numRuns: draws(1_500, 25) });
    expect(await isHonest()).toBe(true);
  });

  it("leaves every queue at once, however long those before it take", async () => {
    const ending = new AbortController();
    const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000) b`;
    const options = { ...OVER_FILES, signal: ending.signal };
    const inHistory = await store.history.pool();
    // What is over files waits, here and for earlier snapshots; one of Node's four threads stays free.
    const taken = [pool, pool.files, inHistory].map((by) => by.columns(endless, options).catch(() => undefined));
    try {
      const waiting = [
        ...["/changes?format=json", "/changes?format=csv", "/grades/raw?format=parquet", "/changes?format=atom"],
        ...[
          `/grades/raw?asOf=${earlier}`,
          `/changes?asOf=${earlier}&format=ndjson`,
          "/schedule?year=2024&quarter=Fall",
        ],
      ].map((path) =>
        open({ path: `${path}${path.includes("?") ? "&" : "?"}department=DANCE`, accept: "*/*", encoding: "gzip" }),
      );
      const replays = numbers(20).map(() =>
        open({ path: "/changes?since=2020-01-01", accept: "text/event-stream", encoding: "identity" }),
      );
      await expect.poll(async () => (await left()).waiting).toBeGreaterThan(2);
      await expect.poll(() => streams.count()).toBe(replays.length);
      for (const { socket } of [...waiting, ...replays]) socket.destroy();
      await isThere(() => observation.inFlight.size + streams.count() === 0, 2_000);
      const atClose = begun;
      await expect.poll(left).toEqual(NOTHING);
      expect(begun).toBe(atClose);
    } finally {
      ending.abort();
      await Promise.all(taken);
    }
    expect(await isHonest()).toBe(true);
  });

  it("keeps no snapshot in memory", async () => {
    const before = disposed;
    await publishChanges(folder.artifacts, [], []);
    await store.checkForUpdate();
    await expect.poll(() => disposed).toBeGreaterThan(before);
  });
});
