/** Runs an action one call at a time. Calls during a run share one more run, because the first may have missed what they are about. */
export interface Coalesced {
  /** Resolves after a run that began now or later. */
  run(): Promise<void>;
  settled(): Promise<void>;
}

/** @param action never rejects */
export function coalesce(action: () => Promise<void>): Coalesced {
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
    running = action().finally(() => (running = undefined));
    return running;
  }
  return { run, settled: async () => void (await (next ?? running)) };
}
