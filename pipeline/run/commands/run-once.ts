/** `make build-data`, `make refresh`: one run, and its report. */
import { constants, setPriority } from "node:os";
import type { PipelineConfig } from "../../config.ts";
import { createBar, createProgressLines } from "../../crawl/progress.ts";
import { createLog } from "../../log.ts";
import type { RunMode } from "../../products/context.ts";
import { diskAdvice } from "../disk-need.ts";
import { reportText } from "../run-report.ts";
import { runPipeline } from "../run.ts";
import { recordSampleHistory } from "./sample-history.ts";

/** Returns false when a product failed. @throws LockedError while another run is in progress */
export async function runOnce(config: PipelineConfig, mode: RunMode): Promise<boolean> {
  // A server on the same cores goes first; what is started from here on, the sample campus too, inherits the priority.
  if (mode === "refresh") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const bar = process.stderr.isTTY ? createBar(process.stderr) : undefined;
  const log = createLog(config.logLevel, bar?.print);
  const progress = bar ?? createProgressLines(log);
  const options = { config, mode, now: () => new Date(), log, progress };
  try {
    if (mode === "build") await recordSampleHistory(options);
    const report = await runPipeline(options);
    process.stdout.write(`${reportText(report)}\n`);
    return !report.failed;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const advice = await diskAdvice(message, config).catch(() => undefined);
    throw advice === undefined ? error : new Error(`${message}; ${advice}`, { cause: error });
  }
}
