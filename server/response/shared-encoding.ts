/** Compresses a large body once for concurrent requests: late readers replay the existing chunks, then wait for the rest. */
import { once, EventEmitter } from "node:events";

interface Encoding {
  readonly chunks: Buffer[];
  readonly progress: EventEmitter;
  state: "running" | "done" | "failed";
  error?: unknown;
}

export interface SharedEncodings {
  /**
   * The chunks under `key`, from the first one. `encode` starts unless one is in flight, runs to its end even if every reader leaves, and `done` gets the
   * encoded body. Memory: the encoded body, until encoding and its readers have finished.
   */
  read(key: string, encode: () => AsyncIterable<Buffer>, done: (bytes: Buffer) => void): AsyncIterable<Buffer>;
}

export function createSharedEncodings(): SharedEncodings {
  const running = new Map<string, Encoding>();

  function start(key: string, encode: () => AsyncIterable<Buffer>, done: (bytes: Buffer) => void): Encoding {
    const encoding: Encoding = { chunks: [], progress: new EventEmitter().setMaxListeners(0), state: "running" };
    running.set(key, encoding);
    const run = async () => {
      for await (const chunk of encode()) {
        encoding.chunks.push(chunk);
        encoding.progress.emit("more");
      }
      done(Buffer.concat(encoding.chunks));
      encoding.state = "done";
    };
    run()
      .catch((error: unknown) => {
        encoding.state = "failed";
        encoding.error = error;
      })
      .finally(() => {
        running.delete(key);
        encoding.progress.emit("more");
      });
    return encoding;
  }

  async function* follow(encoding: Encoding): AsyncGenerator<Buffer> {
    for (let next = 0; ;) {
      const chunk = encoding.chunks[next];
      if (chunk) {
        next++;
        yield chunk;
      } else if (encoding.state === "running") await once(encoding.progress, "more");
      else if (encoding.state === "failed") throw encoding.error;
      else return;
    }
  }

  return {
    read: (key, encode, done) => follow(running.get(key) ?? start(key, encode, done)),
  };
}
