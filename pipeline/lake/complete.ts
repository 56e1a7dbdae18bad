/**
 * Derives everything else in a store from its current snapshot: a new version of each Delta table that changed, the
 * list of snapshots, a DuckLake over them, a manifest where a server has it, and the removal of expired data. Each
 * write is conditional and each step can be repeated, so that the next publisher continues a killed one's work, and one
 * that is overtaken stops.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import pLimit from "p-limit";
import { BULK_MANIFEST, toBulkManifest } from "../contract/documents/bulk-manifest.ts";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { CONTRACT_VERSION, TABLE_NAMES, TABLES, type TableName } from "../contract/tables.ts";
import { LockedError } from "../errors.ts";
import { RETENTION, type Retention } from "../contract/retention.ts";
import { NO_FRESHNESS, readFreshness } from "../store/freshness.ts";
import { listPublished, readPublished, readLocalManifest } from "../store/published.ts";
import { layoutOf, nameOf } from "../store/layout.ts";
import { openDatabase } from "../store/database.ts";
import { located, publish, publishFreshness } from "../store/publish.ts";
import { readInService } from "../store/versions.ts";
import { isOlder } from "../store/manifest.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { collect, keptSnapshots } from "../store/collect.ts";
import { readManifest, readPointer, type StoredPointer } from "../store/pointer.ts";
import { type Content, DUCKLAKE, SNAPSHOTS, type Store, type StoredFile } from "../store/store.ts";
import { type Action, type ForeignVersion, newFiles, type TableState, toActions } from "./delta/actions.ts";
import { writeCheckpoint } from "./delta/checkpoint.ts";
import { writeDuckLake } from "./ducklake/write.ts";
import { expectReversible, foreignText } from "./delta/foreign.ts";
import { applyCommit, collectLog, commitVersion, neededFiles, readTableLog } from "./delta/log.ts";
import { type ListedSnapshot, listingText, listSnapshots, readListing } from "./listing.ts";
import { readStatistics } from "./delta/statistics.ts";

export interface ExportOptions {
  readonly now: Date;
  /** The retention of snapshots; by default that of `RETAIN`. */
  readonly retain?: Retention;
  /** The number of versions of a table between two checkpoints. */
  readonly checkpointInterval?: number;
}

export interface CompleteCurrentOptions extends ExportOptions {
  /** An additional folder with objects that the artifacts folder lacks. */
  readonly more?: string;
  readonly assertHeld: () => Promise<void>;
  readonly disk?: Disk;
}

interface CompleteOptions extends Required<Omit<CompleteCurrentOptions, "more">> {
  readonly connection: DuckDBConnection;
  readonly tempFolder: string;
  /** The folders of objects on this machine, the artifacts folder first. */
  readonly folders: readonly [artifacts: string, ...more: string[]];
}

export interface Completed {
  readonly snapshot: ListedSnapshot;
  /** The tables that got a new version. */
  readonly changed: readonly TableName[];
  /** A line for each table that another program wrote to, and whose published rows a new version restored. */
  readonly restored: readonly string[];
}

interface Plan {
  readonly name: TableName;
  readonly state: TableState;
  readonly actions: readonly Action[];
}

/** Logs and manifests are read in parallel up to this number. */
const AT_A_TIME = 4;

/**
 * Exports to a store that is a copy of this folder: its current snapshot is replaced, whatever it is.
 * @throws UsageError when nothing is published, LockedError while another program publishes in the store
 */
export async function exportSnapshot(artifacts: string, store: Store, options: ExportOptions): Promise<Completed> {
  const published = await readPublished(artifacts);
  const freshness = await readFreshness(artifacts);
  return store.exclusively(async (assertHeld) => {
    const replaced = await readInService(store);
    if (replaced?.snapshot.id === published.manifest.id) await publishFreshness(store, freshness, replaced);
    else await publish(store, { ...located(published), previous: replaced, freshness, assertHeld });
    return completeCurrent(artifacts, store, { ...options, assertHeld });
  });
}

