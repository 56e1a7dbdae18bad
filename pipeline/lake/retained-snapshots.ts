/** Which version of each table belongs to which snapshot: `snapshots.json`, and what is retained of it. */
import { z } from "zod";
import type { Disk } from "../publish/disk.ts";
import { hasCode } from "../generations/disk-reader.ts";
import { isRetained, type Retention } from "../publish/retention/retained.ts";
import { replaceByDraft, writeDraft } from "./draft.ts";
import type { LakeLayout } from "./layout.ts";

const exportedSnapshot = z.object({
  /** The snapshot id. */
  id: z.string(),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  /** The version of each table. */
  versions: z.record(z.string(), z.int()),
});
export type ExportedSnapshot = z.infer<typeof exportedSnapshot>;

const listing = z.object({ snapshots: z.array(exportedSnapshot) });

/** Newest first; none before the first export is complete. */
export async function readSnapshots(disk: Disk, { snapshots }: LakeLayout): Promise<readonly ExportedSnapshot[]> {
  try {
    return listing.parse(JSON.parse(await disk.readFile(snapshots))).snapshots;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

export async function writeSnapshots(
  disk: Disk,
  layout: LakeLayout,
  snapshots: readonly ExportedSnapshot[],
): Promise<void> {
  const lines = snapshots.map((snapshot) => JSON.stringify(snapshot)).join(",\n");
  const draft = await writeDraft(disk, layout.drafts, `{"snapshots":[\n${lines}\n]}\n`);
  await replaceByDraft(disk, draft, layout.snapshots);
}

/** The newest snapshot, and those that are retained (pipeline/RULES.md, Snapshots); `snapshots` are newest first. */
export const retainedSnapshots = (
  snapshots: readonly ExportedSnapshot[],
  { now, retain }: { now: Date; retain: Retention },
): ExportedSnapshot[] =>
  snapshots.filter(({ createdAt }, at) => {
    const newer = snapshots[at - 1];
    return !newer || isRetained({ createdAt, replacedAt: newer.createdAt }, retain, now);
  });
