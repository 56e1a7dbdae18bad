/** Exports many snapshots while delta-rs and Polars read in a loop: no read may fail, or see rows of two snapshots. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportSnapshot } from "../../pipeline/lake/complete.ts";
import { openFolderStore } from "../../pipeline/store/folder.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";

export interface ReaderResult {
  readonly engine: string;
  readonly exports: number;
  readonly reads: number;
  readonly errors: readonly string[];
  readonly mixed: number;
}

const SCRIPT = fileURLToPath(new URL("readers.py", import.meta.url));

export async function readWhileExporting(folder: string, python: string, exports: number): Promise<ReaderResult[]> {
  const [artifacts, lake] = [join(folder, "stamped"), join(folder, "stamped-lake")];
  await mkdir(artifacts, { recursive: true });
  const publisher = await openPublisher(artifacts, { tables: ["grades", "terms"], rows: 200 });
  const next = async (): Promise<void> => {
    await publisher.publish();
    await exportSnapshot(artifacts, openFolderStore(lake), { now: new Date() });
  };
  await next();
  const readers = ["delta-rs", "Polars"].map((engine) => {
    const child = spawn(python, [SCRIPT, lake, engine], { stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    return { engine, child, ended: once(child, "exit"), out: () => out };
  });
  try {
    for (let i = 0; i < exports; i++) await next();
  } finally {
    publisher.close();
    for (const { child } of readers) child.stdin.end();
  }
  const results: ReaderResult[] = [];
  for (const { engine, ended, out } of readers) {
    await ended;
    const { reads, errors, mixed } = JSON.parse(out()) as Omit<ReaderResult, "engine" | "exports">;
    results.push({ engine, exports, reads, errors, mixed });
  }
  return results;
}
