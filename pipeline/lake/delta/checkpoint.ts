/**
 * Checkpoints: the state of a table in a single Parquet file, so that a reader needs no older commit (Delta protocol,
 * "Checkpoints").
 */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "../../contract/sql-text.ts";
import { nodeDisk } from "../../disk/disk.ts";
import type { Store } from "../../store/store.ts";
import {
  type Action,
  checkpointKey,
  lastCheckpointKey,
  PROTOCOL,
  readAction,
  type TableState,
  withTags,
} from "./actions.ts";

const TEXTS = "MAP(VARCHAR, VARCHAR)";

/** The protocol's "Checkpoint Schema". */
const COLUMNS: Readonly<Record<string, string>> = {
  txn: 'STRUCT("appId" VARCHAR, "version" BIGINT, "lastUpdated" BIGINT)',
  add: `STRUCT(path VARCHAR, "partitionValues" ${TEXTS}, size BIGINT, "modificationTime" BIGINT, "dataChange" BOOLEAN, stats VARCHAR, tags ${TEXTS})`,
  remove: `STRUCT(path VARCHAR, "deletionTimestamp" BIGINT, "dataChange" BOOLEAN, "extendedFileMetadata" BOOLEAN, "partitionValues" ${TEXTS}, size BIGINT, tags ${TEXTS})`,
  metaData: `STRUCT(id VARCHAR, "name" VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${TEXTS}), "schemaString" VARCHAR, "partitionColumns" VARCHAR[], "configuration" ${TEXTS}, "createdTime" BIGINT)`,
  protocol: 'STRUCT("minReaderVersion" INTEGER, "minWriterVersion" INTEGER)',
};

/** The actions of a checkpoint of the state, without files that were removed physically. */
function checkpointActions({ metaData, files, removed }: TableState): Action[] {
  return [
    { protocol: PROTOCOL },
    ...(metaData ? [{ metaData }] : []),
    ...[...files.values()].map((add) => ({ add: { ...add, dataChange: false } })),
    ...[...removed.values()].map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
}

/** Adds the checkpoint of the state's version, then points to it. */
export async function writeCheckpoint(
  connection: DuckDBConnection,
  store: Store,
  { table, state, tempFolder }: { table: string; state: TableState; tempFolder: string },
): Promise<void> {
  const actions = checkpointActions(state);
  const file = await checkpointFile(connection, actions, tempFolder);
  await store.addFiles([{ key: checkpointKey(table, state.version), at: file }]);
  const pointer = await store.read(lastCheckpointKey(table));
  await store.replace(
    lastCheckpointKey(table),
    JSON.stringify({ version: state.version, size: actions.length }),
    typeof pointer === "object" ? pointer.etag : null,
  );
}

/** Writes these actions as a checkpoint below `tempFolder`. Returns its path. */
export async function checkpointFile(
  connection: DuckDBConnection,
  actions: readonly Action[],
  tempFolder: string,
): Promise<string> {
  const path = join(tempFolder, randomUUID());
  await writeFile(`${path}.json`, actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${quoteLiteral(name)}: ${quoteLiteral(type)}`);
  await connection.run(
    `COPY (SELECT * FROM read_json(${quoteLiteral(`${path}.json`)}, format = 'newline_delimited', columns = {${columns.join(", ")}}))
     TO ${quoteLiteral(`${path}.parquet`)} (FORMAT parquet, USE_TMP_FILE false)`,
  );
  await nodeDisk.syncFile(`${path}.parquet`);
  return `${path}.parquet`;
}

export interface Checkpoint {
  readonly actions: readonly Action[];
  /** True when another program wrote the checkpoint. */
  readonly isForeign: boolean;
}

/** Reads a checkpoint. @param version the version of the table in the checkpoint */
export async function readCheckpoint(connection: DuckDBConnection, path: string, version: number): Promise<Checkpoint> {
  const from = quoteLiteral(path);
  const described = await connection.runAndReadAll(`DESCRIBE FROM read_parquet(${from})`);
  const columns = new Set(described.getRowsJson().map(([name]) => name));
  const kinds = ["protocol", "metaData", "add", "remove"]
    .filter((kind) => columns.has(kind))
    .map((kind) => `CASE WHEN ${kind} IS NOT NULL THEN to_json({${kind}: ${kind}})::VARCHAR END`);
  const read = await connection.runAndReadAll(
    `SELECT action FROM (SELECT coalesce(${kinds.join(", ")}) AS action FROM read_parquet(${from})) WHERE action IS NOT NULL`,
  );
  const actions = read.getRowsJson().map(([text]) => withTags(readAction.parse(JSON.parse(String(text))), version, 0));
  const written = await connection.runAndReadAll(`SELECT created_by FROM parquet_file_metadata(${from})`);
  return { actions, isForeign: !String(written.getRowsJson()[0]?.[0]).startsWith("DuckDB") };
}
