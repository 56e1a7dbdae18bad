/**
 * `make bench`: every question beside its baselines in the same run: a bare node:http server that sends the same bytes (ceiling), the same statements
 * without a server (floor), and a naive server. BENCH_ARTIFACTS names published data; without it the full-size sample campus is built first.
 * QUICK=1 takes six terms of the standard sample and less time, and leaves growth out. The table goes to standard output, and as JSON to BENCH_JSON (artifacts/bench.json).
 */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { dirname, resolve } from "node:path";
import { aimsText, readPrevious, withPrevious } from "./aims.ts";
import { toCases } from "./cases.ts";
import { measureEarlier } from "./earlier.ts";
import { toAims } from "./figures-to-aims.ts";
import type { Measured } from "./operation-aims.ts";
import { measureFirsts } from "./first-answers.ts";
import { measureGrowth, SHARES } from "./growth.ts";
import type { Asking, Load } from "./load.ts";
import { measureMakeServe } from "./make-serve.ts";
import { measureCase } from "./measure-case.ts";
import { startServer } from "./measured-server.ts";
import { openPublishedData } from "./published-data.ts";
import { type Row, rowsText, size, tableText } from "./rows.ts";
import { measureRefreshUnderLoad } from "./refresh-under-load.ts";
import { measureStorms } from "./storm.ts";
import { measureSwap } from "./swap.ts";
import { readWords } from "./words.ts";
import { startWorker, type Worker } from "./worker.ts";

const env = process.env;
const isQuick = env["QUICK"] === "1";
const given = env["BENCH_ARTIFACTS"];
const only = env["BENCH_ONLY"];
/** What is measured: figures over other data are not compared. */
const DATA = `${given ?? `sample ${env["SAMPLE"] ?? "full"}`}${isQuick ? ", quick" : ""}`;
/** One load; baselines take half of it. */
const LOAD_MS = isQuick ? 40 : 800;
const CONNECTIONS = isQuick ? [1, 16] : [1, 16, 64];

