/** Publishes staged files in the artifacts folder: objects, manifest and pointer, then the checkout of the new snapshot. */
import { join } from "node:path";
import { byPath, type EarlierSnapshot, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Base, isPublished, lacksData } from "../store/open.ts";
import { type Generation, listGenerations } from "../store/published.ts";
import { layoutOf, nameOf } from "../store/layout.ts";
import { DamagedGeneration, readManifest } from "../store/manifest.ts";
import { contentId, nextSnapshot, snapshotId } from "../store/snapshot-id.ts";
import { checkoutProblems } from "../store/verify.ts";
import { manifestText, retainedAfter, snapshotKey, type StoredPointer } from "../store/pointer.ts";
import { publish } from "../store/publish.ts";
import { openFolderStore } from "../store/folder.ts";
import type { Store } from "../store/store.ts";
import { assertLink, makeCheckout } from "../store/checkout.ts";
import { type Disk, replaceFile } from "../disk/disk.ts";

export interface PublishOptions {
  readonly source: Readonly<Record<string, string>>;
  readonly now: Date;
  /** For a copy: time, number and changes before of the original. The number is used unless a higher one exists here. */
  readonly copyOf?: Pick<Manifest, "createdAt" | "generation" | "changesBefore" | "forgotten" | "forgottenAt"> & {
    /** Those before the original; by default those that are here. */
    readonly retained?: readonly EarlierSnapshot[] | undefined;
  };
  /** Publishes the snapshot elsewhere before it is in service here. Nothing is published here when it throws. */
  readonly publishFirst?: (snapshot: LocatedSnapshot) => Promise<void>;
  /** Throws when the lock was taken over. Called before each visible step. */
  readonly assertHeld?: () => Promise<void>;
}

/** A snapshot, and where its objects are on this machine; undefined for one that is not here. */
export interface LocatedSnapshot {
  readonly manifest: Manifest;
  readonly pathOf: (key: string) => string | undefined;
}

export const located = ({ folder, manifest }: Generation): LocatedSnapshot => ({
  manifest,
  pathOf: (key) => join(folder, key),
});

export interface Publication {
  readonly id: string;
  readonly generation: Generation;
  /** False when the same snapshot was published already. */
  readonly changed: boolean;
}

/** A file of the next snapshot and where it is now; undefined for a file that the next run has to fetch again. */
export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string | undefined;
}

export interface Staged {
  readonly artifacts: string;
  readonly folder: string;
  readonly disk: Disk;
  readonly base: Base;
  /** A snapshot of an older contract, which these files carry over. */
  readonly migrated?: Generation;
  /** By default what follows from the base. */
  readonly next?: Pick<Manifest, "id" | "changesBefore">;
  /** The mark of what was taken down, where there is no base that has one. */
  readonly forgotten?: string | undefined;
  readonly files: readonly LocatedFile[];
}

/** The artifacts folder as a store. Requires its lock, but for whoever only adds to it and has a folder of drafts. */
export const artifactsStore = (
  artifacts: string,
  disk: Disk,
  drafts: string = join(layoutOf(artifacts).staging, "drafts"),
): Store => openFolderStore(artifacts, disk, { drafts });

/**
 * Publishes the files as the next snapshot. After a kill at any step the old snapshot is current or the new one, and
 * the next run makes the checkout that is missing.
 */
