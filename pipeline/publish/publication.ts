/**
 * Publishes staged files in the artifacts folder: objects, manifest and pointer, then the checkout of the new snapshot.
 */
import { join } from "node:path";
import { byPath, type EarlierSnapshot, type Manifest } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Base, isPublished, lacksData, previousOf } from "../store/open.ts";
import { assertLink, ensureCheckout, ensureManifest, makeCheckout } from "../store/checkout.ts";
import { type LocatedFile, type LocatedSnapshot, publish } from "../store/publish.ts";
import { type Generation, listGenerations, type Publication } from "../store/published.ts";
import { contentId, nextSnapshot, snapshotId } from "../store/snapshot-id.ts";
import { retainedAfter, type StoredPointer } from "../store/pointer.ts";
import { artifactsStore } from "../store/folder.ts";
import type { Disk } from "../disk/disk.ts";

export interface PublishOptions {
  readonly source: Readonly<Record<string, string>>;
  readonly now: Date;
  /** Publishes the snapshot elsewhere before it is in service here. Nothing is published here when it throws. */
  readonly publishFirst?: (snapshot: LocatedSnapshot) => Promise<void>;
  /** Throws when the lock was taken over. Called before each visible step. */
  readonly assertHeld?: () => Promise<void>;
}

export interface Staged {
  readonly artifacts: string;
  readonly folder: string;
  readonly disk: Disk;
  readonly base: Base;
  /** The snapshot of an older contract that these files carry over: its time and take-downs are kept. */
  readonly migrated?: Generation;
  /** The next snapshot's id; by default derived from the base. */
  readonly next?: Pick<Manifest, "id" | "changesBefore">;
  /** The mark of the list of take-downs, where no base has one. */
  readonly forgotten?: string | undefined;
  /** The next run fetches again what is not here. */
  readonly files: readonly LocatedFile[];
}

/**
 * Publishes the files as the next snapshot. After a kill at any step the old snapshot is current or the new one, and
 * the next run makes the checkout that is missing.
 */
export async function publishFiles(staged: Staged, options: PublishOptions): Promise<Publication> {
  const { artifacts, base, disk, folder, migrated } = staged;
  const files = staged.files.toSorted((a, b) => byPath(a.file, b.file));
  if (files.length === 0) throw new GuardError("nothing to publish: no table has a file");
  const { id, changesBefore } = identify(staged);
  if (base.generation) await ensureManifest(base.generation, folder, disk);
  if (base.generation && isPublished(base, id)) {
    await ensureCheckout(base.generation, folder, disk);
    return { id, generation: base.generation, changed: false };
  }
  // Files that are carried over keep their mark.
  const carried = migrated?.manifest ?? base.generation?.manifest;
  const { forgotten, forgottenAt } = carried ?? { forgotten: staged.forgotten };
  const [newest] = await listGenerations(artifacts, disk);
  const prepared: Manifest = {
    contract: CONTRACT_VERSION,
    id,
    contentId: contentId(files.map(({ file }) => file)),
    generation: Math.max(newest?.generation ?? 0, migrated?.manifest.generation ?? 0) + 1,
    createdAt: migrated?.manifest.createdAt ?? options.now.toISOString(),
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
  const retained = earlierSnapshots(staged, previous, options);
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

/**
 * Returns objects that need not be added: sound objects of the base, and those that the next run has to fetch again.
 */
function presentPaths({ base: { generation, lost }, files }: Staged): ReadonlySet<string> {
  const lostPaths = new Set(lost.map(({ file }) => file.path));
  const sound = (generation?.manifest.files ?? []).filter(({ path }) => !lostPaths.has(path));
  const due = files.filter(({ at }) => at === undefined).map(({ file }) => file);
  return new Set([...sound, ...due].map(({ path }) => path));
}

function identify({ base, files, migrated, next }: Staged): Pick<Manifest, "id" | "changesBefore"> {
  const listed = files.map(({ file }) => file);
  if (migrated) return { id: snapshotId(listed, null), changesBefore: null };
  return next ?? nextSnapshot(base.generation?.manifest, listed);
}

/** The base and the snapshots before it, newest first. A base that lacks data is not offered to anyone. */
function earlierSnapshots(
  { base, migrated }: Staged,
  previous: StoredPointer | undefined,
  { now }: PublishOptions,
): readonly EarlierSnapshot[] {
  const replaced = migrated ? { snapshot: migrated.manifest, retained: [...migrated.retained] } : previous;
  // A migrated snapshot has the time of its original, which was served until now.
  const all = retainedAfter(replaced, now.toISOString());
  return !migrated && lacksData(base) ? all.slice(1) : all;
}
