/** A byte range of a file (RFC 9110 §14): the Range header, and the range as a stream with backpressure. */
import type { FileHandle } from "node:fs/promises";

/** Inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A malformed header, another unit or several ranges mean the whole file, as RFC 9110 allows. */
export function readRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return "whole";
  if (from === "") {
    const count = Math.min(Number(to), size);
    return count === 0 ? "unsatisfiable" : { first: size - count, last: size - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return "whole";
  if (Number(from) >= size) return "unsatisfiable";
  return { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}

const CHUNK_BYTES = 256 * 1024;

/** The stream owns `file` and closes it at the end, on an error, and when the client disconnects. */
export function streamFile(file: FileHandle, { first, last }: ByteRange): ReadableStream<Uint8Array> {
  let position = first;
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= file.close());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(CHUNK_BYTES, last + 1 - position);
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
          // The client disconnected meanwhile.
          if (closed) return;
          if (bytesRead === 0) throw new Error("a published file is shorter than its manifest says");
          controller.enqueue(buffer.subarray(0, bytesRead));
          position += bytesRead;
          if (position <= last) return;
          await close();
          controller.close();
        } catch (error) {
          await close();
          controller.error(error);
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
