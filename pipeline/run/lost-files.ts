/**
 * Restores the damaged files of the published snapshot, which count as lost. When a run opens the snapshot it fills
 * them from another store that has them (`openRun`). Here, recorded history is restored in the newest older state that
 * is sound; everything else is fetched again. A file that is still lost afterwards fails its product and withholds the
 * publication, unless the operator gives it up (`ALLOW_SHRINK=1`): see lost-files-outcome.ts. The report names each file.
 */
import { join } from "node:path";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES, type TableName } from "../contract/tables.ts";
import { type CopySources, ownBackups, restoreOlderState } from "../backup/lost-objects.ts";
import type { LostFile } from "../store/file-check.ts";
import { parseSnapshotName } from "../store/layout.ts";
import type { RunContext } from "../products/context.ts";
import type { Migrated } from "../migrations/migrate.ts";
import { fill, type FilledFile } from "../store/copy.ts";
import { openFolderStore } from "../store/folder.ts";
import type { OpenRun } from "./open-run.ts";
import { restoreHistory } from "./restore-history.ts";

export interface Restored {
  readonly words: string;
  readonly isOlder: boolean;
}

interface Restoration extends LostFile {
  readonly restored?: Restored | undefined;
}

export interface Restorations {
  readonly files: readonly Restoration[];
  /** History that was restored from the backups because no snapshot can be read. */
  readonly restoredHistory: Migrated | undefined;
  /** True when every published file is known by name, restored or not. */
  readonly isKnownWhole: boolean;
  /**
   * Set when the history that the newest snapshot had recorded is unknown: no manifest of it can be read, and there is
   * no backup of it.
   */
  readonly unknownHistory: string | undefined;
}

/** Restores lost files of the base. Afterwards `staging.lost()` has the files that this run must fetch again. */
export async function restoreLost(
  opened: OpenRun,
  { config, log, today }: Pick<RunContext, "config" | "log" | "today">,
): Promise<Restorations> {
  const { base, database, filled, publishedSource, source, staging } = opened;
  const { artifactsDir, dataDir } = config;
  // The history of a backup never replaces that of a snapshot.
  const restoredHistory = base.published
    ? undefined
    : await restoreHistory({ dataDir, today, source: source.names, staging, database });
  for (const note of restoredHistory?.notes ?? []) log.warn("no published snapshot can be read", { note });
  if (base.damage) log.warn("the snapshot in service cannot be read", { cause: base.damage.message });

  const sources: CopySources = {
    ...{ artifacts: artifactsDir, dataDir, contract: CONTRACT_VERSION, disk: staging.disk },
    source: { ...source.names, ...publishedSource },
  };
  // The newest manifest names every file, whatever the state of the pointer.
  const isKnownWhole = !base.damage || (base.published !== undefined && base.unreadable === undefined);
  const backups = isKnownWhole ? [] : await ownBackups(sources);
  const newestId = parseSnapshotName(base.unreadable ?? "")?.id;
  // Without any manifest the newest backup is assumed to be that of the newest snapshot.
  const isBackedUp = isKnownWhole || backups.some(({ id }) => newestId === undefined || id === newestId);
  const files: Restoration[] = filled.filter(({ file }) => !isMade(file)).map(restoredFrom);
  if (!isKnownWhole) files.push(...(await restoreUnlisted(opened, backups[0])));
  const problems = new Map(base.lost.map(({ file, problem }) => [file, problem]));
  for (const file of staging.lost()) {
    const restored = await restoreOlder(opened, sources, file);
    // Lost records of exports and crawls block nothing: the next ones are recorded.
    if (!restored && file.table === "sources") staging.remove("sources", {});
    files.push({ file, problem: problems.get(file) ?? UNLISTED, restored });
  }
  for (const { file, problem, restored } of files)
    log.warn("a published file is damaged", { path: file.path, problem, restored: restored?.words ?? "no" });
  const unknownHistory = isBackedUp
    ? undefined
    : `${base.unreadable ?? "the current snapshot"} cannot be read, and there is no backup of it: what was recorded may be lost`;
  return { files, restoredHistory, isKnownWhole, unknownHistory };
}

const UNLISTED = "it is in no snapshot that can be read";

/** Stages the newest sound older state of recorded history. Crawled data is fetched again instead. */
async function restoreOlder(
  { database, staging }: OpenRun,
  sources: CopySources,
  file: PublishedFile,
): Promise<Restored | undefined> {
  if (!IRREPLACEABLE_TABLES.includes(file.table)) return undefined;
  const state = await restoreOlderState(sources, file, staging.filesFolder);
  if (!state) return undefined;
  // Stage a copy with its own identity: the base's file is marked as lost.
  await staging.putCopy(database.connection, { ...state.file });
  const rows = `${state.file.rows} rows where there were ${file.rows}`;
  return { words: `restored as it was on ${state.stateOf} from ${state.from}, ${rows}`, isOlder: true };
}

/**
 * Stages the recorded history of a snapshot whose manifest cannot be read, as the newest backup names it. This run has
 * to fetch files that no store has.
 */
async function restoreUnlisted(opened: OpenRun, backup: Manifest | undefined): Promise<Restoration[]> {
  const { base, database, places, staging } = opened;
  const { disk, filesFolder, folder } = staging;
  const readable = base.published?.manifest;
  if (!backup || backup.createdAt < (readable?.createdAt ?? "")) return [];
  const isStaged = (file: PublishedFile) => staging.find(file.table as TableName, file.partition)?.path === file.path;
  const unlisted = backup.files
    .filter((file) => IRREPLACEABLE_TABLES.includes(file.table) && !isStaged(file))
    .map((file) => ({ file, problem: UNLISTED }));
  const drafts = join(folder, "drafts");
  const { filled, lost } = await fill(
    openFolderStore(filesFolder, disk, { drafts, isIndependent: true }),
    unlisted,
    places,
    { disk, folder: drafts, onUnreachable: () => undefined },
  );
  for (const { file } of lost) staging.expect(file);
  for (const { file } of filled) await staging.putCopy(database.connection, { ...file });
  const files = unlisted.map(({ file }) => file);
  if (readable && backup.id !== readable.id) {
    const { changesBefore, id, source } = backup;
    staging.goOnFrom({ id, changesBefore, source, files: comparable(opened, files) });
  }
  return filled.map(restoredFrom);
}

const restoredFrom = ({ file, from, problem }: FilledFile): Restoration => ({
  ...{ file, problem },
  restored: { words: `restored from ${from}`, isOlder: false },
});

/**
 * Returns the files to compare new versions with. Sections of a term are excluded when its recorded changes are of a
 * later snapshot.
 */
function comparable({ base, staging }: OpenRun, later: readonly PublishedFile[]): PublishedFile[] {
  const changed = later.filter(({ table }) => table === "changes").map(({ partition }) => partition);
  const isOfBase = (file: PublishedFile) => base.published?.manifest.files.includes(file) ?? false;
  return staging
    .files()
    .filter(
      (file) =>
        file.table !== "sections" ||
        !isOfBase(file) ||
        !changed.some(({ year, quarter }) => year === file.partition.year && quarter === file.partition.quarter),
    );
}
