/** The other side of a worker; it imports nothing, because measured programs have it too. */

/** In the worker: answers every message with what `answer` returns. */
export function answerMessages<M>(answer: (message: M) => Promise<unknown> | unknown): void {
  process.on("message", (message: M & { id: number }) => {
    void Promise.resolve()
      .then(() => answer(message))
      .then((value) => process.send?.({ id: message.id, value }))
      .catch((error: unknown) =>
        process.send?.({
          id: message.id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      );
  });
}
