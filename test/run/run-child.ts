/**
 * A run in a separate process, for tests that kill it: `run-child.ts <build|refresh> <time, ISO 8601>`. It loads
 * everything, waits for a line on standard input, then runs; the clock continues from the given time. The exit status
 * is the pipeline's.
 */
import { once } from "node:events";
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { silentLog } from "../../pipeline/log.ts";
import { createProgressLines } from "../../pipeline/run/progress.ts";
import { runPipeline } from "../../pipeline/run/run.ts";

const [mode = "", time = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
const offset = Date.parse(time) - Date.now();
try {
  const report = await runPipeline({
    config: readPipelineConfig(process.env),
    mode: mode === "refresh" ? "refresh" : "build",
    now: () => new Date(Date.now() + offset),
    log: silentLog,
    progress: createProgressLines(silentLog),
  });
  process.exitCode = report.failed ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
