/**
 * The first build of the sample campus starts with some days of the preceding weeks, which show how its schedule
 * developed.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { isFinished } from "../../pipeline/store/published.ts";
import { silentLog } from "../../pipeline/log.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { runSql } from "../support/run-sql.ts";
import { recordSampleHistory } from "../../pipeline/run/commands/sample-history.ts";
import { openFolder } from "../support/whole-run.ts";

// Two weeks before a small term begins.
const NOW = new Date("2026-07-20T18:00:00Z");
const DAYS = ["2026-06-22", "2026-07-13", "2026-07-19"];
let folder: Awaited<ReturnType<typeof openFolder>>;
const record = (env: Record<string, string> = {}, now = () => NOW) =>
  recordSampleHistory({
    config: readPipelineConfig({ ...folder.env, TERMS: "2026 Summer2", ...env }),
    mode: "build",
    now,
    log: silentLog,
    progress: createProgressLines(silentLog),
  });
async function rows(sql: string): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const piece of runSql(folder.artifacts, sql, "json", { tempFolder: join(folder.data, "spill") }))
    text += piece;
  return JSON.parse(text) as Record<string, unknown>[];
}

beforeAll(async () => {
  folder = await openFolder();
  await record({ SAMPLE: "full" });
  expect(await readCurrent(folder.artifacts)).toBeUndefined();
  // An interrupted run continues where it was.
  let asked = 0;
  const interrupting = () => {
    // The first two calls precede the first day.
    if (++asked > 4) throw new Error("interrupted");
    return NOW;
  };
  await expect(record({}, interrupting)).rejects.toThrow("interrupted");
  expect(await readdir(join(folder.artifacts, "snapshots"))).toHaveLength(2);
  await record();
});
afterAll(() => folder?.remove());

it("has a snapshot, a point of the enrollment curves and changes of each of these days", async () => {
  const { manifest, retained } = (await readCurrent(folder.artifacts)) as PublishedSnapshot;
  const created = [manifest, ...retained].map(({ createdAt }) => createdAt.slice(0, 10));
  expect(created.toReversed()).toEqual(DAYS);
  expect(await isFinished(folder.artifacts)).toBe(false);
  const days = await rows("SELECT DISTINCT date FROM enrollment_days WHERE NOT imported ORDER BY date");
  expect(days.map(({ date }) => date)).toEqual(DAYS);
  const changed = await rows(`SELECT DISTINCT strftime("at", '%Y-%m-%d') AS day FROM changes ORDER BY day`);
  expect(changed.map(({ day }) => day)).toEqual(DAYS.slice(1));
  const kinds = (await rows("SELECT DISTINCT kind FROM changes")).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["enrolled", "status"]));
  const [curve] = await rows(
    "SELECT max(c) AS most FROM (SELECT count(DISTINCT totalEnrolled) AS c FROM enrollment_days GROUP BY sectionCode)",
  );
  expect(curve?.["most"]).toBeGreaterThan(3);
});

it("has the days between them and before from the campus's own file", async () => {
  const [all] = await rows(
    "SELECT min(date) AS first, max(date) AS last, count(DISTINCT date) AS days FROM enrollment_days",
  );
  // Days from the opening of enrolment, 15 weeks before 3 August.
  expect(all).toEqual({ first: "2026-04-20", last: DAYS.at(-1), days: 91 });
});

it("is recorded only where nothing is published", async () => {
  const before = await readdir(join(folder.artifacts, "snapshots"));
  await record();
  expect(await readdir(join(folder.artifacts, "snapshots"))).toEqual(before);
});
