/** Sets up the display of a run that a person watches: a line for each phase, warnings among them, and no other log. */
import type { PipelineConfig } from "../settings/pipeline.ts";
import { createTerminal, type Progress } from "./progress.ts";
import { createLog, type Log } from "../log.ts";
import { STEPS } from "./run-products.ts";

/** The products, a phase before them and a phase after them. */
export const PHASES = STEPS.length + 2;

/** Returns undefined when standard error is no terminal, and when `LOG_LEVEL` asks for the log. */
export function openScreen(
  { isDumbTerminal, isLogWanted }: PipelineConfig,
  phases: number,
): { readonly log: Log; readonly progress: Progress } | undefined {
  if (!process.stderr.isTTY || isLogWanted) return undefined;
  const terminal = createTerminal(process.stderr, { phases, isDumb: isDumbTerminal });
  // Leave an empty last line after an interrupt. A command with its own listeners decides itself.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    if (process.listenerCount(signal) === 0)
      process.once(signal, () => {
        terminal.stop();
        process.kill(process.pid, signal);
      });
  return { log: createLog("warn", terminal.print, () => " "), progress: terminal };
}
