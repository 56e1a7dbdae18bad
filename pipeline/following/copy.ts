/** Publishes another server's snapshot in the artifacts folder, by the same steps as a run. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { EarlierSnapshot, PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../errors.ts";
import type { Log } from "../log.ts";
import { downloadAll } from "./download-all.ts";
import { countRows, relationNamed, schemaProblems } from "../generations/schema.ts";
import { openDatabase } from "../publish/database.ts";
import { readPublishedVersions } from "../generations/versions.ts";
import { type Disk, nodeDisk } from "../publish/disk.ts";
import { readFreshness } from "../generations/freshness.ts";
import { writeFreshness } from "../publish/freshness.ts";
import { type Base, isPublished, readBase } from "../generations/base.ts";
import { layoutOf } from "../generations/layout.ts";
import { guardFolders, lockArtifacts } from "../publish/own-folders.ts";
import type { Publication } from "../publish/publication.ts";
import { collect } from "../publish/retention.ts";
import type { Retention } from "../contract/retention.ts";
import { createStaging, type Staging } from "../publish/staging.ts";
import { keyOf, type RemoteSnapshot } from "../stores/snapshot.ts";
import type { StoreReader } from "../stores/store.ts";

export interface CopyOptions {
  readonly artifacts: string;
  /** Where the snapshot is. */
  readonly from: StoreReader;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly log: Log;
  /** Which earlier snapshots are retained here. */
  readonly retain: Retention;
  /** The snapshots that are retained there besides, newest first; by default those that are here. */
  readonly earlier?: readonly EarlierSnapshot[] | undefined;
  /** Folders below staging that are in use. */
  readonly inUse?: () => readonly string[];
  readonly disk?: Disk;
  /** The mark of what was taken down here, where there is a list of it. */
  readonly mark?: string | undefined;
}

/** Partial downloads are kept here for the next attempt. */
const PARTIAL = "following";

/**
 * Files that are here already are hard-linked, the others downloaded and checked against size, hash and contract. Nothing is published unless all
 * of them pass.
 * @throws LockedError while another run is active; UpstreamError when the manifest or a file cannot be fetched or fails a check
 * **Output:** a generation with the same snapshot id, and its freshness.
 */
export async function copySnapshot(remote: RemoteSnapshot, options: CopyOptions): Promise<Publication> {
  const lock = await lockArtifacts({ artifactsDir: options.artifacts });
  try {
    return await copyLocked(remote, options, () => lock.assertHeld());
  } finally {
    await lock.release();
  }
}

/** As copySnapshot, for a run that holds the lock. */
export async function copyLocked(
  remote: RemoteSnapshot,
  options: CopyOptions,
  assertHeld: () => Promise<void>,
): Promise<Publication> {
  const { artifacts, disk = nodeDisk, earlier, inUse = () => [], log, now, retain } = options;
  const { manifest } = remote;
  // Data of a contract version that is refused is not replaced.
  await readPublishedVersions(artifacts, disk);
  const base = await readBase(artifacts, disk);
  guardForgotten(remote, options, base);
  const staging = createStaging(artifacts, base, disk);
  try {
    if (!isPublished(base, manifest.id)) await fetchMissing(remote, base, staging, options);
    const { changesBefore, createdAt, forgotten, forgottenAt, generation, source } = manifest;
    const publication = await staging.publish({
      source,
      now: now(),
      copyOf: {
        changesBefore,
        createdAt,
        generation,
        snapshots: earlier,
        ...(forgotten === undefined ? {} : { forgotten }),
        ...(forgottenAt === undefined ? {} : { forgottenAt }),
      },
      assertHeld,
    });
    await assertHeld();
    const known = await readFreshness(artifacts);
    if (JSON.stringify(known) !== JSON.stringify(manifest.freshness))
      await writeFreshness(artifacts, manifest.freshness, disk);
    // What was taken down at the origin must not stay here in an earlier snapshot, also when a killed copy left it.
    if (publication.changed || forgotten !== undefined) {
      await disk.rm(join(layoutOf(artifacts).staging, PARTIAL));
      const { problems } = await collect(artifacts, {
        now: now(),
        retain,
        disk,
        ownFolders: [staging.folder, ...inUse()],
      });
      for (const problem of problems) log.warn("an old generation cannot be removed", { problem });
    }
    return publication;
  } finally {
    await staging.discard();
  }
}

