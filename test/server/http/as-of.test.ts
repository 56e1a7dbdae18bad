/** Responses as of an earlier snapshot: what was recorded while each snapshot was the current one. */
import { readLocalManifest } from "../../../pipeline/store/published.ts";
import * as fc from "fast-check";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { exampleOf, withParameter } from "../../support/examples.ts";
import { draws } from "../../support/extent.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { hour, PARTS, publishVersion } from "../../support/published/published-worlds.ts";
import { openFolder } from "../../support/whole-run.ts";
import { CACHE_STATUS } from "../../../server/response/headers.ts";

const VERSIONS = draws(6, 4);
const EVERY = [
  ...endpoints.map(exampleOf),
  "/schedule?year=2025&quarter=Winter&cacheOnly=true",
  "/schedule?year=2024&quarter=Fall&department=DANCE&fullCourses=FullOnly",
  "/schedule?year=2024&quarter=Fall&department=DANCE&format=csv",
  "/grades/raw?department=DANCE&limit=3&offset=2",
  "/grades/raw?format=parquet",
  "/grades/aggregateByOffering?format=ndjson",
  "/courses?titleContains=move",
  "/courses/dance21",
  "/instructors/nobody",
  "/enrollmentHistory?year=2019&format=csv",
  "/week?year=2024&month=10&day=5",
  "/search?q=10003",
  "/search?q=dance",
];

interface Recorded {
  readonly asked: string;
  readonly id: string;
  readonly generation: number;
  readonly version: number;
  readonly status: number;
  readonly etag: string | null;
  readonly body: string;
}

const folder = await openFolder();
afterAll(() => folder.remove());

/** Errors and the envelope of COMPAT=1 name the request and its time. */
const bare = (bytes: Buffer): string =>
  bytes.toString("latin1").replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '"$1":""');

async function ask(app: OpenedApp, asked: string) {
  const response = await app.get(asked, { headers: { "Accept-Encoding": "identity" } });
  return {
    status: response.status,
    headers: response.headers,
    etag: response.headers.get("etag"),
    snapshot: response.headers.get("x-data-snapshot"),
    body: bare(Buffer.from(await response.arrayBuffer())),
  };
}

