/** The calls that the database's threads are at work on: a database that is closed under one of them takes the whole process with it. */

export interface CallsUnderWay {
  /** Runs a call. @throws when the end has begun */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Lets no further call begin; returns when the last one is over. */
  end(): Promise<void>;
}

export function createCallsUnderWay(): CallsUnderWay {
  const underWay = new Set<Promise<unknown>>();
  let isEnding = false;
  return {
    async run(call) {
      if (isEnding) throw new Error("the database is being closed");
      const one = call();
      underWay.add(one);
      try {
        return await one;
      } finally {
        underWay.delete(one);
      }
    },
    async end() {
      isEnding = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
