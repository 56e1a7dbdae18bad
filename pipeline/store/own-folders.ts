/** Guards the folders that a run writes to or removes: none of them may lead elsewhere by a link. */
import { join } from "node:path";
import { CAMPUS_SIZES } from "../contract/sample-campus.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { filesOfView, VIEWS, VIEWS_FOLDER } from "../contract/views.ts";
import { GuardError } from "../errors.ts";
import { diskReader } from "../disk/disk.ts";
import { backupFolderOf, layoutOf } from "./layout.ts";
import { acquireLock, type Lock } from "../disk/lock.ts";

export interface Roots {
  readonly artifactsDir: string;
  /** Absent where only published data is written. */
  readonly dataDir?: string;
}

const LANDED = "landing/schedule";
const IN_DATA = [
  "landing",
  LANDED,
  ...["office", ...CAMPUS_SIZES].flatMap((from) => [`exports/${from}`, `exports/${from}/files`]),
  "exports",
];

/** The folders of objects in a store, and the folder that those of views are in. */
export const OBJECTS: readonly string[] = [...TABLE_NAMES, VIEWS_FOLDER, ...VIEWS.map(filesOfView)];

/** The roots themselves may be links: where they lead is the operator's choice. */
export function ownFolders({ artifactsDir, dataDir }: Roots): string[] {
  const { checkouts, lock, snapshots, staging } = layoutOf(artifactsDir);
  const objects = OBJECTS.map((name) => join(artifactsDir, name));
  const published = [staging, snapshots, checkouts, lock, ...objects];
  if (dataDir === undefined) return published;
  return [...published, ...IN_DATA.map((name) => join(dataDir, name)), backupFolderOf(dataDir)];
}

/** Returns the folders that are links. Anything else that is no folder fails where it is used. */
export async function findLinks(folders: readonly string[]): Promise<string[]> {
  const links: string[] = [];
  for (const path of folders) if ((await diskReader.stat(path))?.kind === "link") links.push(path);
  return links;
}

/** @throws GuardError that names the links, before anything is written or removed */
export async function guardFolders(folders: readonly string[]): Promise<void> {
  const [first, ...more] = await findLinks(folders);
  if (first === undefined) return;
  throw new GuardError(`${[first, ...more].join(", ")}: a link is not followed there, move it away, then run again`);
}

/** Takes the lock for writing published data. @throws LockedError while another run is alive; GuardError */
export async function lockArtifacts(roots: Roots): Promise<Lock> {
  await guardFolders(ownFolders(roots));
  const landed = roots.dataDir === undefined ? undefined : join(roots.dataDir, LANDED);
  // Each term has its own folder there.
  if (landed !== undefined && (await diskReader.stat(landed))?.kind === "folder")
    await guardFolders((await diskReader.readdir(landed)).map((name) => join(landed, name)));
  return acquireLock(layoutOf(roots.artifactsDir).lock);
}
