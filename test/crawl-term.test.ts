import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Department } from "../pipeline/contract/listing.ts";
import { FIRST_HIDDEN_CODE, GE_CATEGORIES, termName, type Term } from "../pipeline/contract/vocabulary.ts";
import { crawlTerm, type TermCrawlOptions } from "../pipeline/crawl-term.ts";
import { UpstreamBadAnswer, UpstreamError } from "../pipeline/errors.ts";
import { silentLog } from "../pipeline/log.ts";
import { createTally } from "../pipeline/report.ts";
import { readListing } from "../pipeline/schedule-readers.ts";
import { createClient, type Client } from "../pipeline/sources/http.ts";
import { askListings } from "../pipeline/sources/listings.ts";
import { readLanded } from "./landed.ts";
import { shared } from "./shared.ts";
import {
  readVisibleWorld,
  startUpstream,
  termsOf,
  toExpected,
  type Fault,
  type Upstream,
  type World,
  type WorldSection,
} from "./upstream.ts";

const FALL: Term = { year: "2017", quarter: "Fall" };
const SUMMER: Term = { year: "2017", quarter: "Summer1" };

const quickClient = (retries = 3): Client =>
  createClient("schedule", { concurrency: 4, pauseMs: 0, timeoutMs: 400, retries, backoffMs: 1, backoffCapMs: 4 });

const byCode = (a: { sectionCode: unknown }, b: { sectionCode: unknown }) =>
  String(a.sectionCode) < String(b.sectionCode) ? -1 : 1;

const page = (department: string, codes: string[]) =>
  `<websoc_results><term/><course_list><school school_name="S"><department dept_code="${department}" dept_name="D"><course course_number="1" course_title="T">${codes
    .map((code) => `<section><course_code>${code}</course_code><sec_status>OPEN</sec_status></section>`)
    .join("")}</course></department></school></course_list><restriction_codes/></websoc_results>`;

