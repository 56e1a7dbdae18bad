/** What a run works on: the published base, the source of new data, a staging folder and a database. */
import type { PipelineConfig, System } from "../config.ts";
import type { Progress } from "../crawl/progress.ts";
import type { Log } from "../log.ts";
import type { RunMode } from "../products/context.ts";
import { openDatabase, type Database } from "../publish/database.ts";
import { type Base, readBase } from "../generations/base.ts";
import { collectLeftovers } from "../publish/retention/retention.ts";
import { createStaging, type Staging } from "../publish/staging.ts";
import type { Cleanup } from "./cleanup.ts";
import { readReportedSource } from "./run-report.ts";
import { changedSources, guardSource, type Sources } from "./source-change.ts";
import { openSource, type Source } from "./source.ts";

export interface RunOptions {
  readonly config: PipelineConfig;
  readonly mode: RunMode;
  readonly now: () => Date;
  readonly log: Log;
  readonly progress: Progress;
  /** Instead of the one that the configuration names. */
  readonly source?: Source;
}

export interface OpenRun {
  readonly base: Base;
  /** Where the published data came from. */
  readonly publishedSource: Sources;
  readonly source: Source;
  readonly changed: readonly System[];
  readonly staging: Staging;
  readonly database: Database;
}

/** Call it while holding the lock. @throws UsageError when sample data would replace real data */
export async function openRun({ config, mode, log, source: given }: RunOptions, cleanup: Cleanup): Promise<OpenRun> {
  const { artifactsDir } = config;
  const base = await readBase(artifactsDir);
  const reported = base.unreadable === undefined ? {} : await readReportedSource(artifactsDir);
  const publishedSource = base.generation?.manifest.source ?? reported;
  guardSource(config, mode, publishedSource);
  for (const problem of (await collectLeftovers(artifactsDir)).problems)
    log.warn("leftovers of an earlier run cannot be removed", { problem });
  const staging = createStaging(artifactsDir, base);
  cleanup.add(() => staging.discard());
  const source = given ?? (await openSource(config, log));
  cleanup.add(() => source.close());
  await staging.disk.mkdir(staging.tempFolder);
  // The other core is the server's while a refresh runs.
  const threads = mode === "refresh" ? 1 : 2;
  const database = await openDatabase({ memoryLimit: "400MB", threads, tempFolder: staging.tempFolder });
  cleanup.add(() => database.close());
  return { base, publishedSource, source, changed: changedSources(publishedSource, source.names), staging, database };
}
