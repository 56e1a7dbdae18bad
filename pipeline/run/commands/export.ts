/** `make lake`: the current snapshot in a folder or a bucket. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { UsageError } from "../../errors.ts";
import { silentLog } from "../../log.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import { finishTakeDown } from "../../forget/forget.ts";
import { readForgotten } from "../../forget/tombstones.ts";
import { exportSnapshot } from "../../lake/complete.ts";
import { storeAddress } from "../../settings/values.ts";
import { openStore } from "../../store/open-store.ts";

/** Exports, and prints the result. @throws UsageError */
export async function exportTo(config: PipelineConfig, to: string): Promise<void> {
  const { artifactsDir, aws, dataDir, retain } = config;
  const address = storeAddress().safeParse(to);
  if (!address.success)
    throw new UsageError("a folder or a bucket is needed: make lake TO=/srv/lake or TO=s3://bucket/prefix");
  const store = openStore(address.data, { aws });
  await store.probe();
  // An earlier export still contains what was taken down since.
  if (await readForgotten(dataDir)) {
    const lock = await lockArtifacts(config);
    const assertHeld = () => lock.assertHeld();
    const options = { now: new Date(), log: silentLog, assertHeld };
    const lake = { ...options, config: { ...config, publishTo: undefined }, store, ownsStore: true };
    const problems: string[] = [];
    try {
      for (const unfinished of [{ ...options, config }, lake])
        problems.push(...((await finishTakeDown(unfinished))?.problems ?? []));
    } finally {
      await lock.release();
    }
    if (problems.length > 0) throw new Error(problems.join("; "));
  }
  const { snapshot, changed, restored } = await exportSnapshot(artifactsDir, store, { now: new Date(), retain });
  const versions = changed.map((name) => `${name} ${snapshot.versions[name]}`);
  const tables = versions.length === 0 ? "no table changed" : versions.join(", ");
  for (const line of restored) process.stdout.write(`${line}\n`);
  process.stdout.write(`exported ${snapshot.id}: ${tables}\n`);
}
