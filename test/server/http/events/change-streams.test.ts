/** Streams of changes over HTTP: what was missed, what is published meanwhile, and how they end. */
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import { type Log, silentLog } from "../../../../pipeline/log.ts";
import { createPool } from "../../../../server/duckdb/pool.ts";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../../server/endpoints/schedule/live-schedule.ts";
import { appOf } from "../../../support/published/app-of.ts";
import { createChangeStreams } from "../../../../server/http/events/change-streams.ts";
import { listenOn } from "../../../../server/http/listening.ts";
import { openStore } from "../../../../server/snapshot/store.ts";
import { askPlainly, type ChangeQuestion, crawlOf, drawPublication } from "../../../support/worlds/drawn-changes.ts";
import { type EventClient, openEvents } from "../../../support/event-client.ts";
import { type ChangeDraft, changeRow, publishChanges } from "../../../support/published/published-changes.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { ask } from "../wire.ts";

const folder = await openFolder();
const snapshots: string[] = [];
let all: Change[] = [];
let published = 0;
async function publish(drafts?: readonly ChangeDraft[]): Promise<void> {
  const n = published++;
  const [drawn = []] = fc.sample(drawPublication(n), { numRuns: 1, seed: n });
  const options = { now: new Date(crawlOf(n).getTime() + 60_000) };
  const done = await publishChanges(folder.artifacts, all, drafts ?? drawn, options);
  snapshots.push(done.id);
  ({ all } = done);
}

const [COMMENT_MS, MAX_UNREAD] = [400, 300_000];
const warnings: object[] = [];
const log: Log = { ...silentLog, warn: (message, fields) => void warnings.push({ message, ...fields }) };
let server: Awaited<ReturnType<typeof open>>;

async function open() {
  const artifactsDir = folder.artifacts;
  const pool = await createPool({ artifactsDir });
  const events = { swapped: () => void streams?.published(), refused: () => undefined };
  let streams: ReturnType<typeof createChangeStreams> | undefined;
  const store = await openStore({ artifactsDir, pool, log: silentLog, events });
  streams = createChangeStreams({ store, pool, log, commentMs: COMMENT_MS, maxUnreadBytes: MAX_UNREAD });
  const live = openLiveSchedule(() => Promise.resolve(undefined));
  const parts = { endpoints, store, pool, log: silentLog, live, openStream: streams.respond };
  const listening = await listenOn(appOf({ ...parts, compat: true }), { host: "127.0.0.1", port: 0 });
  const open = streams;
  return {
    url: `${listening.url}/v1/rest/changes`,
    count: () => open.count(),
    async close() {
      open.close();
      await listening.close();
      await store.close();
      await pool.close();
    },
  };
}

const clients: EventClient[] = [];
async function listen(query: ChangeQuestion = {}, headers: Record<string, string> = {}): Promise<EventClient> {
  const client = await openEvents(`${server.url}?${new URLSearchParams(query as Record<string, string>)}`, headers);
  clients.push(client);
  return client;
}
const received = ({ events }: EventClient) => events.map(({ data }) => data);
const expected = (query: ChangeQuestion) => askPlainly(all, query, snapshots);

