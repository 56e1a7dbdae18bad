/**
 * Recovers lost published objects from other stores of this installation: the same object in separate checkouts,
 * backups or a bucket, or an older state of recorded history.
 */
import { join } from "node:path";
import { samePart, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import type { Disk } from "../disk/disk.ts";
import { findDamaged, type LostFile } from "../store/file-check.ts";
import { backupFolderOf, layoutOf, nameOf } from "../store/layout.ts";
import { readPublishedVersions } from "../store/versions.ts";
import type { Log } from "../log.ts";
import { guardFolders } from "../store/own-folders.ts";
import { fill, type Filled } from "../store/copy.ts";
import { openFolderReader, openFolderStore } from "../store/folder.ts";
import type { StoreReader } from "../store/store.ts";
import { dayOf, openBackups, readBackups } from "./backups.ts";

export interface CopySources {
  readonly artifacts: string;
  readonly dataDir: string;
  /** Older states are looked for in the snapshots and backups of this contract version. */
  readonly contract: number;
  /** The data of another campus is left alone. */
  readonly source: Readonly<Record<string, string>>;
  readonly disk: Disk;
}

/**
 * Returns the stores on this machine that may have an object of a published snapshot. Checkouts share their blocks with
 * it where the file system has hard links, so that one bad block damages both.
 */
export async function localPlaces({
  artifacts,
  dataDir,
  disk,
}: Pick<CopySources, "artifacts" | "dataDir" | "disk">): Promise<StoreReader[]> {
  const { checkouts } = layoutOf(artifacts);
  const folders = (await disk.readdir(checkouts)).map((name) => join(checkouts, name));
  const published = folders.map((folder) => ({ ...openFolderStore(folder, disk), name: "what is published" }));
  return [...published, { ...openFolderStore(backupFolderOf(dataDir), disk), name: "the backup" }];
}

/** Restores lost objects of any snapshot to the artifacts folder. Requires its lock. */
export async function fillArtifacts(
  artifacts: string,
  lost: readonly LostFile[],
  places: readonly StoreReader[],
  { disk, log }: { readonly disk: Disk; readonly log: Log },
): Promise<Filled> {
  if (lost.length === 0) return { filled: [], lost };
  const folder = join(layoutOf(artifacts).staging, "lost");
  await guardFolders([folder]);
  const onUnreachable = (problem: string) => log.warn("a store cannot be asked for lost files", { problem });
  try {
    const store = openFolderStore(artifacts, disk, { drafts: folder, isIndependent: true });
    return await fill(store, lost, places, { disk, folder, onUnreachable });
  } finally {
    await disk.rm(folder).catch(() => undefined);
  }
}

/**
 * Restores lost objects of earlier snapshots to the artifacts folder. Requires its lock.
 * @param isSuspected true for an object to check: all of them once a day, missing ones in every run
 * @returns a line for each object that no place has
 */
export async function fillEarlier(
  artifacts: string,
  isSuspected: (path: string) => boolean,
  places: readonly StoreReader[],
  options: { readonly disk: Disk; readonly log: Log },
): Promise<string[]> {
  const [current, ...earlier] = (await readPublishedVersions(artifacts, options.disk)).map(({ manifest }) => manifest);
  const named = new Map(earlier.flatMap(({ files }) => files.map((file) => [file.path, file])));
  // Objects of the current snapshot were verified when the run began.
  for (const { path } of current?.files ?? []) named.delete(path);
  const files = [...named.values()].filter(({ path }) => isSuspected(path));
  const damaged = await findDamaged(artifacts, files, options.disk);
  const { filled, lost } = await fillArtifacts(artifacts, damaged, places, options);
  for (const { file, from } of filled)
    options.log.warn("a file of an earlier snapshot was lost and is restored", { path: file.path, from });
  return lost.map(({ file }) => `${file.path} of an earlier snapshot is lost: no other store has it`);
}

/** A version of a file that a store on this machine has, or had. */
export interface Copy {
  readonly file: PublishedFile;
  readonly place: StoreReader;
}

/** Puts the first sound one of these below `filesFolder`, sharing no blocks with it; undefined when there is none. */
export async function putFirstSound<T extends Copy>(
  copies: readonly T[],
  filesFolder: string,
  disk: Disk,
): Promise<T | undefined> {
  const to = openFolderStore(filesFolder, disk, { isIndependent: true });
  const tried = new Set<string>();
  for (const copy of copies) {
    const { file, place } = copy;
    const name = `${place.name} ${file.path}`;
    // Snapshots share objects.
    if (tried.has(name)) continue;
    tried.add(name);
    const options = { disk, folder: filesFolder, onUnreachable: () => undefined };
    if ((await fill(to, [{ file, problem: "" }], [place], options)).filled.length > 0) return copy;
  }
  return undefined;
}

/** An older state of a partition of recorded history. */
interface OlderState extends Copy {
  /** For the report. */
  readonly from: string;
  /** The day on which it was published or backed up. */
  readonly stateOf: string;
}

/** Puts the newest sound older state of lost history below `filesFolder`; undefined when there is none. */
export async function restoreOlderState(
  sources: CopySources,
  lost: PublishedFile,
  filesFolder: string,
): Promise<OlderState | undefined> {
  const { artifacts, contract, dataDir, disk, source } = sources;
  const [published, backups] = [openFolderReader(artifacts, disk), openBackups(dataDir, disk)];
  const snapshots = (await readPublishedVersions(artifacts, disk))
    .filter(({ manifest }) => manifest.contract === contract && isSameCampus(manifest.source, source))
    .map(({ manifest }) => ({ manifest, place: published, from: `snapshot ${nameOf(manifest)}` }));
  const backedUp = (await ownBackups(sources)).map((manifest) => ({
    ...{ manifest, place: backups, from: `the backup of ${dayOf(manifest)}` },
  }));
  const states = [...snapshots, ...backedUp]
    .flatMap(({ from, manifest: { createdAt, files }, place }) =>
      files.map((file) => ({ file, place, from, stateOf: createdAt })),
    )
    .filter(({ file }) => samePart(file, lost))
    .sort((a, b) => (a.stateOf < b.stateOf ? 1 : -1));
  return putFirstSound(states, filesFolder, disk);
}

/** The backups of our campus and this contract version, newest first. */
export async function ownBackups({ contract, dataDir, disk, source }: CopySources): Promise<Manifest[]> {
  const manifests = await readBackups(openBackups(dataDir, disk));
  return manifests.filter((backup) => backup.contract === contract && isSameCampus(backup.source, source));
}
