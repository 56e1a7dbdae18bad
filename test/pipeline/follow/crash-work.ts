/** Copying the snapshot of an origin, and an earlier one of it, as work that a power loss may cut. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";
import { copySnapshot } from "../../../pipeline/store/copy-to-artifacts.ts";
import { openOriginSnapshots } from "../../../pipeline/store/earlier-snapshots.ts";
import { listPublished } from "../../../pipeline/store/published.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { silentLog } from "../../../pipeline/log.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { readPointer } from "../../../pipeline/store/pointer.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { inService, type Work } from "../publish/crash-work.ts";
import { openPublisher } from "../publish/publisher.ts";

const NOW = new Date("2024-10-02T12:00:00Z");
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const signal = new AbortController().signal;

/** An origin with two snapshots, and what a replica does with each of them. */
async function openOrigin(database: Database, folder: string) {
  const [artifacts, lake] = [join(folder, "artifacts"), join(folder, "lake")];
  mkdirSync(artifacts, { recursive: true });
  const tables = ["terms", "grades", "sections"] as const;
  const publisher = await openPublisher(artifacts, { database, rows: 3, tables, now: () => NOW });
  return {
    async publish(stamp: number): Promise<string> {
      const { id } = await publisher.publish(stamp);
      await exportSnapshot(artifacts, openFolderStore(lake), { now: at(stamp), retain: RETENTION });
      return id;
    },
    async copy(root: string, disk: Disk): Promise<readonly EarlierSnapshot[]> {
      const from = openFolderStore(lake, disk);
      const pointer = await readPointer(from);
      if (typeof pointer !== "object") throw new Error("the origin has no snapshot");
      await copySnapshot(pointer, {
        ...{ artifacts: join(root, "artifacts"), from, signal, now: () => at(9), log: silentLog },
        ...{ retain: RETENTION, isReplica: true, disk },
      });
      return pointer.retained;
    },
    async fetch(root: string, snapshot: EarlierSnapshot, disk: Disk): Promise<void> {
      const origin = openOriginSnapshots(openFolderStore(lake, disk), join(root, "artifacts"), silentLog, disk);
      if (!(await origin.fetch(snapshot))) throw new Error("the origin does not have it");
    },
  };
}

/** A replica copies the next snapshot. */
export async function followingWork(database: Database, scratch: string): Promise<Work> {
  const before = join(scratch, "following");
  const origin = await openOrigin(database, join(scratch, "followed"));
  mkdirSync(join(before, "artifacts"), { recursive: true });
  await origin.publish(1);
  await origin.copy(before, nodeDisk);
  const id = await origin.publish(2);
  return {
    name: "following",
    before,
    act: async (root, disk) => void (await origin.copy(root, disk)),
    async problems(root) {
      const artifacts = join(root, "artifacts");
      const { problems } = await inService(database.connection, artifacts);
      await origin.copy(root, nodeDisk);
      const after = await inService(database.connection, artifacts);
      if (after.generation?.manifest.id !== id) problems.push("the next copy is not in service");
      return [...problems, ...after.problems.map((problem) => `after the next copy: ${problem}`)];
    },
  };
}

/** A replica copies an earlier snapshot, which is asked for. */
export async function fetchingWork(database: Database, scratch: string): Promise<Work> {
  const before = join(scratch, "fetching");
  const origin = await openOrigin(database, join(scratch, "fetched-from"));
  mkdirSync(join(before, "artifacts"), { recursive: true });
  for (const stamp of [1, 2]) await origin.publish(stamp);
  const [copied] = await origin.copy(before, nodeDisk);
  if (!copied) throw new Error("the origin has no earlier snapshot");
  const isThere = async (root: string) =>
    (await listPublished(join(root, "artifacts"))).some(({ name }) => name === nameOf(copied));
  return {
    name: "copying an earlier snapshot",
    before,
    act: (root, disk) => origin.fetch(root, copied, disk),
    async problems(root) {
      const artifacts = join(root, "artifacts");
      const { problems } = await inService(database.connection, artifacts, { withEarlier: await isThere(root) });
      if (!(await isThere(root))) await origin.fetch(root, copied, nodeDisk);
      if (!(await isThere(root))) problems.push("it is not there after it was asked for again");
      const after = await inService(database.connection, artifacts);
      return [...problems, ...after.problems.map((problem) => `after it was asked for again: ${problem}`)];
    },
  };
}
