/** All steps, oldest first. A new contract version adds its step here, and its fixture to `test/fixtures/contract/`. */
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES, TABLES } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { auditFile } from "../publish/audit.ts";
import { schemaProblems, tableNamed } from "../generations/schema.ts";
import { partitionTitle } from "../generations/layout.ts";
import { from1to2 } from "./1-to-2.ts";
import { from2to3 } from "./2-to-3.ts";
import { from3to4 } from "./3-to-4.ts";
import { from4to5 } from "./4-to-5.ts";
import { from5to6 } from "./5-to-6.ts";
import { from6to7 } from "./6-to-7.ts";
import type { MigrationContext, MigrationStep, LocatedFile } from "./step.ts";

const STEPS: readonly MigrationStep[] = [from1to2, from2to3, from3to4, from4to5, from5to6, from6to7];

/** The tables whose files of that contract version are rewritten. */
export const rewrittenTables = (contract: number): string[] =>
  STEPS.filter(({ to }) => to > contract).flatMap(({ rewrites }) => rewrites);

/**
 * Migrates files of an older contract version. Files that no step rewrites stay as they are.
 * @throws GuardError when recorded history does not match the contract afterwards
 */
export async function migrateFiles(
  contract: number,
  files: readonly LocatedFile[],
  context: MigrationContext,
): Promise<LocatedFile[]> {
  let located = [...files];
  for (const step of STEPS.filter(({ to }) => to > contract)) {
    const next: LocatedFile[] = [];
    for (const one of located)
      next.push(...(step.rewrites.includes(one.file.table) ? await step.rewrite(one, context) : [one]));
    located = next;
  }
  for (const one of located) if (IRREPLACEABLE_TABLES.includes(one.file.table)) await auditHistory(one, context);
  return located;
}

async function auditHistory({ file, at }: LocatedFile, { connection }: MigrationContext): Promise<void> {
  const rows = await auditFile(connection, TABLES[file.table as keyof typeof TABLES], file.partition, at);
  if (rows !== file.rows) throw new GuardError(`${partitionTitle(file)}: ${rows} rows, not ${file.rows}`);
}

export async function isOfContract({ file, at }: LocatedFile, { connection }: MigrationContext): Promise<boolean> {
  const table = tableNamed(file.table);
  if (!table) return false;
  const problems = await schemaProblems(connection, table, at).catch(() => ["no Parquet file"]);
  return problems.length === 0;
}

const last = STEPS.at(-1)?.to;
if (last !== CONTRACT_VERSION) throw new Error(`no step leads from contract version ${last} to ${CONTRACT_VERSION}`);
