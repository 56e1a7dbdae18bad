/** Restores damaged files of the base from sound copies. A file without a copy is due in this run, whatever its age. */
import type { PipelineConfig } from "../../settings/pipeline.ts";
import type { PublishedFile } from "../../contract/documents/manifest.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES, type TableName } from "../../contract/tables.ts";
import type { Log } from "../../log.ts";
import type { Migrated } from "../../migrations/migrate.ts";
import { loadBackups } from "../../backup/backups.ts";
import type { Base } from "../../generations/base.ts";
import { parseGenerationName, samePartition } from "../../generations/layout.ts";
import { ownBackups, type CopySources } from "../../generations/copies.ts";
import { restoreFile } from "../../publish/copy-file.ts";
import type { Before } from "../../publish/staging.ts";
import type { OpenRun } from "../open-run.ts";
import { changedSources, type Sources } from "../source-change.ts";
import { restoreHistory } from "./restore-history.ts";

export interface Repair {
  readonly file: PublishedFile;
  readonly problem: string;
  readonly restored?: { readonly words: string; readonly isOlder: boolean };
}

export interface Repairs {
  readonly files: readonly Repair[];
  /** What was restored from the backups because no generation can be read. */
  readonly restoredHistory: Migrated | undefined;
  /** Every published file is known by name, restored or not. */
  readonly isKnownWhole: boolean;
  /** Set when nobody knows what the newest snapshot had recorded: no manifest of it can be read, and there is no backup of it. */
  readonly unknownHistory: string | undefined;
}

interface RepairOptions {
  readonly config: PipelineConfig;
  readonly today: string;
  readonly log: Log;
}

/** Afterwards `staging.damaged()` is what this run has to fetch again. */
export async function repairBase(opened: OpenRun, { config, today, log }: RepairOptions): Promise<Repairs> {
  const { base, database, publishedSource, source, staging } = opened;
  const { artifactsDir, dataDir } = config;
  // Before the tree of an unreadable generation is read: its history replaces that of a backup, never the other way round.
  const restoredHistory = base.generation
    ? undefined
    : await restoreHistory({ dataDir, today, source: source.names, staging, database });
  for (const note of restoredHistory?.notes ?? []) log.warn("no published generation can be read", { note });

  const places: CopySources = {
    artifacts: artifactsDir,
    backups: () => loadBackups(dataDir, staging.disk),
    contract: CONTRACT_VERSION,
    isOurs: (from: Sources) => !changedSources(from, { ...source.names, ...publishedSource }).includes("schedule"),
    disk: staging.disk,
  };
  const problems = new Map(base.damaged.map(({ file, problem }) => [file, problem]));
  if (base.damage) log.warn("the generation in service cannot be read", { cause: base.damage.message });
  // The newest manifest names every file, whatever became of the pointer.
  const isKnownWhole = !base.damage || (base.generation !== undefined && base.unreadable === undefined);
  const isBackedUp = isKnownWhole || (await isNewestBackedUp(base, places));
  if (!isKnownWhole) {
    const unlisted = await findUnlisted(opened, places);
    for (const file of unlisted.files) {
      staging.expect(file);
      problems.set(file, "it is in no snapshot that can be read");
    }
    if (unlisted.of) staging.goOnFrom({ ...unlisted.of, files: comparable(opened, unlisted.files) });
  }
  const files: Repair[] = [];
  for (const file of staging.damaged()) {
    const problem = problems.get(file) ?? "damaged";
    const restored = await restore(places, opened, file);
    // Nothing is held back for what is known of the exports and crawls: the next ones are recorded.
    if (!restored && file.table === "sources") staging.remove("sources", {});
    files.push({ file, problem, ...(restored ? { restored } : {}) });
    log.warn("a published file is damaged", { path: file.path, problem, restored: restored?.words ?? "no" });
  }
  const unknownHistory = isBackedUp
    ? undefined
    : `${base.unreadable ?? "the current snapshot"} cannot be read, and there is no backup of it: what was recorded may be lost`;
  return { files, restoredHistory, isKnownWhole, unknownHistory };
}

/** Stages a sound copy in place of the damaged file. */
async function restore(
  places: CopySources,
  { database, staging }: OpenRun,
  file: PublishedFile,
): Promise<Repair["restored"]> {
  const copy = await restoreFile(places, file, staging);
  if (!copy) return undefined;
  // As a file of its own: the one of the base is known as damaged.
  await staging.putCopy(database.connection, { ...copy.file });
  const { from, stateOf } = copy;
  if (stateOf === undefined) return { words: `restored from ${from}`, isOlder: false };
  const rows = `${copy.file.rows} rows where there were ${file.rows}`;
  return { words: `restored as it was on ${stateOf} from ${from}, ${rows}`, isOlder: true };
}

/** Without any manifest the newest backup is that of the newest snapshot, as far as anybody knows. */
async function isNewestBackedUp({ unreadable }: Base, places: CopySources): Promise<boolean> {
  const id = parseGenerationName(unreadable ?? "")?.id;
  return (await ownBackups(places)).some((backup) => id === undefined || backup.id === id);
}

interface Unlisted {
  readonly files: readonly PublishedFile[];
  /** The snapshot that they are of; undefined where it is that of the base. */
  readonly of: Omit<Before, "files"> | undefined;
}

/** The recorded history of a snapshot whose manifest cannot be read, as the newest backup names it. */
async function findUnlisted({ base, staging }: OpenRun, places: CopySources): Promise<Unlisted> {
  const [backup] = await ownBackups(places);
  const readable = base.generation?.manifest;
  if (!backup || backup.createdAt < (readable?.createdAt ?? "")) return { files: [], of: undefined };
  const isStaged = (file: PublishedFile) => staging.find(file.table as TableName, file.partition)?.path === file.path;
  const files = backup.files.filter((file) => IRREPLACEABLE_TABLES.includes(file.table) && !isStaged(file));
  const of = readable &&
    backup.id !== readable.id && {
      ...{ id: backup.id, changesBefore: backup.changesBefore, source: backup.source },
    };
  return { files, of: of || undefined };
}

/** What new versions are compared with: not the sections of a term whose recorded changes are of a later snapshot than they. */
function comparable({ base, staging }: OpenRun, later: readonly PublishedFile[]): PublishedFile[] {
  const changed = later.filter(({ table }) => table === "changes").map(({ partition }) => partition);
  const isOfBase = (file: PublishedFile) => base.generation?.manifest.files.includes(file) ?? false;
  return staging
    .files()
    .filter(
      (file) =>
        file.table !== "sections" ||
        !isOfBase(file) ||
        !changed.some(({ year, quarter }) => samePartition({ year, quarter }, file.partition)),
    );
}
