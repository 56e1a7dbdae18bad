/**
 * Limits concurrency, in total and per client. Waiting clients are served in turn; a client that disconnects leaves the
 * queue at once.
 */

export type Queue = ReturnType<typeof createQueue>;

export class TooManyWaiting extends Error {
  override name = "TooManyWaiting";
}

interface QueueLimits {
  /** The most entries that run at the same time. */
  readonly running: number;
  readonly runningOfClient?: number;
  readonly waiting?: number;
  readonly waitingOfClient?: number;
}

/** The client of work that belongs to no client in particular. */
export const NO_CLIENT = "";

export function createQueue(limits: QueueLimits) {
  const {
    running: most,
    runningOfClient = Infinity,
    waiting: mostWaiting = Infinity,
    waitingOfClient = Infinity,
  } = limits;
  const runningOf = new Map<string, number>();
  /** The entries of each client, oldest first; clients are ordered by their last turn, the longest ago first. */
  const entriesOf = new Map<string, Set<() => void>>();
  let running = 0;
  let waiting = 0;

  const isFree = (client: string) => running < most && (runningOf.get(client) ?? 0) < runningOfClient;

  function begin(client: string): () => void {
    running++;
    runningOf.set(client, (runningOf.get(client) ?? 0) + 1);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      running--;
      const left = (runningOf.get(client) ?? 1) - 1;
      if (left > 0) runningOf.set(client, left);
      else runningOf.delete(client);
      beginNext();
    };
  }

  function beginNext(): void {
    for (const [client, entries] of entriesOf) {
      if (running >= most) return;
      if (!isFree(client)) continue;
      const [next] = entries;
      leave(client, next as () => void);
      // Move the client behind all others that wait.
      if (entries.size > 0) {
        entriesOf.delete(client);
        entriesOf.set(client, entries);
      }
      next?.();
    }
  }

  function leave(client: string, entry: () => void): void {
    const entries = entriesOf.get(client);
    if (!entries?.delete(entry)) return;
    waiting--;
    if (entries.size === 0) entriesOf.delete(client);
  }

  async function wait(client: string, signals: readonly AbortSignal[]): Promise<() => void> {
    const entries = entriesOf.get(client) ?? new Set();
    if (waiting >= mostWaiting || entries.size >= waitingOfClient) throw new TooManyWaiting();
    entriesOf.set(client, entries);
    let onAbort = () => {};
    try {
      return await new Promise<() => void>((resolve, reject) => {
        const entry = () => resolve(begin(client));
        onAbort = () => {
          leave(client, entry);
          reject(signals.find(({ aborted }) => aborted)?.reason as Error);
        };
        for (const signal of signals) signal.addEventListener("abort", onAbort);
        entries.add(entry);
        waiting++;
      });
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    /**
     * Waits for the client's turn; resolves to the function that ends it.
     * @throws the reason of a signal that aborts first; TooManyWaiting without waiting
     */
    async enqueue(client: string, ...optionalSignals: readonly (AbortSignal | undefined)[]): Promise<() => void> {
      const signals = optionalSignals.filter((signal) => signal !== undefined);
      for (const signal of signals) signal.throwIfAborted();
      // Nobody is overtaken: waiting clients have all reached their limit.
      return isFree(client) ? begin(client) : wait(client, signals);
    },
    get running(): number {
      return running;
    },
    get waiting(): number {
      return waiting;
    },
  };
}
