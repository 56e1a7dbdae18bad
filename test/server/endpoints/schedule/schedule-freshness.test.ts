/** Where an answer of the schedule came from, and how fresh it is (server/RULES.md, HTTP and Schedule). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUpstream, type Upstream } from "../../../support/upstream/upstream.ts";
import { inventedWorld } from "../../../support/worlds/worlds.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";

const CRAWLED = new Date("2024-10-07T16:00:00.000Z");
const NOW = new Date("2024-10-07T16:10:00.500Z");
const NEXT = new Date("2024-10-07T17:00:00.000Z");
const HIT = "/schedule?year=2024&quarter=Fall&department=DANCE";

const head = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name));

describe("freshness of a cached answer", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let app: OpenedApp;
  const sections = [sectionRow(), sectionRow({ year: "2017" })];
  beforeAll(async () => {
    folder = await openFolder();
    await publishRows(
      folder.artifacts,
      { sections, headings: headingsOf(sections) },
      { now: CRAWLED, nextRefresh: NEXT },
    );
    app = await openApp(folder.artifacts, () => NOW);
  });
  afterAll(async () => {
    await app?.close();
    await folder?.remove();
  });

  it("says that it is a hit, when the term was crawled, and how long it is fresh, without an Age, which caches would subtract from that", async () => {
    const response = await app.get(HIT);
    expect(head(response, "cache-status", "age", "x-cache", "last-modified", "cache-control")).toEqual([
      "academic-data; hit",
      null,
      null,
      CRAWLED.toUTCString(),
      // Seconds to the next planned refresh.
      "public, max-age=2999",
    ]);
    expect(response.headers.get("x-data-snapshot")).toMatch(/^[0-9a-f]{16}$/);
    expect(response.headers.get("etag")).toMatch(/^"[^"]+"$/);
  });

  it("an empty result of a published term is a hit as well, without an upstream request", async () => {
    const response = await app.get("/schedule?year=2024&quarter=Fall&department=NOSUCH");
    expect(head(response, "cache-status")).toEqual(["academic-data; hit"]);
    expect(await response.text()).toBe('{"schools":[]}');
  });

  it("the same question in other words has the same tag; 304 repeats what a cache must know", async () => {
    const first = await app.get(HIT);
    const tag = first.headers.get("etag") ?? "";
    const spelled = await app.get("/schedule?quarter=Fall&department=%20dance&year=2024&units=&cancelledCourses=");
    expect(spelled.headers.get("etag")).toBe(tag);
    const again = await app.get(HIT, { headers: { "If-None-Match": `W/${tag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    const kept = ["etag", "cache-control", "vary", "access-control-allow-origin"];
    expect(head(again, ...kept)).toEqual(head(first, ...kept));
    expect(head(again, "last-modified", "cache-status")).toEqual([null, null]);
    const other = await app.get(`${HIT}&cancelledCourses=Include`, { headers: { "If-None-Match": tag } });
    expect(other.status).toBe(200);
  });

  it('"cacheOnly=true for a term that is not published: 200 {"schools":[]}, fwd=uri-miss, no-store"', async () => {
    for (const query of ["", "&department=DANCE", "&includeCoCourses=true&ge=GE-2"]) {
      const response = await app.get(`/schedule?year=2024&quarter=Winter&cacheOnly=true${query}`);
      expect([response.status, await response.text()]).toEqual([200, '{"schools":[]}']);
      expect(head(response, "cache-status", "cache-control", "age", "etag", "last-modified")).toEqual([
        "academic-data; fwd=uri-miss",
        "no-store",
        null,
        null,
        null,
      ]);
    }
  });

  it("no upstream is an error of the server, not an empty response", async () => {
    for (const query of [
      "year=2024&quarter=Winter&department=DANCE",
      "year=2024&quarter=Fall&department=DANCE&cache=false",
    ]) {
      const response = await app.get(`/schedule?${query}`);
      expect(response.status).toBe(502);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("a new crawl of the same data renews the dates and keeps the tag", async () => {
    const tag = (await app.get(HIT)).headers.get("etag");
    const later = new Date("2024-10-07T16:09:00.000Z");
    const again = await publishRows(
      folder.artifacts,
      { sections, headings: headingsOf(sections) },
      { now: later, nextRefresh: NEXT },
    );
    expect(again.changed).toBe(false);
    const reopened = await openApp(folder.artifacts, () => NOW);
    const response = await reopened.get(HIT);
    await reopened.close();
    expect(head(response, "etag", "last-modified")).toEqual([tag, later.toUTCString()]);
  });
});

describe("freshness of a live answer", () => {
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    upstream = await startUpstream(inventedWorld.read());
    folder = await openFolder();
    const sections = [sectionRow({ year: "2018", sectionCode: "99001" })];
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
    server = await serve({ ...folder.env, SCHEDULE_URL: upstream.urls.SCHEDULE_URL });
  });
  afterAll(async () => {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  });

  it.each([
    ["bypass", "/schedule?year=2018&quarter=Fall&department=I%26C+SCI&cache=false"],
    ["uri-miss", "/schedule?year=2017&quarter=Summer1&department=PHYSICS"],
    ["uri-miss", "/schedule?year=2017&quarter=Summer1&department=PHYSICS&cache=true&cacheOnly=false"],
  ])('"Live answers: Cache-Control: no-store", fwd=%s', async (reason, path) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await server.get(path, { method });
      expect([
        response.status,
        ...head(response, "cache-status", "cache-control", "age", "etag", "last-modified"),
      ]).toEqual([200, `academic-data; fwd=${reason}`, "no-store", null, null, null]);
      expect((await response.text()).includes("sectionCode")).toBe(method === "GET");
    }
    // What a client kept of it is never confirmed.
    expect((await server.get(path, { headers: { "If-None-Match": "*" } })).status).toBe(200);
  });

  it("a published term answers from the cache, though the upstream would say more", async () => {
    const before = upstream.requests.length;
    const response = await server.get("/schedule?year=2018&quarter=Fall&department=I%26C+SCI");
    expect([response.headers.get("cache-status"), await response.text()]).toEqual([
      "academic-data; hit",
      '{"schools":[]}',
    ]);
    expect(upstream.requests).toHaveLength(before);
  });

  it("a term that does not exist is requested from the upstream, and has no sections", async () => {
    const response = await server.get("/schedule?year=1999&quarter=Fall&department=PHYSICS");
    expect([response.status, response.headers.get("cache-status"), await response.text()]).toEqual([
      200,
      "academic-data; fwd=uri-miss",
      '{"schools":[]}',
    ]);
  });
});
