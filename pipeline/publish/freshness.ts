/** Writes `freshness.json`. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Freshness } from "../contract/documents/manifest.ts";
import { layoutOf } from "../generations/layout.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { replaceFile } from "./replace-file.ts";

export async function writeFreshness(artifacts: string, freshness: Freshness, disk: Disk = nodeDisk): Promise<void> {
  const layout = layoutOf(artifacts);
  const draft = join(layout.staging, `freshness-${randomUUID()}.json`);
  await disk.mkdir(layout.staging);
  await replaceFile(disk, layout.freshness, `${JSON.stringify(freshness, null, 2)}\n`, draft);
}
