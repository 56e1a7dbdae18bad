/** The pipeline's commands. Each is loaded when it is called: `sql` needs a third of the program. */
import { Command, CommanderError } from "commander";
import { type PipelineConfig, readPipelineConfig } from "./settings/pipeline.ts";
import { campusToday } from "./contract/campus-time.ts";
import { UsageError } from "./errors.ts";
import { createLog } from "./log.ts";
import type { Environment } from "./settings/settings.ts";
import { SQL_FORMATS } from "./publish/sql/sql-output.ts";

/** Reads the environment, and warns of probable mistakes. */
function readConfig(env: Environment): PipelineConfig {
  const config = readPipelineConfig(env);
  const log = createLog(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  return config;
}

/** Drops empty options, which make passes for unset variables. */
const nonEmpty = (options: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).flatMap(([name, text]) => (text ? [[name, text]] : [])));

/** Calls `done` with the success of the command. */
function createProgram(env: Environment, done: (isDone: boolean) => void): Command {
  const program = new Command("pipeline")
    .description("Crawls a university's public academic data into Parquet")
    .exitOverride();
  const command = (name: string, about: string, action: (config: PipelineConfig) => Promise<boolean>) =>
    program
      .command(name)
      .description(about)
      .action(async () => done(await action(readConfig(env))));
  const loadRunOnce = async () => (await import("./run/commands/run-once.ts")).runOnce;
  command("build", "crawl every product of every term", async (config) => (await loadRunOnce())(config, "build"));
  command("refresh", "crawl what may have changed: the hourly run", async (config) =>
    (await loadRunOnce())(config, "refresh", { isQuiet: true }),
  );
  command("ensure", "build, if nothing is published yet", async (config) =>
    (await import("./run/commands/ensure.ts")).ensure(config),
  );
  command("watch", "refresh every hour, never overlapping", async (config) => {
    const runOnce = await loadRunOnce();
    return (await import("./run/commands/watch.ts")).watch(config, () => runOnce(config, "refresh"));
  });
  program
    .command("doctor")
    .description("check machine, variables, addresses and published data; writes nothing")
    .action(async () => {
      const [{ doctor, tryServing }, { readServerConfig, serverSettings }] = await Promise.all([
        import("./run/commands/doctor.ts"),
        import("./settings/server.ts"),
      ]);
      done(await doctor(env, { settings: serverSettings, read: readServerConfig, tryServing }));
    });
  program
    .command("demo")
    .description("a server, and a sample campus on which an hour passes every few seconds")
    .option("--every <seconds>", "how long an hour takes", "5")
    .action(async ({ every }: { every: string }) => {
      if (!(Number(every) > 0)) throw new UsageError(`--every ${every}: not a number of seconds`);
      done(await (await import("./run/commands/demo.ts")).demo(readConfig(env), env, Number(every)));
    });
  program
    .command("sql")
    .description("read-only SQL statements over the published tables")
    .option("-f, --format <format>", SQL_FORMATS.join(", "), "table")
    .option("--as-of <time>", "a snapshot id, a day or a time: the snapshot that was current then", "")
    .argument("[statement]", "a SELECT; without it, those of standard input, or a prompt", "")
    .action(async (statement: string, flags: { format: string; asOf: string }) => {
      const { printSql } = await import("./run/commands/print-sql.ts");
      await printSql(readConfig(env), env, statement, flags);
    });
  program
    .command("export")
    .description("the current snapshot in a folder or a bucket: for data lakes, and for servers that follow it")
    .option("--delta", "as before: every export has Delta Lake tables", false)
    .argument("<to>", "a folder, or s3://bucket/prefix")
    .action(async (to: string) => {
      const { exportTo } = await import("./run/commands/export.ts");
      await exportTo(readConfig(env), to);
    });
  program
    .command("clean-data")
    .description("delete what is published, after listing what is lost and asking")
    .option("--yes", "do not ask", false)
    .action(async ({ yes }: { yes: boolean }) => {
      const { clean } = await import("./run/commands/clean-data.ts");
      done(await clean(readConfig(env), yes));
    });
  program
    .command("forget")
    .description("take a person or a withdrawn export down, in every snapshot, backup and copy, after asking")
    .option("--netid <netid>", "a person of the directory", "")
    .option("--name <name>", "everybody of that name, such as `DOE, J.`", "")
    .option("--file <file>", "an export of the records office", "")
    .option("--dry-run", "show what would go", false)
    .option("--yes", "do not ask", false)
    .action(async ({ netid, name, file, dryRun, yes }: Record<string, string> & { dryRun: boolean; yes: boolean }) => {
      const { forget } = await import("./run/commands/forget.ts");
      done(await forget(readConfig(env), { ...nonEmpty({ netid, name, file }), isDryRun: dryRun, isAgreed: yes }));
    });
  program
    .command("restore")
    .description("the recorded history of a backup, in the place of the published one")
    .argument("[day]", "the backup of that day, or the newest before it: 2026-11-20", campusToday(new Date()))
    .action(async (day: string) => {
      const { restore } = await import("./run/commands/restore-backup.ts");
      done(await restore(readConfig(env), day));
    });
  command("verify", "compare every published file with its hash and the contract", async (config) =>
    (await import("./run/commands/verify.ts")).verify(config),
  );
  return program;
}

/**
 * Runs the command that the arguments name.
 * @returns true on success
 * @throws UsageError for bad configuration or usage; LockedError; any error of the command
 */
export async function runCommand(env: Environment): Promise<boolean> {
  let isDone = true;
  try {
    await createProgram(env, (isSuccess) => (isDone = isSuccess)).parseAsync();
    return isDone;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already printed the error, or the requested help.
    if (error.exitCode !== 0) throw new UsageError("", { cause: error });
    return true;
  }
}
