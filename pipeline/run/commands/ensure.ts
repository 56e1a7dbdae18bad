/**
 * `make serve` on a fresh machine: migrates, copies from the store, or builds the data that the server needs, the
 * newest terms first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { campusToday } from "../../contract/campus-time.ts";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import { FIRST_TERM } from "../../contract/vocabulary.ts";
import { LockedError } from "../../errors.ts";
import { createLog, type Log } from "../../log.ts";
import { readFreshness } from "../../store/freshness.ts";
import { readBase } from "../../store/open.ts";
import { openSharedStore, type SharedStoreOptions } from "../shared-store.ts";
import { readPublishedVersions } from "../../store/versions.ts";
import { migratePublished } from "../../migrations/migrate.ts";
import { isFinished, isPublished, readCurrent } from "../../store/published.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import type { RunMode } from "../../products/context.ts";
import type { RunOptions } from "../open-run.ts";
import { createProgressLines, phaseLine } from "../progress.ts";
import { runOnce } from "./run-once.ts";
import { sampleHistory } from "./sample-history.ts";

const LOOK_AGAIN_MS = 1000;
/** The years of the second run of a first build; each further run goes back this many times as far. */
const SECOND_YEARS = 2;
const FURTHER = 4;

/** Returns whether anything is published afterwards; a replica gets its data from its origin. */
export async function ensure(config: PipelineConfig): Promise<boolean> {
  if (config.follows) return true;
  const { artifactsDir } = config;
  const [newest] = await readPublishedVersions(artifactsDir);
  if (newest && newest.manifest.contract !== CONTRACT_VERSION) await locked(config, migrate);
  if (!newest && config.publishTo !== undefined) await locked(config, adopt);
  const run: BuildRun = (mode, limits) => runStep(config, mode, limits);
  return buildUp(config, run, () => recordHistory(config, run), createLog(config.logLevel));
}

/** Runs a step of the first build: the first one with a line for each phase, a later one in the background. */
async function runStep(config: PipelineConfig, mode: RunMode, limits: RunLimits): Promise<void> {
  const isBackground = await isPublished(config.artifactsDir);
  const showsPhases = process.stderr.isTTY && !config.isLogWanted;
  if (!isBackground && showsPhases) process.stderr.write(`${headline(config, limits)}\n`);
  const began = performance.now();
  const isSound = await runOnce(config, mode, { ...limits, isOfServer: true, isBackground });
  if (!isBackground) return;
  const { olderTerms } = await readFreshness(config.artifactsDir);
  const words = olderTerms === undefined ? "everything is published" : `${olderTerms} older terms left`;
  if (showsPhases) process.stderr.write(`${phaseLine(isSound ? "done" : "failed", "background", began, words)}\n`);
  else createLog(config.logLevel).info(`first build: ${words}`);
}

const headline = ({ sample }: PipelineConfig, { since }: RunLimits): string =>
  `Building ${sample === undefined ? "the published data" : "the sample campus"}${since === undefined ? "" : ": current terms"} …`;

/** A run in progress does the same. */
async function locked(config: PipelineConfig, work: (options: SharedStoreOptions) => Promise<void>): Promise<void> {
  try {
    const lock = await lockArtifacts(config);
    const now = () => new Date();
    try {
      const log = createLog(config.logLevel);
      await work({ config, now, log, assertHeld: () => lock.assertHeld() });
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
  }
}

/** After an upgrade, data is served as soon as it is migrated; the next run fetches new data. */
async function migrate({ config, now, ...options }: SharedStoreOptions): Promise<void> {
  const done = await migratePublished({ ...config, ...options, now: now(), allowLoss: config.allowShrink });
  for (const problem of done?.problems ?? []) options.log.error("recorded history was damaged", { problem });
}

/** Data that was published elsewhere needs no crawl. */
async function adopt(options: SharedStoreOptions): Promise<void> {
  const store = await openSharedStore(options);
  await store?.adopt(await readBase(options.config.artifactsDir));
}

/** The first of the earlier days of the sample campus is what the server serves first. */
async function recordHistory(config: PipelineConfig, run: BuildRun): Promise<void> {
  const log = createLog("warn");
  const options = { config, mode: "build", now: () => new Date(), log, progress: createProgressLines(log) } as const;
  for await (const { mode, now, since, source } of sampleHistory(options)) await run(mode, { now, since, source });
}

type RunLimits = Partial<Pick<RunOptions, "now" | "since" | "source">>;
/** Builds all of the data, or only that of the terms that were not over on a campus day. */
type BuildRun = (mode: RunMode, limits: RunLimits) => Promise<unknown>;

/**
 * Builds when nothing is published yet: the terms that are not over, then, in ever longer steps, those before, or the
 * wanted terms at once. An unfinished first build continues. Waits while another run holds the lock, and goes on if
 * that run dies. Returns whether anything is published afterwards; a partial build can be served.
 */
export async function buildUp(
  { artifactsDir, terms }: Pick<PipelineConfig, "artifactsDir" | "terms">,
  run: BuildRun,
  recordHistory: () => Promise<unknown>,
  log: Log,
  { wait = () => sleep(LOOK_AGAIN_MS), today = campusToday(new Date()) } = {},
): Promise<boolean> {
  let hasWaited = false;
  let years = 0;
  const sinceYears = (ago: number) =>
    terms || Number(today.slice(0, 4)) - ago <= Number(FIRST_TERM.year)
      ? undefined
      : `${Number(today.slice(0, 4)) - ago}${today.slice(4)}`;
  for (;;) {
    try {
      if (await isFinished(artifactsDir)) return true;
      await recordHistory();
      // A damaged snapshot does not count; the server refuses it.
      const isFirst = !(await isPublished(artifactsDir));
      if (!isFirst)
        years = Math.max(SECOND_YEARS, FURTHER * Math.max(years, await publishedYears(artifactsDir, today)));
      const since = sinceYears(years);
      await run(isFirst ? "build" : "refresh", { since });
      if (since === undefined || (isFirst && !(await isPublished(artifactsDir)))) return isPublished(artifactsDir);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!hasWaited) log.info("waiting for the run in progress");
      hasWaited = true;
      await wait();
    }
  }
}

/** The number of years that the published schedule goes back. */
async function publishedYears(artifactsDir: string, today: string): Promise<number> {
  const files = (await readCurrent(artifactsDir).catch(() => undefined))?.manifest.files ?? [];
  const years = files.flatMap(({ table, partition }) => (table === "sections" ? Number(partition.year) : []));
  return Math.max(0, Number(today.slice(0, 4)) - Math.min(Number(today.slice(0, 4)), ...years));
}
