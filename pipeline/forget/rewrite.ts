/** Writes published files anew without what was taken down. The same rows make the same bytes, so that a run that is repeated makes the same files. */
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

async function columnsOf(connection: DuckDBConnection, at: string): Promise<Column[]> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet([at])}`);
  return read.getRowsJson().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** What of a file was taken down; undefined when nothing was. */
export async function takenFrom(
  { connection, forgotten }: Pick<RewriteContext, "connection" | "forgotten">,
  table: string,
  at: string,
): Promise<Taken | undefined> {
  return findTaken(connection, { table, at, columns: await columnsOf(connection, at) }, forgotten);
}

/**
 * The file without what was taken down, below `filesFolder`; the same file when it has nothing of that. It may have no rows.
 * @param at where the file is
 */
export async function rewriteFile(context: RewriteContext, file: PublishedFile, at: string): Promise<PublishedFile> {
  const { connection, disk, filesFolder } = context;
  const columns = await columnsOf(connection, at);
  const taken = await findTaken(connection, { table: file.table, at, columns }, context.forgotten);
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
      select: selectLeft(file.table, at, columns),
      ...(isOurs ? { orderBy: orderOf(table) } : {}),
      rowsPerGroup: table?.rowsPerGroup ?? ROWS_PER_GROUP,
      count: (path) => countRows(connection, path),
    },
  );
}

/** Where `rewriteFile` put it. */
export const rewrittenAt = (filesFolder: string, { table, partition, sha256 }: PublishedFile): string =>
  join(filesFolder, filePath(table, partition, sha256));
