/** Compresses a large body once for concurrent requests: late readers replay the existing chunks, then wait for the rest. */
import { once, EventEmitter } from "node:events";
import { Readable } from "node:stream";

/** Bytes that all encodings may hold. Beyond it, an encoding keeps nothing for late readers and waits for its own. */
const MAX_HELD_BYTES = 24 * 1024 * 1024;

interface Encoding {
  /** A chunk is undefined once nobody needs it. */
  readonly chunks: (Buffer | undefined)[];
  readonly readers: Set<Reader>;
  readonly progress: EventEmitter;
  /** Whether late readers find every chunk. */
  isShared: boolean;
  state: "running" | "done" | "failed";
  error?: unknown;
}

interface Reader {
  next: number;
}

export interface SharedEncodings {
  /**
   * The chunks under `key`, from the first one; to be destroyed by whoever stops reading. `encode` starts unless one is in flight. While all encodings
   * together are small, it runs to its end even if every reader leaves, and `done` gets the encoded body; otherwise it goes no faster than its readers.
   */
  read(key: string, encode: () => AsyncIterable<Buffer>, done: (bytes: Buffer) => void): Readable;
  /** The end of the encoding under `key` that is in flight, or the moment when it has become too large to be shared; undefined when there is none. */
  settled(key: string): Promise<void> | undefined;
}

export function createSharedEncodings(maxHeldBytes = MAX_HELD_BYTES): SharedEncodings {
  const running = new Map<string, Encoding>();
  let heldBytes = 0;

  /** Forgets the chunks before `end`. */
  function drop(encoding: Encoding, end: number): void {
    for (let at = end - 1; at >= 0 && encoding.chunks[at]; at--) {
      heldBytes -= encoding.chunks[at]?.length ?? 0;
      encoding.chunks[at] = undefined;
    }
  }

  function dropUnneeded(encoding: Encoding): void {
    if (encoding.isShared && encoding.state === "running") return;
    drop(encoding, Math.min(encoding.chunks.length, ...[...encoding.readers].map((reader) => reader.next)));
  }

  /** Waits until a reader needs more. Returns false if there are no readers. */
  async function isNeeded(encoding: Encoding): Promise<boolean> {
    const needsMore = () => [...encoding.readers].some((reader) => reader.next >= encoding.chunks.length);
    while (encoding.readers.size > 0 && !needsMore()) await once(encoding.progress, "read");
    return encoding.readers.size > 0;
  }

  async function run(
    key: string,
    encoding: Encoding,
    encode: () => AsyncIterable<Buffer>,
    done: (bytes: Buffer) => void,
  ): Promise<void> {
    for await (const chunk of encode()) {
      encoding.chunks.push(chunk);
      heldBytes += chunk.length;
      if (encoding.isShared && heldBytes > maxHeldBytes) {
        encoding.isShared = false;
        if (running.get(key) === encoding) running.delete(key);
      }
      encoding.progress.emit("more");
      if (encoding.isShared) continue;
      dropUnneeded(encoding);
      if (!(await isNeeded(encoding))) break;
    }
    if (encoding.isShared) done(Buffer.concat(encoding.chunks as Buffer[]));
  }

  function start(key: string, encode: () => AsyncIterable<Buffer>, done: (bytes: Buffer) => void): Encoding {
    const encoding: Encoding = {
      chunks: [],
      readers: new Set(),
      progress: new EventEmitter().setMaxListeners(0),
      isShared: true,
      state: "running",
    };
    running.set(key, encoding);
    run(key, encoding, encode, done)
      .then(
        () => (encoding.state = "done"),
        (error: unknown) => {
          encoding.state = "failed";
          encoding.error = error;
        },
      )
      .finally(() => {
        if (running.get(key) === encoding) running.delete(key);
        dropUnneeded(encoding);
        encoding.progress.emit("more");
      });
    return encoding;
  }

  async function settle(encoding: Encoding): Promise<void> {
    while (encoding.isShared && encoding.state === "running") await once(encoding.progress, "more");
  }

  async function readChunk(encoding: Encoding, reader: Reader): Promise<Buffer | null> {
    while (reader.next >= encoding.chunks.length && encoding.state === "running") {
      encoding.progress.emit("read");
      await once(encoding.progress, "more");
    }
    const chunk = encoding.chunks[reader.next];
    if (chunk) {
      reader.next++;
      dropUnneeded(encoding);
    } else if (encoding.state === "failed") throw encoding.error;
    return chunk ?? null;
  }

  return {
    settled(key) {
      const encoding = running.get(key);
      return encoding && settle(encoding);
    },
    read(key, encode, done) {
      const encoding = running.get(key) ?? start(key, encode, done);
      const reader: Reader = { next: 0 };
      encoding.readers.add(reader);
      return new Readable({
        read() {
          readChunk(encoding, reader).then(
            (chunk) => this.push(chunk),
            (error: unknown) => this.destroy(error as Error),
          );
        },
        destroy(error, callback) {
          encoding.readers.delete(reader);
          dropUnneeded(encoding);
          encoding.progress.emit("read");
          callback(error);
        },
      });
    },
  };
}
