/**
 * Takes backups of recorded history, which cannot be fetched again. A backup is the published snapshot reduced to its
 * irreplaceable tables (`IRREPLACEABLE_TABLES`: enrollment, changes, sources), as a snapshot of a store of its own,
 * `data/backup`. The first run of a campus day verifies the backups of this campus and repairs damage. Later runs of
 * the day take another backup only when they recorded something.
 */
import { join } from "node:path";
import { campusToday } from "../contract/campus-time.ts";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import type { BackupReport } from "../contract/documents/run-report.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { UpstreamError } from "../errors.ts";
import type { PublishedSnapshot } from "../store/published.ts";
import { layoutOf, partitionTitle } from "../store/layout.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { collect, listObjects } from "../store/collect.ts";
import { type FetchOptions, fill, findObject } from "../store/copy.ts";
import { openFolderStore } from "../store/folder.ts";
import { POINTER, readPointer, retainedAfter, snapshotKey, type StoredPointer } from "../store/pointer.ts";
import { publish } from "../store/publish.ts";
import type { Store, StoreReader } from "../store/store.ts";
import {
  BACKUP_RETENTION,
  type BackupState,
  dayOf,
  irreplaceableFiles,
  openBackups,
  readState,
  removeDamaged,
  repairDocuments,
} from "./backups.ts";

export interface BackupOptions {
  readonly dataDir: string;
  /** The snapshot to back up, of this contract version or an older one. */
  readonly published: PublishedSnapshot;
  readonly now: Date;
  readonly disk?: Disk;
  /** Other stores with recorded history, besides the artifacts folder. */
  readonly places?: readonly StoreReader[];
}

/** Takes the backup of the day. Errors are in the report; the next run tries again. */
export const backUpDaily = (options: BackupOptions): Promise<BackupReport> => backUp(options, undefined);

/**
 * Takes a backup that is kept for good: before a migration, before data of another campus, before a restore. Errors
 * are in the report.
 */
export const backUpForGood = (options: BackupOptions): Promise<BackupReport> => backUp(options, true);

interface Outcome {
  taken: boolean;
  failed: boolean;
  readonly repaired: string[];
  readonly problems: string[];
}

async function backUp(options: BackupOptions, isKept: true | undefined): Promise<BackupReport> {
  const { dataDir, disk = nodeDisk, published } = options;
  const store = openBackups(dataDir, disk);
  const outcome: Outcome = { taken: false, failed: false, repaired: [], problems: [] };
  try {
    if (irreplaceableFiles(published.manifest.files).length > 0)
      await store.exclusively(() => takeBackup(store, { ...options, disk, isKept }, outcome));
  } catch (error) {
    outcome.failed = true;
    outcome.problems.push(`the backup could not be written: ${messageOf(error)}`);
  }
  return { ...(await measure(store)), ...outcome };
}

/** The message of an error of the file system without its paths. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof UpstreamError || !("code" in error) ? error.message : (error.message.split(", ")[0] ?? "");
}

interface Work extends BackupOptions {
  readonly disk: Disk;
  readonly isKept: true | undefined;
}

async function takeBackup(store: Store, work: Work, outcome: Outcome): Promise<void> {
  const { published, isKept, now } = work;
  const { manifest } = published;
  const initial = await readState(store);
  const isContinued = initial.damage === undefined && isOfToday(initial.current, manifest, now);
  if (!isContinued) await repairDocuments(store, initial);
  const state = initial.damage === undefined ? initial : await readState(store);
  const { current } = state;
  const keptIds = state.retained.flatMap((earlier) => (earlier.isKept ? [earlier.id] : []));
  if (current?.isKept) keptIds.push(current.snapshot.id);
  if (isKept && keptIds.includes(manifest.id)) return;
  // A run that was killed in its first backup left no pointer.
  if (initial.damage !== undefined && initial.current?.etag !== null)
    outcome.problems.push(`${POINTER} of the backups was damaged and is made again`);
  const present = await repairObjects(store, state, { ...work, isThorough: !isContinued }, outcome);
  outcome.failed = !isContinued && outcome.problems.length > 0;

  const wanted = irreplaceableFiles(manifest.files);
  const backedUp = new Set(current?.snapshot.files.map(({ path }) => path));
  if (isContinued && !isKept && wanted.every(({ path }) => backedUp.has(path))) return;
  const paths = await locatePublished(wanted, present, work, outcome);
  const files = wanted.filter(({ path }) => present.has(path) || paths.has(path));
  // A backup that is kept for good may be the last copy of the sound files, so take it even when it is incomplete.
  if (files.length === 0 || (!isKept && files.length < wanted.length)) return;
  const backup: Manifest = { ...manifest, createdAt: now.toISOString(), files };
  await publish(store, {
    ...{ manifest: backup, present, previous: current, pathOf: (key: string) => paths.get(key) },
    ...{ retained: earlierBackups(state, backup), ...(isKept ? { isKept } : {}) },
  });
  outcome.taken = true;
  const pointer = await readPointer(store);
  if (typeof pointer === "object") await collect(store, pointer, { ...BACKUP_RETENTION, now });
}

/** True when the current backup is of this campus day, campus and contract. All were verified when it was taken. */
const isOfToday = (current: StoredPointer | undefined, { contract, source }: Manifest, now: Date): boolean =>
  current !== undefined &&
  dayOf(current.snapshot) === campusToday(now) &&
  current.snapshot.contract === contract &&
  isSameCampus(current.snapshot.source, source);

