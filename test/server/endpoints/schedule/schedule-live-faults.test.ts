/** A troubled upstream, seen by a client of the server: 502 or 504 in time, never an empty 200, and nobody else is held up. */
import { type ClientRequest, get } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startUpstream, type Upstream, type UpstreamOptions } from "../../../support/upstream/upstream.ts";
import { inventedWorld } from "../../../support/worlds/worlds.ts";
import { someOf } from "../../../support/extent.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { CACHE_STATUS } from "../../../../server/response/headers.ts";

const TIMEOUT_MS = 1_000;
/** The deadline where it is not what ends the wait: a busy machine must not make a 504 of a 502. */
const NO_HURRY_MS = 10_000;
/** An answer that does not come in this time after the deadline ends the test: what a busy machine needs besides. */
const PATIENCE_MS = 2_500;
const SUMMER = "/schedule?year=2017&quarter=Summer1";

type Opened = {
  upstream: Upstream;
  ask(path: string, signal?: AbortSignal): Promise<Response>;
  askAndLeave(paths: readonly string[], afterMs: number): Promise<string[]>;
  searches(): unknown[];
  close(): Promise<void>;
};

describe("a troubled upstream", () => {
  const world = inventedWorld.read();
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let opened: Opened[] = [];

  beforeAll(async () => {
    folder = await openFolder();
    const sections = [sectionRow()];
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
  });
  afterAll(() => folder.remove());
  /** A server of its own with an upstream of its own: what one learns of its upstream is no other's business. */
  async function start(options: UpstreamOptions = {}, timeoutMs = TIMEOUT_MS): Promise<Opened> {
    const upstream = await startUpstream(world, options);
    const { SCHEDULE_URL } = upstream.urls;
    const server = await serve({ ...folder.env, SCHEDULE_URL, UPSTREAM_TIMEOUT_MS: String(timeoutMs) });
    const one = {
      upstream,
      ask: (path: string, signal = AbortSignal.timeout(timeoutMs + PATIENCE_MS)) => server.get(path, { signal }),
      /** Asks all of it, and hangs up on all at once after a while. Not by fetch: it would open another connection and keep that. */
      askAndLeave: (paths: readonly string[], afterMs: number) => {
        const requests: ClientRequest[] = [];
        setTimeout(() => requests.forEach((request) => request.destroy()), afterMs);
        return Promise.all(
          paths.map(
            (path) =>
              new Promise<string>((resolve) => {
                const request = get(`${server.url}/v1/rest${path}`, () => resolve("answered"));
                request.on("error", () => resolve("gone"));
                requests.push(request);
              }),
          ),
        );
      },
      searches: () => upstream.requests.filter(({ params }) => params["Submit"] === "Display XML Results"),
      async close() {
        await server.close();
        await upstream.close();
      },
    };
    opened.push(one);
    return one;
  }
  async function closeAll(): Promise<void> {
    for (const one of opened) await one.close();
    opened = [];
  }
  const codesIn = (text: string) => text.match(/"sectionCode"/g)?.length ?? 0;

  describe("each fault", () => {
    const FAULTS: readonly [what: string, fault: object, status: number][] = [
      ["status 500", { status: 500 }, 502],
      ["503 with Retry-After", { status: 503, retryAfter: 30 }, 502],
      [
        "503 with Retry-After as a date",
        { status: 503, headers: { "Retry-After": new Date(Date.now() + 60_000).toUTCString() } },
        502,
      ],
      ["a redirect", { redirect: true }, 502],
      ["no answer", { hang: 20_000 }, 504],
      ["XML cut off", { truncate: 0.5 }, 502],
      ["HTML with status 200", { htmlError: true }, 502],
      ["an empty list", { empty: true }, 502],
      ["malformed XML", { malformed: true }, 502],
      ["a Content-Length that is too large", { wrongLength: 100 }, 502],
      ["a Content-Length that is too small", { wrongLength: -100 }, 502],
      ["a connection cut in the middle", { drop: 0.5 }, 502],
      ["a body that trickles", { trickle: { bytes: 10, everyMs: 50 } }, 504],
      ["XML that is small and deep", { body: `<websoc_results>${"<x>".repeat(20_000)}`, type: "text/xml" }, 502],
      ["an empty body", { body: "", type: "text/xml" }, 502],
    ];
    // Two of them are waited for, the others fail at once.
    const some = someOf(FAULTS, 5);
    const startedFor = new Map<string, Opened>();
    beforeAll(async () => {
      for (const [what, , status] of some)
        startedFor.set(what, await start({}, status === 504 ? TIMEOUT_MS : NO_HURRY_MS));
    });
    afterAll(closeAll);

    // At the same time: each of them waits most of the time.
    it.concurrent.each(some)("%s", async (what, fault, status) => {
      const { upstream, ask } = startedFor.get(what) as Opened;
      upstream.setFaults([{ match: { system: "schedule", params: { Submit: "Display XML Results" } }, ...fault }]);
      // Bypassing the cache, and missing it.
      const paths = [`${SUMMER}&department=PHYSICS&cache=false`, `${SUMMER}&ge=GE-2`];
      for (const response of await Promise.all(paths.map((path) => ask(path)))) {
        const text = await response.text();
        expect({ text, status: response.status }).toEqual({ text, status });
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
        const body = JSON.parse(text) as { statusCode: number; error: string; message: string };
        expect(body).toMatchObject({ statusCode: status, error: status === 502 ? "Bad Gateway" : "Gateway Timeout" });
        // Whom we ask and how it failed is no client's business.
        expect(body.message).not.toMatch(
          /127\.0\.0\.1|localhost|WebSoc|xml|status|connection|saxes|\.ts|UND_ERR|select/i,
        );
      }
      // What is published is served all the while.
      expect((await ask("/schedule?year=2024&quarter=Fall&department=dance")).headers.get("cache-status")).toBe(
        CACHE_STATUS.hit,
      );
      upstream.setFaults([]);
      const mended = await ask(`${SUMMER}&department=PHYSICS&cache=false`);
      expect(mended.status).toBe(200);
      expect(codesIn(await mended.text())).toBeGreaterThan(0);
    });
  });

  describe("what becomes of later questions", () => {
    afterAll(closeAll);

    it.concurrent("the form alone is in trouble: a request for a department fails, it is never sent in a spelling that finds nothing", async () => {
      const { upstream, ask } = await start({}, NO_HURRY_MS);
      upstream.setFaults([{ match: { system: "schedule", params: { Submit: "" } }, status: 500 }]);
      expect((await ask(`${SUMMER}&department=i%26csci&cache=false`)).status).toBe(502);
      expect((await ask(`${SUMMER}&ge=GE-2&cache=false`)).status).toBe(200);
    });

    it.concurrent("an upstream that is gone answers 502", async () => {
      const { upstream, ask } = await start({}, NO_HURRY_MS);
      await upstream.close();
      for (let i = 0; i < 6; i++) expect((await ask(`${SUMMER}&instructorName=A${i}`)).status).toBe(502);
      const all = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(`${SUMMER}&instructorName=B${i}`)));
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([502]));
    });

    it.concurrent("each question to a silent upstream gets 504 by its own deadline, also after others failed", async () => {
      const { upstream, ask } = await start();
      upstream.setFaults([{ match: { system: "schedule" }, hang: 20_000 }]);
      const first = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(`${SUMMER}&instructorName=A${i}`)));
      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([504]));
      for (let i = 0; i < 2; i++)
        expect(
          (await ask(`${SUMMER}&instructorName=B${i}`, AbortSignal.timeout(TIMEOUT_MS + PATIENCE_MS))).status,
        ).toBe(504);
    });
  });

  describe("requests at the same time", () => {
    afterEach(closeAll);

    it("identical live requests share one search, whatever their other filters are", async () => {
      const { upstream, ask } = await start({ latency: 150 }, NO_HURRY_MS);
      const spellings = [
        "department=I%26C+SCI",
        "department=i%26csci&fullCourses=FullOnly",
        "department=I%26CSCI&fullCourses=SkipFull",
      ];
      const asked = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          ask(`/schedule?year=2018&quarter=Fall&cache=false&${spellings[i % 3]}`, AbortSignal.timeout(NO_HURRY_MS)),
        ),
      );
      const texts = await Promise.all(asked.map((response) => response.text()));
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(texts).size).toBe(3);
      // The form, for the department's spelling, and one search.
      expect(upstream.requests.map(({ params }) => params["Dept"])).toEqual([undefined, "I&C SCI"]);
    });

    it("a client that hangs up does not take the answer from the others", async () => {
      const { ask, askAndLeave, searches } = await start({ latency: 300 }, NO_HURRY_MS);
      const path = `${SUMMER}&ge=GE-2&cache=false`;
      const first = askAndLeave([path], 100);
      const second = ask(path, AbortSignal.timeout(NO_HURRY_MS));
      expect(await first).toEqual(["gone"]);
      expect(codesIn(await (await second).text())).toBeGreaterThan(0);
      expect(searches()).toHaveLength(1);
    });

    it("clients that have disconnected hold up nobody: their requests are not sent any more", async () => {
      const { ask, askAndLeave, searches } = await start({ latency: 300 }, NO_HURRY_MS);
      const many = Array.from({ length: 40 }, (_, i) => `${SUMMER}&instructorName=A${i}&cache=false`);
      expect(new Set(await askAndLeave(many, 100))).toEqual(new Set(["gone"]));
      const response = await ask(`${SUMMER}&ge=GE-2&cache=false`, AbortSignal.timeout(NO_HURRY_MS));
      expect(response.status).toBe(200);
      expect(searches().length).toBeLessThan(many.length / 2);
      // And this says nothing about the upstream.
      expect((await ask(`${SUMMER}&ge=GE-3&cache=false`, AbortSignal.timeout(NO_HURRY_MS))).status).toBe(200);
    });
  });
});
