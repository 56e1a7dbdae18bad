/** Publishes staged files: a complete tree, fsynced, then an atomic switch of `current`. */
import { basename, dirname, join } from "node:path";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Disk, isLinkRefused } from "./disk.ts";
import { type Base, isPublished, lacksData } from "../generations/base.ts";
import { contentId, nextSnapshot, snapshotId } from "../generations/snapshot-id.ts";
import { type Generation, listGenerations } from "../generations/generation.ts";
import { generationName, layoutOf, parseGenerationName } from "../generations/layout.ts";

export interface PublishOptions {
  readonly source: Readonly<Record<string, string>>;
  readonly now: Date;
  /** For a copy: time, number and changes before of the original. The number is used unless a higher one exists here. */
  readonly copyOf?: Pick<Manifest, "createdAt" | "generation" | "changesBefore" | "forgotten" | "forgottenAt"> & {
    /** Those before the original; by default those that are here. */
    readonly snapshots?: readonly EarlierSnapshot[] | undefined;
  };
  /** Publishes the complete generation elsewhere before it is in service here. Nothing is published here when it throws. */
  readonly publishFirst?: (generation: Generation) => Promise<void>;
  /** Throws when the lock was taken over. Called before each visible step. */
  readonly assertHeld?: () => Promise<void>;
}

export interface Publication {
  readonly id: string;
  readonly generation: Generation;
  /** False when the same snapshot was published already. */
  readonly changed: boolean;
}

/** A file of the next generation and where it is now; undefined for a file that the next run has to fetch again. */
export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string | undefined;
}

export interface Staged {
  readonly artifacts: string;
  readonly folder: string;
  readonly disk: Disk;
  readonly base: Base;
  /** A generation of an older contract, which these files carry over. */
  readonly migrated?: Generation;
  /** By default what follows from the base. */
  readonly next?: Pick<Manifest, "id" | "changesBefore">;
  /** The mark of what was taken down, where there is no base that has one. */
  readonly forgotten?: string | undefined;
  readonly files: readonly LocatedFile[];
}

const byPath = (a: LocatedFile, b: LocatedFile) => (a.file.path < b.file.path ? -1 : 1);

/**
 * Publishes the files as the next generation and switches `current` to it. After a kill at any step `current` is the old generation or the new one.
 * A folder with a generation's name is always complete.
 */
export async function publishFiles(staged: Staged, options: PublishOptions): Promise<Publication> {
  const { artifacts, base, disk, folder } = staged;
  const files = staged.files.toSorted(byPath);
  if (files.length === 0) throw new GuardError("nothing to publish: no table has a file");
  const { id, changesBefore } = identify(staged, options);
  // Files are carried over from the base: what it names is named here.
  const carried: Pick<Manifest, "forgotten" | "forgottenAt"> = options.copyOf ?? base.generation?.manifest ?? {};
  const { forgotten = options.copyOf || base.generation ? undefined : staged.forgotten, forgottenAt } = carried;
  if (base.generation && isPublished(base, id)) return { id, generation: base.generation, changed: false };

  const linkBefore = await readLink(disk, layoutOf(artifacts).current);
  const next = (await highestGeneration(disk, artifacts, linkBefore)) + 1;
  const generation = Math.max(next, options.copyOf?.generation ?? 0);
  const createdAt = options.copyOf?.createdAt ?? options.now.toISOString();
  const manifest: Manifest = {
    contract: CONTRACT_VERSION,
    id,
    contentId: contentId(files.map(({ file }) => file)),
    generation,
    createdAt,
    source: { ...options.source },
    changesBefore,
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    snapshots: [...(await earlierSnapshots(staged, createdAt, options))],
    files: files.map(({ file }) => file),
  };
  const tree = join(folder, "generation");
  await buildTree(disk, tree, files, manifest);
  await options.publishFirst?.({ folder: tree, manifest });

  await options.assertHeld?.();
  const published = await placeTree(disk, artifacts, { tree, manifest, lastInService: options.now });
  await switchCurrent({ artifacts, disk, folder, linkBefore, published, ...options });
  return { id, generation: { folder: published, manifest }, changed: true };
}

/** Gives a complete tree its place among the generations. Returns its folder. */
export async function placeTree(
  disk: Disk,
  artifacts: string,
  { tree, manifest, lastInService }: { tree: string; manifest: Manifest; lastInService: Date },
): Promise<string> {
  const { generations } = layoutOf(artifacts);
  const published = join(generations, generationName(manifest.generation, manifest.id));
  await disk.mkdir(generations);
  await disk.rename(tree, published);
  // Retention reads from the folder's time when the generation was last current.
  await disk.touch(published, lastInService);
  await disk.syncFolder(generations);
  await disk.syncFolder(artifacts);
  return published;
}

