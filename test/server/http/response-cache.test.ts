/** What was asked before in the same letters is answered without the application: not a byte may tell the two ways apart. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { silentLog } from "../../../pipeline/log.ts";
import { appOf } from "../../support/published/app-of.ts";
import { createBodyCache, createResponseCache, type ResponseCache } from "../../../server/http/cache.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openLiveSchedule } from "../../../server/endpoints/schedule/live-schedule.ts";
import { listenOn } from "../../../server/http/listening.ts";
import { createPool } from "../../../server/duckdb/pool.ts";
import { openStore } from "../../../server/snapshot/store.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { CRAWLED, NEXT_REFRESH, openSurface } from "./surface-server.ts";
import { ask, sendRaw } from "./wire.ts";

let opened: Awaited<ReturnType<typeof openBothWays>>;
beforeAll(async () => {
  opened = await openBothWays();
});
afterAll(() => opened?.close());

/** One application behind two listeners: one that knows questions, one that never does. */
async function openBothWays() {
  const surface = await openSurface();
  const { artifacts } = surface;
  let at = CRAWLED.getTime() + 90_000;
  const now = () => new Date(at);
  const pool = await createPool({ artifactsDir: artifacts });
  const store = await openStore({ artifactsDir: artifacts, pool, log: silentLog });
  const cache = createBodyCache();
  const responseCache = createResponseCache(store, () => at);
  const live = openLiveSchedule(() => Promise.resolve(undefined));
  const app = appOf({ endpoints, store, pool, cache, live, now, responseCache });
  const options = { host: "127.0.0.1", port: 0 };
  let shortcuts = 0;
  const usual = await listenOn(app, options);
  const counted: Pick<ResponseCache, "replay"> = {
    replay(request, response, log) {
      const isAnswered = responseCache.replay(request, response, log);
      if (isAnswered) shortcuts++;
      return isAnswered;
    },
  };
  const quick = await listenOn(app, { ...options, responseCache: counted });
  return {
    artifacts,
    usual: usual.url,
    quick: quick.url,
    shortcuts: () => shortcuts,
    look: () => store.checkForUpdate(),
    wait: (ms: number) => (at += ms),
    async close() {
      await usual.close();
      await quick.close();
      await store.close();
      await pool.close();
      await surface.close();
    },
  };
}

const TERM = "year=2024&quarter=Fall";
const PATHS = [
  `/schedule?${TERM}&department=DANCE`,
  `/schedule?${TERM}&department=dance&depratment=x`,
  `/schedule?quarter=Fall&year=2024&cacheOnly=true&units=`,
  `/schedule?${TERM}&sectionCodes=20001,20002&sectionCodes=20003`,
  "/schedule/terms",
  "/schedule/terms/",
  "/grades/aggregate?department=DANCE&courseNumber=4",
  "/grades/aggregateByCourse?department=I%26C%20SCI",
  "/grades/raw?ge=GE-5B",
  "/grades/raw?sectionCode=99999",
  "/courses/DANCE10",
  "/courses/NOWHERE1",
  "/courses?department=DANCE",
  "/courses?department=DANSE&limit=1",
  "/courses/all?offset=1&limit=1&prof=%22",
  "/week",
  "/week?year=2024&month=10&day=1",
  "/larc?year=2024&quarter=Fall",
  "/enrollmentHistory?department=DANCE",
  "/schedule?year=24",
];

/** Everything but what differs from answer to answer: the head as it is, the body by its hash. */
function settled(raw: string): string[] {
  const [head = "", body = ""] = raw.split("\r\n\r\n");
  const same = body.replaceAll(/"requestId":"[^"]*"|"timestamp":"[^"]*"/g, "");
  const lines = head.split("\r\n").filter((line) => !/^(x-request-id|date):/i.test(line));
  return [...lines, createHash("sha256").update(same).digest("hex")];
}

