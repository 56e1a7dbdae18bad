/**
 * `BENCH_AGAINST=<commit> make bench`: exports that commit and HEAD, starts each as a newcomer does, and measures both
 * in turns. Prints the table, and writes it to artifacts/BENCH.md.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { number, toTable } from "../table.ts";
import { AIMS, type Figures, MEASURES } from "./measures.ts";
import { measurePeers } from "./peers.ts";
import { countPackages, exportCommit, firstServe, runPipeline, type Side } from "./sides.ts";

type Recorded = Map<string, number[]>;

export async function compareWith(commit: string, tell: (text: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "academic-bench-"));
  try {
    const sides = [commit, "HEAD"].map((name): Side => ({ name, root: join(folder, name) }));
    const recorded = new Map<Side, Recorded>(sides.map((side) => [side, new Map<string, number[]>()]));
    const measure = async (side: Side, figures: Promise<Figures>): Promise<void> => {
      for (const [name, value] of Object.entries(await figures)) {
        const values = recorded.get(side) as Recorded;
        values.set(name, [...(values.get(name) ?? []), value]);
        tell(`  ${name}: ${number(value)}`);
      }
    };
    for (const { measure: once, turns } of [{ measure: start, turns: 5 }, { measure: build, turns: 5 }, ...MEASURES])
      for (let turn = 1; turn <= turns; turn++)
        for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
          tell(`${side.name}: ${once.name}, turn ${turn} of ${turns}`);
          await measure(side, once(side, turn));
        }
    const [older, newer] = sides.map((side) => recorded.get(side) as Recorded) as [Recorded, Recorded];
    const peers = await measurePeers(sides[1] as Side, join(folder, "peers"), tell);
    const tables = `${comparison(commit, older, newer)}\n${peers}`;
    process.stdout.write(tables);
    await writeFile(resolve("artifacts/BENCH.md"), `${head(commit)}\n${tables}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a new checkout each time; the last one is used by the other measures. */
async function start(side: Side): Promise<Figures> {
  await exportCommit(side);
  const { answeredSeconds, completeSeconds } = await firstServe(side);
  return {
    "make serve, first answer: s": answeredSeconds,
    "make serve, everything: s": completeSeconds,
    "packages to serve": await countPackages(side),
  };
}

async function build(side: Side): Promise<Figures> {
  const folder = join(side.root, "built");
  const folders = { ARTIFACTS_DIR: join(folder, "artifacts"), DATA_DIR: join(folder, "data") };
  const { megabytes, processorSeconds } = await runPipeline(side, ["build"], folders);
  await rm(folder, { recursive: true });
  return { "make build-data: processor s": processorSeconds, "make build-data: MB": megabytes };
}

function comparison(commit: string, older: Recorded, newer: Recorded): string {
  const rows = Object.entries(AIMS).map(([name, aim]) => {
    const [before, after] = [median(older.get(name)), median(newer.get(name))];
    const share = after / before;
    const isMet = aim && (aim.isLeast ? share >= aim.share : share <= aim.share);
    return [
      name,
      ...[before, after, share].map((value) => number(value)),
      aim ? `${aim.isLeast ? "≥" : "≤"} ${aim.share}` : "",
      isMet === undefined ? "" : isMet ? "yes" : "no",
    ];
  });
  return toTable(["figure", commit, "HEAD", "share", "aim", "met"], rows, 1);
}

function median(values: readonly number[] = []): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function head(commit: string): string {
  const [processor] = cpus();
  return [
    "# Measured",
    "",
    `\`BENCH_AGAINST=${commit} make bench\`: both commits on one machine, in turns; the median of each figure. Processor`,
    "seconds are those of all processes of a command, user and system; memory is that of the largest one, resident.",
    "",
    `${new Date().toISOString().slice(0, 10)}: ${processor?.model.trim() ?? "a processor"}, ${availableParallelism()} cores, ` +
      `${number(totalmem() / 1e9)} GB; Node ${process.version}; the sample campus of the standard size.`,
    "",
  ].join("\n");
}
