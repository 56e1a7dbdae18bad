/**
 * Clients that request two months of changes as a stream and disconnect: the wait of an honest stream behind them, and
 * the memory that is left.
 */
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../support/program.ts";
import { changeRow, publishChanges } from "../support/published/published-changes.ts";
import { openFolder } from "../support/whole-run.ts";

const COLLECTS = fileURLToPath(new URL("../support/collect-on-signal.cjs", import.meta.url));
const STREAMS = 500;
const ROUNDS = 2;
const GONE_AFTER_MS = 1_500;
const CHANGES = 120_000;
const DAYS = 60;
const [BEGIN, DAY_MS] = [Date.parse("2024-10-01T10:00:00Z"), 86_400_000];
const MOST_LEFT_MB = 40;
/** Below it times tell nothing of the queue. */
const LEAST_MS = 1_000;
const SETTLE_MS = 10_000;

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
  const drafts = Array.from({ length: CHANGES }, (_, n) =>
    changeRow({
      at: new Date(BEGIN + Math.floor((n * DAYS) / CHANGES) * DAY_MS).toISOString(),
      sectionCode: String(10_000 + (n % 50_000)),
      kind: n % 10 === 0 ? "status" : "enrolled",
      field: n % 10 === 0 ? "status" : "numEnrolled",
    }),
  );
  await publishChanges(folder.artifacts, [], drafts);
});
afterAll(() => folder?.remove());

async function megabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

/** The least of some seconds without garbage: what is free is given back a little later. */
async function settledMegabytes(child: ChildProcess): Promise<number> {
  let least = Infinity;
  for (const until = Date.now() + SETTLE_MS; Date.now() < until; await sleep(500)) {
    child.kill("SIGUSR2");
    least = Math.min(least, await megabytes(child.pid));
  }
  return least;
}

function abandon(url: string, query: string): Promise<void> {
  return new Promise((resolve) => {
    const asked = get(`${url}/v1/rest/changes?${query}`, { headers: { Accept: "text/event-stream" }, agent: false });
    asked.on("response", (response) => {
      response.resume().on("error", () => undefined);
      setTimeout(() => asked.destroy(), GONE_AFTER_MS);
    });
    asked.on("error", () => undefined);
    asked.on("close", resolve);
  });
}

/** Milliseconds to the first change. */
function firstChange(url: string, query: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const asked = get(`${url}/v1/rest/changes?${query}`, { headers: { Accept: "text/event-stream" }, agent: false });
    asked.on("error", reject);
    asked.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (!text.includes('"kind":"status"')) return;
        resolve(Math.round(performance.now() - began));
        asked.destroy();
      });
      response.on("error", () => undefined);
    });
  });
}

test(`${ROUNDS} × ${STREAMS} abandoned streams keep nobody waiting, and leave no memory`, async () => {
  const { child, ended, says } = start("server/main.ts", [], {
    ...{ ...folder.env, HOST: "127.0.0.1", PORT: "0" },
    NODE_OPTIONS: `--require ${COLLECTS}`,
  });
  const [, url = ""] = await says(/"url":"(http:\/\/127\.0\.0\.1:\d+)"/);
  const honest = () => firstChange(url, `since=${new Date(BEGIN + (DAYS - 2) * DAY_MS).toISOString()}&kind=status`);
  const round = (streams: number) =>
    Promise.all(Array.from({ length: streams }, () => abandon(url, "since=2024-09-30")));
  try {
    // Compiled code, connections and buffers stay.
    await round(STREAMS / 5);
    const before = [await honest(), await honest(), await honest()].sort((a, b) => a - b)[1] ?? NaN;
    const megabytesBefore = await settledMegabytes(child);
    const after: number[] = [];
    const left: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      await round(STREAMS);
      after.push(await honest());
      left.push((await settledMegabytes(child)) - megabytesBefore);
    }
    process.stdout.write(
      `${JSON.stringify({ firstChangeMs: { before, after }, megabytesBefore, megabytesLeft: left })}\n`,
    );
    for (const ms of after) expect(ms).toBeLessThanOrEqual(Math.max(1.5 * before, LEAST_MS));
    expect(left.at(-1)).toBeLessThanOrEqual(MOST_LEFT_MB);
  } finally {
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  }
});