/**
 * Files are copied as they are, so that a snapshot which may have what was taken down here is refused. A replica has no
 * list of its own: there the origin may take down more, but nothing comes back that it took down before.
 */
function guardForgotten({ manifest }: RemoteSnapshot, { from, mark }: CopyOptions, { generation }: Base): void {
  const isCovered = mark === undefined ? manifest.forgotten !== undefined : manifest.forgotten === mark;
  if (isCovered || (mark === undefined && generation?.manifest.forgotten === undefined)) return;
  throw new UpstreamRefused(from.name, "still has what was taken down here: take it down there as well");
}

async function fetchMissing(
  { manifest, files, derived }: RemoteSnapshot,
  base: Base,
  staging: Staging,
  options: CopyOptions,
): Promise<void> {
  const { artifacts, from, signal } = options;
  const { disk } = staging;
  const partial = join(layoutOf(artifacts).staging, PARTIAL);
  const damaged = new Set(staging.damaged());
  const sound = staging.files().filter((file) => !damaged.has(file));
  const keyed = ({ path, sha256, bytes }: PublishedFile) => `${path} ${sha256} ${bytes}`;
  const carried = new Set([...sound, ...base.derived].map(keyed));
  const missing = [...files, ...derived].filter((file) => !carried.has(keyed(file)));
  await guardFolders([partial]);
  await disk.mkdir(partial);
  const partOf = ({ sha256 }: PublishedFile): string => join(partial, `${sha256}.parquet`);
  const downloads = missing.map((file) => ({ file, key: keyOf(manifest, file, from), at: partOf(file) }));
  await downloadAll(from, downloads, signal, disk);
  for (const file of missing) {
    const place = join(staging.filesFolder, file.path);
    await disk.mkdir(join(place, ".."));
    await disk.link(partOf(file), place);
    await disk.syncFile(place);
  }
  await expectTables(from, missing, staging);
  for (const table of TABLE_NAMES)
    staging.replaceTable(
      table,
      files.filter((file) => file.table === table),
    );
  const here = (file: PublishedFile) =>
    missing.includes(file) ? staging.filesFolder : (base.generation?.folder ?? "");
  staging.useDerived(derived.map((file) => ({ file, at: join(here(file), file.path) })));
}

/** Every new file must have the contract's columns and the announced number of rows. */
export async function expectTables(
  from: StoreReader,
  files: readonly PublishedFile[],
  { filesFolder, tempFolder }: Pick<Staging, "filesFolder" | "tempFolder">,
): Promise<void> {
  const { connection, close } = await openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder });
  try {
    for (const file of files) await expectTable(connection, from, file, join(filesFolder, file.path));
  } finally {
    close();
  }
}

/** @throws UpstreamError for whatever it is that DuckDB cannot read, too */
export async function expectTable(
  connection: DuckDBConnection,
  { name }: StoreReader,
  { path, rows, table }: PublishedFile,
  at: string,
): Promise<void> {
  const problems = await schemaProblems(connection, relationNamed(table) as Table, at).catch(() => [NO_PARQUET]);
  if (problems.length > 0) throw new UpstreamBadResponse(name, `${path}: ${problems.slice(0, 3).join("; ")}`);
  const counted = await countRows(connection, at).catch(() => undefined);
  if (counted === undefined) throw new UpstreamBadResponse(name, `${path}: ${NO_PARQUET}`);
  if (counted !== rows) throw new UpstreamBadResponse(name, `${path} does not have ${rows} rows`);
}

const NO_PARQUET = "not a Parquet file";
