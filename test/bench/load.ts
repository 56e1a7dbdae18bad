/** A load of keep-alive connections, each of which sends its next request as soon as the response has ended. */
import { connect } from "node:net";
import { createResponseReader } from "./response-reader.ts";

export interface LoadOptions {
  /** `http://host:port`. */
  readonly base: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  /** What is posted to each path; absent: the paths are got. */
  readonly bodies?: readonly string[];
  readonly connections: number;
  /** The longest time; with `once` it ends earlier, when all paths are used up. */
  readonly ms: number;
  readonly once?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Load {
  readonly responses: number;
  readonly perSecond: number;
  /** Milliseconds from a request to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  /** The size of an average body as it was sent. */
  readonly bytes: number;
  readonly failures: number;
  readonly seconds: number;
  /** When each response ended (`Date.now()`), and after how many milliseconds. */
  readonly ends: readonly (readonly [at: number, ms: number])[];
}

export async function putLoad({
  base,
  paths,
  bodies,
  connections,
  ms,
  once,
  headers = {},
}: LoadOptions): Promise<Load> {
  const { hostname, port } = new URL(base);
  const lines = Object.entries({ Host: "bench", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((path, i) => {
    const body = bodies?.[i];
    if (body === undefined) return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
    return `POST ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n${body}`;
  });
  const ends: [number, number][] = [];
  let [bytes, failures, next] = [0, 0, 0];
  const started = performance.now();
  let last = started;

  const runConnection = () =>
    new Promise<void>((resolve) => {
      let began = 0;
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const send = () => {
        if (performance.now() >= started + ms || (once && next >= requests.length)) return void socket.end();
        began = performance.now();
        socket.write(requests[next++ % requests.length] as string, "latin1");
      };
      const read = createResponseReader((response) => {
        last = performance.now();
        ends.push([Date.now(), last - began]);
        bytes += response.bytes;
        if (response.status !== 200 && response.status !== 304) failures++;
        began = 0;
        send();
      });
      socket.on("connect", send);
      socket.on("data", read);
      socket.on("error", () => failures++);
      socket.on("close", () => {
        if (began > 0) failures++;
        resolve();
      });
    });
  await Promise.all(Array.from({ length: connections }, runConnection));
  const seconds = Math.max(last - started, 1e-3) / 1000;
  const times = ends.map(([, took]) => took);
  return {
    responses: ends.length,
    perSecond: ends.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes: Math.round(bytes / Math.max(ends.length, 1)),
    failures,
    seconds,
    ends,
  };
}

/** The value below which a share of the numbers lies; 0 of none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
