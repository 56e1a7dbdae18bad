/** One step from a contract version to the next. A step does not use today's contract, which later versions change. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import { ROWS_PER_GROUP, type StagingFolder, writeSorted } from "../publish/partition.ts";

export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string;
}

export interface MigrationContext extends StagingFolder {
  readonly connection: DuckDBConnection;
}

export interface MigrationStep {
  readonly to: number;
  /** The tables whose files it may rewrite. */
  readonly rewrites: readonly string[];
  /**
   * The files that replace this one: the file itself when it has the new layout already.
   * @throws GuardError when the written files do not have the same content
   */
  readonly rewrite: (located: LocatedFile, context: MigrationContext) => Promise<LocatedFile[]>;
}

/** A step that gives each file of a table other columns or values; no row is added or lost. */
export function rewritingStep({
  to,
  table,
  orderBy,
  select,
}: {
  readonly to: number;
  readonly table: string;
  readonly orderBy: string;
  /** The new rows; undefined for a file that has the new layout already. */
  readonly select: (located: LocatedFile, context: MigrationContext) => Promise<string | undefined>;
}): MigrationStep {
  return {
    to,
    rewrites: [table],
    async rewrite(located, context) {
      const selected = await select(located, context);
      if (selected === undefined) return [located];
      const { partition, rows } = located.file;
      const file = await writeSorted(context.connection, context, {
        table,
        partition,
        select: selected,
        orderBy,
        rowsPerGroup: ROWS_PER_GROUP,
        count: () => Promise.resolve(rows),
      });
      return [{ file, at: join(context.filesFolder, file.path) }];
    },
  };
}

export const rowsOf = ({ at }: LocatedFile): string => readParquet([at]);

export async function columnsOf({ connection }: MigrationContext, located: LocatedFile): Promise<string[]> {
  return (await connection.run(`SELECT * FROM ${rowsOf(located)} LIMIT 0`)).columnNames();
}

export async function readValue({ connection }: MigrationContext, select: string): Promise<string> {
  const read = await connection.runAndReadAll(select);
  return String(read.getRowsJson()[0]?.[0] ?? "");
}
