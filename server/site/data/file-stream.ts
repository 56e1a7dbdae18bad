/** A part of a file as a stream that reads no faster than it is sent, and that closes the file however it ends. */
import type { FileHandle } from "node:fs/promises";
import type { ByteRange } from "./byte-range.ts";

/** What one download holds in memory. */
const PIECE = 256 * 1024;

/** The stream owns `file` from now on: it is closed at the end, on an error, and when the client hangs up. */
export function streamFile(file: FileHandle, { first, last }: ByteRange): ReadableStream<Uint8Array> {
  let at = first;
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= file.close());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const wanted = Math.min(PIECE, last + 1 - at);
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
          // A client that hung up meanwhile takes nothing any more.
          if (closed) return;
          if (bytesRead === 0) throw new Error("a published file is shorter than its manifest says");
          controller.enqueue(buffer.subarray(0, bytesRead));
          at += bytesRead;
          if (at <= last) return;
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
