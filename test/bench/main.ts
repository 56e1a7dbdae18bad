/**
 * `make bench`: every kind of request, beside a bare node:http server that sends the same bytes and a naive server.
 * BENCH_ARTIFACTS names published data; without it the sample campus is built (SAMPLE). BENCH_ONLY restricts the cases
 * to those whose name contains it. QUICK=1 takes six terms and less time. The tables go to standard output, and as JSON
 * to BENCH_JSON (artifacts/bench.json). BENCH_YEARS=1,5,10 prints what so many years of enrollment history and changes
 * cost instead; BENCH_AGAINST=<commit> compares HEAD with that commit instead, and writes artifacts/BENCH.md.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { compareWith } from "./against/compare.ts";
import { toCases } from "./cases.ts";
import { measureExports } from "./exports.ts";
import { putLoad } from "./load.ts";
import { type Bench, measureCase, type Row } from "./measure.ts";
import { startNeighbour, startServer } from "./processes.ts";
import { openPublishedData } from "./published-data.ts";
import { measureStorms } from "./storm.ts";
import { measureSwap } from "./swap.ts";
import { rowsTable, targetsTable, yearsTable } from "./table.ts";
import { isMet, type Measured, toTargets } from "./targets.ts";
import { readWords, type Words } from "./words.ts";
import { measureYears } from "./years/years.ts";

const { env } = process;
const isQuick = env["QUICK"] === "1";
const LOAD_MS = isQuick ? 40 : 800;
const CONNECTIONS = isQuick ? [1, 16] : [1, 16, 64];

const began = performance.now();
const tell = (text: string) =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${text}\n`);

/** The main terms of the two years before this one. */
function quickTerms(): string {
  const years = [2, 1].map((ago) => new Date().getFullYear() - ago);
  return years.flatMap((year) => ["Winter", "Spring", "Fall"].map((quarter) => `${year} ${quarter}`)).join(",");
}

async function measure(artifacts: string, words: Words): Promise<Measured> {
  const mix = toCases(words).at(-1)?.distinct ?? [];
  tell("start, mixed load");
  const server = await startServer(artifacts);
  const neighbours = await Promise.all([startNeighbour("bare.ts"), startNeighbour("naive.ts", [artifacts])]);
  const [bare, naive] = neighbours;
  const rows: Row[] = [];
  try {
    for (const connections of [1, 16, 64])
      await putLoad({ base: server.base, paths: mix.toReversed(), connections, ms: LOAD_MS * 3 });
    const { now } = await server.readMemory();
    tell("many clients at once");
    const storms = await measureStorms(server.base, words);
    const bench: Bench = { server, bare, naive, ms: LOAD_MS, connections: CONNECTIONS };
    for (const benchCase of toCases(words).filter(({ name }) => name.includes(env["BENCH_ONLY"] ?? ""))) {
      tell(benchCase.name);
      rows.push(...(await measureCase(bench, benchCase)));
    }
    tell("every endpoint, format and flag");
    const exports = await measureExports(server, words, mix);
    await Promise.all([server, ...neighbours].map((process) => process.stop()));
    tell("a swap");
    const swap = await measureSwap(artifacts, mix, LOAD_MS * 2);
    return { rows, storms, startMs: server.startMs, memoryMegabytes: now, exports, swap };
  } finally {
    await Promise.all([server, ...neighbours].map((process) => process.stop()));
  }
}

async function main(): Promise<void> {
  const against = env["BENCH_AGAINST"];
  if (against !== undefined) return compareWith(against, tell);
  const given = env["BENCH_ARTIFACTS"];
  tell(given === undefined ? "building the sample campus" : `copying ${given}`);
  const sample = { SAMPLE: env["SAMPLE"] ?? "standard", ...(isQuick ? { TERMS: quickTerms() } : {}) };
  const data = await openPublishedData(given, sample);
  try {
    const years = env["BENCH_YEARS"]?.split(",").map(Number);
    if (years) {
      const figures = await measureYears(data.artifacts, years, tell);
      process.stdout.write(yearsTable(figures));
      return;
    }
    const measured = await measure(data.artifacts, await readWords(data.artifacts));
    const targets = toTargets(measured).map((target) => ({ ...target, met: isMet(target) }));
    process.stdout.write(`${rowsTable(measured.rows)}\n${targetsTable(targets)}\n`);
    const machine = { node: process.version, cores: availableParallelism() };
    const path = resolve(env["BENCH_JSON"] ?? "artifacts/bench.json");
    await mkdir(dirname(path), { recursive: true });
    const result = { at: new Date().toISOString(), ...machine, isQuick, data: given ?? sample, targets, ...measured };
    await writeFile(path, `${JSON.stringify(result, null, 2)}\n`);
    tell(`written to ${path}`);
  } finally {
    await data.remove();
  }
}

await main();
