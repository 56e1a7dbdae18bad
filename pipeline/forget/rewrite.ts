/**
 * Rewrites published files without the data that was taken down. Equal rows give equal bytes, so that a repeated run
 * produces the same files.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { readParquet } from "../contract/sql-text.ts";
import { countRows, tableNamed } from "../store/schema.ts";
import { filePath } from "../store/layout.ts";
import { orderOf, ROWS_PER_GROUP, type StagingFolder, writeSorted } from "../publish/partition.ts";
import { bindTaken, findTaken, selectLeft, type Taken } from "./file-rows.ts";
import type { Forgotten } from "./tombstones.ts";

export interface RewriteContext extends StagingFolder {
  readonly connection: DuckDBConnection;
  readonly forgotten: Forgotten;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

async function columnsOf(connection: DuckDBConnection, path: string): Promise<Column[]> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet([path])}`);
  return read.getRowsJson().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Returns the data of a file that was taken down; undefined when there is none. */
export async function takenFrom(
  { connection, forgotten }: Pick<RewriteContext, "connection" | "forgotten">,
  table: string,
  path: string,
): Promise<Taken | undefined> {
  return findTaken(connection, { table, at: path, columns: await columnsOf(connection, path) }, forgotten);
}

/**
 * Rewrites a file without the data that was taken down; the result is below `filesFolder` and may have no rows. Returns
 * `file` when nothing was taken down.
 * @param path the file on this machine
 */
export async function rewriteFile(context: RewriteContext, file: PublishedFile, path: string): Promise<PublishedFile> {
  const { connection, disk, filesFolder } = context;
  const columns = await columnsOf(connection, path);
  const taken = await findTaken(connection, { table: file.table, at: path, columns }, context.forgotten);
  if (!taken) return file;
  await bindTaken(connection, taken);
  const table = tableNamed(file.table);
  const isOurs = table !== undefined && file.path === filePath(file.table, file.partition, file.sha256);
  return writeSorted(
    connection,
    { disk, filesFolder },
    {
      table: file.table,
      partition: file.partition,
      select: selectLeft(file.table, path, columns),
      ...(isOurs ? { orderBy: orderOf(table) } : {}),
      rowsPerGroup: table?.rowsPerGroup ?? ROWS_PER_GROUP,
      count: (path) => countRows(connection, path),
    },
  );
}

/** Returns the path of a rewritten file. */
export const rewrittenAt = (filesFolder: string, { table, partition, sha256 }: PublishedFile): string =>
  join(filesFolder, filePath(table, partition, sha256));
