/** `make verify`: prints differences from the manifest. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { readForgotten } from "../../forget/tombstones.ts";
import { findRemains, remainsLines } from "../../forget/remains.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { readCurrent } from "../../store/published.ts";
import { verifySnapshot } from "../../store/verify.ts";
import { nodeDisk } from "../../disk/disk.ts";

/** Lines about data that was taken down and still exists. */
async function forgottenRemains(artifacts: string, dataDir: string, { connection }: Database): Promise<string[]> {
  const forgotten = await readForgotten(dataDir);
  if (!forgotten) return [];
  const remains = remainsLines(await findRemains({ artifacts, dataDir, connection, disk: nodeDisk }, forgotten));
  const unfinished = forgotten.isPending ? ["what an unfinished `make forget` did not reach: run it again"] : [];
  if (remains.length + unfinished.length === 0) process.stdout.write("nothing is left of what was taken down\n");
  return [...remains, ...unfinished];
}

/** Returns whether every file is sound. @throws UsageError when nothing is published */
export async function verify({ artifactsDir, dataDir }: PipelineConfig): Promise<boolean> {
  const published = await readCurrent(artifactsDir);
  if (!published) throw new UsageError("nothing is published yet");
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: artifactsDir });
  try {
    const problems = await verifySnapshot(database.connection, published);
    for (const { path, problem } of problems) process.stdout.write(`${path}: ${problem}\n`);
    const { id } = published.manifest;
    const files = published.manifest.files.length;
    process.stdout.write(`snapshot ${id}: ${files} files, ${problems.length} problems\n`);
    const remains = await forgottenRemains(artifactsDir, dataDir, database);
    for (const line of remains) process.stdout.write(`taken down, but still in ${line}\n`);
    return problems.length + remains.length === 0;
  } finally {
    database.close();
  }
}
