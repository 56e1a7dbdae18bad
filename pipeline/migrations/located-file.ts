/** A file of an older contract version while it is migrated, and what can be asked of it. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import type { StagingFolder } from "../publish/partition.ts";

export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string;
}

export interface MigrationContext extends StagingFolder {
  readonly connection: DuckDBConnection;
}

export const rowsOf = ({ at }: LocatedFile): string => readParquet([at]);

export async function columnsOf({ connection }: MigrationContext, located: LocatedFile): Promise<string[]> {
  return (await connection.run(`SELECT * FROM ${rowsOf(located)} LIMIT 0`)).columnNames();
}

export async function readValue({ connection }: MigrationContext, select: string): Promise<string> {
  const read = await connection.runAndReadAll(select);
  return String(read.getRowsJson()[0]?.[0] ?? "");
}
