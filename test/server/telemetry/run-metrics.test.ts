/** The figures of runs in `/metrics`: what the report says, what the freshness says, and what a replica can know. */
import { statfs } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { writeRunReport } from "../../../pipeline/run/run-report.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { CRAWLED, NEXT_REFRESH, openSurface } from "../http/surface-server.ts";
import { ask } from "../http/wire.ts";
import { runOf } from "../status/run-of.ts";
import { scrape, type Scraped } from "./scrape.ts";

const PREFIX = "academic_data_";
const report = runOf([
  { product: "schedule", status: "failed", error: "no answer", ms: 61_500 },
  { product: "grades", damaged: ["UG_Grades.csv is cut off"] },
  { product: "larc", status: "unchanged" },
]);

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const ages = (scraped: Scraped) => scraped.labelsOf(`${PREFIX}last_run_age_seconds`).map(({ product }) => product);

it("without a report no product has a result", async () => {
  const scraped = await scrape(surface.url);
  expect(scraped.labelsOf(`${PREFIX}last_run_success`)).toEqual([]);
  expect(ages(scraped)).toContain("schedule");
});

it("result and duration of each product of the last run, the age of each, the next run, and the free room", async () => {
  await writeRunReport(surface.artifacts, report, silentLog);
  const scraped = await scrape(surface.url);
  const of = (name: string, product?: string) => scraped.of(PREFIX + name, product === undefined ? {} : { product });
  expect(["schedule", "grades", "larc"].map((product) => of("last_run_success", product))).toEqual([0, 0, 1]);
  expect(of("last_run_success", "catalogue")).toBeUndefined();
  expect(of("last_run_duration_seconds", "schedule")).toBe(61.5);
  const age = (Date.now() - CRAWLED.getTime()) / 1000;
  expect(of("last_run_age_seconds", "schedule")).toBeGreaterThan(age - 60);
  expect(of("last_run_age_seconds", "schedule")).toBeLessThanOrEqual(age);
  expect(of("next_run_timestamp_seconds")).toBe(NEXT_REFRESH.getTime() / 1000);
  const { blocks, bsize } = await statfs(surface.artifacts);
  expect(of("disk_free_bytes")).toBeGreaterThan(0);
  expect(of("disk_free_bytes")).toBeLessThanOrEqual(blocks * bsize);
});

it("every name has the prefix or is a standard one", async () => {
  const { names } = await scrape(surface.url);
  expect([...names].filter((name) => !/^(?:academic_data|process|nodejs)_/.test(name))).toEqual([]);
});

it("a replica knows when its origin refreshed, and no run: a report that lies there is of another time", async () => {
  const folder = await openFolder();
  const replica = await serve({ ...folder.env, FOLLOW_URL: surface.url });
  await writeRunReport(folder.artifacts, report, silentLog);
  const scraped = await scrape(replica.url);
  expect(scraped.labelsOf(`${PREFIX}last_run_success`)).toEqual([]);
  expect(ages(scraped)).toContain("schedule");
  expect(scraped.of(`${PREFIX}next_run_timestamp_seconds`)).toBe(NEXT_REFRESH.getTime() / 1000);
  expect((await ask(`${replica.url}/health/ready`)).json()).toMatchObject({ lastRun: null, stale: false });
  await replica.close();
  await folder.remove();
});