describe.runIf(shared)("crawlTerm", () => {
  const world = shared ? readVisibleWorld(shared) : (undefined as never);
  let upstream: Upstream;
  let root: string;

  const start = async (served: World, options: object = {}) => {
    upstream = await startUpstream(shared as string, served, options);
  };
  const url = () => new URL(upstream.urls.SCHEDULE_URL);
  const listed = async (): Promise<Department[]> => (await askListings(quickClient(), url(), readListing)).departments;
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

  const expectTerm = async (
    served: World,
    term: Term,
    crawled: Awaited<ReturnType<typeof crawl>>,
    change: (section: WorldSection) => WorldSection = (section) => section,
  ) => {
    const wanted = served.sections
      .filter((section) => section.year === term.year && section.quarter === term.quarter)
      .filter((section) => Number(section.sectionCode) < FIRST_HIDDEN_CODE)
      .map((section) => toExpected(served, change(section)));
    const rows = await readLanded(crawled.sectionsPaths);
    const categories = new Map<unknown, Set<unknown>>();
    for (const { sectionCode, category } of await readLanded(crawled.gePaths)) {
      categories.set(sectionCode, (categories.get(sectionCode) ?? new Set()).add(category));
    }
    const found = rows.map((row) => ({
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
    expect(found.sort(byCode)).toEqual(wanted.sort(byCode));
  };

  it.each([
    ["as the system mixes them", {}],
    ["comments as CDATA, no split blocks", { cdata: "always", splitBlocks: false }],
    ["comments escaped, all statuses there", { cdata: "never", missingStatus: false }],
    ["in ISO-8859-1, comments wrapped in the template's markup", { encoding: "latin1", comments: "wrapped" }],
  ])("brings every section of every term, field by field: %s", async (_, quirks) => {
    await start(world, { quirks });
    const { wrapComment } = (await import(join(shared as string, "tools/upstream-schedule.mjs"))) as {
      wrapComment(text: string): string;
    };
    const wrap = (text: string) => (text === "" ? "" : wrapComment(text));
    const change = (section: WorldSection): WorldSection =>
      "comments" in quirks
        ? { ...section, courseComment: wrap(section.courseComment), sectionComment: wrap(section.sectionComment) }
        : section;
    for (const term of termsOf(world)) {
      const crawled = await crawl(term);
      await expectTerm(world, term, crawled, change);
      expect(crawled.report.dropped).toEqual([]);
      expect(crawled.report.noted).toEqual([]);
      const headings = await readLanded(crawled.headingsPaths);
      for (const heading of headings) {
        const department = world.departments.find(({ code }) => code === heading["deptCode"]);
        const comment = "comments" in quirks ? wrap(department?.comment ?? "") : department?.comment;
        expect(heading).toMatchObject({
          deptName: department?.name,
          deptComment: comment,
          schoolName: department?.school,
        });
      }
      const offering = new Set(world.sections.filter((s) => termName(s) === termName(term)).map((s) => s.deptCode));
      expect(headings.map((heading) => heading["deptCode"]).sort()).toEqual([...offering].sort());
    }
  });

  const passing: [string, Fault][] = [
    ["status 500", { status: 500 }],
    ["status 503 with Retry-After", { status: 503, retryAfter: 0 }],
    ["a redirect, the rate limit", { redirect: true }],
    ["no answer", { hang: 450 }],
    ["a connection cut in the body", { drop: 0.5 }],
    ["XML cut off", { truncate: 0.5 }],
    ["an error page with status 200", { htmlError: true }],
    ["XML that is not well-formed", { malformed: true }],
    ["XML without any section", { empty: true }],
    ["a length that is too large", { wrongLength: 7 }],
    ["a length that is too small", { wrongLength: -7 }],
    ["a body that trickles", { trickle: { bytes: 50, everyMs: 50 } }],
  ];

  it.each(passing)("recovers from %s, when it passes", async (_, fault) => {
    await start(world);
    const departments = await listed();
    // Every third question fails once, then works.
    upstream.setFaults([{ match: { system: "schedule", nth: { every: 3 } }, times: 1, ...fault }]);
    const crawled = await crawl(SUMMER, { departments });
    expect(upstream.requests.filter(({ fault: struck }) => struck !== null).length).toBeGreaterThan(2);
    await expectTerm(world, SUMMER, crawled);
  });

  it.each(passing)("fails on %s when it stays, and never leaves a hole", async (_, fault) => {
    await start(world);
    const departments = await listed();
    upstream.setFaults([{ match: { system: "schedule", params: { Dept: "PHYSICS" } }, ...fault }]);
    await expect(crawl(SUMMER, { departments, client: quickClient(1) })).rejects.toBeInstanceOf(UpstreamError);
    upstream.setFaults([]);
    await expectTerm(world, SUMMER, await crawl(SUMMER, { departments }));
  });

  it("does not take an empty answer for a GE category without sections", async () => {
    await start(world);
    const departments = await listed();
    upstream.setFaults([{ match: { params: { Breadth: "GE-2", Submit: "/XML/i" } }, empty: true }]);
    await expect(crawl(FALL, { departments })).rejects.toBeInstanceOf(UpstreamBadAnswer);
  });

  it("fetches only what it lacks when it was cut short, and reports what the first run dropped", async () => {
    const odd = world.sections.find((s) => s.deptCode === "ANTHRO" && termName(s) === "2017 Fall") as WorldSection;
    await start({ ...world, sections: [...world.sections, { ...odd, sectionCode: "6057" }] });
    const departments = await listed();
    upstream.setFaults([{ match: { params: { Dept: "STATS" } }, status: 500 }]);
    const manners = { concurrency: 1, pauseMs: 0, timeoutMs: 400, retries: 0, backoffMs: 1, backoffCapMs: 4 };
    await expect(crawl(FALL, { departments, client: createClient("schedule", manners) })).rejects.toThrow("status 500");
    upstream.setFaults([]);
    upstream.reset();
    const crawled = await crawl(FALL, { departments });
    const asked = new Set(upstream.requests.map(({ params }) => params["Dept"]));
    expect([...asked].sort()).toEqual(["ALL", "STATS"]);
    await expectTerm(world, FALL, crawled);
    expect(crawled.report.dropped).toMatchObject([{ reason: "a section code that is not five digits", count: 1 }]);
    expect(crawled.report.read).toBe(crawled.sections + 1);
    upstream.reset();
    await crawl(FALL, { departments });
    expect(upstream.requests).toEqual([]);
  });

  it("fetches only what it lacks when its process was killed", async () => {
    await start(world, { latency: 40 });
    const departments = await listed();
    const child = spawn(process.execPath, ["--import", "tsx", "test/crawl-child.ts", url().href, root], {
      stdio: "inherit",
    });
    const isLanded = async () =>
      (await readdir(join(root, "2017-Fall")).catch(() => [])).some((name) => name.endsWith(".sections.parquet"));
    while (!(await isLanded())) await new Promise((resolve) => setTimeout(resolve, 5));
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exit;
    const sealed = (await readdir(join(root, "2017-Fall"))).filter((name) => name.endsWith(".sections.parquet")).length;
    expect(sealed).toBeLessThan(departments.length);
    upstream.reset();
    const crawled = await crawl(FALL, { departments });
    const asked = upstream.requests.filter(({ params }) => params["Breadth"] === "ANY");
    expect(asked).toHaveLength(departments.length - sealed);
    await expectTerm(world, FALL, crawled);
  });

  it("splits a department of 2,000 sections and a GE category of 1,500", async () => {
    const [model] = world.sections.filter((s) => s.deptCode === "PHYSICS" && s.year === "2017" && s.quarter === "Fall");
    const sections = Array.from({ length: 2_000 }, (_, i) => ({
      ...(model as WorldSection),
      sectionCode: String(47_000 + i * 3),
      courseNumber: String(1 + (i % 90)),
      courseTitle: "PHYSICS",
      courseComment: "",
      prerequisiteLink: "",
      geCategories: i < 1_500 ? ["GE-2"] : [],
    }));
    const large: World = { ...world, sections };
    await start(large);
    const crawled = await crawl(FALL);
    expect(crawled.sections).toBe(2_000);
    await expectTerm(large, FALL, crawled);
  });

  it("drops codes from 98000 on, by name", async () => {
    const [model] = world.sections.filter((s) => s.deptCode === "DANCE" && s.year === "2017" && s.quarter === "Fall");
    const sections = [{ ...(model as WorldSection), sectionCode: "40000", geCategories: [] }];
    await start({ ...world, sections });
    const body = `<websoc_results><term/><course_list><school school_name="S"><department dept_code="DANCE" dept_name="Dance"><course course_number="1" course_title="T">
      <section><course_code>98001</course_code></section><section><course_code>40000</course_code></section></course></department></school></course_list><restriction_codes/></websoc_results>`;
    upstream.setFaults([{ match: { params: { Dept: "DANCE" } }, body, type: "text/xml" }]);
    const crawled = await crawl(FALL, { departments: [{ deptCode: "DANCE", deptName: "Dance" }] });
    expect(crawled.sections).toBe(1);
    expect(crawled.report.dropped).toEqual([
      { reason: "a code of study abroad or tests", count: 1, names: ["2017 Fall DANCE 1 98001"] },
    ]);
  });

  it("leaves a section that two departments have to the first, and names it", async () => {
    await start(world);
    upstream.setFaults([
      { match: { params: { Dept: "AAA" } }, body: page("AAA", ["10001", "10002"]), type: "text/xml" },
      { match: { params: { Dept: "BBB" } }, body: page("BBB", ["10002", "10003"]), type: "text/xml" },
      {
        match: { params: { Breadth: "/GE/i", Submit: "/Web/i" } },
        body: "<html>No courses matched your search</html>",
      },
      { match: { params: { Breadth: "/GE/i" } }, empty: true },
    ]);
    const departments = [
      { deptCode: "AAA", deptName: "A" },
      { deptCode: "BBB", deptName: "B" },
    ];
    // The second time from the landing.
    for (let run = 0; run < 2; run++) {
      const crawled = await crawl(FALL, { departments });
      const rows = await readLanded(crawled.sectionsPaths);
      expect(rows.map((row) => [row["deptCode"], row["sectionCode"]]).sort()).toEqual([
        ["AAA", "10001"],
        ["AAA", "10002"],
        ["BBB", "10003"],
      ]);
      expect(crawled.report.dropped).toEqual([
        { reason: "a section code that another department has", count: 1, names: ["2017 Fall BBB 10002: of AAA"] },
      ]);
    }
  });

  it("refuses a list without departments, and a term without sections", async () => {
    await start(world);
    await expect(crawl(FALL, { departments: [] })).rejects.toBeInstanceOf(UpstreamBadAnswer);
    const departments = [{ deptCode: "NONE", deptName: "None" }];
    await expect(crawl(FALL, { departments })).rejects.toThrow("2017 Fall has no section in any of its departments");
    expect(await crawl(FALL, { departments, allowEmpty: true })).toMatchObject({ sections: 0, sectionsPaths: [] });
  });

  it("keeps to the client's concurrency, and its landing goes when it is discarded", async () => {
    await start(world, { latency: 5 });
    const crawled = await crawl(SUMMER);
    expect(upstream.stats().maxConcurrent).toBeLessThanOrEqual(4);
    expect(await readdir(root)).toEqual(["2017-Summer1"]);
    await crawled.discard();
    expect(await readdir(root)).toEqual([]);
  });
});
