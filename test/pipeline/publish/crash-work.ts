/**
 * Pieces of work that a power loss may cut. Each state that it may leave is looked at as it is, then the work is done
 * again.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { backUpDaily } from "../../../pipeline/backup/backup.ts";
import { dayOf, openBackups, readState } from "../../../pipeline/backup/backups.ts";
import { findDamaged, verifyFiles } from "../../../pipeline/store/file-check.ts";
import {
  type PublishedSnapshot,
  listPublished,
  readCurrent,
  readSnapshot,
  retainedSnapshots,
} from "../../../pipeline/store/published.ts";
import { OtherContract, parsePointer } from "../../../pipeline/store/manifest.ts";
import { layoutOf } from "../../../pipeline/store/layout.ts";
import { CHECKOUT_MANIFEST, verifySnapshot } from "../../../pipeline/store/verify.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { writeFreshness } from "../../../pipeline/store/freshness.ts";
import { collectArtifacts } from "../../../pipeline/store/collect-artifacts.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { takeDown } from "../../../pipeline/run/commands/forget.ts";
import { newestVersion, readVersion } from "../lake/delta-reader.ts";
import { openWorld, placesNaming, problemsOf } from "../forget/forget-world.ts";
import { openPublisher } from "./publisher.ts";

export interface Work {
  readonly name: string;
  /** The folder before the work. */
  readonly before: string;
  /** Does the work in a copy of that folder. */
  act(root: string, disk: Disk): Promise<void>;
  /**
   * The promises that are not kept, in a state that a power loss or an error left. It does the work again.
   * @param isDone the work has reported success
   */
  problems(root: string, isDone?: boolean): Promise<string[]>;
  /** Ends what it runs beside. */
  close?(): Promise<unknown>;
}

const NOW = new Date("2024-10-02T12:00:00Z");
const DAY = "2024-10-02";

/** A run: publish, freshness, retention, the day's backup of recorded history. */
export async function publishingWork(database: Database, scratch: string): Promise<Work> {
  const { connection } = database;
  const before = join(scratch, "publishing");
  const run = async (root: string, stamp: number, disk: Disk, now = NOW): Promise<string> => {
    const [artifacts, dataDir] = [join(root, "artifacts"), join(root, "data")];
    const tables = ["terms", "enrollment_history", "enrollment_periods"] as const;
    const publisher = await openPublisher(artifacts, { disk, database, rows: 3, tables, now: () => now });
    const { published, id } = await publisher.publish(stamp);
    await writeFreshness(artifacts, { products: { grades: now.toISOString() }, terms: {}, nextRefresh: null }, disk);
    // A second later: the snapshot that was replaced in this one may be in use.
    await collectArtifacts(artifacts, { now: new Date(now.getTime() + 1000), disk, keepSnapshots: 1, keepMs: 0 });
    await backUpDaily({ dataDir, published, now, disk });
    return id;
  };
  mkdirSync(join(before, "artifacts"), { recursive: true });
  mkdirSync(join(before, "data"), { recursive: true });
  for (const stamp of [1, 2]) await run(before, stamp, nodeDisk, new Date(Date.UTC(2024, 9, 1, stamp)));
  const old = (await readCurrent(join(before, "artifacts"))) as PublishedSnapshot;
  const recorded = recordedIn(old);
  if ((await listPublished(join(before, "artifacts"))).length > 1) throw new Error("a run removes nothing");
  return {
    name: "publishing, retaining and backing up",
    before,
    act: async (root, disk) => void (await run(root, 3, disk)),
    async problems(root, isDone = false) {
      const artifacts = join(root, "artifacts");
      const backups = openBackups(join(root, "data"), nodeDisk);
      const faults: string[] = [];
      const { generation: published, problems } = await inService(connection, artifacts);
      faults.push(...problems);
      if (published && recordedIn(published) < recorded) faults.push("recorded days are lost");
      if (!(await nodeDisk.stat(layoutOf(artifacts).current))) faults.push("current leads nowhere");
      if (isDone && published?.manifest.id === old.manifest.id)
        faults.push("success was reported, and the old snapshot is in service");
      const { damage, manifests, unreadable } = await readState(backups);
      if (manifests.length === 0 || damage !== undefined || unreadable.length > 0) faults.push("no sound backup");
      for (const { files } of manifests)
        for (const { problem } of await findDamaged(backups.name, files, nodeDisk)) faults.push(`a backup: ${problem}`);
      const id = await run(root, 3, nodeDisk);
      const after = await inService(connection, artifacts, { isSettled: true });
      faults.push(...after.problems.map((problem) => `after the next run: ${problem}`));
      if (after.generation?.manifest.id !== id) faults.push("the next run is not in service");
      if (after.generation && recordedIn(after.generation) < recorded) faults.push("the next run lost recorded days");
      const { current } = await readState(backups);
      if (!current || dayOf(current.snapshot) !== DAY) faults.push("the next run took no backup");
      const left = await nodeDisk.readdir(layoutOf(artifacts).staging);
      if (left.length > 0) faults.push(`leftovers: ${left.join(" ")}`);
      return faults;
    },
  };
}

