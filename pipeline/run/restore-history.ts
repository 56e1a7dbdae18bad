/** Starts a run with the recorded history of the backups, when no published snapshot can be read. */
import { join } from "node:path";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { changes } from "../contract/rows/change.ts";
import { tableRows } from "../contract/sql-text.ts";
import { CONTRACT_VERSION, type TableName, TABLES_BESIDE_ID } from "../contract/tables.ts";
import { dayOf, openBackups, readBackups, refuseNewerBackups } from "../backup/backups.ts";
import { type Copy, putFirstSound } from "../backup/lost-objects.ts";
import { partitionTitle } from "../store/layout.ts";
import type { Migrated } from "../migrations/migrate.ts";
import { type LocatedFile, type MigrationContext, takeSteps } from "../migrations/steps.ts";
import type { Database } from "../store/database.ts";
import type { Disk } from "../disk/disk.ts";
import { writePartition } from "../publish/partition.ts";
import type { Staging } from "../publish/staging.ts";
import type { StoreReader } from "../store/store.ts";

export interface RestoreOptions {
  readonly dataDir: string;
  readonly today: string;
  /** Backups after this day are ignored. */
  readonly until?: string;
  /** The source of this run's data. The history of another campus is not restored. */
  readonly source: Readonly<Record<string, string>>;
  readonly staging: Staging;
  readonly database: Database;
}

/**
 * Stages every table of the newest sound backups; returns undefined without any. With a base, the tables about
 * snapshots stay as published, and only changes that the base lacks are added.
 * @throws UsageError when the newest is of a contract version that is refused
 */
export async function restoreHistory(options: RestoreOptions): Promise<Migrated | undefined> {
  const { dataDir, today, until = "9999-12-31", source, staging, database } = options;
  const { disk, filesFolder } = staging;
  const backups = openBackups(dataDir, disk);
  await refuseNewerBackups(backups);
  const ownBackups = (await readBackups(backups)).filter(
    (backup) => dayOf(backup) <= until && isSameCampus(backup.source, source),
  );
  // A backup of a future day was taken while the clock was wrong: it comes last.
  const inOrder = [
    ...ownBackups.filter((backup) => dayOf(backup) <= today),
    ...ownBackups.filter((backup) => dayOf(backup) > today),
  ];
  const [newest] = inOrder;
  if (!newest) return undefined;
  const { contract } = newest;
  const manifests = inOrder.filter((backup) => backup.contract === contract);
  const { located, problems } = await putNewestStates(backups, manifests, filesFolder, disk);
  const context = { disk, filesFolder, connection: database.connection };
  for (const migrated of await takeSteps(contract, located, context)) {
    const isPublished = staging.base && staging.find(migrated.file.table as TableName, migrated.file.partition);
    const { connection } = database;
    if (!isPublished || !TABLES_BESIDE_ID.includes(migrated.file.table))
      await staging.putCopy(connection, migrated.file);
    else if (migrated.file.table === "changes")
      await staging.putCopy(connection, await withPublishedChanges(migrated, context, staging));
  }
  const version = contract === CONTRACT_VERSION ? "" : `, migrated from contract version ${contract}`;
  const done = `recorded history restored from the backup of ${dayOf(newest)}${version}`;
  const end = `what was recorded after ${newest.createdAt} is in no backup`;
  return { notes: staging.base ? [done] : [done, end], problems };
}

/** Merges the published changes of a month with those of the backup that they lack. */
async function withPublishedChanges(
  { file, at }: LocatedFile,
  context: MigrationContext,
  staging: Staging,
): Promise<PublishedFile> {
  const paths = staging.paths("changes", file.partition);
  if (paths.length === 0) return file;
  const published = tableRows(changes, paths);
  const select = `FROM ${published} UNION ALL
    SELECT b.* FROM ${tableRows(changes, [at])} b ANTI JOIN ${published} p ON ${changes.key.map((key) => `b."${key}" = p."${key}"`).join(" AND ")}`;
  return writePartition(context.connection, context, { table: changes, partition: file.partition, select });
}

/**
 * Puts the newest sound file of every term and month below `filesFolder`; problems name lost files, and those that an
 * older backup supplied.
 */
async function putNewestStates(place: StoreReader, manifests: readonly Manifest[], filesFolder: string, disk: Disk) {
  const states = new Map<string, (Copy & { readonly day: string })[]>();
  for (const backup of manifests)
    for (const file of backup.files) {
      const title = partitionTitle(file);
      states.set(title, [...(states.get(title) ?? []), { file, place, day: dayOf(backup) }]);
    }
  const located: LocatedFile[] = [];
  const problems: string[] = [];
  for (const [title, ofPart] of states) {
    const newest = await putFirstSound(ofPart, filesFolder, disk);
    if (newest) located.push({ file: newest.file, at: join(filesFolder, newest.file.path) });
    if (!newest) problems.push(`${title}: every copy in the backups is damaged`);
    else if (newest.file.sha256 !== ofPart[0]?.file.sha256)
      problems.push(`${title}: the newest copy is damaged, that of ${newest.day} is restored`);
  }
  return { located, problems };
}
