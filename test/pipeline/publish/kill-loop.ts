/** Kills a real publisher at random moments, and looks each time at what it left. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { type Generation, listGenerations } from "../../../pipeline/store/published.ts";
import { layoutOf } from "../../../pipeline/store/layout.ts";
import { inService } from "./crash-work.ts";
import { openPublisher } from "./publisher.ts";

const publisherScript = fileURLToPath(new URL("publisher.ts", import.meta.url));

export interface KillLoop {
  /** Promises that were not kept, each with the number of the kill. */
  readonly broken: string[];
  /** How many snapshots were published in all. */
  readonly published: number;
  /** How many kills left something unfinished behind: the loop did hit the publisher at work. */
  readonly interrupted: number;
}

/**
 * Starts the publisher and kills it (SIGKILL) up to `withinMs` after its first publish, `kills` times on the same
 * artifacts.
 */
export async function killPublisher(
  connection: DuckDBConnection,
  artifacts: string,
  kills: number,
  withinMs = 300,
): Promise<KillLoop> {
  const broken: string[] = [];
  let highest = 0;
  let interrupted = 0;
  let next = start(artifacts);
  for (let kill = 1; kill <= kills; kill++) {
    const child = next;
    // Starting takes longer than anything else: the next one does so while this one publishes, dies and is looked at.
    if (kill < kills) next = start(artifacts);
    const seen = await runAndKill(child, Math.random() * withinMs);
    const { generation: current, problems } = await inService(connection, artifacts);
    const number = current?.manifest.generation ?? 0;
    // Reported snapshots stay published; unreported ones may be.
    if (number < seen) broken.push(`kill ${kill}: snapshot ${seen} was reported, ${number} is served`);
    if (number < highest) broken.push(`kill ${kill}: went back from ${highest} to ${number}`);
    highest = number;
    for (const problem of problems) broken.push(`kill ${kill}: ${problem}`);
    for (const stamp of current ? await stampsIn(connection, current) : []) {
      if (stamp !== number) broken.push(`kill ${kill}: a row of snapshot ${stamp} in snapshot ${number}`);
    }
    const { staging } = layoutOf(artifacts);
    const newest = (await listGenerations(artifacts)).at(0)?.generation ?? 0;
    if ((await nodeDisk.readdir(staging)).length > 0 || newest > number) interrupted++;
  }
  const publisher = await openPublisher(artifacts);
  const { generation, changed } = await publisher.publish();
  publisher.close();
  if (!changed || generation.manifest.generation <= highest) broken.push("the last run did not publish");
  return { broken, published: generation.manifest.generation, interrupted };
}

const start = (artifacts: string) =>
  spawn(process.execPath, ["--import", "tsx", publisherScript, artifacts], { stdio: ["pipe", "pipe", "inherit"] });

/** Returns the last generation that the publisher reported before it died. */
async function runAndKill(child: ReturnType<typeof start>, afterMs: number): Promise<number> {
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  const exit = once(child, "exit");
  child.stdin.write("publish\n");
  const published = async () => {
    while (!/ready\n\d+\n/.test(output) && child.exitCode === null) await sleep(5);
  };
  await published();
  await sleep(afterMs);
  if (child.exitCode !== null) throw new Error(`the publisher ended by itself with status ${child.exitCode}`);
  child.kill("SIGKILL");
  await exit;
  // A last line may be cut off: only whole ones were reported.
  return Number(/(\d+)\n[^\n]*$/.exec(output)?.[1] ?? 0);
}

async function stampsIn(connection: DuckDBConnection, { folder, manifest }: Generation): Promise<number[]> {
  const filesOf = (table: string) =>
    readParquet(manifest.files.filter((file) => file.table === table).map(({ path }) => join(folder, path)));
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT "gradeACount" FROM ${filesOf("grades")}
     UNION SELECT DISTINCT "maxCapacity"::INTEGER FROM ${filesOf("sections")}`,
  );
  return reader.getRowsJson().map(([stamp]) => Number(stamp));
}
