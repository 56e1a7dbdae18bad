/**
 * A schedule system that fails while a term is crawled, and crawls that were cut short: never a hole, and nothing is
 * fetched twice.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { termName } from "../../../pipeline/contract/vocabulary.ts";
import { UpstreamBadResponse, UpstreamError } from "../../../pipeline/errors.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { spawnModule } from "../../run/run-process.ts";
import { someOf } from "../../support/extent.ts";
import { FALL, openTermCrawls, quickClient, SUMMER } from "./term-crawls.ts";
import type { Fault } from "../../support/upstream/faults.ts";
import type { WorldSection } from "../../support/worlds/world.ts";

describe("crawlTerm", () => {
  const { world, upstream, root, start, url, listed, crawl, expectTerm } = openTermCrawls();

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

  it.each(someOf(passing, 4))("recovers from %s, when it passes", async (_, fault) => {
    await start(world);
    const departments = await listed();
    // Every third question fails once, then works.
    upstream().setFaults([{ match: { system: "schedule", nth: { every: 3 } }, times: 1, ...fault }]);
    const crawled = await crawl(SUMMER, { departments });
    expect(upstream().requests.filter(({ fault: struck }) => struck !== null).length).toBeGreaterThan(2);
    await expectTerm(world, SUMMER, crawled);
  });

  it.each(someOf(passing, 4))("fails on %s when it stays, and never leaves a hole", async (_, fault) => {
    await start(world);
    const departments = await listed();
    upstream().setFaults([{ match: { system: "schedule", params: { Dept: "PHYSICS" } }, ...fault }]);
    await expect(crawl(SUMMER, { departments, client: quickClient(1) })).rejects.toBeInstanceOf(UpstreamError);
    upstream().setFaults([]);
    await expectTerm(world, SUMMER, await crawl(SUMMER, { departments }));
  });

  it("does not take an empty answer for a GE category without sections", async () => {
    await start(world);
    const departments = await listed();
    upstream().setFaults([{ match: { params: { Breadth: "GE-2", Submit: "/XML/i" } }, empty: true }]);
    await expect(crawl(FALL, { departments })).rejects.toBeInstanceOf(UpstreamBadResponse);
  });

  it("fetches only what it lacks when it was cut short, and reports what the first run dropped", async () => {
    const odd = world.sections.find((s) => s.deptCode === "ANTHRO" && termName(s) === "2017 Fall") as WorldSection;
    await start({ ...world, sections: [...world.sections, { ...odd, sectionCode: "6057" }] });
    const departments = await listed();
    upstream().setFaults([{ match: { params: { Dept: "STATS" } }, status: 500 }]);
    const policy = { concurrency: 1, pauseMs: 0, timeoutMs: 400, retries: 0, backoffMs: 1, backoffCapMs: 4 };
    await expect(crawl(FALL, { departments, client: createClient("schedule", policy) })).rejects.toThrow("status 500");
    upstream().setFaults([]);
    upstream().reset();
    const crawled = await crawl(FALL, { departments });
    const asked = new Set(upstream().requests.map(({ params }) => params["Dept"]));
    // With one request at a time, all earlier units had landed, except where an empty answer waits to be requested
    // again.
    const filled = new Set(world.sections.filter((s) => termName(s) === "2017 Fall").map((s) => s.deptCode));
    const codes = departments.map(({ deptCode }) => deptCode);
    const landed = codes.slice(0, codes.indexOf("STATS")).filter((code) => filled.has(code));
    expect(landed.length).toBeGreaterThan(5);
    expect(asked).toEqual(new Set(["ALL", ...codes.filter((code) => !landed.includes(code))]));
    await expectTerm(world, FALL, crawled);
    expect(crawled.report.dropped).toMatchObject([{ reason: "a section code that is not five digits", count: 1 }]);
    expect(crawled.report.read).toBe(crawled.sections + 1);
    upstream().reset();
    await crawl(FALL, { departments });
    expect(upstream().requests).toEqual([]);
  });

  it("fetches only what it lacks when its process was killed", async () => {
    await start(world, { latency: 40 });
    const departments = await listed();
    const child = spawnModule(["test/pipeline/crawl/crawl-child.ts", url().href, root()], {});
    const sealedDepartments = async () =>
      (await readdir(join(root(), "2017-Fall")).catch(() => [])).filter((name) => /^department-.*\.memo$/.test(name));
    while ((await sealedDepartments()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exit;
    const sealed = (await sealedDepartments()).length;
    expect(sealed).toBeLessThan(departments.length);
    upstream().reset();
    const crawled = await crawl(FALL, { departments });
    const asked = upstream().requests.filter(({ params }) => params["Breadth"] === "ANY");
    // On a busy machine some are asked twice.
    expect(new Set(asked.map(({ params }) => params["Dept"])).size).toBe(departments.length - sealed);
    await expectTerm(world, FALL, crawled);
  });
});
