/** Turns the files of an older contract version into those of this one, version by version. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES, TABLES, type TableName } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { auditFile } from "../publish/audit.ts";
import type { StagingFolder } from "../publish/partition.ts";

export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string;
}
export type MigrationContext = StagingFolder & { readonly connection: DuckDBConnection };

/**
 * Returns the files of the next contract version: unchanged files as they are, the others rewritten below
 * `filesFolder`. A step does not use today's contract, which later versions change.
 */
export type Step = (files: readonly LocatedFile[], context: MigrationContext) => Promise<readonly LocatedFile[]>;

/**
 * Maps each contract version to the step that migrates from it. Without a step no file changes; the next run fills new
 * tables.
 */
export type Steps = Readonly<Record<number, Step>>;
export const STEPS: Steps = {};

/** @throws GuardError when recorded history is not the same afterwards, or does not match the contract */
export async function takeSteps(
  contract: number,
  files: readonly LocatedFile[],
  context: MigrationContext,
  steps: Steps = STEPS,
): Promise<readonly LocatedFile[]> {
  let migrated = files;
  for (let version = contract; version < CONTRACT_VERSION; version++)
    migrated = (await steps[version]?.(migrated, context)) ?? migrated;
  for (const table of IRREPLACEABLE_TABLES as readonly TableName[]) {
    const [old = [], after = []] = [files, migrated].map((all) => all.filter(({ file }) => file.table === table));
    for (const { file, at } of after) await auditFile(context.connection, TABLES[table], file.partition, at);
    if (old.length > 0 && !(await isSameContent(context, TABLES[table].row.shape, old, after)))
      throw new GuardError(`the migrated ${table} is not the same`);
  }
  return migrated;
}

/** Compares all rows in the columns that both versions have, whichever files they are in. */
async function isSameContent(
  { connection }: MigrationContext,
  columns: object,
  ...[old, after]: readonly [readonly LocatedFile[], readonly LocatedFile[]]
): Promise<boolean> {
  if (after.length === 0) return false;
  const [rows, rowsAfter] = [old, after].map((files) => readParquet(files.map(({ at }) => at)));
  const names = (await connection.run(`FROM ${rows} LIMIT 0`)).columnNames().filter((name) => name in columns);
  const texts = names.map((name) => `"${name}"::VARCHAR`);
  const sums = [rows, rowsAfter].map((from) => `SELECT count(*), sum(hash(${texts})::HUGEINT) FROM ${from}`);
  return (await connection.runAndReadAll(sums.join(" UNION "))).currentRowCount === 1;
}
