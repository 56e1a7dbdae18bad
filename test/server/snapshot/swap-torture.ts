/** A server in a process of its own, a publisher in another, and readers on keep-alive connections between them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { listPublished } from "../../../pipeline/store/published.ts";
import { openPublisher } from "../../pipeline/publish/publisher.ts";
import { translated } from "../../support/program.ts";
import { stampsIn, SWAPPED_TABLES } from "../../support/stamps.ts";

export interface SwapOptions {
  readonly publishes: number;
  /** Rows of each of two years of grades and of one term. */
  readonly rows: number;
  /** Least time between two publishes, in milliseconds. */
  readonly pauseMs: number;
  /** Between an answer and the next question of a reader, in milliseconds. */
  readonly restMs: number;
}

export interface SwapFigures {
  readonly publishes: number;
  readonly reads: number;
  /** Different snapshots that readers saw. */
  readonly seen: number;
  /** What was asked, and what went wrong; none of these should ever be. */
  readonly failed: string[];
  readonly mixed: string[];
  readonly backwards: string[];
  /** Answers whose X-Data-Snapshot is not that of their rows, or a 304 with another tag than the one that was sent. */
  readonly mislabelled: string[];
  /** From a flip to the first answer of that snapshot or a later one, in milliseconds: the longest, and the 99th of a hundred. */
  readonly slowestMs: number;
  readonly mostMs: number;
  /** The server's resident memory in megabytes: on average in the second and in the last third of the publishes, and the most. */
  readonly memory: { readonly middle: number; readonly late: number; readonly most: number };
  /** The most snapshots on disk, and the most megabytes of their files, seen once a second. */
  readonly generations: number;
  readonly diskMegabytes: number;
  readonly seconds: number;
}

const start = (name: string, parameters: readonly string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [translated(name), ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });

const anyOf = (most: number) => 1 + Math.floor(Math.random() * most);
const course = () => `department=STAMP&courseNumber=${anyOf(199)}`;

/** What a reader asks over and over; `slow` ones take the answer in small pieces, `tags` ones ask again with the tag that they got. */
const READERS: readonly { ask: () => string; slow?: boolean; tags?: boolean; gzip?: boolean }[] = [
  { ask: () => `/grades/raw?${course()}` },
  { ask: () => `/grades/aggregate?${course()}` },
  { ask: () => `/grades/options?${course()}` },
  { ask: () => `/schedule?year=2024&quarter=Fall&cacheOnly=true&${course()}` },
  { ask: () => "/schedule/terms", tags: true },
  { ask: () => "/grades/raw", gzip: true },
  { ask: () => "/schedule?year=2024&quarter=Fall&cacheOnly=true", slow: true },
  // Made while it is sent, from the files of its snapshot.
  { ask: () => "/enrollmentHistory", slow: true },
];
const SLOW_PIECE = { bytes: 32 * 1024, pauseMs: 50 };

