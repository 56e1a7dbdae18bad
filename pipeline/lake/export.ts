/** Writes the published snapshot into a folder of Delta Lake tables, one version for each table that changed. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Table } from "../contract/table.ts";
import { TABLE_NAMES, TABLES, type TableName } from "../contract/tables.ts";
import { UsageError } from "../errors.ts";
import { openDatabase } from "../publish/database.ts";
import { type Disk, nodeDisk } from "../publish/disk.ts";
import { type Generation, readCurrent } from "../generations/generation.ts";
import { acquireLock } from "../publish/lock/lock.ts";
import { RETENTION, type Retention } from "../publish/retention/retained.ts";
import { type Action, newFiles, type TableState, tablePath, toActions } from "./actions.ts";
import { writeCheckpoint } from "./checkpoint.ts";
import { placeFile } from "./draft.ts";
import { lakeLayout, logFolder } from "./layout.ts";
import { applyActions, commitVersion, readTableLog } from "./log.ts";
import {
  collectFiles,
  collectLog,
  type ExportedSnapshot,
  neededFiles,
  readSnapshots,
  retainedSnapshots,
  writeSnapshots,
} from "./retention.ts";
import { readStatistics } from "./statistics.ts";

export interface LakeOptions {
  readonly now: Date;
  /** As RETAIN says; by default its default. */
  readonly retain?: Retention;
  /** Versions of a table from one checkpoint to the next. */
  readonly checkpointInterval?: number;
  readonly disk?: Disk;
}

export interface LakeExport {
  readonly snapshot: ExportedSnapshot;
  /** The tables that got a new version. */
  readonly changed: readonly TableName[];
}

interface OpenLake {
  readonly connection: DuckDBConnection;
  readonly disk: Disk;
  readonly folder: string;
  readonly drafts: string;
  readonly generation: Generation;
  readonly checkpointInterval: number;
}

interface PlannedTable {
  readonly name: TableName;
  readonly state: TableState;
  readonly actions: readonly Action[];
}

/**
 * Exports the current snapshot. Data files come first, then the log of each table, then the list of snapshots: after a kill at any step every version that
 * a log names is complete, and the next export continues.
 * @throws UsageError when nothing is published, LockedError while another export writes to the folder
 */
export async function exportLake(artifacts: string, folder: string, options: LakeOptions): Promise<LakeExport> {
  const { now, retain = RETENTION, checkpointInterval = 50, disk = nodeDisk } = options;
  const generation = await readCurrent(artifacts, disk);
  if (!generation) throw new UsageError("nothing is published yet");
  const layout = lakeLayout(folder);
  await disk.mkdir(folder);
  const lock = await acquireLock(layout.lock);
  try {
    // What a killed export left is in the way of nothing, but takes room.
    await disk.rm(layout.drafts);
    await disk.mkdir(layout.drafts);
    const database = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder: layout.drafts });
    try {
      const lake: OpenLake = {
        connection: database.connection,
        disk,
        folder,
        drafts: layout.drafts,
        generation,
        checkpointInterval,
      };
      const planned: PlannedTable[] = [];
      for (const name of TABLE_NAMES) planned.push(await placeTable(lake, name));
      const states = new Map<TableName, TableState>();
      for (const table of planned) {
        await lock.assertHeld();
        states.set(table.name, await commitTable(lake, table));
      }
      const listed = await readSnapshots(disk, layout);
      const { id, generation: number, createdAt } = generation.manifest;
      const versions = Object.fromEntries([...states].map(([name, { version }]) => [name, version]));
      const snapshot = { id, generation: number, createdAt, versions };
      const isListed = JSON.stringify(listed[0]?.versions) === JSON.stringify(versions) && listed[0]?.id === id;
      const retained = retainedSnapshots(isListed ? listed : [snapshot, ...listed], { now, retain });
      await lock.assertHeld();
      if (!isListed || retained.length < listed.length) await writeSnapshots(disk, layout, retained);
      for (const [name, state] of states) await tidyTable(lake, name, state, retained);
      return { snapshot, changed: planned.filter(({ actions }) => actions.length > 0).map(({ name }) => name) };
    } finally {
      database.close();
      await disk.rm(layout.drafts).catch(() => undefined);
    }
  } finally {
    await lock.release();
  }
}

/** Puts the table's new files into the lake, where no version names them yet. */
async function placeTable(lake: OpenLake, name: TableName): Promise<PlannedTable> {
  const { connection, disk, drafts, generation } = lake;
  const { manifest } = generation;
  const table: Table = TABLES[name];
  const tableFolder = join(lake.folder, name);
  await disk.mkdir(logFolder(tableFolder));
  const state = await readTableLog(connection, disk, tableFolder);
  const files = manifest.files.filter((file) => file.table === name);
  const added = newFiles(state, files).map((file) => ({ ...file, from: join(generation.folder, file.path) }));
  const folders = new Set<string>();
  for (const { from, bytes, ...file } of added) {
    const path = join(tableFolder, tablePath(file as (typeof files)[number]));
    await placeFile(disk, drafts, { from, path, bytes });
    for (let at = join(path, ".."); at !== lake.folder; at = join(at, "..")) folders.add(at);
  }
  for (const at of folders) await disk.syncFolder(at);
  const byPlace = await readStatistics(connection, table, added);
  const stats = new Map(added.map(({ from, path }) => [path, byPlace.get(from) ?? ""]));
  const at = Date.parse(manifest.createdAt);
  return { name, state, actions: toActions(state, { table, files, stats, at, snapshot: manifest.id }) };
}

/** Commits the planned version, if the table changed. Returns the table's state. */
async function commitTable(lake: OpenLake, { name, state, actions }: PlannedTable): Promise<TableState> {
  if (actions.length === 0) return state;
  const version = state.version + 1;
  const tableFolder = join(lake.folder, name);
  await commitVersion(lake.disk, { drafts: lake.drafts, tableFolder, version, actions });
  return { ...applyActions(state, actions), version };
}

/** Writes the checkpoint that is due, and removes what no retained snapshot needs. */
async function tidyTable(
  lake: OpenLake,
  name: TableName,
  state: TableState,
  retained: readonly ExportedSnapshot[],
): Promise<void> {
  const { connection, disk, drafts, checkpointInterval } = lake;
  const tableFolder = join(lake.folder, name);
  const versions = [...retained.flatMap((snapshot) => snapshot.versions[name] ?? []), state.version];
  const removed = neededFiles(state, versions);
  if (state.version - Math.max(0, state.checkpoint) >= checkpointInterval)
    await writeCheckpoint(connection, disk, { drafts, tableFolder, state: { ...state, removed } });
  await collectFiles(disk, tableFolder, (path) => state.files.has(path) || removed.has(path));
  await collectLog(disk, tableFolder, Math.min(...versions));
}
