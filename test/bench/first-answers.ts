/** Single questions that nobody asked before: first byte, end, and how long the server's event loop stood still. */
import http from "node:http";
import type { MeasuredServer } from "./measured-server.ts";
import type { Words } from "./words.ts";

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

/** Questions that nobody asked, each of a term or an encoding of its own. */
export async function measureFirsts(server: MeasuredServer, words: Words): Promise<FirstAnswer[]> {
  const firsts: FirstAnswer[] = [];
  const encodings = [undefined, "gzip", "br"] as const;
  const whole = (term: Words["main"][number] | undefined) =>
    `/v1/rest/schedule?year=${term?.year}&quarter=${term?.quarter}&cacheOnly=true`;
  for (const [i, encoding] of encodings.entries()) {
    const term = words.main[words.main.length - 1 - i];
    firsts.push(await askFirst(server, "schedule, a whole term", whole(term), encoding));
  }
  // Loaded by the first of the three at the latest.
  for (const encoding of [undefined, ...encodings])
    firsts.push(await askFirst(server, "schedule, the latest main term", whole(words.main[0]), encoding));
  for (const encoding of encodings)
    firsts.push(await askFirst(server, "grades/raw, everything", "/v1/rest/grades/raw", encoding));
  for (const encoding of encodings)
    firsts.push(await askFirst(server, "grades/aggregate, everything", "/v1/rest/grades/aggregate", encoding));
  return firsts;
}