/** Completes the current snapshot of the store. @throws LockedError when another publisher overtakes */
export async function completeCurrent(
  artifacts: string,
  store: Store,
  { assertHeld, checkpointInterval = 50, disk = nodeDisk, more, now, retain = RETENTION }: CompleteCurrentOptions,
): Promise<Completed> {
  const pointer = await readInService(store);
  if (!pointer) throw new Error(`nothing is published in ${store.name}`);
  const tempFolder = join(layoutOf(artifacts).staging, `store-${randomUUID()}`);
  await disk.mkdir(tempFolder);
  const { connection, close } = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder });
  try {
    return await completeSnapshot(store, pointer, {
      ...{ now, retain, checkpointInterval, connection, tempFolder, assertHeld, disk },
      folders: more === undefined ? [artifacts] : [artifacts, more],
    });
  } finally {
    close();
    await disk.rm(tempFolder);
  }
}

/**
 * Completes this snapshot.
 * @throws LockedError when another snapshot has become current: its publisher completes it
 */
async function completeSnapshot(store: Store, pointer: StoredPointer, options: CompleteOptions): Promise<Completed> {
  const { assertHeld, checkpointInterval, connection, now, retain, tempFolder } = options;
  const { freshness = NO_FRESHNESS, snapshot: current } = pointer;
  const assertCurrent = async (): Promise<void> => {
    await assertHeld();
    if ((await readPointer(store, { etag: pointer.etag })) !== "unchanged")
      throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  };
  const limit = pLimit(AT_A_TIME);
  const plans = await Promise.all(TABLE_NAMES.map((name) => limit(() => plan(store, name, current, options))));
  const states = new Map<TableName, TableState>();
  const restored: string[] = [];
  for (const planned of plans) {
    if (planned.actions.length > 0) await assertCurrent();
    const { foreign, state } = await commit(store, planned, current, options, assertCurrent);
    states.set(planned.name, state);
    if (foreign.length > 0)
      restored.push(`${foreignText(planned.name, foreign)}; version ${state.version} has the published rows again`);
  }
  const versions = Object.fromEntries([...states].map(([name, { version }]) => [name, version]));
  const keep = { now, retain, keepMs: 0 };
  const retained = keptSnapshots(pointer.retained, keep);
  const listed = await writeListing(store, { ...pointer, retained }, versions, assertCurrent);
  const manifests = await readManifests(store, [current, ...retained], options);
  const snapshots = manifests.flatMap((manifest) => (manifest.contract === CONTRACT_VERSION ? [{ manifest }] : []));
  const lake = join(tempFolder, "lake.ducklake");
  await writeDuckLake(lake, { snapshots, base: store.base, pathOf: (_name, { path }) => path });
  await replace(store, DUCKLAKE, { at: lake }, assertCurrent);
  const bulk = toBulkManifest(nameOf(current), current, freshness, (path) => `/${path}`);
  await replace(store, BULK_MANIFEST.slice(1), `${JSON.stringify(bulk)}\n`, assertCurrent);
  for (const [name, state] of states) {
    const retainedVersions = [...listed.flatMap((snapshot) => snapshot.versions[name] ?? []), state.version];
    const removed = neededFiles(state, retainedVersions);
    if (state.version - Math.max(0, state.checkpoint) >= checkpointInterval)
      await writeCheckpoint(connection, store, { table: name, state: { ...state, removed }, tempFolder });
    await collectLog(store, name, Math.min(...retainedVersions));
  }
  await assertHeld();
  const manifestById = new Map(manifests.map((manifest) => [manifest.id, manifest]));
  const { objects } = await collect(store, pointer, { ...keep, manifestOf: async ({ id }) => manifestById.get(id) });
  // Another publisher may have removed an old object that is in use again, and other programs may remove any object.
  const published = new Map(manifests.flatMap(({ files }) => files.map((file) => [file.path, file])));
  await addMissing(store, [...published.values()], objects, options);
  return {
    snapshot: listed[0] as ListedSnapshot,
    changed: plans.filter(({ actions }) => actions.length > 0).map(({ name }) => name),
    restored,
  };
}

async function plan(store: Store, name: TableName, current: Manifest, options: CompleteOptions): Promise<Plan> {
  const { connection, tempFolder } = options;
  const table: Table = TABLES[name];
  const state = await readTableLog(connection, store, name, tempFolder);
  expectReversible(store, name, state);
  const files = filesOf(current, name);
  const here: (PublishedFile & { from: string })[] = [];
  for (const file of newFiles(state, files)) {
    const from = await pathHere(file, options);
    if (from !== undefined) here.push({ ...file, from });
  }
  const byPlace = await readStatistics(connection, table, here);
  const stats = new Map(here.map(({ from, path }) => [path, byPlace.get(from) ?? ""]));
  const { createdAt, id } = current;
  return { name, state, actions: toActions(state, { table, files, stats, at: Date.parse(createdAt), snapshot: id }) };
}

