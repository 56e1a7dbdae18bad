/** Writes `freshness.json`. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Freshness } from "../contract/documents/manifest.ts";
import { layoutOf } from "../generations/layout.ts";
import { type Disk, nodeDisk } from "./disk.ts";

/** Atomic and durable: after a power loss the file has its old content or the new. */
export async function writeFreshness(artifacts: string, freshness: Freshness, disk: Disk = nodeDisk): Promise<void> {
  const layout = layoutOf(artifacts);
  const written = join(layout.staging, `freshness-${randomUUID()}.json`);
  await disk.mkdir(layout.staging);
  await disk.writeFile(written, `${JSON.stringify(freshness, null, 2)}\n`);
  await disk.syncFile(written);
  await disk.rename(written, layout.freshness);
  await disk.syncFolder(dirname(layout.freshness));
}
