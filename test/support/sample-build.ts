/** The sample campus, built as of one moment, and what `make sql` says of it. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { startCampus } from "../../pipeline/campus/listening/server.ts";
import { readPipelineConfig, type System } from "../../pipeline/settings/pipeline.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { silentLog } from "../../pipeline/log.ts";
import type { SqlShell } from "../../pipeline/publish/sql/sql-shell.ts";
import { openSql } from "./run-sql.ts";
import { recordSampleHistory } from "../../pipeline/run/commands/sample-history.ts";
import { runPipeline } from "../../pipeline/run/run.ts";
import { sampleSource } from "../../pipeline/run/source.ts";
import type { openFolder } from "./whole-run.ts";

export const SAMPLE_NOW = new Date("2026-11-25T18:00:00Z");

export type Folder = Awaited<ReturnType<typeof openFolder>>;

/** Builds as `make build-data` does, at that moment. */
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

/** A term with departments that ended, the current one, and some of the year before it. */
export const SAMPLE_TERMS = ["2018 Spring", "2025 Fall", "2026 Spring", "2026 Summer1", "2026 Fall"];

/** For tests that only read: built on first use, for the tests of all workers. */
export async function openSample(): Promise<Omit<Folder, "remove">> {
  const place = join(tmpdir(), "academic-data-sample");
  const [data, artifacts] = [join(place, "data"), join(place, "artifacts")];
  const folder = { env: { DATA_DIR: data, ARTIFACTS_DIR: artifacts }, data, artifacts };
  const ended = join(place, "ended");
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (isFirst)
    await buildSample({ ...folder, remove: async () => undefined }, SAMPLE_TERMS.join(",")).finally(() =>
      writeFile(ended, ""),
    );
  else await vi.waitUntil(() => existsSync(ended), { timeout: 600_000, interval: 200 });
  return folder;
}

/** The shells of this process by folder, open until it ends: opening a shell takes ten times as long as a statement. */
const shells = new Map<string, Promise<SqlShell>>();

const openShell = async (artifacts: string): Promise<SqlShell> =>
  openSql(artifacts, { tempFolder: await mkdtemp(join(tmpdir(), "spill-")) });

/** Runs a statement in `make sql`'s shell. */
export async function rowsOf<Row>({ artifacts }: Pick<Folder, "artifacts">, sql: string): Promise<Row[]> {
  const shell = shells.get(artifacts) ?? openShell(artifacts);
  shells.set(artifacts, shell);
  let text = "";
  for await (const piece of (await shell).run(sql, { format: "json" })) text += piece;
  return JSON.parse(text) as Row[];
}
