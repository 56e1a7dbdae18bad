/** `make build-data`, `make refresh`: a single run, and its report. */
import { constants, setPriority } from "node:os";
import { join, relative } from "node:path";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { createProgressLines, widthOf } from "../progress.ts";
import { readCurrent } from "../../store/published.ts";
import { createLog } from "../../log.ts";
import type { RunMode } from "../../products/context.ts";
import { diskAdvice } from "../disk-need.ts";
import { reportText } from "../run-report.ts";
import { REPORT_FILES } from "../../store/layout.ts";
import { problemsOf, summaryOf } from "../run-summary.ts";
import type { RunOptions } from "../open-run.ts";
import { runPipeline } from "../run.ts";
import { openScreen, PHASES } from "../screen.ts";

interface OnceOptions extends Partial<Pick<RunOptions, "now" | "since" | "source">> {
  /** For cron: writes only problems, unless there is a terminal or `LOG_LEVEL` is set. */
  readonly isQuiet?: boolean;
  /** The server says what is published: no summary, unless there are problems. */
  readonly isOfServer?: boolean;
  /** Writes only problems, also to a terminal. */
  readonly isBackground?: boolean;
}

/**
 * Shows phases and a summary on a terminal; elsewhere writes the log and the whole report.
 * @returns false when a product failed
 * @throws LockedError while another run is in progress
 */
export async function runOnce(
  config: PipelineConfig,
  mode: RunMode,
  { isQuiet = false, isOfServer = false, isBackground = false, now = () => new Date(), ...limits }: OnceOptions = {},
): Promise<boolean> {
  // A server on the same cores has priority; every process that is started from here on, including the sample campus,
  // inherits the lower priority.
  if (mode === "refresh") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const published = async () => (await readCurrent(config.artifactsDir).catch(() => undefined))?.manifest;
  const previous = await published();
  const isWhole = mode === "build" && limits.since === undefined;
  // A refresh needs nothing of the campus, which is a process of its own.
  const sampleHistory = isWhole ? await import("./sample-history.ts") : undefined;
  const hasHistory = (await sampleHistory?.hasHistoryToRecord(config, now())) ?? false;
  const screen = isBackground ? undefined : openScreen(config, hasHistory ? PHASES + 1 : PHASES);
  const onlyProblems = (isQuiet || isBackground) && !screen && !config.isLogWanted;
  const log = screen?.log ?? createLog(onlyProblems ? "warn" : config.logLevel);
  const progress = screen?.progress ?? createProgressLines(log);
  const options = { ...limits, config, mode, now, log, progress };
  try {
    if (hasHistory) await sampleHistory?.recordSampleHistory(options);
    const report = await runPipeline(options);
    const reportPath = shortest(join(config.artifactsDir, REPORT_FILES[1]));
    const summary = async (width: number) =>
      summaryOf(report, { before: previous, after: await published(), reportPath, width });
    if (onlyProblems || (screen && isOfServer))
      print(report.failed || problemsOf(report).length > 0 ? await summary(Infinity) : "");
    else print(screen && process.stdout.isTTY ? `\n${await summary(widthOf(process.stdout))}` : reportText(report));
    return !report.failed;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const advice = await diskAdvice(message, config).catch(() => undefined);
    throw advice === undefined ? error : new Error(`${message}; ${advice}`, { cause: error });
  }
}

const print = (text: string) => text !== "" && process.stdout.write(`${text}\n`);

/** The path relative to the current folder, if that is shorter. */
function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
