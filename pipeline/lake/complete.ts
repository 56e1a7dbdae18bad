/**
 * What follows from the snapshot that is current in a store: a version of each Delta table that changed, the list of
 * snapshots, a DuckLake over them, a manifest where a server has it, and the end of what is not retained. Each write
 * is conditional and each step can be repeated, so that the next publisher goes on where a killed one ended, and one
 * that is overtaken stops.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import pLimit from "p-limit";
import { BULK_MANIFEST, toBulkManifest } from "../contract/documents/bulk-manifest.ts";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { CONTRACT_VERSION, TABLE_NAMES, TABLES, type TableName } from "../contract/tables.ts";
import { LockedError } from "../errors.ts";
import type { Retention } from "../contract/retention.ts";
import { NO_FRESHNESS } from "../store/freshness.ts";
import { listGenerations } from "../store/published.ts";
import { nameOf } from "../store/layout.ts";
import { isOlder, readManifest as readLocalManifest } from "../store/manifest.ts";
import type { Disk } from "../disk/disk.ts";
import { collect, keptSnapshots } from "../store/collect.ts";
import { readManifest, readPointer, type StoredPointer } from "../store/pointer.ts";
import { type Content, DUCKLAKE, SNAPSHOTS, type Store, type StoredFile } from "../store/store.ts";
import { type Action, type ForeignVersion, newFiles, type TableState, toActions } from "./delta/actions.ts";
import { writeCheckpoint } from "./delta/checkpoint.ts";
import { writeDuckLake } from "./ducklake/write.ts";
import { expectReversible, foreignText } from "./delta/foreign.ts";
import { applyCommit, commitVersion, readTableLog } from "./delta/log.ts";
import {
  collectDuckLakeWrites,
  collectLog,
  type ListedSnapshot,
  listingText,
  listSnapshots,
  neededFiles,
  readListing,
} from "./retention.ts";
import { readStatistics } from "./delta/statistics.ts";

export interface CompleteOptions {
  readonly now: Date;
  readonly retain: Retention;
  /** Versions of a table from one checkpoint to the next. */
  readonly checkpointInterval: number;
  readonly connection: DuckDBConnection;
  readonly tempFolder: string;
  /** The folders of objects on this machine, the artifacts folder first. */
  readonly folders: readonly [artifacts: string, ...more: string[]];
  readonly disk: Disk;
  readonly assertHeld: () => Promise<void>;
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

/** Tables whose logs, and manifests, are read at the same time. */
const AT_A_TIME = 4;

/** @throws LockedError when another snapshot has become current: its publisher completes it */
export async function completeSnapshot(
  store: Store,
  pointer: StoredPointer,
  options: CompleteOptions,
): Promise<Completed> {
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
  const generations = manifests.filter(({ contract }) => contract === CONTRACT_VERSION);
  const lake = join(tempFolder, "lake.ducklake");
  const toWrite = generations.map((manifest) => ({ manifest }));
  await writeDuckLake(lake, { generations: toWrite, base: store.base, pathOf: (_generation, { path }) => path });
  await replace(store, DUCKLAKE, { at: lake }, assertCurrent);
  await collectDuckLakeWrites(store, now);
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
  const known = new Map(manifests.map((manifest) => [manifest.id, manifest]));
  const { objects } = await collect(store, pointer, { ...keep, manifestOf: async ({ id }) => known.get(id) });
  // Another publisher may have removed an old object that came back, and other programs remove whatever they like.
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
    // Another writer may have removed files too, and a version appears after its files.
    if (foreign.length > 0) await addMissing(store, filesOf(current, name), new Set(), options);
    if (await commitVersion(store, name, version, actions))
      return { state: applyCommit(state, actions, version), foreign };
    // A publisher that was overtaken, or this one before it was killed, added that version.
    await assertCurrent();
  }
}

/** Writes which version of each table belongs to which retained snapshot. */
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

/** The manifests of snapshots, with the numbers that they have in the store. Mostly this machine has them: ids are the same everywhere. */
async function readManifests(
  store: Store,
  snapshots: readonly (Manifest | EarlierSnapshot)[],
  { folders: [artifacts], disk }: CompleteOptions,
): Promise<Manifest[]> {
  const here = new Map((await listGenerations(artifacts, disk)).map(({ id, name }) => [id, name]));
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

/** Replaces an object that follows from the current snapshot: whoever published a newer one replaces it after this. */
async function replace(store: Store, key: string, content: Content, assertCurrent: () => Promise<void>): Promise<void> {
  for (;;) {
    const found = await store.read(key);
    const etag = typeof found === "object" ? found.etag : null;
    if (typeof content === "string" && typeof found === "object" && found.content.equals(Buffer.from(content))) return;
    await assertCurrent();
    if (await store.replace(key, content, etag)) return;
  }
}

/** The path of an object on this machine; undefined where it is not here. */
async function pathHere(
  { bytes, path }: Pick<PublishedFile, "path" | "bytes">,
  { disk, folders }: CompleteOptions,
): Promise<string | undefined> {
  for (const folder of folders) if ((await disk.stat(join(folder, path)))?.bytes === bytes) return join(folder, path);
  return undefined;
}

/** Adds objects that the store should have and lacks, as far as they are on this machine. */
async function addMissing(
  store: Store,
  files: readonly Pick<PublishedFile, "path" | "bytes">[],
  present: ReadonlySet<string>,
  options: CompleteOptions,
): Promise<void> {
  const missing: StoredFile[] = [];
  for (const file of files) {
    const at = present.has(file.path) ? undefined : await pathHere(file, options);
    if (at !== undefined) missing.push({ key: file.path, at, bytes: file.bytes });
  }
  await store.addFiles(missing);
}
