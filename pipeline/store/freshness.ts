/** `freshness.json`: when each product was last checked. It changes with every run, a snapshot only with its data. */
import { type Freshness, freshness as freshnessSchema } from "../contract/documents/manifest.ts";
import { diskReader, type DiskReader, hasCode, type Disk, nodeDisk, replaceFile } from "../disk/disk.ts";
import { layoutOf } from "./layout.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

export const NO_FRESHNESS: Freshness = { products: {}, terms: {}, nextRefresh: null };

/** A missing or damaged file counts as one in which nothing was checked yet. */
export async function readFreshness(artifacts: string, disk: DiskReader = diskReader): Promise<Freshness> {
  let text: string;
  try {
    text = await disk.readFile(layoutOf(artifacts).freshness);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return NO_FRESHNESS;
    throw error;
  }
  try {
    return freshnessSchema.parse(JSON.parse(text));
  } catch {
    return NO_FRESHNESS;
  }
}

export async function writeFreshness(artifacts: string, freshness: Freshness, disk: Disk = nodeDisk): Promise<void> {
  const layout = layoutOf(artifacts);
  const draft = join(layout.staging, `freshness-${randomUUID()}.json`);
  await disk.mkdir(layout.staging);
  await replaceFile(disk, layout.freshness, `${JSON.stringify(freshness, null, 2)}\n`, draft);
}
