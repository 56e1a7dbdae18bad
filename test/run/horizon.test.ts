/**
 * A first build publishes the newest terms first. A run with a horizon leaves older terms to later runs, which add them
 * without any guard taking the difference for damage.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { campusToday } from "../../pipeline/contract/campus-time.ts";
import { termName } from "../../pipeline/contract/vocabulary.ts";
import { silentLog } from "../../pipeline/log.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { runPipeline } from "../../pipeline/run/run.ts";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { readFreshness } from "../../pipeline/store/freshness.ts";
import { isFinished, readPublished } from "../../pipeline/store/published.ts";
import { start } from "../support/program.ts";
import type { Status } from "../../server/status/status-report.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { OCTOBER, readSmallWorld } from "../support/worlds/small-world.ts";
import { openFolder, run } from "../support/whole-run.ts";

const SINCE = campusToday(OCTOBER);
let upstream: Upstream;
let limited: Awaited<ReturnType<typeof openFolder>>;
let whole: Awaited<ReturnType<typeof openFolder>>;
const urls = () => {
  const { CALENDAR_URL, CATALOGUE_URL, RECORDS_URL, SCHEDULE_URL } = upstream.urls;
  return { CALENDAR_URL, CATALOGUE_URL, RECORDS_URL, SCHEDULE_URL };
};
const runSince = (mode: "build" | "refresh", since?: string) =>
  runPipeline({
    config: readPipelineConfig({ ...urls(), ...limited.env }),
    mode,
    since,
    now: () => OCTOBER,
    log: silentLog,
    progress: createProgressLines(silentLog),
  });
async function publishedTerms(): Promise<string[]> {
  const { files } = (await readPublished(limited.artifacts)).manifest;
  return files.flatMap(({ table, partition: { year, quarter } }) =>
    table === "sections" && year && quarter ? termName({ year, quarter }) : [],
  );
}
const requestedTerms = () =>
  new Set(upstream.requests.flatMap(({ system, params }) => (system === "schedule" && params["YearTerm"]) || []));

beforeAll(async () => {
  upstream = await startUpstream(readSmallWorld());
  [limited, whole] = [await openFolder(), await openFolder()];
});
afterAll(async () => {
  await upstream?.close();
  await limited?.remove();
  await whole?.remove();
});

it("publishes only terms that were not over by the horizon, and the number of the others", async () => {
  expect((await runSince("build", SINCE)).failed).toBe(false);
  expect((await publishedTerms()).sort()).toEqual(["2019 Fall", "2020 Fall"]);
  expect((await readFreshness(limited.artifacts)).olderTerms).toBe(2);
  expect(await isFinished(limited.artifacts)).toBe(false);
});

it("leaves a term that ended before an earlier horizon to a later run", async () => {
  upstream.reset();
  expect((await runSince("refresh", "2019-06-01")).failed).toBe(false);
  expect((await publishedTerms()).sort()).toEqual(["2019 Fall", "2019 Summer1", "2020 Fall"]);
  expect(requestedTerms()).not.toContain("2019-03");
  expect((await readFreshness(limited.artifacts)).olderTerms).toBe(1);
});

it("ends up with the same data as a build without a horizon", async () => {
  expect((await runSince("refresh")).failed).toBe(false);
  expect(await isFinished(limited.artifacts)).toBe(true);
  await run({ ...urls(), ...whole.env }, "build", () => OCTOBER);
  const contentOf = async ({ artifacts }: typeof whole) => (await readPublished(artifacts)).manifest.contentId;
  expect(await contentOf(limited)).toBe(await contentOf(whole));
});

it("is served while the build goes on; SIGTERM ends both", async () => {
  const here = await openFolder();
  const { CALENDAR_URL, SCHEDULE_URL } = urls();
  const { child, ended, says } = start("server/main.ts", ["--build"], {
    ...{ ...here.env, CALENDAR_URL, SCHEDULE_URL, HOST: "127.0.0.1", PORT: "0", CRAWL_PAUSE_MS: "0" },
  });
  const [, url = ""] = await says(/"url":"(http:\/\/127\.0\.0\.1:\d+)"/);
  expect((await fetch(`${url}/v1/rest/week`)).status).toBe(200);
  const { olderTerms } = (await (await fetch(`${url}/status`)).json()) as Status;
  expect([3, 0, null]).toContain(olderTerms);
  await says(/first build: everything is published/);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  await here.remove();
}, 120_000);
