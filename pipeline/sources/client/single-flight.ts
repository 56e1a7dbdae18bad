/** Coalesces concurrent calls with the same key; a caller that gives up does not cancel the others. */
import { UpstreamTimeout } from "../../errors.ts";

export interface Wait {
  /** When this caller gives up, on the clock of `performance.now()`. */
  deadline: number;
  signal?: AbortSignal;
}

export interface SingleFlight<Result> {
  /**
   * Joins the call in flight for that key, or starts one.
   * @param start gets a signal that aborts at the deadline of the caller that started it, or when all callers have
   *   given up
   * @throws what the call throws; UpstreamTimeout when this caller's deadline passes or its signal aborts
   */
  join(key: string, wait: Wait, start: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

interface Flight<Result> {
  callers: number;
  result: Promise<Result>;
  end: AbortController;
}

/** @param system the system named in errors */
export function createSingleFlight<Result>(system: string): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function begin(key: string, deadline: number, start: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), Math.max(0, deadline - performance.now()));
    const flight = { callers: 0, result: start(end.signal), end };
    flights.set(key, flight);
    const finish = () => {
      clearTimeout(timer);
      if (flights.get(key) === flight) flights.delete(key);
      // Cancels parts that still run after another part failed.
      end.abort();
    };
    flight.result.then(finish, finish);
    return flight;
  }

  return {
    join(key, { deadline, signal }, start) {
      return new Promise<Result>((resolve, reject) => {
        if (signal?.aborted) return reject(new UpstreamTimeout(system, "the caller gave up"));
        const flight = flights.get(key) ?? begin(key, deadline, start);
        flight.callers++;
        const timer = setTimeout(
          () => reject(new UpstreamTimeout(system, "the deadline passed")),
          Math.max(0, deadline - performance.now()),
        );
        const leave = () => {
          clearTimeout(timer);
          reject(new UpstreamTimeout(system, "the caller gave up"));
          if (--flight.callers > 0) return;
          if (flights.get(key) === flight) flights.delete(key);
          flight.end.abort();
        };
        signal?.addEventListener("abort", leave, { once: true });
        void flight.result.then(resolve, reject).then(() => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", leave);
        });
      });
    },
  };
}
