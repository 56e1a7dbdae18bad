/** Answers that are made while they are sent keep a compressor and some buffers each: only so many run at once, and only so many wait. */
import { Problem } from "../response/problem.ts";

export interface LargeResponses {
  /** @throws Problem (503) when as many as may already wait */
  admit(): void;
  /** Waits for a turn; the returned function ends it. */
  enter(): Promise<() => void>;
  underWay(): number;
}

/** One ends within seconds, unless its client is slow. */
const RETRY_AFTER_SECONDS = "5";

export function createLargeResponses({
  most,
  waiting: mostWaiting,
}: {
  most: number;
  waiting: number;
}): LargeResponses {
  const waiting: (() => void)[] = [];
  let underWay = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }

  return {
    underWay: () => underWay,
    admit() {
      if (underWay >= most && waiting.length >= mostWaiting)
        throw new Problem(503, "Too many large answers are under way. Please try again in a few seconds.", {
          "Retry-After": RETRY_AFTER_SECONDS,
        });
    },
    async enter() {
      // A turn that ends is handed on, so that the number stays.
      if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else underWay++;
      let isOver = false;
      return () => {
        if (!isOver) leave();
        isOver = true;
      };
    },
  };
}
