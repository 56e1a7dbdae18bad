/** Work that several askers wait for at once is done once; who stops waiting does not stop the others. */
import { UpstreamTimeout } from "../errors.ts";

export interface Wait {
  /** When this asker's patience ends, on the clock of `performance.now()`. */
  deadline: number;
  /** Ends this asker's wait. */
  signal?: AbortSignal;
}

export interface SingleFlight<Result> {
  /**
   * Joins the work under way for that key, or starts it.
   * @param start gets a signal that ends the work at the deadline of the one who started it, or when all have left
   * @throws what the work throws; UpstreamTimeout when this asker's deadline passes or its signal ends its wait
   */
  join(key: string, wait: Wait, start: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

class Abandoned extends Error {}

/** Whether work was ended because all who waited for it left before its deadline: that says nothing about the upstream. */
export function isAbandoned(signal: AbortSignal): boolean {
  return signal.reason instanceof Abandoned;
}

interface Run<Result> {
  waiting: number;
  result: Promise<Result>;
  end: AbortController;
}

/** @param system stands in the errors */
export function createSingleFlight<Result>(system: string): SingleFlight<Result> {
  const running = new Map<string, Run<Result>>();

  function begin(key: string, deadline: number, start: (signal: AbortSignal) => Promise<Result>): Run<Result> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), Math.max(0, deadline - performance.now()));
    const run = { waiting: 0, result: start(end.signal), end };
    running.set(key, run);
    const finish = () => {
      clearTimeout(timer);
      if (running.get(key) === run) running.delete(key);
      // Parts that still run, after another part has failed, are called off.
      end.abort();
    };
    run.result.then(finish, finish);
    return run;
  }

  return {
    join(key, { deadline, signal }, start) {
      return new Promise<Result>((resolve, reject) => {
        if (signal?.aborted) return reject(new UpstreamTimeout(system, "nobody waits any more"));
        const run = running.get(key) ?? begin(key, deadline, start);
        run.waiting++;
        const timer = setTimeout(
          () => reject(new UpstreamTimeout(system, "the deadline passed")),
          Math.max(0, deadline - performance.now()),
        );
        const leave = () => {
          clearTimeout(timer);
          reject(new UpstreamTimeout(system, "nobody waits any more"));
          if (--run.waiting > 0) return;
          if (running.get(key) === run) running.delete(key);
          run.end.abort(new Abandoned());
        };
        signal?.addEventListener("abort", leave, { once: true });
        void run.result.then(resolve, reject).then(() => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", leave);
        });
      });
    },
  };
}
