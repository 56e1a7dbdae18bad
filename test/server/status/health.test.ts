/** Readiness says what is served, how old it is, and what the last run could not do. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { RunReport } from "../../../pipeline/contract/documents/run-report.ts";
import { layoutOf } from "../../../pipeline/store/layout.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { writeRunReport } from "../../../pipeline/run/run-report.ts";
import type { Status } from "../../../server/status/status-report.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { ask } from "../http/wire.ts";
import { runOf } from "./run-of.ts";
import { scrape } from "../telemetry/scrape.ts";

interface Ready {
  status: string;
  snapshot: string | null;
  generation: number | null;
  ageSeconds: number | null;
  stale: boolean | null;
  overdueSince: string | null;
  refused: string | null;
  lastRefused: { why: string; at: string } | null;
  lastRun: { mode: string; startedAt: string; failed: boolean; faults: { product: string; why: string }[] } | null;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server over one section that was looked at `hoursAgo`, and what the last run reported. */
async function open({
  hoursAgo,
  nextRefresh = null,
  report,
}: { hoursAgo?: number; nextRefresh?: Date | null; report?: RunReport } = {}) {
  const folder = await openFolder();
  closing.push(folder.remove);
  await mkdir(folder.artifacts, { recursive: true });
  const sections = [sectionRow({})];
  if (hoursAgo !== undefined)
    await publishRows(
      folder.artifacts,
      { sections, headings: headingsOf(sections) },
      { now: new Date(Date.now() - hoursAgo * 3_600_000), nextRefresh },
    );
  if (report) await writeRunReport(folder.artifacts, report, silentLog);
  const server = await serve(folder.env);
  closing.push(server.close);
  const ready = async (path = "/health/ready") => {
    const answer = await ask(`${server.url}${path}`);
    return { status: answer.status, body: answer.json<Ready>() };
  };
  return { ...server, artifacts: folder.artifacts, ready };
}

it("live while the process answers, ready only with data; the short names say the same", async () => {
  const { url, ready } = await open();
  for (const path of ["/health", "/health/live"]) {
    const answer = await ask(`${url}${path}`);
    expect([answer.status, answer.json()]).toEqual([200, { status: "ok" }]);
  }
  const { status, body } = await ready();
  expect([status, body]).toMatchObject([
    503,
    { status: "no data", snapshot: null, generation: null, ageSeconds: null, stale: null, lastRun: null },
  ]);
  expect(await ready("/ready")).toEqual({ status, body });
  expect((await scrape(url)).labelsOf("academic_data_snapshot_info")).toEqual([]);
});

it.each([
  [0.5, false],
  [1.99, false],
  [2.01, true],
  [49, true],
])("%d hours after the last successful look, stale is %s; it is served all the same", async (hoursAgo, stale) => {
  const { url, ready } = await open({ hoursAgo });
  const { status, body } = await ready();
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "ready", generation: 1, stale, refused: null, lastRefused: null });
  expect(body.ageSeconds).toBeGreaterThanOrEqual(hoursAgo * 3600 - 1);
  expect(body.ageSeconds).toBeLessThan(hoursAgo * 3600 + 60);
  // The run an hour after the last one did not come.
  const due = Date.now() - (hoursAgo - 1) * 3_600_000;
  if (stale) expect(Math.abs(Date.parse(body.overdueSince ?? "") - due)).toBeLessThan(60_000);
  else expect(body.overdueSince).toBeNull();
  const { snapshot } = (await ask(`${url}/status`)).json<Status>();
  expect(snapshot).toMatchObject({ stale, overdueSince: body.overdueSince });
  const index = (await ask(`${url}/`)).json<{ snapshot: { overdueSince: string | null } }>();
  expect(index.snapshot.overdueSince).toBe(body.overdueSince);
});

it("a refresh that lies in the future says nothing about the age: it is stale, and no response is fresh for longer than an hour", async () => {
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const { url, ready } = await open({ hoursAgo: -120, nextRefresh: days(5) });
  expect((await ready()).body).toMatchObject({ ageSeconds: 0, stale: true, overdueSince: null });
  const path = "/v1/rest/schedule?year=2024&quarter=Fall&department=DANCE";
  const { status, headers } = await ask(`${url}${path}`);
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=3600"]);
  expect(Date.parse(headers["last-modified"] as string)).toBeLessThanOrEqual(Date.parse(headers["date"] as string));
});

it("what failed or was refused in the last run, in words without places", async () => {
  const { ready } = await open({
    hoursAgo: 1,
    report: runOf([
      {
        product: "schedule",
        status: "failed",
        error: "2024 Fall: lost more than 5 % of /srv/data/landing/x.parquet\n    at run",
      },
      { product: "grades", damaged: ["UG_Grades.csv is cut off"] },
      { product: "larc" },
    ]),
  });
  const { body } = await ready();
  expect(body.lastRun).toMatchObject({
    mode: "refresh",
    failed: true,
    faults: [
      { product: "schedule", why: "2024 Fall: lost more than 5 % of x.parquet" },
      { product: "grades", why: "UG_Grades.csv is cut off" },
    ],
  });
});

it("a report that cannot be read is none", async () => {
  const { ready, artifacts } = await open({ hoursAgo: 1 });
  for (const text of ["{", "[]", '{"mode":"build"}']) {
    await writeFile(join(artifacts, "report.json"), text);
    expect((await ready()).body).toMatchObject({ status: "ready", lastRun: null });
  }
});

describe("a refused snapshot", () => {
  it("is named while it is refused, and remembered afterwards", async () => {
    const { url, ready, artifacts } = await open({ hoursAgo: 1 });
    const { pointer } = layoutOf(artifacts);
    const sound = await readFile(pointer, "utf8");
    await writeFile(pointer, "{");
    const becomes = async (status: string) => {
      for (let tries = 0; ; tries++) {
        const found = await ready();
        if (found.body.status === status) return found;
        if (tries > 300) throw new Error(`never ${status}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const refused = await becomes("degraded");
    expect(refused.status).toBe(200);
    expect(refused.body.refused).toContain("current.json");
    await writeFile(pointer, sound);
    const { body } = await becomes("ready");
    expect(body.refused).toBeNull();
    expect(body.lastRefused?.why).toBe(refused.body.refused);
    expect(Date.now() - Date.parse(body.lastRefused?.at ?? "")).toBeLessThan(30_000);
    const scraped = await scrape(url);
    expect([
      scraped.of("academic_data_snapshot_rejections_total"),
      scraped.of("academic_data_snapshot_swaps_total"),
    ]).toEqual([1, 1]);
  });
});