/** A backup of another campus is kept for good once ours replaces it. */
function earlierBackups({ current, retained }: BackupState, { createdAt, source }: Manifest): EarlierSnapshot[] {
  if (!current) return [];
  const [replaced, ...others] = retainedAfter({ ...current, retained: [...retained] }, createdAt);
  if (!replaced) return [];
  return [isSameCampus(current.snapshot.source, source) ? replaced : { ...replaced, isKept: true }, ...others];
}

/** Removes damaged objects of our backups and fills them again from every other store. Returns sound keys. */
async function repairObjects(
  store: Store,
  { current, manifests, unreadable }: BackupState,
  work: Work & { readonly isThorough: boolean },
  { problems, repaired }: Outcome,
): Promise<Set<string>> {
  const ownBackups = manifests.filter(({ source }) => isSameCampus(source, work.published.manifest.source));
  const named = new Map(ownBackups.flatMap(({ files }) => files.map((file) => [file.path, file])));
  for (const key of unreadable)
    if (!current || key !== snapshotKey(current.snapshot))
      problems.push(`${key} of a backup cannot be read, and its files stay: remove it to give it up`);
  if (work.isThorough) await removeDamaged(store, [...named.values()], work.disk);
  const stored = new Set((await listObjects(store)).map(({ key }) => key));
  const missing = [...named.values()].filter(({ path }) => !stored.has(path));
  const { filled, lost } = await fill(
    store,
    missing.map((file) => ({ file, problem: "missing" })),
    placesOf(work),
    { ...fetchOptions(work), onUnreachable: (problem) => problems.push(problem) },
  );
  for (const { file } of filled) repaired.push(partitionTitle(file));
  for (const { file } of lost) problems.push(lostLine(file, ownBackups));
  const gone = new Set(lost.map(({ file }) => file.path));
  return new Set([...named.keys()].filter((key) => !gone.has(key)));
}

/** The published objects, then the other stores that have recorded history. */
const placesOf = ({ disk, published, places = [] }: Work): StoreReader[] => [
  openFolderStore(published.folder, disk),
  ...places,
];

const fetchOptions = ({ disk, published }: Work): FetchOptions => ({
  disk,
  folder: join(layoutOf(published.folder).staging, "backup"),
});

function lostLine(file: PublishedFile, backups: readonly Manifest[]): string {
  const having = backups.filter(({ files }) => files.some(({ path }) => path === file.path));
  const days = [...new Set(having.map(dayOf))].join(", ");
  const keys = having.map(snapshotKey).join(", ");
  return `${partitionTitle(file)} of the backup of ${days} is damaged and no longer published: remove ${keys} to give it up`;
}

/** The paths of published files that are not backed up yet; damaged ones are problems. */
async function locatePublished(
  wanted: readonly PublishedFile[],
  present: ReadonlySet<string>,
  work: Work,
  outcome: Outcome,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const file of wanted.filter(({ path }) => !present.has(path))) {
    const path = await findObject(placesOf(work), file, fetchOptions(work));
    if (path !== undefined) paths.set(file.path, path);
    else {
      outcome.problems.push(`${partitionTitle(file)} is damaged as it is published: it cannot be backed up`);
      outcome.failed = true;
    }
  }
  return paths;
}

async function measure(store: Store): Promise<Pick<BackupReport, "newest" | "backups" | "bytes">> {
  try {
    const { current } = await readState(store);
    const bytes = (await listObjects(store)).reduce((sum, object) => sum + object.bytes, 0);
    return {
      newest: current ? dayOf(current.snapshot) : null,
      backups: current ? current.retained.length + 1 : 0,
      bytes,
    };
  } catch {
    // The problem is reported where the backup is written.
    return { newest: null, backups: 0, bytes: 0 };
  }
}
