/** Where no published generation can be read, a run starts with the recorded history of the backups. */
import { join } from "node:path";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import { migrateFiles } from "../../migrations/chain.ts";
import type { Migrated } from "../../migrations/migrate.ts";
import { backupFolderOf, readBackupFolder } from "../../generations/backups.ts";
import { copyFromBackup, findBackedUpHistory } from "../../publish/backup/backup-restore.ts";
import { refuseNewer } from "../../generations/versions.ts";
import type { Database } from "../../publish/database.ts";
import type { Staging } from "../../publish/staging.ts";
import { isSameCampus } from "../../contract/sample-campus.ts";

export interface RestoreOptions {
  readonly dataDir: string;
  readonly today: string;
  /** Only backups of this day and before. */
  readonly until?: string;
  /** Without it the sources of the published data stay: those of an older backup are of other data. */
  readonly withSources?: boolean;
  /** Where this run's data comes from. The history of another campus is not restored. */
  readonly source: Readonly<Record<string, string>>;
  readonly staging: Staging;
  readonly database: Database;
}

/** Stages the history of the newest sound backups; undefined where there is none. @throws UsageError when the newest is of a newer contract */
export async function restoreHistory(options: RestoreOptions): Promise<Migrated | undefined> {
  const { dataDir, today, until = "9999-12-31", withSources = false, source, staging, database } = options;
  const folder = backupFolderOf(dataDir);
  const { backups, newer } = await readBackupFolder(folder, staging.disk);
  if (newer) refuseNewer(`the backup ${newer.name}`, newer.contract);
  const own = backups.filter(({ day, list }) => day <= until && isSameCampus(list.source, source));
  const found = await findBackedUpHistory(folder, own, today, staging.disk);
  if (!found) return undefined;
  const { contract, day, problems } = found;
  const files = withSources ? found.files : found.files.filter(({ table }) => table !== "sources");
  await copyFromBackup(folder, files, staging.filesFolder, staging.disk);
  const located = files.map((file) => ({ file, at: join(staging.filesFolder, file.path) }));
  const context = { disk: staging.disk, filesFolder: staging.filesFolder, connection: database.connection };
  for (const { file } of await migrateFiles(contract, located, context)) staging.put(file);
  const version = contract === CONTRACT_VERSION ? "" : `, migrated from contract version ${contract}`;
  return { notes: [`recorded history restored from the backup of ${day}${version}`], problems };
}
