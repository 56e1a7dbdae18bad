/** `make verify`: what differs from the manifest, printed. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { allFiles } from "../../contract/documents/manifest.ts";
import { UsageError } from "../../errors.ts";
import { openDatabase } from "../../publish/database.ts";
import { readCurrent } from "../../generations/generation.ts";
import { verifyGeneration } from "../../generations/verify.ts";

/** Returns whether every file is sound. @throws UsageError when nothing is published */
export async function verify({ artifactsDir }: PipelineConfig): Promise<boolean> {
  const generation = await readCurrent(artifactsDir);
  if (!generation) throw new UsageError("nothing is published yet");
  const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: artifactsDir });
  try {
    const problems = await verifyGeneration(database.connection, generation);
    for (const { path, problem } of problems) process.stdout.write(`${path}: ${problem}\n`);
    const { id } = generation.manifest;
    const files = allFiles(generation.manifest).length;
    process.stdout.write(`snapshot ${id}: ${files} files, ${problems.length} problems\n`);
    return problems.length === 0;
  } finally {
    database.close();
  }
}
