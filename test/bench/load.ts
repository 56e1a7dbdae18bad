/** A load of keep-alive connections, each asking again as soon as it was answered. */
import http from "node:http";

export interface Load {
  /** Answers per second. */
  perSecond: number;
  p50: number;
  p99: number;
  /** Of the bodies as they were sent. */
  megabytesPerSecond: number;
  failures: number;
}

/** Asks `paths` in turn for `ms` on `connections` connections. */
export async function putLoad(
  base: string,
  paths: readonly string[],
  {
    connections = 8,
    ms = 3000,
    headers = {},
  }: { connections?: number; ms?: number; headers?: Record<string, string> } = {},
): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let bytes = 0;
  let failures = 0;
  let next = 0;
  const ask = (path: string) =>
    new Promise<void>((resolve) => {
      const began = performance.now();
      const request = http.get(`${base}${path}`, { agent, headers }, (response) => {
        response.on("data", (part: Buffer) => (bytes += part.length));
        response.on("end", () => {
          times.push(performance.now() - began);
          if (response.statusCode !== 200 && response.statusCode !== 304) failures++;
          resolve();
        });
      });
      request.on("error", () => (failures++, resolve()));
    });
  const started = performance.now();
  const until = started + ms;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) await ask(paths[next++ % paths.length] as string);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    megabytesPerSecond: bytes / 1e6 / seconds,
    failures,
  };
}
