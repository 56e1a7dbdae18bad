/**
 * Publishes data of an older contract version again in the layout of this one. The old generation stays and shares the files whose layout did not
 * change. Recorded history is compared before and after.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import type { Log } from "../log.ts";
import { backUpForGood, type BackupOptions } from "../backup/backup.ts";
import { loadBackups } from "../backup/backups.ts";
import type { CopySources } from "../generations/copies.ts";
import { isSound } from "../generations/file-check.ts";
import { restoreFile } from "../publish/copy-file.ts";
import type { Generation } from "../generations/generation.ts";
import { readPublishedVersions } from "../generations/versions.ts";
import { openDatabase } from "../publish/database.ts";
import { nodeDisk } from "../publish/disk.ts";
import { OtherContract } from "../generations/manifest.ts";
import { atItsPath, layoutOf, partitionTitle } from "../generations/layout.ts";
import { schemaProblems, tableNamed } from "../generations/schema.ts";
import { deriveFiles } from "../publish/derive.ts";
import { publishFiles, type Staged } from "../publish/publication.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import type { LocatedFile, MigrationContext } from "./located-file.ts";
import { migrateFiles, rewrittenTables } from "./migrate-files.ts";

export interface MigrationOptions extends Omit<BackupOptions, "generation"> {
  readonly artifactsDir: string;
  /** Migrates without recorded history that is damaged and has no sound copy. */
  readonly allowLoss: boolean;
  readonly log: Log;
  readonly assertHeld: () => Promise<void>;
}

/** For the report. */
export interface Migrated {
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Undefined when there is nothing to migrate. Requires the lock.
 * **Output:** a generation of this contract. A file that cannot be migrated but fetched again is listed in it and missing, so that the next run fetches it.
 * @throws UsageError for data of a newer contract; GuardError, without a change, when recorded history would be lost
 */
export async function migratePublished(options: MigrationOptions): Promise<Migrated | undefined> {
  const { artifactsDir, assertHeld, disk = nodeDisk, log, now } = options;
  const [old] = await readPublishedVersions(artifactsDir, disk);
  if (!old || old.manifest.contract === CONTRACT_VERSION) return undefined;
  const { contract, createdAt, forgotten, forgottenAt, generation, source } = old.manifest;
  log.info("migrating the published data to a newer contract", { from: contract, to: CONTRACT_VERSION });
  const { problems: unsaved } = await backUpForGood({ ...options, generation: old });
  const folder = join(layoutOf(artifactsDir).staging, `migration-${randomUUID()}`);
  const tempFolder = join(folder, "temp");
  await disk.mkdir(tempFolder);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder });
  try {
    const context = { disk, filesFolder: join(folder, "files"), connection: database.connection };
    const { sound, due, notes } = await gather(old, context, options);
    const files = await migrateFiles(contract, sound, context);
    const fitting: Staged["files"][number][] = [];
    for (const one of files) {
      if (await isOfContract(one, context)) fitting.push(one);
      else due.push(one.file);
    }
    const base = {
      generation: undefined,
      damage: new OtherContract("of an older contract", contract),
      damaged: [],
      unreadable: undefined,
    };
    const tables = [...fitting, ...due.map((file) => ({ file, at: undefined }))];
    const made = await deriveFiles(context.connection, context, {
      ...{ files: tables, earlier: [] },
      onProblem: (problem) => log.error("a file made from others is left out", { problem }),
    });
    await publishFiles(
      { artifacts: artifactsDir, folder, disk, base, migrated: old, files: [...tables, ...made] },
      {
        source,
        now,
        copyOf: {
          changesBefore: null,
          createdAt,
          generation,
          ...(forgotten === undefined ? {} : { forgotten, ...(forgottenAt === undefined ? {} : { forgottenAt }) }),
        },
        assertHeld,
      },
    );
    const anew = fitting.filter(({ file }) => !old.manifest.files.some(({ sha256 }) => sha256 === file.sha256)).length;
    const done = `contract version ${contract} → ${CONTRACT_VERSION}: ${files.length} files carried over, ${anew} of them rewritten`;
    log.info("migrated", { files: files.length, anew, due: due.length });
    return {
      notes: [done, ...due.map((file) => `${partitionTitle(file)}: not carried over, it is due`)],
      problems: [...unsaved, ...notes],
    };
  } finally {
    database.close();
    await disk.rm(folder).catch(() => undefined);
  }
}

async function isOfContract({ file, at }: LocatedFile, { connection }: MigrationContext): Promise<boolean> {
  const table = tableNamed(file.table);
  if (!table) return false;
  const problems = await schemaProblems(connection, table, at).catch(() => ["no Parquet file"]);
  return problems.length === 0;
}

interface Gathered {
  readonly sound: LocatedFile[];
  readonly due: PublishedFile[];
  /** Damaged history, and the copies that replaced it. */
  readonly notes: string[];
}

/** The sound files of the old generation, and copies of damaged history from older generations or backups. @throws GuardError */
async function gather(
  { folder, manifest }: Generation,
  context: MigrationContext,
  { allowLoss, artifactsDir, dataDir }: MigrationOptions,
): Promise<Gathered> {
  const { contract, files, source } = manifest;
  const rewritten = rewrittenTables(contract);
  const sources: CopySources = {
    artifacts: artifactsDir,
    backups: () => loadBackups(dataDir, context.disk),
    contract,
    isOurs: (from) => isSameCampus(from, source),
    disk: context.disk,
  };
  const [sound, due, notes, lost]: [LocatedFile[], PublishedFile[], string[], string[]] = [[], [], [], []];
  for (const listed of files) {
    const file = atItsPath(listed);
    const own = { file, at: join(folder, listed.path) };
    const isHistory = IRREPLACEABLE_TABLES.includes(file.table);
    if ((!isHistory && !rewritten.includes(file.table)) || (await isSound(own.at, file, context.disk))) sound.push(own);
    else if (isHistory) {
      const copy = await restoreFile(sources, file, context);
      const what = partitionTitle(file);
      if (copy) sound.push({ file: copy.file, at: join(context.filesFolder, copy.file.path) });
      else lost.push(what);
      notes.push(
        copy
          ? `${what} is damaged: ${copy.stateOf === undefined ? "" : "an earlier state of it is "}restored from ${copy.from}`
          : `${what} is damaged and lost`,
      );
    } else due.push(file);
  }
  if (lost.length > 0 && !allowLoss)
    throw new GuardError(
      `recorded history is damaged, and neither an older generation nor a backup has a sound copy: ${lost.join(", ")}. ` +
        "Nothing was changed (ALLOW_SHRINK=1 goes on without it)",
    );
  return { sound, due, notes };
}
