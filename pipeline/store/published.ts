/** The snapshots in the artifacts folder: the current one, and those that can still be asked for. */
import { join, resolve } from "node:path";
import { type EarlierSnapshot, isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse, UsageError } from "../errors.ts";
import { diskReader, type DiskReader } from "../disk/disk.ts";
import { damagedFile, sizeProblem } from "./file-check.ts";
import { readFreshness } from "./freshness.ts";
import { layoutOf, nameOf, parseSnapshotName } from "./layout.ts";
import { openFolderReader } from "./folder.ts";
import { type Accepts, DamagedSnapshot, isOlder, isOurs, OtherContract } from "./manifest.ts";
import { readManifest, readPointer } from "./pointer.ts";
import type { Pointer } from "../contract/documents/pointer.ts";
import { type RetainedSnapshot, resolveAsOf, snapshotsOf } from "../contract/as-of.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";

/** A published snapshot. It never changes. */
export interface PublishedSnapshot {
  /** The folder of its objects. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The snapshots that were retained when it was read, newest first; none unless it was current then. */
  readonly retained: readonly EarlierSnapshot[];
}

/** The files of a snapshot's tables, without what is made of them. */
export interface TableFiles {
  /** The folder of its objects. */
  readonly folder: string;
  readonly files: readonly Pick<PublishedFile, "table" | "path">[];
}

export const tableFiles = ({ folder, manifest }: PublishedSnapshot): TableFiles => ({
  folder,
  files: manifest.files.filter((file) => !isMade(file)).map(({ table, path }) => ({ table, path })),
});

/** A snapshot that was published in the artifacts folder. */
export interface Publication {
  readonly id: string;
  readonly published: PublishedSnapshot;
  /** False when the same snapshot was published already. */
  readonly changed: boolean;
}

export interface SnapshotName {
  readonly name: string;
  readonly generation: number;
  readonly id: string;
}

/** The snapshots on disk by number, newest first. */
export async function listPublished(artifacts: string, disk: DiskReader = diskReader): Promise<SnapshotName[]> {
  return (await disk.readdir(layoutOf(artifacts).snapshots))
    .flatMap((file) => {
      const name = file.replace(/\.json$/, "");
      const parsed = name === file ? undefined : parseSnapshotName(name);
      return parsed ? [{ name, ...parsed }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
}

/**
 * The pointer of the artifacts folder; undefined before the first publication.
 * @throws DamagedSnapshot, OtherContract
 */
export async function readLocalPointer(
  artifacts: string,
  disk: DiskReader = diskReader,
  accepts: Accepts = isOurs,
): Promise<Pointer | undefined> {
  const pointer = await sound(readPointer(openFolderReader(artifacts, disk), { accepts, isWhole: true }));
  return typeof pointer === "object" ? pointer : undefined;
}

/** The manifest of a snapshot in the artifacts folder by its name. @throws DamagedSnapshot, OtherContract */
export async function readLocalManifest(
  artifacts: string,
  name: string,
  disk: DiskReader = diskReader,
  accepts: Accepts = isOurs,
): Promise<Manifest> {
  const snapshot = parseSnapshotName(name);
  const reader = openFolderReader(artifacts, disk);
  const manifest = snapshot && (await sound(readManifest(reader, snapshot, { accepts, isWhole: true })));
  if (!manifest) throw new DamagedSnapshot(`${name}.json is missing`);
  return manifest;
}

/** Here a document that cannot be used is damage; elsewhere it is a bad response of that place. */
async function sound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse)) throw error;
    throw error.cause instanceof DamagedSnapshot ? error.cause : new DamagedSnapshot(error.message);
  }
}

/** The name of the current snapshot; undefined when nothing was published yet. @throws DamagedSnapshot */
export async function readCurrentName(artifacts: string, disk: DiskReader = diskReader): Promise<string | undefined> {
  const pointer = await readLocalPointer(artifacts, disk, isOlder);
  return pointer && nameOf(pointer.snapshot);
}

/**
 * The current snapshot; undefined when nothing was published yet. The sizes of the
 * tables' files are compared, hashes are not (see verifySnapshot).
 * @throws DamagedSnapshot, OtherContract
 */
export async function readCurrent(
  artifacts: string,
  disk: DiskReader = diskReader,
): Promise<PublishedSnapshot | undefined> {
  const pointer = await readLocalPointer(artifacts, disk);
  if (!pointer) return undefined;
  const published = { folder: artifacts, manifest: pointer.snapshot, retained: pointer.retained };
  await assertSizes(published, disk);
  return published;
}

