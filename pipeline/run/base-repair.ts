/** The base of a run, mended: what is damaged is restored from a copy (behaviour §7); what has none is due in this run whatever its age. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/manifest.ts";
import { IRREPLACEABLE_TABLES, type TableName } from "../contract/tables.ts";
import type { Log } from "../log.ts";
import { type Base, snapshotId } from "../publish/generation.ts";
import { layoutOf, parseGenerationName, partitionName } from "../publish/layout.ts";
import { findListed, findOlder, findSame, newestBackup, type Places, putCopy } from "../publish/restore.ts";
import type { Staging } from "../publish/staging.ts";
import { readTree } from "../publish/tree.ts";

/** A file that was published and is damaged; what came of it is said in the end. */
export interface Mending {
  readonly file: PublishedFile;
  readonly problem: string;
  readonly restored?: { readonly words: string; readonly isOlder: boolean };
}

export interface Mendings {
  readonly files: readonly Mending[];
  /** Everything that was published is known by name, whether it could be restored or not. */
  readonly isKnownWhole: boolean;
}

interface MendingOptions {
  readonly base: Base;
  readonly staging: Staging;
  readonly places: Places;
  readonly connection: DuckDBConnection;
  readonly log: Log;
}

/** Restores what has a copy. Afterwards `staging.damaged()` is what this run has to fetch again. */
export async function mendBase(options: MendingOptions): Promise<Mendings> {
  const { base, log, places, staging } = options;
  const problems = new Map(base.damaged.map(({ file, problem }) => [file, problem]));
  if (base.damage) log.warn("the generation in service cannot be read", { cause: base.damage.message });
  let isKnownWhole = base.damage === undefined;
  if (base.damage || !base.generation) {
    const lost = await expected(options);
    for (const [file, problem] of lost.files) {
      staging.expect(file);
      problems.set(file, problem);
    }
    isKnownWhole ||= lost.isWhole;
  }
  const mendings: Mending[] = [];
  for (const file of staging.damaged()) {
    const problem = problems.get(file) ?? "damaged";
    const restored = await restore(places, staging, file);
    mendings.push({ file, problem, ...(restored ? { restored } : {}) });
    log.warn("a published file is damaged", { path: file.path, problem, restored: restored?.words ?? "no" });
  }
  return { files: mendings, isKnownWhole };
}

async function restore(places: Places, staging: Staging, file: PublishedFile): Promise<Mending["restored"]> {
  const same = await findSame(places, file);
  if (same && (await putCopy(staging, same))) return { words: `restored from ${same.from}`, isOlder: false };
  // What was crawled is rather fetched again; what was observed has to be taken as it was.
  const older = isIrreplaceable(file) ? await findOlder(places, file) : undefined;
  if (!older || !(await putCopy(staging, older))) return undefined;
  const rows = `${older.file.rows} rows where there were ${file.rows}`;
  return { words: `restored as it was on ${older.createdAt} from ${older.from}, ${rows}`, isOlder: true };
}

/**
 * What the generation in service held beyond the base, as far as it can be told: by the tree of one whose manifest cannot be read, and where that is not
 * whole, by the backup.
 */
async function expected({
  base,
  connection,
  places,
  staging,
}: MendingOptions): Promise<{ files: [PublishedFile, string][]; isWhole: boolean }> {
  const found: [PublishedFile, string][] = [];
  const isHere = (file: PublishedFile) => staging.find(file.table as TableName, file.partition)?.path === file.path;
  let isWhole = false;
  if (base.unreadable !== undefined) {
    const folder = join(layoutOf(places.artifacts).generations, base.unreadable);
    const tree = await readTree(connection, folder, places.disk);
    isWhole = snapshotId(tree.map(({ file }) => file)) === parseGenerationName(base.unreadable)?.id;
    for (const { file, problem } of tree) {
      // The base has an older state of it, which stays unless a newer one can be had.
      const isNewer = !isHere(file) && (problem === undefined || isIrreplaceable(file) || !isKnown(staging, file));
      const listed = problem === undefined ? file : ((await findListed(places, file.path)) ?? file);
      if (isNewer)
        found.push([
          listed,
          `the manifest of ${base.unreadable} cannot be read${problem ? `; the file: ${problem}` : ""}`,
        ]);
    }
  }
  const backup = isWhole ? undefined : await newestBackup(places);
  const isNewer = backup && backup.createdAt >= (base.generation?.manifest.createdAt ?? "");
  const named = new Set(found.map(([{ table, partition }]) => `${table} ${partitionName(partition)}`));
  for (const file of isNewer ? backup.files : [])
    if (isIrreplaceable(file) && !isHere(file) && !named.has(`${file.table} ${partitionName(file.partition)}`))
      found.push([file, "it is in no generation that can be read"]);
  return { files: found, isWhole };
}

const isIrreplaceable = ({ table }: PublishedFile) => IRREPLACEABLE_TABLES.includes(table);

const isKnown = (staging: Staging, { table, partition }: PublishedFile) =>
  staging.find(table as TableName, partition) !== undefined;
