/**
 * An hour (SOAK_SECONDS) of everything at once: requests at a constant rate of 70 % of the server's capacity, a
 * publication every ten seconds, event streams, earlier snapshots, clients that read slowly and clients that do not
 * read. A request counts from when it was due, not from when it was sent.
 */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCases } from "../bench/cases.ts";
import { putLoad, quantile } from "../bench/load.ts";
import { type MeasuredServer, startServer } from "../bench/processes.ts";
import { openPublishedData, type PublishedData } from "../bench/published-data.ts";
import { readWords } from "../bench/words.ts";

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 3_600);
const PUBLISH_EVERY_MS = 10_000;
const [STREAMS, SLOW, GREEDY, CONNECTIONS] = [500, 8, 4, 64];
const SHARE = 0.7;
const MEASURE_MS = 3 * PUBLISH_EVERY_MS;
/** A time begins with a publication and ends so much after it became current. */
const AFTERWARDS_MS = 1_000;
const WHOLE = "/v1/rest/grades/raw";
/** Then it is over: so many failures, and so many seconds behind. */
const [MOST_FAILURES, MOST_BEHIND_S] = [1_000, 60];

let data: PublishedData;
let server: MeasuredServer;
beforeAll(async () => {
  data = await openPublishedData(process.env["BENCH_ARTIFACTS"], { SAMPLE: "standard" });
  server = await startServer(data.artifacts, { MAX_CONNECTIONS: "2000" });
}, 600_000);
afterAll(async () => {
  await server?.stop();
  await data?.remove();
});

