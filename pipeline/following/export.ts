/** A static copy of `/v1/data`, for any file host: it can be followed like a server. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { BULK_BASE, BULK_MANIFEST, toBulkManifest } from "../contract/documents/bulk-manifest.ts";
import { UsageError } from "../errors.ts";
import { nodeDisk } from "../publish/disk.ts";
import { replaceFile } from "../publish/replace-file.ts";
import { readFreshness } from "../generations/freshness.ts";
import { readCurrent } from "../generations/generation.ts";
import { generationName } from "../generations/layout.ts";

/**
 * Copies the current snapshot into `folder`, the manifest last, so that every listed file exists. Files of earlier exports stay for downloads in
 * progress.
 * @returns the generation's name
 * @throws UsageError when nothing is published
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
  const draft = join(folder, BULK_BASE, `.manifest-${randomUUID()}.json`);
  const announced = toBulkManifest(name, manifest, await readFreshness(artifacts));
  await replaceFile(nodeDisk, join(folder, BULK_MANIFEST), `${JSON.stringify(announced)}\n`, draft);
  return name;
}
