/** Single questions that nobody asked before: first byte, end, and how long the server's event loop stood still. */
import http from "node:http";
import type { MeasuredServer } from "./measured-server.ts";

export interface FirstAnswer {
  readonly what: string;
  readonly firstByteMs: number;
  readonly completeMs: number;
  readonly bytes: number;
  readonly loopDelayMs: number;
  readonly peakMegabytes: number;
}

/** Asks once on a connection of its own. */
export async function askFirst(
  server: MeasuredServer,
  what: string,
  path: string,
  encoding?: string,
): Promise<FirstAnswer> {
  await server.look();
  const headers = encoding === undefined ? {} : { "Accept-Encoding": encoding };
  const began = performance.now();
  const { firstByteMs, bytes } = await new Promise<{ firstByteMs: number; bytes: number }>((resolve, reject) => {
    http
      .get(`${server.base}${path}`, { agent: false, headers }, (response) => {
        let [firstByteMs, bytes] = [0, 0];
        response.on("data", (piece: Buffer) => {
          firstByteMs ||= performance.now() - began;
          bytes += piece.length;
        });
        response.on("error", reject);
        response.on("end", () =>
          response.statusCode === 200
            ? resolve({ firstByteMs, bytes })
            : reject(new Error(`${path}: ${response.statusCode}`)),
        );
      })
      .on("error", reject);
  });
  const completeMs = performance.now() - began;
  const { loopDelay, peak } = await server.look();
  return {
    what: encoding === undefined ? what : `${what}, ${encoding}`,
    firstByteMs,
    completeMs,
    bytes,
    loopDelayMs: loopDelay,
    peakMegabytes: peak,
  };
}
