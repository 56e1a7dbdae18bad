/** Who runs next: few at once, fewer of each client, the others in the order they came. */
export interface Turns {
  /**
   * Resolves when the client's turn has come; what it resolves to ends it.
   * @throws TooManyWaiting without waiting
   */
  take(client: string, signal: AbortSignal): Promise<() => void>;
}

export class TooManyWaiting extends Error {
  override name = "TooManyWaiting";
}

export interface TurnLimits {
  /** At once. */
  readonly running: number;
  readonly runningOfClient: number;
  readonly waiting: number;
  readonly waitingOfClient: number;
}

interface Waiting {
  readonly client: string;
  readonly begin: () => void;
}

export function createTurns({ waiting: most, waitingOfClient, ...limits }: TurnLimits): Turns {
  const running: string[] = [];
  let waiting: readonly Waiting[] = [];
  const of = (client: string, clients: readonly string[]) => clients.filter((one) => one === client).length;
  const isFree = (client: string) => running.length < limits.running && of(client, running) < limits.runningOfClient;

  function beginNext(): void {
    for (let next; (next = waiting.find(({ client }) => isFree(client)));) {
      const begun = next;
      waiting = waiting.filter((one) => one !== begun);
      running.push(begun.client);
      begun.begin();
    }
  }

  return {
    async take(client, signal) {
      signal.throwIfAborted();
      const own = of(
        client,
        waiting.map((one) => one.client),
      );
      if (!isFree(client) && (waiting.length >= most || own >= waitingOfClient)) throw new TooManyWaiting();
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting = waiting.filter((one) => one !== mine);
          reject(signal.reason as Error);
        };
        const mine = {
          client,
          begin: () => {
            signal.removeEventListener("abort", leave);
            resolve();
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting = [...waiting, mine];
        beginNext();
      });
      return () => {
        running.splice(running.indexOf(client), 1);
        beginNext();
      };
    },
  };
}