export async function tortureSwap({ publishes, rows, pauseMs, restMs }: SwapOptions): Promise<SwapFigures> {
  const folder = await mkdtemp(join(tmpdir(), "swap-"));
  const first = await openPublisher(folder, { rows, tables: SWAPPED_TABLES });
  const { stamp, id } = await first.publish();
  first.close();
  const ids = new Map([[stamp, id]]);
  const flips = new Map<number, number>();
  const server = start("server/main.ts", [], {
    ARTIFACTS_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "info",
    LOG_FORMAT: "text",
  });
  let log = "";
  server.stderr?.on("data", (piece: Buffer) => (log = (log + piece.toString()).slice(-20_000)));
  while (!/url=(\S+)/.test(log) && server.exitCode === null) await sleep(20);
  const base = `${/url=(\S+)/.exec(log)?.[1] ?? ""}/v1/rest`;

  const failed: string[] = [];
  const mixed: string[] = [];
  const backwards: string[] = [];
  const answers: { path: string; stamp: number; id: string | undefined; at: number }[] = [];
  const retold: { path: string; tag: string; again: string | undefined }[] = [];
  let isOver = false;

  async function read({ ask, slow, tags, gzip }: (typeof READERS)[number]): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let last = 0;
    let tag: string | undefined;
    while (!isOver) {
      const path = ask();
      try {
        const headers = {
          ...(gzip ? { "Accept-Encoding": "gzip" } : {}),
          ...(tag === undefined ? {} : { "If-None-Match": tag }),
        };
        const response = (await once(get(`${base}${path}`, { agent, headers }), "response"))[0] as IncomingMessage;
        const at = Date.now();
        const body = await bodyOf(response, slow ?? false);
        const answered = response.headers["x-data-snapshot"] as string | undefined;
        if (response.statusCode === 304) retold.push({ path, tag: tag ?? "", again: response.headers.etag });
        else if (response.statusCode !== 200) failed.push(`${path}: ${response.statusCode} ${body.slice(0, 200)}`);
        else {
          const stamps = [...stampsIn(path, body)];
          const [found = 0] = stamps;
          if (stamps.length !== 1) mixed.push(`${path}: ${stamps.join(", ")}`);
          if (found < last) backwards.push(`${path}: ${found} after ${last}`);
          last = found;
          answers.push({ path, stamp: found, id: answered, at });
          if (tags) tag = response.headers.etag;
        }
      } catch (error) {
        failed.push(`${path}: ${String(error)}`);
      }
      await sleep(restMs);
    }
    agent.destroy();
  }

  const sizes: number[] = [];
  const disk = { generations: 0, megabytes: 0 };
  async function weigh(): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const status = await readFile(`/proc/${server.pid ?? 0}/status`, "utf8").catch(() => "");
      sizes.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      if (turn % 10 === 0) {
        const { generations, megabytes } = await diskUse(folder);
        disk.generations = Math.max(disk.generations, generations);
        disk.megabytes = Math.max(disk.megabytes, megabytes);
      }
      await sleep(100);
    }
  }
  const began = performance.now();

  try {
    const readers = [...READERS.map(read), weigh()];
    const publisher = start("test/server/snapshot/swap-publisher.ts", [
      folder,
      ...[publishes, rows, pauseMs].map(String),
    ]);
    const ended = once(publisher, "exit");
    let complaints = "";
    publisher.stderr?.on("data", (piece: Buffer) => (complaints += piece.toString()));
    for await (const line of createInterface({ input: publisher.stdout as NodeJS.ReadableStream })) {
      const [number = "", snapshot = "", flipped = ""] = line.split(" ");
      ids.set(Number(number), snapshot);
      flips.set(Number(number), Number(flipped));
    }
    const [status] = (await ended) as [number | null];
    if (status !== 0) failed.push(`the publisher ended with status ${status}: ${complaints}`);
    // The last one has to be seen too.
    const newest = Math.max(...flips.keys());
    const deadline = Date.now() + 20_000;
    while (!answers.some((answer) => answer.stamp >= newest) && Date.now() < deadline) await sleep(20);
    isOver = true;
    await Promise.all(readers);
    if (server.exitCode !== null) failed.push(`the server ended with status ${server.exitCode}: ${log}`);
    const ms = delays(flips, answers);
    return {
      publishes: flips.size,
      reads: answers.length + retold.length,
      seen: new Set(answers.map((answer) => answer.stamp)).size,
      failed,
      mixed,
      backwards,
      mislabelled: [
        ...answers
          .filter((answer) => answer.id !== ids.get(answer.stamp))
          .map((answer) => `${answer.path}: rows of ${answer.stamp}, X-Data-Snapshot ${answer.id ?? "(none)"}`),
        ...retold
          .filter((one) => one.again !== one.tag)
          .map((one) => `${one.path}: 304 of ${one.again ?? "(none)"} for ${one.tag}`),
      ],
      slowestMs: ms.at(-1) ?? Infinity,
      mostMs: ms[Math.floor(ms.length * 0.99)] ?? Infinity,
      memory: {
        middle: Math.round(average(sizes.slice(Math.floor(sizes.length / 3), Math.floor((sizes.length * 2) / 3)))),
        late: Math.round(average(sizes.slice(Math.floor((sizes.length * 2) / 3)))),
        most: Math.round(Math.max(...sizes)),
      },
      generations: disk.generations,
      diskMegabytes: Math.round(disk.megabytes),
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    isOver = true;
    const gone = server.exitCode === null ? once(server, "exit") : undefined;
    server.kill("SIGTERM");
    await gone;
    await rm(folder, { recursive: true, force: true });
  }
}

/** The snapshots and everything on disk at this moment; hard links of a file count once. */
async function diskUse(folder: string): Promise<{ generations: number; megabytes: number }> {
  const sizes = new Map<number, number>();
  for (const path of await readdir(folder, { recursive: true }).catch(() => [])) {
    const about = await stat(join(folder, path)).catch(() => undefined);
    if (about?.isFile()) sizes.set(about.ino, about.size);
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { generations: (await listPublished(folder)).length, megabytes: bytes / 1024 / 1024 };
}

async function bodyOf(response: IncomingMessage, slow: boolean): Promise<string> {
  const parts: Buffer[] = [];
  let taken = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    taken += part.length;
    if (slow && taken >= SLOW_PIECE.bytes) {
      taken = 0;
      await sleep(SLOW_PIECE.pauseMs);
    }
  }
  const whole = Buffer.concat(parts);
  return (response.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole).toString();
}

/** For each flip the time to the first answer of that snapshot or a later one, ascending. */
function delays(flips: ReadonlyMap<number, number>, answers: readonly { stamp: number; at: number }[]): number[] {
  const inTime = answers.toSorted((a, b) => a.at - b.at);
  let from = 0;
  const found = [...flips]
    .sort(([a], [b]) => a - b)
    .map(([stamp, flipped]) => {
      while (from < inTime.length && (inTime[from]?.stamp ?? 0) < stamp) from++;
      return Math.max(0, (inTime[from]?.at ?? Infinity) - flipped);
    });
  return found.sort((a, b) => a - b);
}

const average = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / (numbers.length || 1);