export async function publishFiles(staged: Staged, options: PublishOptions): Promise<Publication> {
  const { artifacts, base, disk, folder } = staged;
  const { copyOf } = options;
  const files = staged.files.toSorted((a, b) => byPath(a.file, b.file));
  if (files.length === 0) throw new GuardError("nothing to publish: no table has a file");
  const { id, changesBefore } = identify(staged, options);
  if (base.generation) await ensureManifest(base.generation, folder, disk);
  if (base.generation && isPublished(base, id)) {
    await ensureCheckout(base.generation, folder, disk);
    return { id, generation: base.generation, changed: false };
  }
  // Files are carried over from the base: what it names is named here.
  const carried: Pick<Manifest, "forgotten" | "forgottenAt"> = copyOf ?? base.generation?.manifest ?? {};
  const { forgotten = copyOf || base.generation ? undefined : staged.forgotten, forgottenAt } = carried;
  const [newest] = await listGenerations(artifacts, disk);
  const prepared: Manifest = {
    contract: CONTRACT_VERSION,
    id,
    contentId: contentId(files.map(({ file }) => file)),
    generation: Math.max((newest?.generation ?? 0) + 1, copyOf?.generation ?? 0),
    createdAt: copyOf?.createdAt ?? options.now.toISOString(),
    source: { ...options.source },
    changesBefore,
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    files: files.map(({ file }) => file),
  };
  await assertLink(artifacts, disk);
  const paths = new Map(files.map(({ at, file }) => [file.path, at]));
  await options.publishFirst?.({ manifest: prepared, pathOf: (key) => paths.get(key) });
  const previous = previousOf(base);
  const retained = copyOf?.retained ?? earlierSnapshots(staged, previous, options);
  const manifest = await publish(artifactsStore(artifacts, disk), {
    manifest: prepared,
    etag: base.etag,
    present: presentPaths(staged),
    pathOf: (key) => paths.get(key),
    retained,
    ...(options.assertHeld ? { assertHeld: options.assertHeld } : {}),
  });
  const generation = { folder: artifacts, manifest, retained };
  await makeCheckout(artifacts, manifest, join(folder, "checkout"), disk);
  return { id, generation, changed: true };
}

/** Objects that need not be added: sound ones of the base, and those that the next run has to fetch again. */
function presentPaths({ base: { generation, lost }, files }: Staged): ReadonlySet<string> {
  const lostPaths = new Set(lost.map(({ file }) => file.path));
  const sound = (generation?.manifest.files ?? []).filter(({ path }) => !lostPaths.has(path));
  const due = files.filter(({ at }) => at === undefined).map(({ file }) => file);
  return new Set([...sound, ...due].map(({ path }) => path));
}

const previousOf = ({ etag, generation }: Base): StoredPointer | undefined =>
  generation && { snapshot: generation.manifest, retained: [...generation.retained], etag };

/** The pointer has the whole manifest of the current snapshot: where its file is missing or damaged, it is written again. */
async function ensureManifest({ folder, manifest }: Generation, drafts: string, disk: Disk): Promise<void> {
  try {
    await readManifest(folder, nameOf(manifest), disk);
  } catch (error) {
    if (!(error instanceof DamagedGeneration)) throw error;
    for (const needed of [drafts, layoutOf(folder).snapshots]) await disk.mkdir(needed);
    await replaceFile(disk, join(folder, snapshotKey(manifest)), manifestText(manifest), join(drafts, "manifest"));
  }
}

/** Makes the checkout of a published snapshot again where something of it is missing, damaged or foreign. */
export async function ensureCheckout(generation: Generation, folder: string, disk: Disk): Promise<void> {
  if ((await checkoutProblems(generation, disk)).length === 0) return;
  await makeCheckout(generation.folder, generation.manifest, join(folder, "checkout"), disk);
}

function identify({ base, files, next }: Staged, { copyOf }: PublishOptions): Pick<Manifest, "id" | "changesBefore"> {
  const listed = files.map(({ file }) => file);
  if (!copyOf) return next ?? nextSnapshot(base.generation?.manifest, listed);
  return { id: snapshotId(listed, copyOf.changesBefore), changesBefore: copyOf.changesBefore };
}

/** The base and the snapshots before it, newest first. A base that lacks data is not offered to anyone. */
function earlierSnapshots(
  { base, migrated }: Staged,
  previous: StoredPointer | undefined,
  { copyOf, now }: PublishOptions,
): readonly EarlierSnapshot[] {
  const before = migrated ? { snapshot: migrated.manifest, retained: [...migrated.retained] } : previous;
  // What is migrated has the time of its original, which was served until now.
  const replacedAt = migrated ? now.toISOString() : (copyOf?.createdAt ?? now.toISOString());
  const all = retainedAfter(before, replacedAt);
  return !migrated && lacksData(base) ? all.slice(1) : all;
}