/** Makes a placed generation the current one. @throws GuardError when `current` is no longer `linkBefore` */
export async function switchCurrent({
  artifacts,
  assertHeld,
  disk,
  folder,
  linkBefore,
  now,
  published,
}: Pick<Staged, "artifacts" | "disk" | "folder"> &
  Pick<PublishOptions, "assertHeld" | "now"> & { linkBefore: string | undefined; published: string }): Promise<void> {
  const { current } = layoutOf(artifacts);
  const link = join(folder, "current");
  await disk.symlink(`generations/${basename(published)}`, link);
  await assertHeld?.();
  if ((await readLink(disk, current)) !== linkBefore) {
    throw new GuardError("another run published in the meantime");
  }
  if (linkBefore !== undefined) await touchIfThere(disk, join(artifacts, linkBefore), now);
  await disk.rename(link, current);
  await disk.syncFolder(artifacts);
}

function identify({ base, files, next }: Staged, { copyOf }: PublishOptions): Pick<Manifest, "id" | "changesBefore"> {
  const listed = files.map(({ file }) => file);
  if (!copyOf) return next ?? nextSnapshot(base.generation?.manifest, listed);
  return { id: snapshotId(listed, copyOf.changesBefore), changesBefore: copyOf.changesBefore };
}

/** The base and the snapshots before it that are still on disk, newest first. A damaged base is not offered to anyone. */
async function earlierSnapshots(
  { artifacts, base, disk, migrated }: Staged,
  publishedAt: string,
  { copyOf, now }: PublishOptions,
): Promise<readonly EarlierSnapshot[]> {
  if (copyOf?.snapshots) return copyOf.snapshots;
  const before = migrated ?? base.generation;
  if (!before) return [];
  // What is migrated has the time of its original, which was served until now.
  const replacedAt = migrated ? now.toISOString() : publishedAt;
  const { id, generation: number, createdAt, snapshots } = before.manifest;
  const last = lacksData(base) ? [] : [{ id, generation: number, createdAt, replacedAt }];
  // Under a clock that was ahead they are later than now; nothing was served after it was replaced.
  const notLater = (time: string): string => (Date.parse(time) > Date.parse(replacedAt) ? replacedAt : time);
  const names = new Set((await listGenerations(artifacts, disk)).map(({ name }) => name));
  return [...last, ...snapshots]
    .filter((one) => names.has(generationName(one.generation, one.id)))
    .map((one) => ({ ...one, createdAt: notLater(one.createdAt), replacedAt: notLater(one.replacedAt) }));
}

/** Builds the generation in staging and syncs it to disk. */
export async function buildTree(
  disk: Disk,
  tree: string,
  files: readonly LocatedFile[],
  manifest: Manifest,
): Promise<void> {
  const folders = new Set([tree]);
  for (const { file, at } of files) {
    const to = join(tree, file.path);
    for (let above = dirname(to); !folders.has(above); above = dirname(above)) folders.add(above);
    await disk.mkdir(dirname(to));
    if (at !== undefined) await linkOrCopy(disk, at, to);
  }
  const path = join(tree, "manifest.json");
  await disk.writeFile(path, `${JSON.stringify(manifest, null, 1)}\n`);
  await disk.syncFile(path);
  for (const folder of folders) await disk.syncFolder(folder);
}

async function linkOrCopy(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.link(from, to);
  } catch (error) {
    if (!isLinkRefused(error)) throw error;
    await disk.copyFile(from, to);
    await disk.syncFile(to);
  }
}

async function touchIfThere(disk: Disk, path: string, when: Date): Promise<void> {
  if ((await disk.stat(path))?.kind === "folder") await disk.touch(path, when);
}

export async function readLink(disk: Disk, path: string): Promise<string | undefined> {
  const entry = await disk.stat(path);
  if (entry === undefined) return undefined;
  // A rename cannot replace a folder by a link, and the folder is not ours to remove.
  if (entry.kind !== "link") throw new GuardError(`${path} is no symbolic link: move it away, then run again`);
  return disk.readlink(path);
}

/** A generation that was never switched to keeps its number. */
export async function highestGeneration(disk: Disk, artifacts: string, link: string | undefined): Promise<number> {
  const numbers = (await listGenerations(artifacts, disk)).map(({ generation }) => generation);
  const linked = parseGenerationName(link?.replace(/^generations\//, "") ?? "")?.generation;
  return Math.max(0, ...numbers, linked ?? 0);
}
