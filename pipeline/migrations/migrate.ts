/**
 * Publishes data of an older contract version in the layout of this one. The old snapshot stays and shares unchanged
 * files.
 */
import { openFolderReader } from "../store/folder.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isMade } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { backUpForGood, type BackupOptions } from "../backup/backup.ts";
import { type CopySources, fillArtifacts, localPlaces, restoreOlderState } from "../backup/lost-objects.ts";
import { findDamaged } from "../store/file-check.ts";
import type { PublishedSnapshot } from "../store/published.ts";
import { layoutOf, partitionTitle } from "../store/layout.ts";
import { OtherContract } from "../store/manifest.ts";
import { schemaProblems, tableNamed } from "../store/schema.ts";
import { readPublishedVersions } from "../store/versions.ts";
import type { Log } from "../log.ts";
import { openDatabase } from "../store/database.ts";
import { readPointerTag } from "../store/open.ts";
import { deriveFiles } from "../publish/derive.ts";
import { nodeDisk } from "../disk/disk.ts";
import { publishFiles } from "../publish/staging.ts";
import { type LocatedFile, type MigrationContext, STEPS, type Steps, takeSteps } from "./steps.ts";

export interface MigrationOptions extends Omit<BackupOptions, "published"> {
  readonly artifactsDir: string;
  /** Allows a migration that drops recorded history which is damaged and has no sound copy. */
  readonly allowLoss: boolean;
  readonly log: Log;
  readonly assertHeld: () => Promise<void>;
  readonly steps?: Steps;
}

/** For the report. */
export interface Migrated {
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Returns undefined when there is nothing to migrate. Requires the lock. **Output:** a snapshot of this contract. A
 * file that cannot be migrated but can be fetched again is listed in it and missing, so that the next run fetches it.
 * @throws UsageError for data of a version that is refused; GuardError, without a change, when recorded history would
 *   be lost
 */
export async function migratePublished(options: MigrationOptions): Promise<Migrated | undefined> {
  const { artifactsDir, assertHeld, disk = nodeDisk, log, now, steps = STEPS } = options;
  const [old] = await readPublishedVersions(artifactsDir, disk);
  if (!old || old.manifest.contract === CONTRACT_VERSION) return undefined;
  const { contract, source } = old.manifest;
  log.info("migrating the published data", { from: contract, to: CONTRACT_VERSION });
  const { problems: unsaved } = await backUpForGood({ ...options, published: old });
  const folder = join(layoutOf(artifactsDir).staging, `migration-${randomUUID()}`);
  const tempFolder = join(folder, "temp");
  await disk.mkdir(tempFolder);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder });
  try {
    const context = { disk, filesFolder: join(folder, "files"), connection: database.connection };
    const { sound, due, notes } = await gather(old, context, options);
    const fitting: LocatedFile[] = [];
    for (const located of await takeSteps(contract, sound, context, steps))
      if (await isOfContract(located, context)) fitting.push(located);
      else due.push(located.file);
    const damage = new OtherContract("of an older contract", contract);
    const base = {
      published: undefined,
      etag: await readPointerTag(openFolderReader(artifactsDir, disk)),
      damage,
      lost: [],
      unreadable: undefined,
    };
    const tables = [...fitting, ...due.map((file) => ({ file, at: undefined }))];
    const derived = await deriveFiles(context.connection, context, {
      ...{ files: tables, earlier: [] },
      onProblem: (problem) => log.error("a file made from others is left out", { problem }),
    });
    await publishFiles(
      { artifacts: artifactsDir, folder, disk, base, migrated: old, files: [...tables, ...derived] },
      { source, now, assertHeld },
    );
    const done = `contract version ${contract} → ${CONTRACT_VERSION}: ${fitting.length} files carried over`;
    const left = due.map((file) => `${partitionTitle(file)}: not carried over, it is due`);
    return { notes: [done, ...left], problems: [...unsaved, ...notes] };
  } finally {
    database.close();
    await disk.rm(folder).catch(() => undefined);
  }
}

/** False for a file that the next run has to fetch again. */
async function isOfContract({ file, at }: LocatedFile, { connection }: MigrationContext): Promise<boolean> {
  const table = tableNamed(file.table);
  const problems = table && (await schemaProblems(connection, table, at).catch(() => ["no Parquet file"]));
  return problems?.length === 0;
}

/**
 * Returns the sound files of the old snapshot, with lost history from other stores or as an older state, which `notes`
 * name; `due` are lost files that can be fetched again.
 * @throws GuardError when history has no sound copy
 */
async function gather(
  { folder, manifest: { contract, files, source } }: PublishedSnapshot,
  context: MigrationContext,
  { allowLoss, artifactsDir, dataDir, log }: MigrationOptions,
) {
  const { disk, filesFolder } = context;
  const sources: CopySources = {
    ...{ artifacts: artifactsDir, dataDir, contract, disk, source },
  };
  // Derived files are built again.
  const wanted = files.filter((file) => !isMade(file));
  const damaged = await findDamaged(folder, wanted, disk);
  const { filled, lost } = await fillArtifacts(artifactsDir, damaged, await localPlaces(sources), { disk, log });
  const lostFiles = lost.map(({ file }) => file);
  const sound: LocatedFile[] = wanted
    .filter((file) => !lostFiles.includes(file))
    .map((file) => ({ file, at: join(folder, file.path) }));
  const due = lostFiles.filter(({ table }) => !IRREPLACEABLE_TABLES.includes(table));
  const notes = filled.map(({ file, from }) => `${partitionTitle(file)} is damaged: restored from ${from}`);
  const gone: string[] = [];
  for (const file of lostFiles.filter(({ table }) => IRREPLACEABLE_TABLES.includes(table))) {
    const state = await restoreOlderState(sources, file, filesFolder);
    if (state) sound.push({ file: state.file, at: join(filesFolder, state.file.path) });
    else gone.push(partitionTitle(file));
    const outcome = state ? `: an earlier state of it is restored from ${state.from}` : " and lost";
    notes.push(`${partitionTitle(file)} is damaged${outcome}`);
  }
  if (gone.length > 0 && !allowLoss)
    throw new GuardError(
      `recorded history is damaged, and neither an older snapshot nor a backup has a sound copy: ${gone.join(", ")}. ` +
        "Nothing was changed (ALLOW_SHRINK=1 goes on without it)",
    );
  return { sound, due, notes };
}