/** True when something is published that can be served, even if a first build is unfinished. */
export const isPublished = (artifacts: string): Promise<boolean> =>
  readCurrent(artifacts).then(
    (current) => current !== undefined,
    () => false,
  );

/** True when no first build is to be begun or continued. */
export const isFinished = async (artifacts: string): Promise<boolean> =>
  (await isPublished(artifacts)) && (await readFreshness(artifacts)).olderTerms === undefined;

/** @throws UsageError when nothing is published; as readCurrent */
export async function readPublished(artifacts: string): Promise<PublishedSnapshot> {
  const published = await readCurrent(artifacts);
  if (!published) throw new UsageError("nothing is published yet: run `make build-data` first");
  return published;
}

/** A snapshot by its name. @throws as readCurrent */
export async function readSnapshot(
  artifacts: string,
  name: string,
  disk: DiskReader = diskReader,
): Promise<PublishedSnapshot> {
  const published = { folder: artifacts, manifest: await readLocalManifest(artifacts, name, disk), retained: [] };
  await assertSizes(published, disk);
  return published;
}

async function assertSizes({ folder, manifest }: PublishedSnapshot, disk: DiskReader): Promise<void> {
  for (const file of manifest.files) {
    if (isMade(file)) continue;
    const problem = sizeProblem(await disk.stat(join(folder, file.path)), file);
    if (problem !== undefined) throw damagedFile(file, problem);
  }
}

export interface Retained extends RetainedSnapshot {
  /** `<number>-<id>`, as in the addresses of its files. */
  readonly folderName: string;
}

/** This snapshot, then all earlier ones that its pointer knows, newest first. */
export const knownSnapshots = ({ manifest, retained }: Omit<PublishedSnapshot, "folder">): Retained[] =>
  snapshotsOf(manifest, retained).map((snapshot) => ({
    ...snapshot,
    folderName: nameOf(snapshot),
  }));

/** The earlier snapshots that are on disk. */
export async function retainedSnapshots(
  current: PublishedSnapshot,
  disk: DiskReader = diskReader,
): Promise<Retained[]> {
  const onDisk = new Set((await listPublished(current.folder, disk)).map(({ name }) => name));
  return knownSnapshots(current).filter(({ folderName }, index) => index === 0 || onDisk.has(folderName));
}

/** Returns this snapshot and the readable earlier ones, newest first. Their files are not checked. */
export async function readEarlier(current: PublishedSnapshot, disk: DiskReader): Promise<PublishedSnapshot[]> {
  const { folder } = current;
  const readable = [current];
  for (const { folderName } of (await retainedSnapshots(current, disk)).slice(1)) {
    try {
      readable.push({ folder, manifest: await readLocalManifest(folder, folderName, disk), retained: [] });
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
    }
  }
  return readable;
}

/**
 * The snapshot that was current then: `asOf` is a snapshot id, a campus day or a time.
 * @throws UsageError when nothing is published, for any other text, and for a snapshot that is not retained: it names
 *   the nearest ones
 */
export async function readAsOf(artifacts: string, asOf: string, now: Date): Promise<PublishedSnapshot> {
  const current = await readPublished(resolve(artifacts));
  const retained = await retainedSnapshots(current);
  const resolved = resolveAsOf(asOf, retained, now);
  if ("invalid" in resolved)
    throw new UsageError(
      `ASOF must be a snapshot id, a day such as 2026-11-20 or a time such as 2026-11-20T18:00:00Z, not ${JSON.stringify(asOf)}`,
    );
  if ("nearest" in resolved)
    throw new UsageError(
      `no snapshot is retained for ${JSON.stringify(asOf)}; the nearest: ${resolved.nearest.map(shown).join("; ")}`,
    );
  const { generation, id } = resolved.snapshot;
  try {
    return await readSnapshot(current.folder, nameOf({ generation, id }));
  } catch (error) {
    if (!(error instanceof OtherContract)) throw error;
    throw new UsageError(needsMigration(id, error.contract), { cause: error });
  }
}

/**
 * Explains why a snapshot of an older contract cannot be read: a migration carries over only the snapshot in service.
 */
export const needsMigration = (id: string, contract: number): string =>
  `snapshot ${id} is of contract version ${contract}, not ${CONTRACT_VERSION}: it would need a migration, which only the snapshot got that was in service then`;

const shown = ({ id, servedFrom, servedUntil }: RetainedSnapshot): string =>
  `${id}, served from ${servedFrom} ${servedUntil === null ? "on" : `to ${servedUntil}`}`;
