/**
 * What follows from the snapshot that is current in a store: a version of each Delta table that changed, the list of snapshots, a DuckLake over
 * them, a manifest where a server has it, and the end of what is not retained. Each write is conditional and each step can be repeated, so that the next publisher goes on where a killed one
 * ended, and one that is overtaken stops.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import pLimit from "p-limit";
import { BULK_MANIFEST } from "../contract/documents/bulk-manifest.ts";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { CONTRACT_VERSION, TABLE_NAMES, TABLES, type TableName } from "../contract/tables.ts";
import { LockedError } from "../errors.ts";
import type { Retention } from "../contract/retention.ts";
import { nodeDisk } from "../publish/disk.ts";
import type { RemoteSnapshot } from "../stores/snapshot.ts";
import { CURRENT, type Content, DUCKLAKE, SNAPSHOTS, type Store, type StoredFile } from "../stores/store.ts";
import { type Action, type ForeignVersion, newFiles, type TableState, toActions } from "./delta/actions.ts";
import { writeCheckpoint } from "./delta/checkpoint.ts";
import { writeDuckLake } from "./ducklake/write.ts";
import { expectReversible, foreignText } from "./delta/foreign.ts";
import { applyCommit, commitVersion, readTableLog } from "./delta/log.ts";
import {
  collectDuckLakeWrites,
  collectGenerations,
  collectTable,
  collectViews,
  type ListedSnapshot,
  type Listing,
  listingText,
  neededFiles,
  readListing,
  retainedSnapshots,
  withNewest,
} from "./retention.ts";
import { readStatistics } from "./delta/statistics.ts";

export interface CompleteOptions {
  readonly now: Date;
  readonly retain: Retention;
  /** Versions of a table from one checkpoint to the next. */
  readonly checkpointInterval: number;
  readonly connection: DuckDBConnection;
  readonly tempFolder: string;
  /** The path of a file on this machine; undefined for one that is in the store only. */
  readonly pathOf: (file: Pick<PublishedFile, "path">) => string | undefined;
  /** The manifest of a retained snapshot; undefined when nobody has it any more. */
  readonly manifestOf: (snapshot: ListedSnapshot) => Promise<Manifest | undefined>;
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

/** Tables whose logs are read at the same time. */
const TABLES_AT_A_TIME = 4;

/** @throws LockedError when another snapshot has become current: its publisher completes it */
export async function completeSnapshot(
  store: Store,
  current: RemoteSnapshot,
  options: CompleteOptions,
): Promise<Completed> {
  const { assertHeld, now, retain } = options;
  const assertCurrent = async (): Promise<void> => {
    await assertHeld();
    if ((await store.read(CURRENT, { etag: current.etag })) !== "unchanged")
      throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  };
  const limit = pLimit(TABLES_AT_A_TIME);
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
  const { id, generation, createdAt } = current.manifest;
  const versions = Object.fromEntries([...states].map(([name, { version }]) => [name, version]));
  const snapshot: ListedSnapshot = { id, generation, createdAt, versions };
  const retained = await listSnapshot(store, snapshot, { now, retain }, assertCurrent);
  const manifests = await readRetained(retained, options);
  const generations = manifests.filter(({ manifest }) => manifest.contract === CONTRACT_VERSION);
  const lake = join(options.tempFolder, "lake.ducklake");
  await writeDuckLake(lake, { generations, base: store.base, pathOf: (_generation, { path }) => path });
  await replace(store, DUCKLAKE, { at: lake }, assertCurrent);
  await collectDuckLakeWrites(store, now);
  await replace(store, BULK_MANIFEST.slice(1), current.text, assertCurrent);
  // The logs of other writers may not say any more which version had a file.
  const listed = [...manifests.flatMap(({ manifest }) => manifest.files), ...current.files];
  const published = new Map(listed.map((file) => [file.path, file]));
  const there = await collectViews(store, { now, isKept: (key) => published.has(key) });
  await addMissing(store, current.files.filter(isMade), there, options);
  for (const [name, state] of states) await tidy(store, name, state, { retained, published }, options);
  await collectGenerations(store, { now, current: generation, retained });
  return { snapshot, changed: plans.filter(({ actions }) => actions.length > 0).map(({ name }) => name), restored };
}