const began = performance.now();
const say = (text: string) => void process.stdout.write(text);
const tell = (text: string) =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${text}\n`);

/** The main terms of the two years before this one: enough to ask about, and built in seconds. */
function quickSample(now: Date): { SAMPLE: string; TERMS: string } {
  const years = [now.getFullYear() - 2, now.getFullYear() - 1];
  const terms = years.flatMap((year) => ["Winter", "Spring", "Fall"].map((quarter) => `${year} ${quarter}`));
  return { SAMPLE: "standard", TERMS: terms.join(",") };
}

async function main(): Promise<void> {
  tell(given === undefined ? "building the sample campus" : `taking ${given}`);
  const data = await openPublishedData(given, isQuick ? quickSample(new Date()) : { SAMPLE: env["SAMPLE"] ?? "full" });
  const workers: Worker[] = [];
  const work = (...parameters: Parameters<typeof startWorker>): Worker => {
    const worker = startWorker(...parameters);
    workers.push(worker);
    return worker;
  };
  try {
    const words = await readWords(data.artifacts);
    const cases = toCases(words).filter(({ name }) => only === undefined || name.includes(only));
    const [asking, bare, publishing] = [work("load-worker.ts"), work("bare.ts"), work("publish-worker.ts")];

    tell("start, first answers, mixed load");
    const server = await startServer(data.artifacts);
    const firsts = await measureFirsts(server, words);
    const mix = toCases(words).at(-1)?.distinct ?? [];
    for (const connections of [1, 16, 64])
      await asking.ask<Load>({
        base: server.base,
        paths: mix.toReversed(),
        connections,
        ms: LOAD_MS * 3,
      } satisfies Asking);
    const { rss, everPeak } = await server.look();

    const floor = work("floor.ts", { args: [data.artifacts] });
    const naive = work("naive.ts", { args: [data.artifacts] });
    const bench = {
      server,
      asking,
      bare,
      floor,
      naive: { worker: naive, base: await naive.ask<string>({}) },
      ms: LOAD_MS,
      connections: CONNECTIONS,
    };
    tell("many clients at once");
    const storms = await measureStorms(server, asking, words, LOAD_MS);
    const rows: Row[] = [];
    for (const one of cases) {
      tell(one.name);
      rows.push(...(await measureCase(bench, one)));
    }
    const { everPeak: afterAll } = await server.look();
    await server.stop();
    await floor.stop();
    await naive.stop();

    tell("growth");
    const growing = [
      "grades/aggregateByOffering, a department",
      "grades/aggregateByCourse, a department",
      "schedule, a department",
      "schedule, GE",
    ];
    const growth = isQuick
      ? []
      : await measureGrowth(
          { asking, publishing },
          data.artifacts,
          toCases(words)
            .filter(({ name }) => growing.includes(name))
            .map(({ name, distinct = [] }) => ({ what: name, paths: distinct })),
          LOAD_MS,
        );
    tell("make serve");
    const makeServeMs = await measureMakeServe(data.artifacts);
    const { artifacts, refresh } = data;
    if (refresh) tell("a refresh under load");
    const underLoad =
      refresh && (await measureRefreshUnderLoad(asking, { artifacts, refresh }, mix.slice(0, 500), LOAD_MS * 2));
    tell("a swap");
    const [latest] = words.main;
    const swap =
      latest && (await measureSwap({ asking, publishing }, data.artifacts, latest, mix.slice(0, 500), LOAD_MS * 2));
    if (!swap) throw new Error("no term is published");

    tell("earlier snapshots");
    const earlier = await measureEarlier(
      { asking, askingEarlier: work("load-worker.ts"), publishing },
      data.artifacts,
      latest,
      { repeated: mix.slice(0, 500), distinct: mix.slice(500) },
      LOAD_MS * 2,
    );

    const measured: Measured = {
      rows,
      firsts,
      storms,
      startMs: server.startMs,
      makeServeMs,
      underLoad,
      mixed: { rss, peak: everPeak },
      swap,
      earlier,
      built: data.built,
      refreshed: data.refreshed,
    };
    const path = resolve(env["BENCH_JSON"] ?? "artifacts/bench.json");
    const aims = withPrevious(toAims(measured), await readPrevious(path, DATA));
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`${rowsText(rows)}\n`);
    say(
      `${tableText(
        ["asked for the first time", "first byte ms", "complete ms", "body", "loop ms", "peak MB"],
        firsts.map((one) => [
          one.what,
          one.firstByteMs.toFixed(1),
          one.completeMs.toFixed(1),
          size(one.bytes),
          one.loopDelayMs.toFixed(1),
          String(one.peakMegabytes),
        ]),
      )}\n`,
    );
    say(
      `${tableText(
        [
          "p50 ms over so many rows, distinct, 1 connection",
          ...SHARES.map((share) => `${share} ×`),
          "time 16 × to 1 ×",
          "bytes 16 × to 1 ×",
        ],
        growth.map(({ what, p50, bytes }) => [
          what,
          ...p50.map((ms) => ms.toFixed(2)),
          ((p50[2] ?? 0) / (p50[0] ?? 1)).toFixed(1),
          ((bytes[2] ?? 0) / (bytes[0] ?? 1)).toFixed(1),
        ]),
      )}\n`,
    );
    say(
      `${tableText(
        ["64 clients at once", "one alone ms", "the last of all ms", "times", "asked again/s"],
        storms.map(({ what, aloneMs, lastMs, againPerSecond }) => [
          what,
          aloneMs.toFixed(0),
          lastMs.toFixed(0),
          (lastMs / aloneMs).toFixed(1),
          againPerSecond.toFixed(0),
        ]),
      )}\n`,
    );
    say(aimsText(aims));
    say(
      `\n${seconds} s on ${availableParallelism()} cores (${cpus()[0]?.model ?? "?"}), Node ${process.version}; the server's most memory over everything: ${afterAll} MB\n`,
    );
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      `${JSON.stringify({ at: new Date().toISOString(), seconds, node: process.version, cores: availableParallelism(), quick: isQuick, data: DATA, aims, ...measured, growth, mostMegabytes: afterAll }, null, 2)}\n`,
    );
    tell(`written to ${path}`);
  } finally {
    for (const worker of workers) await worker.stop();
    await data.remove();
  }
}

await main();
