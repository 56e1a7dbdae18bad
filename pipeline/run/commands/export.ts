/** `make lake`: the current snapshot in a folder or a bucket. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { exportSnapshot } from "../../lake/export.ts";
import { storeAddress } from "../../settings/values.ts";
import { openStore } from "../../stores/open.ts";

/** Says what was exported. @throws UsageError */
export async function exportTo({ artifactsDir, aws, retain }: PipelineConfig, to: string): Promise<void> {
  const address = storeAddress().safeParse(to);
  if (!address.success)
    throw new UsageError("a folder or a bucket is needed: make lake TO=/srv/lake or TO=s3://bucket/prefix");
  const store = openStore(address.data, { aws });
  await store.probe();
  const { snapshot, changed } = await exportSnapshot(artifactsDir, store, { now: new Date(), retain });
  const versions = changed.map((name) => `${name} ${snapshot.versions[name]}`);
  const tables = versions.length === 0 ? "no table changed" : versions.join(", ");
  process.stdout.write(`exported ${snapshot.id}: ${tables}\n`);
}