beforeAll(async () => {
  for (let i = 0; i < 3; i++) await publish();
  server = await open();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

describe("a stream", () => {
  it("begins with what happened since a snapshot or a time, then has every change as it is published", async () => {
    const since = snapshots[1] ?? "";
    const queries: ChangeQuestion[] = [
      { since: snapshots[0] ?? "" },
      { since, department: "dance" },
      { since: crawlOf(1).toISOString(), kind: "status,added,other" },
      { since, instructorName: "müll", quarter: "Fall" },
      { since, sectionCodes: "10000-10500,00099", courseNumber: "10,h32A" },
      { since, department: "i&c sci,DANCE", courseNumber: "H32A" },
      { since: "2020-01-01", instructorName: "amberley, r", year: "2024" },
    ];
    const open = await Promise.all(queries.map((query) => listen(query)));
    for (const [i, client] of open.entries())
      await expect.poll(() => received(client)).toEqual(expected(queries[i] ?? {}));
    expect(open[0]?.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "content-encoding": "identity",
      "access-control-allow-origin": "*",
      "x-data-snapshot": snapshots.at(-1),
    });
    for (let i = 0; i < 2; i++) {
      await publish();
      await Promise.all(
        open.map((client, j) =>
          expect.poll(() => received(client), { interval: 10 }).toEqual(expected(queries[j] ?? {})),
        ),
      );
    }
  });

  it("has only new changes, where neither since nor Last-Event-ID is given", async () => {
    const client = await listen();
    await expect.poll(() => client.lastId()).toMatch(new RegExp(`Z@${snapshots.at(-1)}$`));
    expect(client.events).toEqual([]);
    const since = snapshots.at(-1) ?? "";
    await publish();
    await expect.poll(() => received(client)).toEqual(expected({ since }));
  });

  it("has a comment at regular intervals", async () => {
    const client = await listen();
    await expect.poll(() => client.comments.length).toBeGreaterThan(3);
    const [first = 0, , third = 0] = client.comments;
    expect(third - first).toBeGreaterThan(1.2 * COMMENT_MS);
  });

  it("names its snapshot first, each later one once, and has no block without data", async () => {
    const [from = "", before = ""] = [snapshots[0], snapshots.at(-1)];
    const fresh = await listen({ department: "NOBODY" });
    const replayed = await listen({ since: from });
    const resumed = await listen({ department: "NOBODY" }, { "Last-Event-ID": `2020-01-01T00:00:00.000Z@${from}` });
    const all = [fresh, replayed, resumed];
    for (const client of all) await expect.poll(() => client.snapshots).toEqual([before]);
    // The client that missed something resumes from what it knows until it has been sent that.
    expect(fresh.lastId()).toMatch(new RegExp(`Z@${before}$`));
    expect(resumed.lastId()).toBeUndefined();
    await publish();
    const [now = ""] = snapshots.slice(-1);
    for (const client of all) {
      await expect.poll(() => client.snapshots, { timeout: 5_000 }).toEqual([before, now]);
      expect(client.lastId()).toMatch(new RegExp(`Z@${now}$`));
      expect(client.strange).toEqual([]);
    }
    const comments = fresh.comments.length;
    await expect.poll(() => fresh.comments.length, { timeout: 5_000 }).toBeGreaterThan(comments + 1);
    expect(fresh.snapshots).toEqual([before, now]);
  });

  it("is resumed without loss and without repetition, wherever it breaks", async () => {
    const query = { since: snapshots[0] ?? "", department: "DANCE" };
    const seen: { id: string; data: unknown }[] = [];
    let last: string | undefined;
    for (let round = 0; round < 12; round++) {
      const client = await listen(query, last === undefined ? {} : { "Last-Event-ID": last });
      const publishing = round % 3 === 0 ? publish() : Promise.resolve();
      // Sometimes in the middle of what was missed, sometimes when all of it is there.
      if (round % 2 === 0) await publishing;
      else await expect.poll(() => client.lastId()).toBeDefined();
      const some = round % 4 === 1 ? client.events.slice(0, 1 + (round % 5)) : [...client.events];
      seen.push(...some);
      last = some.length < client.events.length ? some.at(-1)?.id : (client.lastId() ?? last);
      client.close();
      await publishing;
    }
    const client = await listen(query, { "Last-Event-ID": last ?? "" });
    const whole = () => [...seen.map(({ data }) => data), ...received(client)];
    await expect.poll(() => whole()).toEqual(expected(query));
  });

  it("is resumed by the times alone where its snapshot is not retained", async () => {
    const client = await listen({ since: "2020-01-01" });
    await expect.poll(() => client.events).toHaveLength(all.length);
    const at = Math.floor(all.length / 2);
    const id = client.events[at]?.id.replace(/@.*/, `@${"0".repeat(16)}`) ?? "";
    const resumed = await listen({}, { "Last-Event-ID": id });
    await expect.poll(() => received(resumed)).toEqual(expected({}).slice(at + 1));
  });
});

describe("a client", () => {
  it("that does not read is disconnected, and the others are not", async () => {
    const slow = await listen();
    const other = await listen();
    await expect.poll(() => slow.lastId() && other.lastId()).toBeDefined();
    slow.response.pause();
    warnings.length = 0;
    const n = published;
    const at = crawlOf(n).toISOString();
    // More than the buffers between the two take.
    const long = "x".repeat(2000);
    const drafts = Array.from({ length: 5000 }, (_, i) =>
      changeRow({ at, sectionCode: String(10_000 + i), after: long }),
    );
    await publish(drafts);
    await expect.poll(() => other.events).toHaveLength(drafts.length);
    expect(warnings).toMatchObject([{ message: expect.stringContaining("too slowly") as string }]);
    slow.response.resume();
    expect(await slow.ended).toBe(false);
    const resumed = await listen({}, { "Last-Event-ID": slow.lastId() ?? "" });
    await expect.poll(() => slow.events.length + resumed.events.length).toBe(drafts.length);
    expect(resumed.events.at(-1)).toEqual(other.events.at(-1));
  });

  it("that leaves is forgotten", async () => {
    const open = await Promise.all([listen(), listen({ department: "DANCE" }), listen({ since: "2020-01-01" })]);
    expect(server.count()).toBeGreaterThanOrEqual(3);
    for (const client of open) client.close();
    await expect.poll(() => server.count()).toBe(0);
  });

  it("gets an error for what a stream has not", async () => {
    const message = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await ask(`${server.url}${query}`, { headers: { Accept: "text/event-stream", ...headers } });
      return [answer.status, answer.json<{ message: string }>().message];
    };
    expect(await message("?limit=3&until=2024-01-01")).toEqual([400, "A stream of events has no limit, offset, until"]);
    expect(await message(`?asOf=${snapshots[0]}`)).toEqual([400, "A stream of events has no asOf"]);
    expect(await message("?fields=kind")).toEqual([400, "A stream of events has no fields"]);
    expect(await message("?kind=moved")).toEqual([400, expect.stringContaining("Invalid kind")]);
    expect(await message("", { "Last-Event-ID": "7" })).toEqual([400, 'Invalid Last-Event-ID provided: "7"']);
    expect(await message(`?since=${"0".repeat(16)}`)).toEqual([404, expect.stringContaining("The nearest")]);
    const list = await ask(`${server.url}?format=json&limit=1`, { headers: { Accept: "text/event-stream" } });
    expect(list.headers["content-type"]).toMatch("application/json");
    for (const Accept of ["application/json, text/event-stream;q=0", "application/json, text/event-stream;q=0.5"])
      expect((await ask(`${server.url}?limit=1`, { headers: { Accept } })).headers["content-type"]).toMatch(
        "application/json",
      );
    const head = await ask(server.url, { method: "HEAD", headers: { Accept: "text/event-stream" } });
    expect([head.status, head.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
  });

  it("is told of what it cannot be sent, of each department", async () => {
    const warningOf = async (query: Record<string, string>) => (await listen(query)).response.headers["warning"];
    expect(await warningOf({ department: "dance" })).toBeUndefined();
    expect(await warningOf({ department: "DANCE,NOBODY", courseCode: "1" })).toBe(
      '299 - "unknown parameter courseCode ignored: the response is not filtered by it. Did you mean sectionCodes?", 299 - "unknown department NOBODY"',
    );
  });

  it("sees the stream end when the server does", async () => {
    const client = await listen();
    await expect.poll(() => client.lastId()).toBeDefined();
    await server.close();
    expect(await client.ended).toBe(true);
    server = await open();
  });
});
