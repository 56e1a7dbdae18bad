/** A circuit breaker: while an upstream is down, requests fail at once instead of waiting for it. */
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../../errors.ts";

export interface CircuitBreakerOptions {
  /** Consecutive failures that open it. */
  failures: number;
  /** How long it stays open before one probe is let through, in milliseconds. */
  openMs: number;
  /** A monotonic clock, in milliseconds. */
  clock: () => number;
}

export interface CircuitBreaker {
  /**
   * Runs the work unless the circuit is open.
   * @param isAbandoned whether a failure only means that every caller gave up; it does not count
   * @throws what the work throws; an error of the same class as the last failure while the circuit is open
   */
  execute<T>(work: () => Promise<T>, isAbandoned?: () => boolean): Promise<T>;
}

export function createCircuitBreaker({ failures, openMs, clock }: CircuitBreakerOptions): CircuitBreaker {
  let failuresInARow = 0;
  let openUntil = 0;
  let isProbing = false;
  let last: UpstreamError | undefined;

  return {
    async execute(work, isAbandoned = () => false) {
      const isProbe = failuresInARow >= failures;
      if (isProbe) {
        if (isProbing || clock() < openUntil) throw sameCause(last, failuresInARow);
        isProbing = true;
      }
      try {
        const result = await work();
        failuresInARow = 0;
        return result;
      } catch (error) {
        if (error instanceof UpstreamError && !isAbandoned()) {
          last = error;
          failuresInARow++;
          openUntil = clock() + openMs;
        }
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}

function sameCause(last: UpstreamError | undefined, failuresInARow: number): UpstreamError {
  const system = last?.system ?? "upstream";
  const message = `not requested: the last ${failuresInARow} requests failed`;
  const options = { cause: last };
  if (last instanceof UpstreamTimeout) return new UpstreamTimeout(system, message, options);
  if (last instanceof UpstreamBadResponse) return new UpstreamBadResponse(system, message, options);
  const { status, retryAfterMs } = last instanceof UpstreamRefused ? last : {};
  return new UpstreamRefused(system, message, status, retryAfterMs, options);
}
