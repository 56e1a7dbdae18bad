/** The live path through the whole server: what `cache=false` answers is what the cache answers, byte by byte. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import type { Upstream } from "../../../support/upstream/upstream.ts";
import { toExpected } from "../../../support/worlds/world.ts";
import { testWorlds } from "../../../support/worlds/worlds.ts";
import { openFolder, run, serve } from "../../../support/whole-run.ts";
import { assertAtOnce } from "../../../support/at-once.ts";
import { filterArbitraries, type Query, queryArbitrary } from "./schedule-queries.ts";
import { isWhole, someOf } from "../../../support/extent.ts";
import { CACHE_STATUS } from "../../../../server/response/headers.ts";

const [SOME, FEW] = isWhole ? [50, 30] : [20, 10];
const TERMS = someOf(["2017 Fall", "2017 Winter", "2018 Fall", "2017 Summer1"], 2);

describe.each(someOf(testWorlds.toReversed(), 1))("live equals cached, $name", (testWorld) => {
  const world = testWorld.read();
  const terms = TERMS.map((name) => {
    const sections = world.sections
      .filter(({ year, quarter }) => `${year} ${quarter}` === name)
      .map((section) => toExpected(world, section));
    const [year = "", quarter = ""] = name.split(" ");
    return { year, quarter, sections };
  });
  let upstream: Upstream;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;

  async function open(options: object): Promise<void> {
    upstream = await testWorld.start(world, options);
    folder = await openFolder();
    const env = { ...folder.env, SCHEDULE_URL: upstream.urls.SCHEDULE_URL };
    const report = await run({ ...env, TERMS: TERMS.join(",") });
    expect(report.failed).toBe(false);
    server = await serve({ ...env, UPSTREAM_TIMEOUT_MS: "30000" });
  }
  async function close(): Promise<void> {
    await server?.close();
    await upstream?.close();
    await folder?.remove();
  }

  /** Random questions with a starred filter, which a live question needs. */
  function question() {
    return fc.oneof(
      ...terms.map((term) => {
        const { includeCoCourses: _, ...filters } = filterArbitraries(term.sections);
        const starred = ["ge", "department", "sectionCodes", "instructorName"];
        const first = fc.constantFrom(...starred).chain((name) => filters[name] as fc.Arbitrary<Query>);
        return fc.tuple(first, queryArbitrary(filters, { least: 0, most: 2 })).map(([one, others]) => {
          const name = one[0]?.[0];
          const pairs = [...one, ...others.filter(([pair]) => pair?.[0] !== name).flat()];
          return new URLSearchParams([["year", term.year], ["quarter", term.quarter], ...pairs]);
        });
      }),
    );
  }
  const isStarred = (query: URLSearchParams) =>
    ["ge", "department", "sectionCodes", "instructorName"].some(
      (name) => !["", "ANY", "ALL"].includes((query.get(name) ?? "").trim().toUpperCase()),
    );

  async function read(path: string) {
    const response = await server.get(path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** How many of the questions found something. */
  async function compare(numRuns: number, seed: number): Promise<number> {
    let found = 0;
    await assertAtOnce(
      question().filter(isStarred),
      async (query) => {
        const [cached, live] = await Promise.all([
          server.get(`/schedule?${query}`),
          server.get(`/schedule?${query}&cache=false`),
        ]);
        const texts = [await cached.text(), await live.text()];
        expect([cached, live].map(({ status }) => status)).toEqual([200, 200]);
        expect([cached, live].map(({ headers }) => headers.get("cache-status"))).toEqual([
          CACHE_STATUS.hit,
          CACHE_STATUS.bypass,
        ]);
        expect(texts[1]).toBe(texts[0]);
        const page = `limit=${1 + (query.toString().length % 5)}&offset=${query.size % 3}`;
        const paged = await Promise.all(
          ["cacheOnly=true", "cache=false"].map(async (cache) => {
            const { headers, ...response } = await read(`/schedule?${query}&${cache}&${page}`);
            const links = (headers.get("link") ?? "").replaceAll(`&${cache}`, "");
            return { ...response, total: headers.get("x-total-count"), links };
          }),
        );
        expect(paged[1]).toEqual(paged[0]);
        expect(paged[1]?.total).toMatch(/^\d+$/);
        found += texts[0] === '{"schools":[]}' ? 0 : 1;
      },
      { numRuns, seed },
    );
    return found;
  }

  describe("an upstream without any oddity that it can have", () => {
    const quirks = { splitBlocks: false, missingStatus: false, retiredDepartments: false, foreignTerms: false };
    beforeAll(() => open({ quirks: { ...quirks, comments: "verbatim", cdata: "never", encoding: "utf-8" } }));
    afterAll(close);

    it(`the same bytes for ${SOME} random questions`, async () =>
      expect(await compare(SOME, 1)).toBeGreaterThan(SOME / 3));

    it("the same bytes for whole departments, whole categories, and more codes than one question takes", async () => {
      const fall = terms[0]?.sections ?? [];
      const codes = fall.filter((_, i) => i % 9 === 0).map(({ sectionCode }) => sectionCode);
      const queries = [
        ...new Set(fall.map(({ deptCode }: Section) => `department=${encodeURIComponent(deptCode.toLowerCase())}`)),
        "department=ALL&ge=GE-2",
        "ge=GE-5B&cancelledCourses=Include",
        `sectionCodes=${codes.join(",")}`,
        // Over the upstream's 900: the question is split, not failed.
        "sectionCodes=00001-97999&cancelledCourses=Include",
      ];
      for (const query of queries) {
        const path = `/schedule?year=2017&quarter=Fall&${query}`;
        const cached = await (await server.get(path)).text();
        expect({ query, text: await (await server.get(`${path}&cache=false`)).text() }).toEqual({
          query,
          text: cached,
        });
        expect(cached).toContain("sectionCode");
      }
    });

    it("a page of courses is in every format what it is of the cache, and asks the upstream no more than the whole", async () => {
      const query = "year=2017&quarter=Fall&sectionCodes=00001-97999";
      const asked = async (path: string) => {
        const before = upstream.requests.length;
        return { ...(await read(path)), requests: upstream.requests.length - before };
      };
      const whole = await asked(`/schedule?${query}&cache=false`);
      for (const format of ["json", "csv", "ndjson"]) {
        const path = `/schedule?${query}&limit=3&offset=2&format=${format}`;
        const [cached, live] = [await asked(`${path}&cacheOnly=true`), await asked(`${path}&cache=false`)];
        expect([live.text, live.status, live.headers.get("x-total-count"), live.requests]).toEqual([
          cached.text,
          200,
          cached.headers.get("x-total-count"),
          whole.requests,
        ]);
      }
      const calendar = await asked(`/schedule?${query}&limit=3&cache=false&format=ics`);
      expect([calendar.status, calendar.requests]).toEqual([200, whole.requests]);
      expect(calendar.headers.get("x-total-count")).toMatch(/^\d+$/);
    });
  });

  describe("an upstream with each of them", () => {
    const quirks = { splitBlocks: true, missingStatus: true, retiredDepartments: true, foreignTerms: true };
    beforeAll(() =>
      open({ latency: 1, quirks: { ...quirks, comments: "wrapped", cdata: "always", encoding: "latin1" } }),
    );
    afterAll(close);
    it(`the same bytes for ${FEW} random questions`, async () =>
      expect(await compare(FEW, 2)).toBeGreaterThan(FEW / 4));
  });
});
