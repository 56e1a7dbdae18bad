/** Which version of each table belongs to which snapshot (`snapshots.json`), which snapshots are retained, and what goes with the others. */
import { basename, join } from "node:path";
import { z } from "zod";
import type { Disk } from "../publish/disk.ts";
import { hasCode } from "../generations/disk-reader.ts";
import { isRetained, type Retention } from "../publish/retention/retained.ts";
import { replaceFile } from "../publish/replace-file.ts";
import { draftPath } from "./draft.ts";
import { type LakeLayout, logFolder, parseLogName } from "./layout.ts";
import { parseFilePath } from "../generations/layout.ts";
import { filesBelow } from "../generations/verify.ts";
import type { Remove, TableState } from "./actions.ts";

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
  await replaceFile(disk, layout.snapshots, `{"snapshots":[\n${lines}\n]}\n`, draftPath(layout.drafts));
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

/** The removed files that a retained version still has. */
export function neededFiles(state: TableState, versions: readonly number[]): Map<string, Remove> {
  const isNeeded = ({ tags }: Remove) =>
    versions.some((version) => Number(tags.since) <= version && version < Number(tags.until));
  return new Map([...state.removed].filter(([, remove]) => isNeeded(remove)));
}

/**
 * Removes data files that are neither in the newest version nor needed: replaced ones, and those of an export that did not commit. What has not the path
 * of a published file is not ours to remove.
 */
export async function collectFiles(disk: Disk, tableFolder: string, isKept: (path: string) => boolean): Promise<void> {
  for (const path of await filesBelow(disk, tableFolder))
    if (parseFilePath(`${basename(tableFolder)}/${path}`) && !isKept(path)) await disk.rm(join(tableFolder, path));
}

/** Removes commits and checkpoints that no retained version is read from: those before the newest checkpoint that is not newer than all of them. */
export async function collectLog(disk: Disk, tableFolder: string, oldestRetained: number): Promise<void> {
  const folder = logFolder(tableFolder);
  const names = await disk.readdir(folder);
  const parsed = names.map((name) => ({ name, of: parseLogName(name) }));
  const first = Math.max(
    -1,
    ...parsed.flatMap(({ of }) => (of?.kind === "checkpoint" && of.version <= oldestRetained ? [of.version] : [])),
  );
  for (const { name, of } of parsed) if (of && of.version < first) await disk.rm(join(folder, name));
}
