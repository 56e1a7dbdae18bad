/** Streams a byte range of a file with backpressure. */
import type { FileHandle } from "node:fs/promises";
import type { ByteRange } from "../response/byte-range.ts";

const CHUNK_BYTES = 256 * 1024;

/** Streams a range. The stream owns `file` and closes it at the end, on an error, and when the client disconnects. */
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
          // The client disconnected in the meantime.
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