const filesOf = ({ files }: Manifest, name: TableName): PublishedFile[] => files.filter(({ table }) => table === name);

/**
 * Commits the planned version, if the table changed. Returns the table's state, and the versions of other writers
 * before it.
 */
async function commit(
  store: Store,
  planned: Plan,
  current: Manifest,
  options: CompleteOptions,
  assertCurrent: () => Promise<void>,
): Promise<{ state: TableState; foreign: readonly ForeignVersion[] }> {
  for (let next = planned; ; next = await plan(store, planned.name, current, options)) {
    const { actions, name, state } = next;
    const { foreign } = state;
    if (actions.length === 0) return { state, foreign };
    const version = state.version + 1;
    // Another writer may have removed files too, and the files of a version must exist before it does.
    if (foreign.length > 0) await addMissing(store, filesOf(current, name), new Set(), options);
    if (await commitVersion(store, name, version, actions))
      return { state: applyCommit(state, actions, version), foreign };
    // A publisher that was overtaken, or a killed attempt of this one, added that version.
    await assertCurrent();
  }
}

/** Writes the version of each table for each retained snapshot. */
async function writeListing(
  store: Store,
  pointer: StoredPointer,
  versions: Readonly<Record<string, number>>,
  assertCurrent: () => Promise<void>,
): Promise<readonly ListedSnapshot[]> {
  for (;;) {
    const { snapshots, etag } = await readListing(store);
    const listed = listSnapshots(pointer, versions, snapshots);
    if (JSON.stringify(listed) === JSON.stringify(snapshots)) return listed;
    await assertCurrent();
    if (await store.replace(SNAPSHOTS, listingText(listed), etag)) return listed;
  }
}

/**
 * Returns the manifests of snapshots, with the numbers that they have in the store. Most are read from this machine:
 * ids are the same everywhere.
 */
async function readManifests(
  store: Store,
  snapshots: readonly (Manifest | EarlierSnapshot)[],
  { folders: [artifacts], disk }: CompleteOptions,
): Promise<Manifest[]> {
  const here = new Map((await listPublished(artifacts, disk)).map(({ id, name }) => [id, name]));
  const limit = pLimit(AT_A_TIME);
  const readOne = async (snapshot: Manifest | EarlierSnapshot): Promise<Manifest[]> => {
    if ("files" in snapshot) return [snapshot];
    const name = here.get(snapshot.id);
    const local = name && (await readLocalManifest(artifacts, name, disk, isOlder).catch(() => undefined));
    const manifest = local || (await readManifest(store, snapshot).catch(() => undefined));
    return manifest ? [{ ...manifest, generation: snapshot.generation }] : [];
  };
  return (await Promise.all(snapshots.map((snapshot) => limit(() => readOne(snapshot))))).flat();
}

/**
 * Replaces an object that is derived from the current snapshot. The publisher of a newer snapshot replaces it after
 * this.
 */
async function replace(store: Store, key: string, content: Content, assertCurrent: () => Promise<void>): Promise<void> {
  for (;;) {
    const stored = await store.read(key);
    const etag = typeof stored === "object" ? stored.etag : null;
    if (typeof content === "string" && typeof stored === "object" && stored.content.equals(Buffer.from(content)))
      return;
    await assertCurrent();
    if (await store.replace(key, content, etag)) return;
  }
}

/** Returns the path of an object on this machine; undefined where this machine does not have it. */
async function pathHere(
  { bytes, path }: Pick<PublishedFile, "path" | "bytes">,
  { disk, folders }: CompleteOptions,
): Promise<string | undefined> {
  for (const folder of folders) if ((await disk.stat(join(folder, path)))?.bytes === bytes) return join(folder, path);
  return undefined;
}

/** Adds objects that the store should have and lacks, as far as this machine has them. */
async function addMissing(
  store: Store,
  files: readonly Pick<PublishedFile, "path" | "bytes">[],
  present: ReadonlySet<string>,
  options: CompleteOptions,
): Promise<void> {
  const missing: StoredFile[] = [];
  for (const file of files) {
    const localPath = present.has(file.path) ? undefined : await pathHere(file, options);
    if (localPath !== undefined) missing.push({ key: file.path, at: localPath });
  }
  await store.addFiles(missing);
}