async function plan(store: Store, name: TableName, current: RemoteSnapshot, options: CompleteOptions): Promise<Plan> {
  const { connection, pathOf, tempFolder } = options;
  const table: Table = TABLES[name];
  const state = await readTableLog(connection, store, name, tempFolder);
  expectReversible(store, name, state);
  const files = filesOf(current, name);
  const here = newFiles(state, files).flatMap((file) => {
    const from = pathOf(file);
    return from === undefined ? [] : [{ ...file, from }];
  });
  const byPlace = await readStatistics(connection, table, here);
  const stats = new Map(here.map(({ from, path }) => [path, byPlace.get(from) ?? ""]));
  const { createdAt, id } = current.manifest;
  return { name, state, actions: toActions(state, { table, files, stats, at: Date.parse(createdAt), snapshot: id }) };
}

const filesOf = ({ files }: RemoteSnapshot, name: TableName): PublishedFile[] =>
  files.filter(({ table }) => table === name);

/**
 * Commits the planned version, if the table changed. Returns the table's state, and the versions of other writers
 * before it.
 */
async function commit(
  store: Store,
  planned: Plan,
  current: RemoteSnapshot,
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

/** Puts the snapshot on top of the list. Returns those that are retained. */
async function listSnapshot(
  store: Store,
  snapshot: ListedSnapshot,
  retention: { now: Date; retain: Retention },
  assertCurrent: () => Promise<void>,
): Promise<readonly ListedSnapshot[]> {
  for (;;) {
    const { snapshots, etag }: Listing = await readListing(store);
    const isListed = JSON.stringify(snapshots[0]) === JSON.stringify(snapshot);
    const retained = retainedSnapshots(isListed ? snapshots : withNewest(snapshot, snapshots), retention);
    if (isListed && retained.length === snapshots.length) return retained;
    await assertCurrent();
    if (await store.replace(SNAPSHOTS, listingText(retained), etag)) return retained;
  }
}

/** The manifests of the retained generations, with the numbers that they have in the store. */
async function readRetained(
  retained: readonly ListedSnapshot[],
  { manifestOf }: CompleteOptions,
): Promise<{ manifest: Manifest }[]> {
  const limit = pLimit(TABLES_AT_A_TIME);
  const read = await Promise.all(retained.map((one) => limit(() => manifestOf(one))));
  return read.flatMap((manifest, at) =>
    manifest ? [{ manifest: { ...manifest, generation: retained[at]?.generation ?? manifest.generation } }] : [],
  );
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

interface Retained {
  readonly retained: readonly ListedSnapshot[];
  /** Their files by path. */
  readonly published: ReadonlyMap<string, PublishedFile>;
}

/** Writes the checkpoint that is due, removes what no retained snapshot needs, and adds what is missing. */
async function tidy(
  store: Store,
  name: TableName,
  state: TableState,
  { retained, published }: Retained,
  options: CompleteOptions,
): Promise<void> {
  const { checkpointInterval, connection, now, tempFolder } = options;
  const versions = [...retained.flatMap((snapshot) => snapshot.versions[name] ?? []), state.version];
  const removed = neededFiles(state, versions);
  if (state.version - Math.max(0, state.checkpoint) >= checkpointInterval)
    await writeCheckpoint(connection, store, { table: name, state: { ...state, removed }, tempFolder });
  const present = await collectTable(store, name, {
    now,
    oldestRetained: Math.min(...versions),
    isKept: (path) => state.files.has(path) || removed.has(path) || published.has(`${name}/${path}`),
  });
  await addMissing(
    store,
    [...published.values()].filter(({ table }) => table === name),
    present,
    options,
  );
}

/**
 * Adds what others removed: another publisher while this one relied on an old file that came back, or another
 * program.
 */
async function addMissing(
  store: Store,
  files: readonly Pick<PublishedFile, "path" | "bytes">[],
  present: ReadonlySet<string>,
  { pathOf }: CompleteOptions,
): Promise<void> {
  const missing: StoredFile[] = [];
  for (const file of files) {
    const at = present.has(file.path) ? undefined : pathOf(file);
    if (at !== undefined && (await nodeDisk.stat(at))?.bytes === file.bytes)
      missing.push({ key: file.path, at, bytes: file.bytes });
  }
  await store.addFiles(missing);
}
