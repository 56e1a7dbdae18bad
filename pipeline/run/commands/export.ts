/** `make lake`, and a static copy of `/v1/data`. */
import type { PipelineConfig } from "../../config.ts";
import { UsageError } from "../../errors.ts";
import { exportSnapshot } from "../../following/export.ts";
import { exportLake } from "../../lake/export.ts";

/** Says what was exported to the folder. @throws UsageError */
export async function exportTo(config: PipelineConfig, folder: string, { delta }: { delta: boolean }): Promise<void> {
  if (folder === "") throw new UsageError("a folder is needed: make lake TO=/srv/lake");
  const exported = delta ? await exportDelta(config, folder) : await exportSnapshot(config.artifactsDir, folder);
  process.stdout.write(`exported ${exported}\n`);
}

async function exportDelta({ artifactsDir, retain }: PipelineConfig, folder: string): Promise<string> {
  const { snapshot, changed } = await exportLake(artifactsDir, folder, { now: new Date(), retain });
  const versions = changed.map((name) => `${name} ${snapshot.versions[name]}`);
  return `${snapshot.id}: ${versions.length === 0 ? "no table changed" : versions.join(", ")}`;
}
