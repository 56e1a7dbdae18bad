/** Which version of each table belongs to which snapshot: `snapshots.json`, and what is retained of it. */
import { z } from "zod";
import { campusToday } from "../contract/campus-time.ts";
import { type Disk, hasCode } from "../publish/disk.ts";
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

/** How long snapshots are retained (behaviour §9). */
export interface Retain {
  /** All of so many hours. */
  readonly hours: number;
  /** The last of each campus day for so many days. */
  readonly days: number;
  /** The last of each month for so many months. */
  readonly months: number;
}

export const DEFAULT_RETAIN: Retain = { hours: 48, days: 60, months: 24 };

const HOUR = 3_600_000;

/** The newest snapshot, and those that `retain` asks for; `snapshots` are newest first. */
export function retainedSnapshots(
  snapshots: readonly ExportedSnapshot[],
  { now, retain }: { now: Date; retain: Retain },
): ExportedSnapshot[] {
  const oldestMonth = new Date(now);
  oldestMonth.setUTCMonth(oldestMonth.getUTCMonth() - retain.months);
  const seen = new Set<string>();
  return snapshots.filter(({ createdAt }, at) => {
    const created = new Date(createdAt);
    const age = now.getTime() - created.getTime();
    const day = campusToday(created);
    const isLast = (period: string) => !seen.has(period) && seen.add(period) !== undefined;
    const [isLastOfDay, isLastOfMonth] = [isLast(day), isLast(day.slice(0, 7))];
    return (
      at === 0 ||
      age <= retain.hours * HOUR ||
      (isLastOfDay && age <= retain.days * 24 * HOUR) ||
      (isLastOfMonth && created >= oldestMonth)
    );
  });
}
