/** A load of keep-alive connections, each asking again as soon as it was answered. */
import { connect } from "node:net";
import { createAnswerReader } from "./answer-reader.ts";

export interface Asking {
  /** `http://host:port`. */
  readonly base: string;
  readonly paths: readonly string[];
  readonly connections: number;
  /** The longest time; asking `once` ends earlier when all paths are used up. */
  readonly ms: number;
  readonly once?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each answer is told, not only their sum. */
  readonly traced?: boolean;
}

export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds from the question to the end of its answer. */
  readonly p50: number;
  readonly p99: number;
  /** Of an average body as it was sent. */
  readonly bytes: number;
  readonly failures: number;
  readonly seconds: number;
  /** When each was answered (milliseconds of the day's clock), and after how many milliseconds. */
  readonly traces?: readonly (readonly [at: number, ms: number])[];
}

/** Asks the paths in turn. */
export async function putLoad({
  base,
  paths,
  connections,
  ms,
  once = false,
  headers = {},
  traced = false,
}: Asking): Promise<Load> {
  const { hostname, port } = new URL(base);
  const lines = Object.entries({ Host: "bench", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const questions = paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const times: number[] = [];
  const traces: [number, number][] = [];
  let [bytes, failures, next] = [0, 0, 0];
  const started = performance.now();
  const until = started + ms;
  let last = started;

  const one = () =>
    new Promise<void>((resolve) => {
      let began = 0;
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const ask = () => {
        if (performance.now() >= until || (once && next >= questions.length)) return void socket.end();
        began = performance.now();
        socket.write(questions[next++ % questions.length] as string, "latin1");
      };
      const read = createAnswerReader((answer) => {
        last = performance.now();
        times.push(last - began);
        if (traced) traces.push([Date.now(), last - began]);
        bytes += answer.bytes;
        if (answer.status !== 200 && answer.status !== 304) failures++;
        began = 0;
        ask();
      });
      socket.on("connect", ask);
      socket.on("data", read);
      socket.on("error", () => failures++);
      socket.on("close", () => {
        if (began > 0) failures++;
        resolve();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (last - started) / 1000;
  const at = quantiles(times);
  return {
    answers: times.length,
    perSecond: times.length / Math.max(seconds, 1e-6),
    p50: at(0.5),
    p99: at(0.99),
    bytes: Math.round(bytes / Math.max(times.length, 1)),
    failures,
    seconds,
    ...(traced ? { traces } : {}),
  };
}

/** The value below which a share of the numbers lies; 0 of none. */
export function quantiles(numbers: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(numbers).sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