const failures: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Resolves when it has ended, however it did. */
function ask(path: string): Promise<void> {
  return new Promise((resolve) => {
    const end = (failure?: string) => {
      if (failure !== undefined) failures.push(`${path}: ${failure}`);
      resolve();
    };
    const request = get(`${server.base}${path}`, { agent }, (response) => {
      response.resume();
      response.on("end", () => end(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.on("error", (error) => end(error.message));
    });
    request.on("error", (error) => end(error.message));
  });
}

function open(path: string, headers = ""): Socket {
  const { hostname, port } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: soak\r\n${headers}\r\n`);
  return socket;
}

/** So many that stay: one that is closed although nobody wanted it is a failure. */
const openStreams = (count: number): Socket[] =>
  Array.from({ length: count }, (_, n) =>
    open(`/v1/rest/changes?sectionCodes=${10_000 + n}`, "Accept: text/event-stream\r\n")
      .resume()
      .on("close", () => isOver || failures.push("a stream was closed"))
      .on("error", (error) => failures.push(error.message)),
  );

let isOver = false;
/** Reads a large body in small pieces, again and again. */
async function readSlowly(): Promise<void> {
  while (!isOver) {
    const socket = open(WHOLE, "Connection: close\r\n");
    for await (const _ of socket.setNoDelay(true)) {
      if (isOver) break;
      await sleep(20);
    }
    socket.destroy();
  }
}

/** Asks a hundred times for it and reads nothing, until it is thrown out or a minute is over. */
async function neverRead(): Promise<void> {
  while (!isOver) {
    const socket = open(WHOLE);
    socket.pause();
    socket.on("error", () => undefined);
    for (let n = 0; n < 100; n++) socket.write(`GET ${WHOLE} HTTP/1.1\r\nHost: soak\r\n\r\n`);
    for (let n = 0; n < 60 && !isOver && !socket.destroyed; n++) await sleep(1_000);
    socket.destroy();
  }
}

interface Publication {
  readonly id: string;
  readonly began: number;
  readonly currentAt: number;
}
async function publish(): Promise<Publication> {
  const program = fileURLToPath(new URL("../bench/publish-changed-term.ts", import.meta.url));
  const began = Date.now();
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, data.artifacts]);
  return { began, ...(JSON.parse(stdout) as { id: string; currentAt: number }) };
}

const descriptors = async () => (await readdir(`/proc/${server.pid}/fd`)).length;

test(
  `${SECONDS} seconds of everything`,
  async () => {
    const mix = toCases(await readWords(data.artifacts)).at(-1)?.distinct ?? [];
    const publications: Publication[] = [];
    const publishing = (async () => {
      for (let next = Date.now(); !isOver; next += PUBLISH_EVERY_MS) {
        await sleep(Math.max(0, next - Date.now()));
        publications.push(await publish());
      }
    })();
    const streams = openStreams(STREAMS);
    const others = [...Array.from({ length: SLOW }, readSlowly), ...Array.from({ length: GREEDY }, neverRead)];
    // The server's capacity beside all that, over some publications.
    const most = await putLoad({ base: server.base, paths: mix, connections: 16, ms: MEASURE_MS });
    const perSecond = Math.floor(most.perSecond * SHARE);

    const began = Date.now();
    const until = began + SECONDS * 1_000;
    const weighed: { memory: number; descriptors: number }[] = [];
    const pending = new Set<Promise<void>>();
    const dueOf = (n: number) => began + (n * 1_000) / perSecond;
    /** How many milliseconds after it was due the n-th had ended: millions in an hour. */
    const took = new Float32Array(SECONDS * perSecond + 1);
    let asked = 0;
    for (let due = began; due < until && failures.length < MOST_FAILURES; due = dueOf(++asked)) {
      if (due > Date.now()) await sleep(due - Date.now());
      const n = asked;
      const before = n % 50 === 0 ? publications.at(-Math.min(5, publications.length)) : undefined;
      const path = mix[n % mix.length] ?? "";
      const request = ask(before ? `${path}${path.includes("?") ? "&" : "?"}asOf=${before.id}` : path).then(() => {
        took[n] = Date.now() - due;
        pending.delete(request);
      });
      pending.add(request);
      // It would never end.
      if (pending.size > perSecond * MOST_BEHIND_S) {
        failures.push(`${pending.size} requests are late, after ${Math.round((Date.now() - began) / 1000)} seconds`);
        break;
      }
      if (n % (perSecond * 10) === 0)
        weighed.push({ memory: (await server.readMemory()).now, descriptors: await descriptors() });
    }
    await Promise.all(pending);
    isOver = true;
    for (const socket of streams) socket.destroy();
    await Promise.all([publishing, ...others]);

    const during = (due: number) =>
      publications.some(({ began: from, currentAt }) => due >= from && due <= currentAt + AFTERWARDS_MS);
    const all = [...took.subarray(0, asked)].map((ms, n) => ({ ms, isDuring: during(dueOf(n)) }));
    const p999 = (some: typeof all) =>
      quantile(
        some.map(({ ms }) => ms),
        0.999,
      );
    const third = Math.floor(weighed.length / 3);
    const mean = (some: typeof weighed, what: keyof (typeof weighed)[number]) =>
      Math.round(some.reduce((sum, figure) => sum + figure[what], 0) / Math.max(1, some.length));
    const [middle, late] = [weighed.slice(third, 2 * third), weighed.slice(2 * third)];
    const figures = {
      seconds: SECONDS,
      perSecond,
      requests: all.length,
      publications: publications.length,
      failures: failures.length,
      p999BetweenMs: p999(all.filter(({ isDuring }) => !isDuring)),
      p999DuringMs: p999(all.filter(({ isDuring }) => isDuring)),
      memoryMegabytes: [mean(middle, "memory"), mean(late, "memory")],
      descriptors: [mean(middle, "descriptors"), mean(late, "descriptors")],
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(figures.memoryMegabytes[1]).toBeLessThan((figures.memoryMegabytes[0] ?? 0) * 1.2 + 50);
    expect(figures.descriptors[1]).toBeLessThan((figures.descriptors[0] ?? 0) + 50);
  },
  (SECONDS + 900) * 1_000,
);
