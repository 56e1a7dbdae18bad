/** Ten thousand open event streams: their memory, how soon a publication reaches them, and what other requests notice. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Change } from "../../pipeline/contract/rows/change.ts";
import { gradeRow } from "../pipeline/publish/scratch.ts";
import { freePort } from "../support/balancer.ts";
import { changeRow, publishChanges } from "../support/published/published-changes.ts";
import { publishRows } from "../support/published/published.ts";
import { openFolder } from "../support/whole-run.ts";

const STREAMS = Number(process.env["STREAMS"] ?? 10_000);
const CHANGES = 2_000;
const PUBLISHES = 3;
const [STEADY_MS, AFTER_MS] = [4_000, 2_000];
const LOOPS = 4;
const QUESTIONS = [
  "/grades/aggregate?department=DANCE",
  "/grades/raw?courseNumber=46&limit=20",
  "/week",
  "/schedule/terms",
];

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = (path: string, args: string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ["--expose-gc", "--import", "tsx", script(path), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });

const residentKilobytes = async ({ pid }: ChildProcess): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);

/** Processor time that a process has used, in milliseconds: unlike the clock it does not depend on what else runs. */
async function processorMs({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Milliseconds of requests, one after the other in each of a few loops, with the times at which they began. */
async function load(base: string, ms: number): Promise<[began: number, ms: number][]> {
  const until = Date.now() + ms;
  const times: [number, number][] = [];
  const loop = async (offset: number) => {
    for (let n = offset; Date.now() < until; n++) {
      const began = Date.now();
      const at = performance.now();
      // A different address each time, so that no cache answers.
      const path = QUESTIONS[n % QUESTIONS.length] ?? "";
      await (await fetch(`${base}/v1/rest${path}${path.includes("?") ? "&" : "?"}nothing=${n}`)).arrayBuffer();
      times.push([began, performance.now() - at]);
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, (_, i) => loop(i * 1000)));
  return times;
}
const p99 = (times: readonly (readonly [number, number])[]): number =>
  Math.round((times.map(([, ms]) => ms).sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN) * 10) / 10;

async function nextLine(lines: Interface): Promise<string> {
  const [line] = (await once(lines, "line")) as [string];
  return line;
}

test(`${STREAMS} streams`, async () => {
  const folder = await openFolder();
  const codes = Array.from({ length: 20_000 }, (_, n) => String(10_000 + n));
  await publishRows(folder.artifacts, {
    grades: codes.map((sectionCode, n) => gradeRow({ sectionCode, department: n % 3 === 0 ? "DANCE" : "I&C SCI" })),
    terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
  });
  await publishChanges(folder.artifacts, [], []);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const server = run("../../server/main.ts", [], {
    ARTIFACTS_DIR: folder.artifacts,
    PORT: String(port),
    HOST: "127.0.0.1",
    MAX_CONNECTIONS: String(STREAMS + 100),
  });
  let clients: ChildProcess | undefined;
  try {
    while (
      !(await fetch(`${base}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(100);
    await load(base, STEADY_MS);
    const alone = await load(base, STEADY_MS);
    const before = await residentKilobytes(server);

    let all: Change[] = [];
    const publish = async () => {
      const at = new Date().toISOString();
      const drafts = Array.from({ length: CHANGES }, (_, n) =>
        changeRow({ at, sectionCode: String(10_000 + n), department: `D${n % 100}` }),
      );
      ({ all } = await publishChanges(folder.artifacts, all, drafts));
      return Date.now();
    };
    /** The longest delay of the server's event loop since the last call. */
    const loopLag = async () => {
      const text = await (await fetch(`${base}/metrics`)).text();
      return Math.round(1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]));
    };
    const duringAlone: [number, number][] = [];
    for (let i = 0; i < PUBLISHES; i++) {
      await publish();
      duringAlone.push(...(await load(base, AFTER_MS)));
    }

    const began = performance.now();
    clients = run("./stream-clients.ts", [String(port), String(STREAMS), String(CHANGES)]);
    const lines = createInterface({ input: clients.stdout as NodeJS.ReadableStream });
    expect(await nextLine(lines)).toBe("open");
    const openedMs = performance.now() - began;
    const steady = await load(base, STEADY_MS);
    const perStream = ((await residentKilobytes(server)) - before) / STREAMS;

    const reached: number[] = [];
    const processor: number[] = [];
    const during: [number, number][] = [];
    await loopLag();
    for (let i = 0; i < PUBLISHES; i++) {
      const arrival = nextLine(lines);
      const used = await processorMs(server);
      const flippedAt = await publish();
      // The last publication is measured without other requests.
      const loading = i < PUBLISHES - 1 ? load(base, AFTER_MS) : Promise.resolve([]);
      const [, last] = (await arrival).split(" ").map(Number);
      reached.push((last ?? Infinity) - flippedAt);
      during.push(...(await loading));
      processor.push((await processorMs(server)) - used);
    }
    const lag = await loopLag();
    const figures = {
      streams: STREAMS,
      openedMs: Math.round(openedMs),
      kilobytesEach: Math.round(perStream * 10) / 10,
      changes: CHANGES,
      reachedAllMs: reached,
      processorMsOfLastPublish: processor.at(-1),
      p99AloneMs: p99(alone),
      p99WithStreamsMs: p99(steady),
      p99DuringPublishAloneMs: p99(duringAlone),
      p99DuringPublishMs: p99(during),
      requestsDuringPublish: during.length,
      longestLoopDelayMs: lag,
    };
    process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
    expect(figures.kilobytesEach).toBeLessThanOrEqual(20);
    for (const ms of reached) expect(ms).toBeLessThanOrEqual(2_000);
  } finally {
    clients?.kill();
    server.kill();
    await once(server, "exit");
    await folder.remove();
  }
});
