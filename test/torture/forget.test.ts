/** `make forget` on the sample campus with ten snapshots. A kill at any step is in the crash states. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCampus } from "../../pipeline/campus/listening/server.ts";
import { silentLog } from "../../pipeline/log.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { verifySnapshot } from "../../pipeline/store/verify.ts";
import { readPublishedVersions } from "../../pipeline/store/versions.ts";
import { takeDown } from "../../pipeline/run/commands/forget.ts";
import { recordSampleHistory } from "../../pipeline/run/commands/sample-history.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { runPipeline } from "../../pipeline/run/run.ts";
import { sampleSource } from "../../pipeline/run/source.ts";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";
import { placesWith } from "../support/decoded-bytes.ts";

const { connection } = await scratchDatabase();
const scratch = scratchFolder();
const HOUR_MS = 3_600_000;

test("ten snapshots of the sample campus: nobody is left in any byte", async () => {
  const template = join(scratch, "sample");
  const env = { ARTIFACTS_DIR: join(template, "artifacts"), DATA_DIR: join(template, "data") };
  let now = new Date("2026-11-24T18:00:00Z");
  const campus = await startCampus({ size: "standard", clock: () => now });
  const options = {
    config: readPipelineConfig(env),
    now: () => now,
    log: silentLog,
    progress: createProgressLines(silentLog),
    source: sampleSource("standard", { ...campus, close: () => Promise.resolve() }),
  };
  try {
    await recordSampleHistory({ ...options, mode: "build" });
    await runPipeline({ ...options, mode: "build" });
    while ((await readPublishedVersions(env.ARTIFACTS_DIR)).length < 10) {
      now = new Date(now.getTime() + HOUR_MS);
      await runPipeline({ ...options, mode: "refresh" });
    }
  } finally {
    await campus.close();
  }
  const folder = join(env.ARTIFACTS_DIR, "current");
  const read = await connection.runAndReadAll(
    `SELECT netid, "name", "shortenedName" FROM read_parquet('${folder}/instructors/*.parquet') AS i
     WHERE (SELECT count(*) FROM read_parquet('${folder}/instructors/*.parquet') AS o WHERE o."shortenedName" = i."shortenedName") = 1
     ORDER BY length(to_json("courseHistory")::VARCHAR) DESC LIMIT 1`,
  );
  const [netid = "", name = "", shortenedName = ""] = read.getRowsJS()[0] as string[];
  const texts = [netid, name, shortenedName];
  expect((await placesWith(connection, [template], texts)).length).toBeGreaterThan(100);
  const config = { artifactsDir: env.ARTIFACTS_DIR, dataDir: env.DATA_DIR };
  await takeDown(config, { netid }, { ask: () => Promise.resolve(true), log: silentLog, now: () => now });
  const current = (await readCurrent(env.ARTIFACTS_DIR)) as PublishedSnapshot;
  expect(await verifySnapshot(connection, current)).toEqual([]);
  expect(await placesWith(connection, [template], texts)).toEqual([]);
  expect(await readPublishedVersions(env.ARTIFACTS_DIR)).toHaveLength(10);
  process.stdout.write(`the sample campus: nothing is left of ${netid}\n`);
}, 3_600_000);
