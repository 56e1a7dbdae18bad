/** A static copy of what a server hands out under `/v1/data`: any host of files can then be followed, and read. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { BULK_BASE, BULK_MANIFEST, toBulkManifest } from "../contract/bulk-manifest.ts";
import { UsageError } from "../errors.ts";
import { nodeDisk } from "../publish/disk.ts";
import { readFreshness } from "../publish/freshness.ts";
import { readCurrent } from "../publish/generation.ts";
import { generationName } from "../publish/layout.ts";

/**
 * Copies the snapshot in service into `folder`, files first: whoever reads the manifest finds all that it lists. What an earlier export left stays, for
 * those who are downloading it. Returns the generation's name. @throws UsageError when nothing is published
 */
export async function exportSnapshot(artifacts: string, folder: string): Promise<string> {
  const current = await readCurrent(artifacts);
  if (!current) throw new UsageError("nothing is published yet");
  const { manifest } = current;
  const name = generationName(manifest.generation, manifest.id);
  for (const { path, bytes } of manifest.files) {
    const place = join(folder, BULK_BASE, name, path);
    if ((await nodeDisk.stat(place))?.bytes === bytes) continue;
    await nodeDisk.mkdir(dirname(place));
    await nodeDisk.rm(place);
    await nodeDisk.copyFile(join(current.folder, path), place);
  }
  const written = join(folder, BULK_BASE, `.manifest-${randomUUID()}.json`);
  const announced = toBulkManifest(name, manifest, await readFreshness(artifacts));
  await nodeDisk.writeFile(written, `${JSON.stringify(announced)}\n`);
  await nodeDisk.rename(written, join(folder, BULK_MANIFEST));
  return name;
}
