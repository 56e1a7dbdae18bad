/** Removes what no retained version of a table needs: data files, and the part of the log before the oldest one's checkpoint. */
import { join } from "node:path";
import { filesBelow } from "../generations/verify.ts";
import type { Disk } from "../publish/disk.ts";
import type { Remove, TableState } from "./actions.ts";
import { logFolder, parseLogName } from "./layout.ts";

/** The path of a published file. Nothing else is ours to remove. */
const PUBLISHED = /^(?:(?:year|quarter|month)=[^/]+\/)*[0-9a-f]{32}\.parquet$/;

/** The removed files that a retained version still has. */
export function neededFiles(state: TableState, versions: readonly number[]): Map<string, Remove> {
  const isNeeded = ({ tags }: Remove) =>
    versions.some((version) => Number(tags.since) <= version && version < Number(tags.until));
  return new Map([...state.removed].filter(([, remove]) => isNeeded(remove)));
}

/** Removes data files that are neither in the newest version nor needed: replaced ones, and those of an export that did not commit. */
export async function collectFiles(disk: Disk, tableFolder: string, isKept: (path: string) => boolean): Promise<void> {
  for (const path of await filesBelow(disk, tableFolder))
    if (PUBLISHED.test(path) && !isKept(path)) await disk.rm(join(tableFolder, path));
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
