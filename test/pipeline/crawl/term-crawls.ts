/** Terms crawled from the test upstream, one landing for each test, and what must come out of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { Department } from "../../../pipeline/contract/rows/listing.ts";
import { landedGe, landedSections } from "../../../pipeline/contract/rows/section.ts";
import { FIRST_HIDDEN_CODE, GE_CATEGORIES, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { crawlTerm, type TermCrawlOptions } from "../../../pipeline/crawl/crawl-term.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { readListing } from "../../../pipeline/crawl/schedule-readers.ts";
import { createClient, type Client } from "../../../pipeline/sources/client/http.ts";
import { readLanded } from "../../support/published/landed.ts";
import { toExpected, type World } from "../../support/worlds/world.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import { inventedWorld, type TestWorld } from "../../support/worlds/worlds.ts";

export const FALL: Term = { year: "2017", quarter: "Fall" };
export const SUMMER: Term = { year: "2017", quarter: "Summer1" };

export const quickClient = (retries = 3): Client =>
  createClient("schedule", { concurrency: 4, pauseMs: 0, timeoutMs: 400, retries, backoffMs: 1, backoffCapMs: 4 });

const byCode = (a: { sectionCode: unknown }, b: { sectionCode: unknown }) =>
  String(a.sectionCode) < String(b.sectionCode) ? -1 : 1;

/** Call it where the tests are declared: it opens and closes a landing and an upstream around each of them. */
export function openTermCrawls(testWorld: TestWorld = inventedWorld) {
  const world = testWorld.read();
  let upstream: Upstream;
  let root: string;

  /** Starts the upstream of this test. */
  const start = async (served: World, options: object = {}) => {
    upstream = await testWorld.start(served, options);
  };
  const url = () => new URL(upstream.urls.SCHEDULE_URL);
  const listed = async (): Promise<Department[]> =>
    (await quickClient().request({ url: url() }, readListing)).departments;
  const crawl = async (term: Term, more: Partial<TermCrawlOptions> = {}) => {
    const tally = createTally("schedule");
    const crawled = await crawlTerm({
      client: quickClient(),
      url: url(),
      term,
      departments: more.departments ?? (await listed()),
      landingRoot: root,
      source: "test campus",
      maxAgeMs: 3_600_000,
      now: () => new Date("2017-10-01T12:00:00Z"),
      tally,
      log: silentLog,
      ...more,
    });
    return { ...crawled, report: tally.report("published", 0) };
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "crawl-term-"));
  });
  afterEach(async () => {
    await upstream.close();
    await rm(root, { recursive: true, force: true });
  });

  const expectTerm = async (served: World, term: Term, crawled: Awaited<ReturnType<typeof crawl>>) => {
    const wanted = served.sections
      .filter((section) => section.year === term.year && section.quarter === term.quarter)
      .filter((section) => Number(section.sectionCode) < FIRST_HIDDEN_CODE)
      .map((section) => toExpected(served, section));
    const rows = await readLanded(landedSections, crawled.departmentPaths);
    const categories = new Map<unknown, Set<unknown>>();
    for (const { sectionCode, category } of await readLanded(landedGe, crawled.gePaths)) {
      categories.set(sectionCode, (categories.get(sectionCode) ?? new Set()).add(category));
    }
    const landed = rows.map((row) => ({
      ...row,
      sectionCode: row["sectionCode"],
      geCategories: GE_CATEGORIES.filter((category) => categories.get(row["sectionCode"])?.has(category)),
      // A landing file has no null lists; only a scheduled final has places.
      finalExam: {
        ...(row["finalExam"] as object),
        bldg:
          (row["finalExam"] as { examStatus: string; bldg: string[] }).examStatus === "SCHEDULED_FINAL"
            ? (row["finalExam"] as { bldg: string[] }).bldg
            : null,
      },
    }));
    expect(crawled.sections).toBe(wanted.length);
    expect(landed.sort(byCode)).toEqual(wanted.sort(byCode));
  };

  return { world, upstream: () => upstream, root: () => root, start, url, listed, crawl, expectTerm };
}
