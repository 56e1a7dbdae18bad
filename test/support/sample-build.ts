/** The sample campus, built as of one moment, and what `make sql` says of it. */
import { join } from "node:path";
import { expect } from "vitest";
import { startCampus } from "../../pipeline/campus/listening/server.ts";
import { readPipelineConfig, type System } from "../../pipeline/settings/pipeline.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { silentLog } from "../../pipeline/log.ts";
import { runSql } from "../../pipeline/publish/sql/sql-shell.ts";
import { recordSampleHistory } from "../../pipeline/run/commands/sample-history.ts";
import { runPipeline } from "../../pipeline/run/run.ts";
import { sampleSource } from "../../pipeline/run/source.ts";
import type { openFolder } from "./whole-run.ts";

export const SAMPLE_NOW = new Date("2026-11-25T18:00:00Z");

export type Folder = Awaited<ReturnType<typeof openFolder>>;

/** What `make build-data` does, at that moment. */
export async function buildSample(
  { env }: Folder,
  terms: string,
  systems?: readonly System[],
  now = SAMPLE_NOW,
): Promise<void> {
  const campus = await startCampus({ size: "standard", clock: () => now });
  const progress = createProgressLines(silentLog);
  const config = readPipelineConfig({ ...env, TERMS: terms });
  const options = { config, mode: "build" as const, now: () => now, log: silentLog, progress };
  await recordSampleHistory(options);
  const report = await runPipeline({ ...options, source: sampleSource("standard", campus, systems) });
  expect(report.failed).toBe(false);
}

export async function rowsOf<Row>(folder: Folder, sql: string): Promise<Row[]> {
  let text = "";
  for await (const piece of runSql(folder.artifacts, sql, "json", { tempFolder: join(folder.data, "spill") }))
    text += piece;
  return JSON.parse(text) as Row[];
}
