/** Replaces the published history with that of a backup. Everything else stays. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { campusToday } from "../../contract/campus-time.ts";
import { UsageError } from "../../errors.ts";
import { finishTakeDown, keeperOf } from "../../forget/forget.ts";
import { readForgotten } from "../../forget/tombstones.ts";
import { silentLog } from "../../log.ts";
import type { Migrated } from "../../migrations/migrate.ts";
import { backUpDaily, backUpForGood } from "../../backup/backup.ts";
import { fetchBackups } from "../../backup/stored-backups.ts";
import { readPublishedVersions } from "../../store/versions.ts";
import { openDatabase } from "../../store/database.ts";
import { readBase } from "../../store/open.ts";
import { stageDerived } from "../../publish/derive.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import { nodeDisk } from "../../disk/disk.ts";
import { createStaging } from "../../publish/staging.ts";
import { openStore } from "../../store/open-store.ts";
import { restoreHistory } from "../restore-history.ts";

/** Restores the backup of `day`, or the newest before it, and prints the outcome. @throws UsageError, LockedError */
export async function restore(config: PipelineConfig, day: string): Promise<boolean> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new UsageError(`the day must be written as 2026-11-20, not ${day}`);
  const { notes, problems } = await restoreBackup({ ...config, day, now: new Date() });
  for (const line of [...notes, ...problems]) process.stdout.write(`${line}\n`);
  return problems.length === 0;
}

export interface RestoreBackupOptions
  extends
    Pick<PipelineConfig, "artifactsDir" | "dataDir">,
    Partial<Pick<PipelineConfig, "aws" | "publishTo" | "retain">> {
  /** The day of the backup; if it has none, the newest before it is used. */
  readonly day: string;
  readonly now: Date;
}

/**
 * **Output:** a snapshot with the backed-up terms and months. The replaced history is backed up permanently.
 * @throws LockedError while a run is in progress; UsageError when there is no such backup, or nothing is published
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<Migrated> {
  const { artifactsDir, aws, dataDir, day, now, publishTo } = options;
  const lock = await lockArtifacts({ artifactsDir, dataDir });
  try {
    await readPublishedVersions(artifactsDir);
    const assertHeld = () => lock.assertHeld();
    await finishTakeDown({ config: options, now, log: silentLog, assertHeld });
    const forgotten = await readForgotten(dataDir);
    const store = publishTo && openStore(publishTo, aws ? { aws } : {});
    const unfetched = store ? await fetchBackups(store, { dataDir, mark: forgotten?.mark }) : [];
    const base = await readBase(artifactsDir);
    if (!base.published)
      throw new UsageError("nothing is published: `make refresh` restores the newest backup by itself");
    const { source } = base.published.manifest;
    const today = campusToday(now);
    const staging = createStaging(artifactsDir, base, nodeDisk, forgotten && keeperOf(forgotten));
    await staging.disk.mkdir(staging.tempFolder);
    const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: staging.tempFolder });
    try {
      const restored = await restoreHistory({ dataDir, today, until: day, source, staging, database });
      if (!restored) throw new UsageError(`there is no backup of ${day} or of a day before it`);
      const displaced = await backUpForGood({ dataDir, published: base.published, now });
      // Additional changes make it a different snapshot.
      staging.nextId();
      const left: string[] = [];
      await stageDerived(database.connection, staging, (problem) => left.push(problem));
      const { published } = await staging.publish({ source, now, assertHeld });
      // A run restores the newest backup, which must not be the history that was just replaced.
      const backup = await backUpDaily({ dataDir, published, now: new Date(now.getTime() + 1) });
      return {
        notes: restored.notes,
        problems: [...unfetched, ...restored.problems, ...displaced.problems, ...backup.problems, ...left],
      };
    } finally {
      database.close();
      await staging.discard();
    }
  } finally {
    await lock.release();
  }
}
