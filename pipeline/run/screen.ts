/** A run that a person watches: a line for each phase, warnings among them, and no other log. */
import type { PipelineConfig } from "../settings/pipeline.ts";
import { createTerminal, type Progress } from "./progress.ts";
import { createLog, type Log } from "../log.ts";
import { STEPS } from "./run-products.ts";

/** The products, and what comes before and after them. */
export const PHASES = STEPS.length + 2;

/** Undefined where standard error is no terminal, and where `LOG_LEVEL` asks for the log. */
export function openScreen(
  { isDumbTerminal, isLogWanted }: PipelineConfig,
  phases: number,
): { readonly log: Log; readonly progress: Progress } | undefined {
  if (!process.stderr.isTTY || isLogWanted) return undefined;
  const terminal = createTerminal(process.stderr, { phases, isDumb: isDumbTerminal });
  // Whoever interrupts the run finds an empty last line. A command with listeners of its own decides itself.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    if (process.listenerCount(signal) === 0)
      process.once(signal, () => {
        terminal.stop();
        process.kill(process.pid, signal);
      });
  return { log: createLog("warn", terminal.print, () => " "), progress: terminal };
}
