/** One step from a contract version to the next. A step says itself how the tables of its time look: it stays right when later versions change them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import type { StagingRoom } from "../publish/partition.ts";

/** A published file, and where it stands now. */
export interface PlacedFile {
  readonly file: PublishedFile;
  readonly at: string;
}

export interface MigrationRoom extends StagingRoom {
  readonly connection: DuckDBConnection;
}

export interface MigrationStep {
  readonly to: number;
  /** The tables of which it may write files anew; the files of all others are carried over as they are. */
  readonly rewrites: readonly string[];
  /**
   * One file of such a table → what takes its place: the file itself where it has the new layout already.
   * @throws GuardError when what was written does not hold what was read
   */
  readonly rewrite: (placed: PlacedFile, room: MigrationRoom) => Promise<PlacedFile[]>;
}

/** The rows of one file as a relation; the path is our own. */
export const rowsOf = ({ at }: PlacedFile): string => readParquet([at]);

export async function columnsOf({ connection }: MigrationRoom, placed: PlacedFile): Promise<string[]> {
  return (await connection.run(`SELECT * FROM ${rowsOf(placed)} LIMIT 0`)).columnNames();
}

/** One value of one row, as a text. */
export async function readValue({ connection }: MigrationRoom, select: string): Promise<string> {
  const read = await connection.runAndReadAll(select);
  return String(read.getRowsJson()[0]?.[0] ?? "");
}