const recordedIn = ({ manifest }: PublishedSnapshot): number =>
  manifest.files.filter(({ table }) => table === "enrollment_periods").reduce((sum, { rows }) => sum + rows, 0);

/**
 * The view of a server that starts now: the current snapshot and the earlier ones are whole, and `current` leads to a
 * whole checkout. After a run, `make verify` finds nothing else.
 */
export async function inService(
  connection: DuckDBConnection,
  artifacts: string,
  { isSettled = false, withEarlier = true } = {},
): Promise<{ generation: PublishedSnapshot | undefined; problems: string[] }> {
  const problems: string[] = [];
  let generation: PublishedSnapshot | undefined;
  try {
    generation = await readCurrent(artifacts);
    if (!generation) return { generation, problems: ["nothing is in service"] };
    const own = new Set(generation.manifest.files.map(({ path }) => path));
    for (const { path, problem } of await verifySnapshot(connection, generation))
      if (isSettled || own.has(path)) problems.push(`${path}: ${problem}`);
    for (const { folderName } of withEarlier ? await retainedSnapshots(generation) : []) {
      const { manifest } = await readSnapshot(artifacts, folderName).catch((error: unknown) => {
        if (!(error instanceof OtherContract)) throw error;
        return { manifest: { files: [] } };
      });
      await verifyFiles(artifacts, manifest.files, () => false);
    }
    const checkout = layoutOf(artifacts).current;
    if (await nodeDisk.stat(checkout)) {
      const { files } = JSON.parse(await nodeDisk.readFile(join(checkout, CHECKOUT_MANIFEST))) as Manifest;
      await verifyFiles(checkout, files, () => false);
    }
  } catch (error) {
    problems.push(String(error));
  }
  return { generation, problems };
}

/** Exports a snapshot to a folder that has one: objects, manifest, pointer, Delta logs, DuckLake, and what goes. */
export async function exportingWork(database: Database, scratch: string): Promise<Work> {
  const { connection } = database;
  const before = join(scratch, "exporting");
  const [artifacts, source] = [join(scratch, "exported"), openFolderStore(join(before, "lake"))];
  mkdirSync(artifacts);
  mkdirSync(before);
  const tables = ["terms", "grades"] as const;
  const publisher = await openPublisher(artifacts, { database, rows: 3, tables, now: () => NOW });
  const retain = { hours: 2, days: 0, months: 0 };
  const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
  for (const stamp of [1, 2]) {
    await publisher.publish(stamp);
    await exportSnapshot(artifacts, source, { now: at(stamp), retain, checkpointInterval: 2 });
  }
  await publisher.publish(3);
  const act = async (root: string, disk: Disk) =>
    void (await exportSnapshot(artifacts, openFolderStore(join(root, "lake"), disk), {
      now: at(9),
      retain,
      checkpointInterval: 2,
    }));
  const versionProblems = async (root: string): Promise<string[]> => {
    const missing: string[] = [];
    for (const table of tables) {
      const folder = join(root, "lake", table);
      const version = newestVersion(folder);
      if (version < 1) missing.push(`${table} has no version 1`);
      else
        for (const { path, size } of await readVersion(connection, folder, version))
          if ((await nodeDisk.stat(join(folder, path)))?.bytes !== size)
            missing.push(`${table} ${version} lacks ${path}`);
    }
    const current = await nodeDisk.readFile(join(root, "lake/current.json"));
    for (const { bytes, path } of parsePointer(current).snapshot.files)
      if ((await nodeDisk.stat(join(root, "lake", path)))?.bytes !== bytes) missing.push(`current.json lacks ${path}`);
    return missing;
  };
  return {
    name: "exporting to a folder",
    before,
    act,
    async problems(root) {
      const versions = await versionProblems(root);
      await act(root, nodeDisk);
      return [...versions, ...(await versionProblems(root)).map((problem) => `after the next one: ${problem}`)];
    },
  };
}

/** `make forget` of somebody whom everything names. */
export async function forgettingWork(database: Database, scratch: string): Promise<Work> {
  const { connection } = database;
  const before = join((await openWorld(scratch)).copy().artifacts, "..");
  const placeIn = (root: string) => ({
    artifacts: join(root, "artifacts"),
    data: join(root, "data"),
    lake: join(root, "lake"),
  });
  const act = async (root: string, disk: Disk): Promise<void> => {
    const { artifacts, data, lake } = placeIn(root);
    const options = {
      ask: () => Promise.resolve(true),
      log: silentLog,
      now: () => NOW,
      disk,
      store: openFolderStore(lake, disk),
    };
    await takeDown({ artifactsDir: artifacts, dataDir: data }, { netid: "wquillfe" }, options);
  };
  return {
    name: "taking down",
    before,
    act,
    async problems(root) {
      const place = placeIn(root);
      const { problems } = await inService(connection, place.artifacts);
      await act(root, nodeDisk);
      return [...problems, ...(await placesNaming(connection, place)), ...(await problemsOf(connection, place))];
    },
  };
}
