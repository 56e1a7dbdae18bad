/** The pipeline's commands. Exit status: 0 published or unchanged, 1 a product failed, 2 bad configuration or usage, 3 another run holds the lock. */
import { constants, setPriority } from "node:os";
import { Command, CommanderError } from "commander";
import { askYes, cleanData } from "./run/commands/clean-data.ts";
import { type PipelineConfig, readPipelineConfig } from "./config.ts";
import { campusToday } from "./contract/campus-time.ts";
import { CONTRACT_VERSION } from "./contract/tables.ts";
import { ensurePublished } from "./run/commands/ensure.ts";
import { LockedError, UsageError } from "./errors.ts";
import { createLog } from "./log.ts";
import { migratePublished } from "./migrations/migrate.ts";
import type { RunMode } from "./products/context.ts";
import { createProgress } from "./crawl/progress.ts";
import { exportSnapshot } from "./following/export.ts";
import { readPublishedVersions } from "./migrations/contract-versions.ts";
import { exportLake } from "./lake/export.ts";
import { openDatabase } from "./publish/database.ts";
import { readCurrent } from "./publish/generation.ts";
import { layoutOf } from "./publish/layout.ts";
import { acquireLock } from "./publish/lock/lock.ts";
import { SQL_FORMATS } from "./publish/sql/sql-output.ts";
import { verifyGeneration } from "./publish/verify.ts";
import { reportText } from "./run/run-report.ts";
import { printSql, type SqlFlags } from "./run/commands/print-sql.ts";
import { restoreBackup } from "./run/commands/restore-backup.ts";
import { runPipeline } from "./run/run.ts";
import { recordSampleHistory } from "./run/commands/sample-history.ts";
import { watch } from "./run/commands/watch.ts";

const OK = 0;
const FAILED = 1;
const USAGE = 2;
const LOCKED = 3;

async function runOnce(config: PipelineConfig, mode: RunMode): Promise<number> {
  // A server on the same cores goes first; what is started from here on, the sample campus too, inherits the priority.
  if (mode === "refresh") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const log = createLog(config.logLevel);
  const progress = createProgress(process.stderr.isTTY === true, log);
  const options = { config, mode, now: () => new Date(), log, progress };
  if (mode === "build") await recordSampleHistory(options);
  const report = await runPipeline(options);
  process.stdout.write(`${reportText(report)}\n`);
  return report.failed ? FAILED : OK;
}

async function ensure(config: PipelineConfig): Promise<number> {
  if (config.follows) return OK;
  await migrate(config);
  const build = () => runOnce(config, "build");
  return (await ensurePublished(config.artifactsDir, build, createLog(config.logLevel))) ? OK : FAILED;
}

/** After an upgrade the data is served as soon as it is migrated; the next run fetches what is new. */
async function migrate(config: PipelineConfig): Promise<void> {
  const [newest] = await readPublishedVersions(config.artifactsDir);
  if (!newest || newest.manifest.contract === CONTRACT_VERSION) return;
  const log = createLog(config.logLevel);
  try {
    const lock = await acquireLock(layoutOf(config.artifactsDir).lock);
    try {
      const now = new Date();
      const assertHeld = () => lock.assertHeld();
      const today = campusToday(now);
      const done = await migratePublished({ ...config, now, today, allowLoss: config.allowShrink, log, assertHeld });
      for (const problem of done?.problems ?? []) log.error("recorded history was damaged", { problem });
    } finally {
      await lock.release();
    }
  } catch (error) {
    // The run under way migrates it.
    if (!(error instanceof LockedError)) throw error;
  }
}

async function restore({ artifactsDir, dataDir }: PipelineConfig, day: string): Promise<number> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new UsageError(`the day must be written as 2026-11-20, not ${day}`);
  const { notes, problems } = await restoreBackup({ artifactsDir, dataDir, day, now: new Date() });
  for (const line of [...notes, ...problems]) process.stdout.write(`${line}\n`);
  return problems.length > 0 ? FAILED : OK;
}

