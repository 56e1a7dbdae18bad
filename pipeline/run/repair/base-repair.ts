/** Restores damaged files of the base from sound copies. A file without a copy is due in this run, whatever its age. */
import { join } from "node:path";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import type { PublishedFile } from "../../contract/documents/manifest.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES, TABLES_BESIDE_ID, type TableName } from "../../contract/tables.ts";
import type { Log } from "../../log.ts";
import type { Migrated } from "../../migrations/migrate.ts";
import { loadBackups } from "../../backup/backups.ts";
import { changesBeforeOf, changesDigest } from "../../generations/snapshot-id.ts";
import { layoutOf, parseGenerationName, samePart, samePartition } from "../../generations/layout.ts";
import { findListed, ownBackups, type CopySources } from "../../generations/copies.ts";
import { restoreFile } from "../../publish/copy-file.ts";
import { readTree } from "../../generations/tree.ts";
import type { Before, Staging } from "../../publish/staging.ts";
import type { OpenRun } from "../open-run.ts";
import { changedSources, type Sources } from "../source-change.ts";
import { restoreHistory } from "./restore-history.ts";

export interface Repair {
  readonly file: PublishedFile;
  readonly problem: string;
  readonly restored?: { readonly words: string; readonly isOlder: boolean };
}

/** The sound files of a generation whose manifest cannot be read, the snapshot id that it had, and what changes may have come before it. */
export interface Tree {
  readonly id: string;
  readonly known: readonly (string | null)[];
  /** Whether a backup of that snapshot names what was recorded. */
  readonly isBackedUp: boolean;
  readonly sound: readonly PublishedFile[];
}

export interface Repairs {
  readonly files: readonly Repair[];
  /** What was restored from the backups because no generation can be read. */
  readonly restoredHistory: Migrated | undefined;
  /** Every published file is known by name, restored or not. */
  readonly isKnownWhole: boolean;
  /** Where files of a generation without a readable manifest are missing. */
  readonly incomplete: Tree | undefined;
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
  let isKnownWhole = base.damage === undefined;
  let incomplete: Tree | undefined;
  if (base.damage || !base.generation) {
    const unlisted = await findUnlisted(opened, places);
    for (const [file, problem] of unlisted.files) {
      staging.expect(file);
      problems.set(file, problem);
    }
    if (unlisted.of)
      staging.goOnFrom({
        ...unlisted.of,
        files: comparable(
          opened,
          unlisted.files.map(([file]) => file),
        ),
      });
    isKnownWhole ||= unlisted.isWhole;
    incomplete = unlisted.incomplete;
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
  return { files, restoredHistory, isKnownWhole, incomplete };
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

interface Unlisted {
  readonly files: readonly (readonly [file: PublishedFile, problem: string])[];
  readonly isWhole: boolean;
  readonly incomplete: Tree | undefined;
  /** The snapshot that they are of; undefined where it is that of the base. */
  readonly of: Omit<Before, "files"> | undefined;
}

/** The files that the generation in service had and no readable manifest lists: those in its tree, or else those in the newest backup. */
async function findUnlisted(
  { base, database, publishedSource, staging }: OpenRun,
  places: CopySources,
): Promise<Unlisted> {
  const isStaged = (file: PublishedFile) => staging.find(file.table as TableName, file.partition)?.path === file.path;
  const found: [PublishedFile, string][] = [];
  const backups = await ownBackups(places);
  const readable = base.generation?.manifest;
  let incomplete: Tree | undefined;
  let of: Unlisted["of"];
  if (base.unreadable !== undefined) {
    const folder = join(layoutOf(places.artifacts).generations, base.unreadable);
    const tree = await readTree(database.connection, folder, places.disk);
    const id = parseGenerationName(base.unreadable)?.id ?? "";
    const known = (readable ? [readable, ...backups] : backups).flatMap(({ changesBefore, files }) => [
      changesBefore,
      changesDigest(files),
    ]);
    const all = tree.map(({ file }) => file);
    const changesBefore = changesBeforeOf(all, id, known);
    if (changesBefore === undefined)
      incomplete = {
        id,
        known,
        isBackedUp: backups.some((backup) => backup.id === id),
        sound: tree.filter(({ problem }) => problem === undefined).map(({ file }) => file),
      };
    of = { id, changesBefore: changesBefore ?? null, source: publishedSource };
    for (const { file, problem } of tree) {
      // A damaged file that can be fetched again does not replace the older one of the base.
      const isWanted = problem === undefined || isIrreplaceable(file) || !isKnown(staging, file);
      if (isStaged(file) || !isWanted) continue;
      const listed = problem === undefined ? file : ((await findListed(places, file.path)) ?? file);
      const words = `the manifest of ${base.unreadable} cannot be read${problem ? `; the file: ${problem}` : ""}`;
      found.push([listed, words]);
    }
  }
  const isWhole = of !== undefined && incomplete === undefined;
  const [backup] = backups;
  const isNewer = backup && backup.createdAt >= (readable?.createdAt ?? "");
  const named = found.map(([file]) => file);
  // The id of a snapshot says nothing about tables beside it: even of a whole tree they may be gone.
  for (const file of isNewer ? backup.files : [])
    if (
      isIrreplaceable(file) &&
      !(isWhole && !TABLES_BESIDE_ID.includes(file.table)) &&
      !isStaged(file) &&
      !named.some((one) => samePart(one, file))
    )
      found.push([file, "it is in no generation that can be read"]);
  if (!of && readable && isNewer && backup.id !== readable.id)
    of = { id: backup.id, changesBefore: backup.changesBefore, source: backup.source };
  return { files: found, isWhole, incomplete, of };
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

const isIrreplaceable = ({ table }: PublishedFile) => IRREPLACEABLE_TABLES.includes(table);

const isKnown = (staging: Staging, { table, partition }: PublishedFile) =>
  staging.find(table as TableName, partition) !== undefined;