describe.each([false, true])("COMPAT=%s", (compat) => {
  const artifacts = join(folder.artifacts, String(compat));
  const recorded: Recorded[] = [];
  const drawn = fc.sample(fc.subarray(PARTS, { minLength: 1, maxLength: 3 }), { numRuns: VERSIONS, seed: 7 });
  let now = hour(0);
  let app: OpenedApp;

  beforeAll(async () => {
    for (let version = 0; version < VERSIONS; version++) {
      now = new Date(hour(version).getTime() + 600_000);
      const { id, published } = await publishVersion(
        artifacts,
        version,
        version === 0 ? PARTS : (drawn[version] ?? []),
      );
      if (version === 0) app = await openApp(artifacts, () => now, { compat, judgedEvery: 10 });
      await app.update();
      for (const asked of EVERY) {
        const { status, etag, body, snapshot } = await ask(app, asked);
        expect([asked, status === 404 ? id : snapshot]).toEqual([asked, id]);
        recorded.push({ asked, id, generation: published.manifest.generation, version, status, etag, body });
      }
    }
    now = hour(VERSIONS + 1);
  });
  afterAll(() => app?.close());

  it.each(["its id", "its time"])("are the same by %s", async (by) => {
    const part = fc.shuffledSubarray(recorded, { minLength: recorded.length / 3 });
    const shuffled = fc.sample(part, { numRuns: 1 });
    for (const one of shuffled[0] ?? []) {
      const moment = by === "its id" ? one.id : new Date(hour(one.version).getTime() + 600_000).toISOString();
      const got = await ask(app, withParameter(one.asked, "asOf", moment));
      expect([one.asked, got.status, got.etag, got.body]).toEqual([one.asked, one.status, one.etag, one.body]);
      if (got.status !== 200) continue;
      expect(got.snapshot).toBe(one.id);
      const cached = got.headers.get("cache-control");
      if (got.headers.get("cache-status") === CACHE_STATUS.miss) expect(cached).toBe("no-store");
      else if (by === "its id") expect(cached).toBe("public, max-age=31536000, immutable");
      else expect(cached).toMatch(/^public, max-age=\d{1,4}$/);
    }
  });

  it("answers 304 by the tag of then, and many at once", async () => {
    const found = recorded.filter(({ etag }) => etag !== null);
    await Promise.all(
      found.map(async ({ asked, id, etag }) => {
        const response = await app.get(withParameter(asked, "asOf", id), {
          headers: { "If-None-Match": etag ?? "", "Accept-Encoding": "identity" },
        });
        expect([asked, response.status, response.headers.get("etag")]).toEqual([asked, 304, etag]);
      }),
    );
  });

  it("takes the week of then for today", async () => {
    const week = async (asOf: string) => (await ask(app, `/week?asOf=${asOf}`)).body;
    expect(await week("2024-11-01")).toBe(await week("2024-11-01T03:30:00-07:00"));
    const then = await week(recorded[0]?.id ?? "");
    expect(then).toContain("Fall Quarter 2024");
    const served = now;
    now = new Date(served.getTime() + 120 * 24 * 3_600_000);
    expect(await week(recorded[0]?.id ?? "")).toBe(then);
    expect((await ask(app, "/week")).body).not.toBe(then);
    now = served;
  });

  it("refuses what is no moment, and cache=false", async () => {
    const message = async (asked: string, status: number) => {
      const got = await ask(app, asked);
      expect(got.status).toBe(status);
      return (JSON.parse(got.body) as { message: string }).message;
    };
    expect(await message("/week?asOf=yesterday&year=x", 400)).toMatch(/asOf provided: "yesterday" .*ISO 8601/);
    expect(await message("/week?asOf=yesterday&year=x", 400)).toMatch(/Invalid year/);
    const live = "/schedule?year=2024&quarter=Fall&department=DANCE&cache=false&asOf=2024-11-01";
    expect(await message(live, 400)).toBe("asOf cannot be given if cache is false");
    const [oldest, newest] = [recorded[0]?.id ?? "", recorded.at(-1)?.id ?? ""];
    expect(await message(`/terms?asOf=${"0".repeat(16)}`.replace("/terms", "/schedule/terms"), 404)).toMatch(
      new RegExp(`${oldest} \\(served from .* until .*\\) and ${newest} \\(served from [^ ]*\\)`),
    );
    expect(await message("/week?asOf=2024-10-01", 404)).toContain(oldest);
    expect(await message("/week?asOf=2034-10-01", 404)).toContain(newest);
  });

  it("never queries the upstream for a term that was not published", async () => {
    const asked = `/schedule?year=2023&quarter=Fall&department=DANCE&asOf=${recorded[0]?.id}`;
    const { status, headers, body } = await ask(app, asked);
    expect([status, headers.get("cache-status"), headers.get("cache-control")]).toEqual([
      200,
      CACHE_STATUS.miss,
      "no-store",
    ]);
    expect(body).toContain('{"schools":[]}');
  });

  it("says of a damaged or removed snapshot that it is", async () => {
    const [first, second] = [0, 1].map((version) => recorded.find((one) => one.version === version) as Recorded);
    const nameOf = ({ generation, id }: Recorded) => `${generation}-${id}`;
    await app.close();
    app = await openApp(artifacts, () => now, { compat });
    expect((await ask(app, `/larc?year=2024&quarter=Fall&asOf=${second?.id}`)).status).toBe(200);
    await rm(join(artifacts, "snapshots", `${nameOf(second as Recorded)}.json`));
    expect((await ask(app, `/larc?year=2024&quarter=Fall&asOf=${second?.id}`)).status).toBe(404);
    expect((await ask(app, `/larc?year=2024&quarter=Fall`)).status).toBe(200);

    // Every snapshot with the same content has this object.
    const { files } = await readLocalManifest(artifacts, nameOf(first as Recorded));
    await rm(join(artifacts, files.find(({ table }) => table === "larc")?.path ?? ""));
    const asked = `/larc?year=2024&quarter=Fall&asOf=${first?.id}`;
    expect(await ask(app, asked)).toMatchObject({ status: 503, body: expect.stringContaining("damaged") as string });
    expect((await ask(app, `/grades/raw?asOf=${first?.id}`)).status).toBe(200);
  });
});