async function verify(config: PipelineConfig): Promise<number> {
  const generation = await readCurrent(config.artifactsDir);
  if (!generation) throw new UsageError("nothing is published yet");
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: config.artifactsDir });
  try {
    const problems = await verifyGeneration(database.connection, generation);
    for (const { path, problem } of problems) process.stdout.write(`${path}: ${problem}\n`);
    const { files, id } = generation.manifest;
    process.stdout.write(`snapshot ${id}: ${files.length} files, ${problems.length} problems\n`);
    return problems.length > 0 ? FAILED : OK;
  } finally {
    database.close();
  }
}

/** Returns a line that says what was exported. */
async function lake({ artifactsDir, retain }: PipelineConfig, folder: string): Promise<string> {
  const { snapshot, changed } = await exportLake(artifactsDir, folder, { now: new Date(), retain });
  const versions = changed.map((name) => `${name} ${snapshot.versions[name]}`);
  return `exported ${snapshot.id}: ${versions.length === 0 ? "no table changed" : versions.join(", ")}`;
}

async function clean({ artifactsDir }: PipelineConfig, isAgreed: boolean): Promise<number> {
  if (!isAgreed && !process.stdin.isTTY)
    throw new UsageError("clean-data asks before it deletes: run it in a terminal, or say so with YES=1 (--yes)");
  const isDeleted = await cleanData(artifactsDir, async (loss) => {
    process.stdout.write(`${loss}\n`);
    return isAgreed || askYes('Type "yes" to delete it: ');
  });
  process.stdout.write(isDeleted ? "Deleted.\n" : "Nothing was deleted.\n");
  return isDeleted ? OK : FAILED;
}

/** Reads the environment, and warns of what was probably meant otherwise. */
function readConfig(): PipelineConfig {
  const config = readPipelineConfig(process.env);
  const log = createLog(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  return config;
}

function createProgram(done: (status: number) => void): Command {
  const program = new Command("pipeline")
    .description("Crawls a university's public academic data into Parquet")
    .exitOverride();
  const command = (name: string, about: string, action: (config: PipelineConfig) => Promise<number>) =>
    program
      .command(name)
      .description(about)
      .action(async () => done(await action(readConfig())));
  command("build", "crawl every product of every term", (config) => runOnce(config, "build"));
  command("refresh", "crawl what may have changed: the hourly run", (config) => runOnce(config, "refresh"));
  command("ensure", "build, if nothing is published yet", ensure);
  command("watch", "refresh every hour, never overlapping", (config) =>
    watch(config, () => runOnce(config, "refresh")),
  );
  program
    .command("sql")
    .description("one read-only SQL statement over the published tables")
    .option("-f, --format <format>", SQL_FORMATS.join(", "), "table")
    .option("--as-of <time>", "a snapshot id, a day or a time: the snapshot that was current then", "")
    .argument("[statement]", "a SELECT", "")
    .action(async (statement: string, flags: SqlFlags) => {
      await printSql(readConfig().artifactsDir, statement, flags);
      done(OK);
    });
  program
    .command("export")
    .description("a static copy of /v1/data, for any host of files")
    .option("--delta", "Delta Lake tables instead", false)
    .argument("<folder>", "where it is written")
    .action(async (folder: string, { delta }: { delta: boolean }) => {
      const config = readConfig();
      if (folder === "") throw new UsageError("a folder is needed: make lake TO=/srv/lake");
      const line = delta ? await lake(config, folder) : `exported ${await exportSnapshot(config.artifactsDir, folder)}`;
      process.stdout.write(`${line}\n`);
      done(OK);
    });
  program
    .command("clean-data")
    .description("delete what is published, after listing what is lost and asking")
    .option("--yes", "do not ask", false)
    .action(async ({ yes }: { yes: boolean }) => done(await clean(readConfig(), yes)));
  program
    .command("restore")
    .description("the recorded history of a backup, in the place of the published one")
    .argument("[day]", "the backup of that day, or the newest before it: 2026-11-20", campusToday(new Date()))
    .action(async (day: string) => done(await restore(readConfig(), day)));
  command("verify", "compare every published file with its hash and the contract", verify);
  return program;
}

async function main(): Promise<number> {
  let status = OK;
  try {
    await createProgram((given) => (status = given)).parseAsync();
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) return USAGE;
    if (error instanceof LockedError) return LOCKED;
    return FAILED;
  }
}

process.exitCode = await main();
