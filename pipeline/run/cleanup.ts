import type { Log } from "../log.ts";

export interface Cleanup {
  add(close: () => Promise<void> | void): void;
  /** Closes in reverse order. One failure does not keep the rest open. */
  run(): Promise<void>;
}

export function createCleanup(log: Log): Cleanup {
  const closing: (() => Promise<void> | void)[] = [];
  return {
    add: (close) => void closing.push(close),
    async run() {
      for (const close of closing.toReversed()) {
        try {
          await close();
        } catch (error) {
          log.warn("cleaning up after the run failed", { cause: String(error) });
        }
      }
    },
  };
}
