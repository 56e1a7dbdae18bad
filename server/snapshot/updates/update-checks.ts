/** Checks for a new generation whenever the artifacts folder may have changed: one check at a time, with a rest after each load. */
import type { DirectoryWatch } from "./watch-directory.ts";

export interface UpdateChecks {
  /** Resolves after a check that began now or later: one that is running may have missed what the call is about. */
  run(): Promise<void>;
  /** Stops watching; resolves when no check is running. */
  close(): Promise<void>;
}

export function startUpdateChecks({
  watch,
  check,
  restMs,
}: {
  watch: DirectoryWatch;
  /** Never rejects. */
  check: () => Promise<void>;
  /** Milliseconds before a change is looked at. */
  restMs: () => number;
}): UpdateChecks {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function run(): Promise<void> {
    if (running) {
      next ??= running.then(() => {
        next = undefined;
        return run();
      });
      return next;
    }
    running = check().finally(() => (running = undefined));
    return running;
  }

  let later: NodeJS.Timeout | undefined;
  const stopWatching = watch(() => {
    const rest = restMs();
    if (rest <= 0) void run();
    else
      later ??= setTimeout(() => {
        later = undefined;
        void run();
      }, rest);
  });

  return {
    run,
    async close() {
      stopWatching();
      clearTimeout(later);
      await (next ?? running);
    },
  };
}
