/** The folders that a run writes to or removes are its own: none of them leads elsewhere by a link. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { CAMPUS_SIZES } from "../contract/sample-campus.ts";
import { GuardError } from "../errors.ts";
import { backupFolderOf } from "../generations/backups.ts";
import { hasCode } from "../generations/disk-reader.ts";
import { layoutOf } from "../generations/layout.ts";
import { acquireLock, type Lock } from "./lock/lock.ts";

export interface Roots {
  readonly artifactsDir: string;
  /** Absent where only published data is written. */
  readonly dataDir?: string;
}

const IN_DATA = [
  "landing",
  "landing/schedule",
  ...["office", ...CAMPUS_SIZES].flatMap((from) => [`exports/${from}`, `exports/${from}/files`]),
  "exports",
];

/** The roots themselves may be links: where they lead is the operator's choice. */
export function ownFolders({ artifactsDir, dataDir }: Roots): string[] {
  const { generations, lock, staging } = layoutOf(artifactsDir);
  if (dataDir === undefined) return [staging, generations, lock];
  const backup = backupFolderOf(dataDir);
  return [staging, generations, lock, ...IN_DATA.map((name) => join(dataDir, name)), backup, join(backup, "files")];
}

/** What stands in the place of each folder that is none; a folder that is not there yet is fine. */
export async function findNoFolders(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of folders) {
    try {
      const entry = await lstat(path);
      if (entry.isSymbolicLink()) found.push(`${path} is a link, which is not followed`);
      else if (!entry.isDirectory()) found.push(`${path} is no folder`);
    } catch (error) {
      if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    }
  }
  return found;
}

/** @throws GuardError that names what is no folder, before anything is written or removed */
export async function guardFolders(folders: readonly string[]): Promise<void> {
  const found = await findNoFolders(folders);
  if (found.length > 0) throw new GuardError(`${found.join("; ")}: move it away, then run again`);
}

/** The lock of whoever writes published data. @throws LockedError while another run is alive; GuardError */
export async function lockArtifacts(roots: Roots): Promise<Lock> {
  await guardFolders(ownFolders(roots));
  return acquireLock(layoutOf(roots.artifactsDir).lock);
}
