/** One step from a contract version to the next. A step does not use today's contract, which later versions change. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import type { StagingRoom } from "../publish/partition.ts";

export interface PlacedFile {
  readonly file: PublishedFile;
  readonly at: string;
}

export interface MigrationRoom extends StagingRoom {
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
  readonly rewrite: (placed: PlacedFile, room: MigrationRoom) => Promise<PlacedFile[]>;
}

export const rowsOf = ({ at }: PlacedFile): string => readParquet([at]);

export async function columnsOf({ connection }: MigrationRoom, placed: PlacedFile): Promise<string[]> {
  return (await connection.run(`SELECT * FROM ${rowsOf(placed)} LIMIT 0`)).columnNames();
}

export async function readValue({ connection }: MigrationRoom, select: string): Promise<string> {
  const read = await connection.runAndReadAll(select);
  return String(read.getRowsJson()[0]?.[0] ?? "");
}
