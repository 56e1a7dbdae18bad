/** The last steps for every part (a term, a year, a table) of a run: it is guarded, and staged or withheld. */
import { join } from "node:path";
import type { Tally } from "../contract/documents/tally.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { RowOf, Table } from "../contract/table.ts";
import { PRODUCT_OF, type TableName, TABLES } from "../contract/tables.ts";
import { loadRows } from "../publish/rows.ts";
import type { RunContext } from "./context.ts";
import { remember } from "./guard/causes.ts";
import { reasonsFor, type StagedRows } from "./guard/field-guard.ts";
import { isLost, type PublishedPart } from "./guard/references.ts";
import { isRefused, type Reason, refuse } from "./guard/refusals.ts";

/** The differences between parts: how a part is named, and how it is guarded. */
export type Guarded = Omit<StagedRows, "table" | "published" | "from" | "sha256">;

export interface Part extends Guarded {
  /** Computes further reasons to refuse the rows, a relation. */
  readonly alsoFor?: (from: string) => Promise<Reason[]>;
  /** True when a refusal fails the whole product. */
  readonly isWhole?: boolean;
}

/**
 * Stages a file, which was audited when it was written. A refusal is damage, and the published version of the part
 * stays.
 * @returns whether it is staged
 * @throws GuardError when it is refused and `isWhole`
 */
export async function stage(
  context: RunContext,
  file: PublishedFile,
  { alsoFor, isWhole = false, ...guarded }: Part,
  tally: Tally,
): Promise<boolean> {
  const reasons = await reasonsOf(context, file, guarded, tally);
  if (alsoFor) reasons.push(...(await alsoFor(rowsOf(context, file))));
  if (isWhole) refuse(context, reasons, tally);
  else if (isRefused(context, reasons, tally)) return false;
  context.staging.put(file);
  remember(context, partOf(file), guarded.unknown ?? []);
  return true;
}

/** The reasons why a written file must not replace the published version of its part. */
export function reasonsOf(context: RunContext, file: PublishedFile, guarded: Guarded, tally: Tally): Promise<Reason[]> {
  const published = partOf(file);
  const written = { table: TABLES[published.table], published, from: rowsOf(context, file), sha256: file.sha256 };
  return reasonsFor(context, { ...guarded, ...written }, tally);
}

export const partOf = ({ table, partition }: PublishedFile): PublishedPart => ({
  table: table as TableName,
  partition,
});

/** The rows of a written file, as a relation. */
export const rowsOf = ({ staging }: RunContext, { path, table }: PublishedFile): string =>
  tableRows(TABLES[table as TableName], [join(staging.filesFolder, path)]);

/** Removes a part that its source no longer has, unless that is refused. @returns whether it is removed */
export function unstage(context: RunContext, part: PublishedPart, text: string, tally: Tally): boolean {
  if (isRefused(context, [{ part, column: "rows", text }], tally)) return false;
  context.staging.remove(part.table, part.partition);
  return true;
}

/**
 * Refuses a part without a sound version. @throws GuardError when no version of the part is sound and, as not
 * everything `isRead`, none can be built
 */
export async function refuseLost(
  context: RunContext,
  part: PublishedPart,
  isRead: boolean,
  tally: Tally,
): Promise<void> {
  const text = `the published ${part.table} are damaged, and not all of them could be read again`;
  if (!isRead && (await isLost(context, part))) refuse(context, [{ part, column: "copy", text }], tally);
}

/**
 * Guards the rows of a part that the history step stages, with different columns.
 * @throws GuardError when they are refused
 */
export async function accept<T extends Table>(
  context: RunContext,
  part: PublishedPart,
  { table, rows, ...guarded }: Pick<Guarded, "what" | "known" | "unknown"> & { table: T; rows: Iterable<RowOf<T>> },
  tally: Tally,
): Promise<void> {
  const staged: StagedRows = {
    ...guarded,
    table,
    published: part,
    from: await loadRows(context.database.connection, table, rows),
    rows: { isGrowthGuarded: !context.freshness.incomplete?.includes(PRODUCT_OF[part.table]) },
    hasLastingKeys: true,
  };
  if (!(await isLost(context, part))) refuse(context, await reasonsFor(context, staged, tally), tally);
  remember(context, part, guarded.unknown ?? []);
}