const question = (method: string, path: string, headers: Record<string, string>): string => {
  const lines = Object.entries({ Host: "x", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /v1/rest${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
};
const askRaw = (url: string, method: string, path: string, headers: Record<string, string>): Promise<string> =>
  sendRaw(url, question(method, path, { ...headers, Connection: "close" }));

describe("known requests", () => {
  it("are answered as if they were not: headers and body, for every request", async () => {
    const header = (name: string, values: string[]) =>
      fc
        .option(fc.constantFrom(...values), { nil: undefined })
        .map((value) => (value === undefined ? {} : { [name]: value }));
    const before = opened.shortcuts();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.constantFrom("GET", "GET", "HEAD"),
        header("Accept-Encoding", ["gzip", "br", "gzip;q=0.5, br;q=0.4", "identity", "*"]),
        header("Prefer", ["handling=strict", "handling=lenient", 'HANDLING="strict", wait=1']),
        fc.constantFrom("none", "its own", "its own, weak", "another", "*", "several"),
        async (path, method, encoding, prefer, condition) => {
          const tag = (await ask(`${opened.usual}/v1/rest${path}`, { headers: encoding })).headers.etag ?? '"none"';
          const conditions: Record<string, string> = {
            "its own": tag,
            "its own, weak": `W/${tag}`,
            another: '"another"',
            "*": "*",
            several: `"another", ${tag}`,
          };
          const given = conditions[condition];
          const headers = { ...encoding, ...prefer, ...(given === undefined ? {} : { "If-None-Match": given }) };
          const usual = await askRaw(opened.usual, method, path, headers);
          const quick = await askRaw(opened.quick, method, path, headers);
          expect(settled(quick)).toEqual(settled(usual));
          expect(quick).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
        },
      ),
      { numRuns: 150 },
    );
    expect(opened.shortcuts() - before).toBeGreaterThan(15);
  });

  it("are answered on a connection that stays open, one after another, in the same bytes", async () => {
    const once = (raw: string) => raw.replaceAll(/^(x-request-id|date): .*$/gim, "");
    const quickly = opened.shortcuts();
    for (const path of PATHS.filter((one) => !/year=24$|NOWHERE/.test(one))) {
      const tag = (await ask(`${opened.quick}/v1/rest${path}`)).headers.etag ?? "";
      await ask(`${opened.quick}/v1/rest${path}`, { headers: { "If-None-Match": tag } });
      const asked = [
        question("GET", path, {}),
        question("GET", path, { "If-None-Match": tag }),
        question("HEAD", path, {}),
        question("GET", path, { Connection: "close" }),
      ].join("");
      const [usual, quick] = [await sendRaw(opened.usual, asked), await sendRaw(opened.quick, asked)];
      expect(once(quick)).toBe(once(usual));
      expect(quick.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 304", "HTTP/1.1 200", "HTTP/1.1 200"]);
      expect(quick.match(/^Keep-Alive: timeout=65\r$/gm)).toHaveLength(2);
      const notModified = quick.slice(quick.indexOf("HTTP/1.1 304"), quick.indexOf("HTTP/1.1 200", 12));
      expect(notModified.length).toBeLessThanOrEqual(300);
      expect(Date.parse(/^Date: (.*)\r$/m.exec(quick)?.[1] ?? "")).not.toBeNaN();
    }
    expect(opened.shortcuts() - quickly).toBeGreaterThan(4 * 12);
  });

  it("get older: max-age is told anew, and ends with the planned refresh", async () => {
    const path = `/schedule?${TERM}&department=DANCE`;
    const secondsLeft = async () => {
      const [usual, quick] = [await askRaw(opened.usual, "GET", path, {}), await askRaw(opened.quick, "GET", path, {})];
      expect(settled(quick)).toEqual(settled(usual));
      return Number(/^cache-control: public, max-age=(\d+)/im.exec(quick)?.[1]);
    };
    const first = await secondsLeft();
    opened.wait(70_500);
    expect([70, 71]).toContain(first - (await secondsLeft()));
  });

  it("each answer has a request id of its own", async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await ask(`${opened.quick}/v1/rest/schedule/terms`)).headers["x-request-id"],
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it("today's week is made anew when the campus's day is over", async () => {
    await ask(`${opened.quick}/v1/rest/week`);
    const before = opened.shortcuts();
    await ask(`${opened.quick}/v1/rest/week`);
    expect(opened.shortcuts()).toBe(before + 1);
    opened.wait(26 * 3_600_000);
    await ask(`${opened.quick}/v1/rest/week`);
    expect(opened.shortcuts()).toBe(before + 1);
  });

  it("a new snapshot's answer comes as soon as it is served", async () => {
    const path = `/schedule?${TERM}&department=DANCE`;
    await ask(`${opened.quick}/v1/rest${path}`);
    const sections = [sectionRow({ sectionCode: "20777" })];
    const { id } = await publishRows(
      opened.artifacts,
      { sections, headings: headingsOf(sections) },
      { now: CRAWLED, nextRefresh: NEXT_REFRESH },
    );
    await opened.look();
    const answer = await ask(`${opened.quick}/v1/rest${path}`);
    expect(answer.headers["x-data-snapshot"]).toBe(id);
    expect(answer.text).toContain('"20777"');
    expect(answer.text).not.toContain('"20001"');
  });

  it("those about an earlier snapshot too, as long as the same generation is served", async () => {
    const path = `/schedule?${TERM}&department=DANCE`;
    const { headers } = await ask(`${opened.quick}/v1/rest${path}`);
    const asOf = `${path}&asOf=${headers["x-data-snapshot"]}`;
    const publishAnother = async (sectionCode: string) => {
      const sections = [sectionRow({ sectionCode })];
      const tables = { sections, headings: headingsOf(sections) };
      await publishRows(opened.artifacts, tables, { now: CRAWLED, nextRefresh: NEXT_REFRESH });
      await opened.look();
    };
    await publishAnother("20778");
    for (const method of ["GET", "HEAD"])
      for (const condition of [{}, { "If-None-Match": headers.etag ?? "" }]) {
        const usual = await askRaw(opened.usual, method, asOf, condition);
        expect(usual).toMatch(/^cache-control: public, max-age=31536000, immutable\r$/im);
        await askRaw(opened.quick, method, asOf, condition);
        const before = opened.shortcuts();
        expect(settled(await askRaw(opened.quick, method, asOf, condition))).toEqual(settled(usual));
        expect(opened.shortcuts()).toBe(before + 1);
      }
    await publishAnother("20779");
    const before = opened.shortcuts();
    expect((await ask(`${opened.quick}/v1/rest${asOf}`)).status).toBe(200);
    expect(opened.shortcuts()).toBe(before);
  });
});
