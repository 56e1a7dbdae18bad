/**
 * Publishes many snapshots while DuckDB reads the server's lake in a loop: it may be told to attach again, and never
 * sees rows of two snapshots.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { BulkManifest } from "../../pipeline/contract/documents/bulk-manifest.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { serve } from "../support/whole-run.ts";

export interface LakeReaderResult {
  readonly swaps: number;
  readonly reads: number;
  /** Reads that DuckDB refused, because the lake had been replaced since it was attached. */
  readonly refused: number;
  readonly errors: readonly string[];
  readonly mixed: number;
  /** Different ones that were seen. */
  readonly snapshots: number;
}

const SCRIPT = fileURLToPath(new URL("ducklake_readers.py", import.meta.url));

/** Time for some reads of each snapshot. */
const PAUSE_MS = 300;

export async function readWhileSwapping(folder: string, python: string, swaps: number): Promise<LakeReaderResult> {
  const artifacts = join(folder, "swapped");
  await mkdir(artifacts, { recursive: true });
  const publisher = await openPublisher(artifacts, { tables: ["grades", "terms"], rows: 200 });
  await publisher.publish();
  const server = await serve({ ARTIFACTS_DIR: artifacts });
  try {
    const data = `${server.url}/v1/data`;
    const manifest = async () => (await (await fetch(`${data}/manifest.json`)).json()) as BulkManifest;
    const child = spawn(python, [SCRIPT, data, `${(await manifest()).name}/lake.ducklake`], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    const ended = once(child, "exit");
    for (let i = 0; i < swaps; i++) {
      const { id } = await publisher.publish();
      await sleep(PAUSE_MS);
      while (child.exitCode === null && (await manifest()).id !== id) await sleep(20);
    }
    child.stdin.end();
    await ended;
    return { swaps, ...(JSON.parse(out) as Omit<LakeReaderResult, "swaps">) };
  } finally {
    await server.close();
    publisher.close();
  }
}
