/** `freshness.json`: when each product was last checked. It changes with every run, a snapshot only with its data. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { freshness as freshnessSchema, type Freshness } from "../contract/documents/manifest.ts";
import { type Log, silentLog } from "../log.ts";
import { type Disk, hasCode, nodeDisk } from "./disk.ts";
import { layoutOf } from "./layout.ts";

const NOTHING_YET: Freshness = { products: {}, terms: {}, nextRefresh: null };

/** A missing or damaged file counts as one in which nothing was checked yet. */
export async function readFreshness(
  artifacts: string,
  disk: Disk = nodeDisk,
  log: Log = silentLog,
): Promise<Freshness> {
  const path = layoutOf(artifacts).freshness;
  let text: string;
  try {
    text = await disk.readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return NOTHING_YET;
    throw error;
  }
  try {
    return freshnessSchema.parse(JSON.parse(text));
  } catch {
    log.warn("the freshness file is damaged and is replaced", { path });
    return NOTHING_YET;
  }
}

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
