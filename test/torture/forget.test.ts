/** `make forget` on the sample campus with ten snapshots, killed at some of its steps, and on a small world at many. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCampus } from "../../pipeline/campus/listening/server.ts";
import { silentLog } from "../../pipeline/log.ts";
import { findDamaged } from "../../pipeline/store/file-check.ts";
import { type Generation, readCurrent } from "../../pipeline/store/published.ts";
import { verifyGeneration } from "../../pipeline/store/verify.ts";
import { readPublishedVersions } from "../../pipeline/store/versions.ts";
import { type Disk, nodeDisk } from "../../pipeline/disk/disk.ts";
import { takeDown } from "../../pipeline/run/commands/forget.ts";
import { recordSampleHistory } from "../../pipeline/run/commands/sample-history.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { runPipeline } from "../../pipeline/run/run.ts";
import { sampleSource } from "../../pipeline/run/source.ts";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { makeWorld } from "../pipeline/forget/forget-world.ts";
import { killForget } from "../pipeline/forget/kill-forget.ts";
import { faultyDisk } from "../pipeline/publish/faulty-disk.ts";
import { scratchDatabase, scratchFolder } from "../pipeline/publish/scratch.ts";
import { placesWith } from "../support/decoded-bytes.ts";

const { connection } = await scratchDatabase();
const scratch = scratchFolder();
/**
 * The kills in the small world, where each takes two seconds, and in the sample's, where each takes one or two minutes:
 * evenly over all steps.
 */
const [KILLS, SAMPLE_KILLS] = [300, 4];
const HOUR_MS = 3_600_000;

test("killed at its steps in a small world, the next one finishes it", async () => {
  const { broken, kills, steps } = await killForget(connection, await makeWorld(scratch), KILLS);
  process.stdout.write(`a small world: ${kills} kills at ${steps} steps, ${broken.length} broken promises\n`);
  expect(broken).toEqual([]);
}, 3_600_000);

test("ten snapshots of the sample campus: nobody is left in any byte, whenever it is killed", async () => {
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
  const forget = (at: string, disk: Disk) => {
    const config = { artifactsDir: join(at, "artifacts"), dataDir: join(at, "data") };
    return takeDown(config, { netid }, { ask: () => Promise.resolve(true), log: silentLog, now: () => now, disk });
  };
  const copy = (): string => {
    const to = mkdtempSync(join(scratch, "copy-"));
    cpSync(template, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    return to;
  };
  const traced = faultyDisk();
  const whole = copy();
  await forget(whole, traced.disk);
  expect(await placesWith(connection, [whole], texts)).toEqual([]);
  const { length } = traced.steps;
  for (let n = 0; n < SAMPLE_KILLS; n++) {
    const at = copy();
    const { disk } = faultyDisk({ at: Math.floor(((n + 0.5) * length) / SAMPLE_KILLS), fault: "kill-before" });
    await forget(at, disk).catch(() => undefined);
    const { folder: objects, manifest } = (await readCurrent(join(at, "artifacts"))) as Generation;
    expect(await findDamaged(objects, manifest.files, nodeDisk)).toEqual([]);
    await forget(at, nodeDisk);
    expect(await verifyGeneration(connection, (await readCurrent(join(at, "artifacts"))) as Generation)).toEqual([]);
    expect(await placesWith(connection, [at], texts)).toEqual([]);
    expect(await readPublishedVersions(join(at, "artifacts"))).toHaveLength(10);
    rmSync(at, { recursive: true });
  }
  process.stdout.write(`the sample campus: ${SAMPLE_KILLS} kills at ${length} steps, nothing is left of ${netid}\n`);
}, 3_600_000);
