/** Checkpoints: the state of a table in one Parquet file, so that a reader needs no older commit (Delta protocol, "Checkpoints"). */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "../contract/sql-text.ts";
import type { Disk } from "../publish/disk.ts";
import { type Action, PROTOCOL, type TableState } from "./actions.ts";
import { replaceFile } from "../publish/replace-file.ts";
import { draftPath, writeDraft } from "./draft.ts";
import { checkpointName, LAST_CHECKPOINT, logFolder } from "./layout.ts";

const TEXTS = "MAP(VARCHAR, VARCHAR)";

/** The protocol's "Checkpoint Schema". */
const COLUMNS: Readonly<Record<string, string>> = {
  txn: 'STRUCT("appId" VARCHAR, "version" BIGINT, "lastUpdated" BIGINT)',
  add: `STRUCT(path VARCHAR, "partitionValues" ${TEXTS}, size BIGINT, "modificationTime" BIGINT, "dataChange" BOOLEAN, stats VARCHAR, tags ${TEXTS})`,
  remove: `STRUCT(path VARCHAR, "deletionTimestamp" BIGINT, "dataChange" BOOLEAN, "extendedFileMetadata" BOOLEAN, "partitionValues" ${TEXTS}, size BIGINT, tags ${TEXTS})`,
  metaData: `STRUCT(id VARCHAR, "name" VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${TEXTS}), "schemaString" VARCHAR, "partitionColumns" VARCHAR[], "configuration" ${TEXTS}, "createdTime" BIGINT)`,
  protocol: 'STRUCT("minReaderVersion" INTEGER, "minWriterVersion" INTEGER)',
};

/** The actions that a checkpoint of the state consists of. Files that were removed physically are left out. */
function checkpointActions({ metaData, files, removed }: TableState): Action[] {
  return [
    { protocol: PROTOCOL },
    ...(metaData ? [{ metaData }] : []),
    ...[...files.values()].map((add) => ({ add: { ...add, dataChange: false } })),
    ...[...removed.values()].map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
}

/** Writes the checkpoint of the state's version, then the pointer to it. */
export async function writeCheckpoint(
  connection: DuckDBConnection,
  disk: Disk,
  { drafts, tableFolder, state }: { drafts: string; tableFolder: string; state: TableState },
): Promise<void> {
  const folder = logFolder(tableFolder);
  const actions = checkpointActions(state);
  const lines = await writeDraft(disk, drafts, actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${quoteLiteral(name)}: ${quoteLiteral(type)}`);
  const parquet = `${draftPath(drafts)}.parquet`;
  await disk.writtenBy(parquet, () =>
    connection.run(
      `COPY (SELECT * FROM read_json(${quoteLiteral(lines)}, format = 'newline_delimited', columns = {${columns.join(", ")}}))
       TO ${quoteLiteral(parquet)} (FORMAT parquet, USE_TMP_FILE false)`,
    ),
  );
  await disk.syncFile(parquet);
  await disk.rename(parquet, join(folder, checkpointName(state.version)));
  await disk.syncFolder(folder);
  const pointer = JSON.stringify({ version: state.version, size: actions.length });
  await replaceFile(disk, join(folder, LAST_CHECKPOINT), pointer, draftPath(drafts));
}

export async function readCheckpoint(connection: DuckDBConnection, path: string): Promise<Action[]> {
  const kinds = ["protocol", "metaData", "add", "remove"].map(
    (kind) => `CASE WHEN ${kind} IS NOT NULL THEN to_json({${kind}: ${kind}})::VARCHAR END`,
  );
  const read = await connection.runAndReadAll(
    `SELECT coalesce(${kinds.join(", ")}) FROM read_parquet(${quoteLiteral(path)})`,
  );
  return read.getRowsJson().map(([text]) => JSON.parse(String(text)) as Action);
}
