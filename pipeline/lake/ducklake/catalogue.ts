/**
 * The tables of a DuckLake catalogue, version 1.0 (DuckLake specification, "Tables"), and the DuckDB file that holds
 * them.
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "../../contract/sql-text.ts";
import { openDatabase } from "../../store/database.ts";

/** The format version that every stable release of the extension reads without a migration. */
export const DUCKLAKE_VERSION = "1.0";

const LIFETIME = { begin_snapshot: "BIGINT", end_snapshot: "BIGINT" };
const PATH = { path: "VARCHAR", path_is_relative: "BOOLEAN" };
const STATISTICS = {
  column_size_bytes: "BIGINT",
  value_count: "BIGINT",
  null_count: "BIGINT",
  min_value: "VARCHAR",
  max_value: "VARCHAR",
  contains_nan: "BOOLEAN",
  extra_stats: "VARCHAR",
};

/** The complete set: the extension also reads the tables that stay empty here. */
const TABLES = {
  ducklake_column: {
    column_id: "BIGINT",
    ...LIFETIME,
    table_id: "BIGINT",
    column_order: "BIGINT",
    column_name: "VARCHAR",
    column_type: "VARCHAR",
    initial_default: "VARCHAR",
    default_value: "VARCHAR",
    nulls_allowed: "BOOLEAN",
    parent_column: "BIGINT",
    default_value_type: "VARCHAR",
    default_value_dialect: "VARCHAR",
  },
  ducklake_column_mapping: { mapping_id: "BIGINT", table_id: "BIGINT", type: "VARCHAR" },
  ducklake_column_tag: { table_id: "BIGINT", column_id: "BIGINT", ...LIFETIME, key: "VARCHAR", value: "VARCHAR" },
  ducklake_data_file: {
    data_file_id: "BIGINT",
    table_id: "BIGINT",
    ...LIFETIME,
    file_order: "BIGINT",
    ...PATH,
    file_format: "VARCHAR",
    record_count: "BIGINT",
    file_size_bytes: "BIGINT",
    footer_size: "BIGINT",
    row_id_start: "BIGINT",
    partition_id: "BIGINT",
    encryption_key: "VARCHAR",
    mapping_id: "BIGINT",
    partial_max: "BIGINT",
  },
  ducklake_delete_file: {
    delete_file_id: "BIGINT",
    table_id: "BIGINT",
    ...LIFETIME,
    data_file_id: "BIGINT",
    ...PATH,
    format: "VARCHAR",
    delete_count: "BIGINT",
    file_size_bytes: "BIGINT",
    footer_size: "BIGINT",
    encryption_key: "VARCHAR",
    partial_max: "BIGINT",
  },
  ducklake_files_scheduled_for_deletion: {
    data_file_id: "BIGINT",
    ...PATH,
    schedule_start: "TIMESTAMP WITH TIME ZONE",
  },
  ducklake_file_column_stats: { data_file_id: "BIGINT", table_id: "BIGINT", column_id: "BIGINT", ...STATISTICS },
  ducklake_file_partition_value: {
    data_file_id: "BIGINT",
    table_id: "BIGINT",
    partition_key_index: "BIGINT",
    partition_value: "VARCHAR",
  },
  ducklake_file_variant_stats: {
    data_file_id: "BIGINT",
    table_id: "BIGINT",
    column_id: "BIGINT",
    variant_path: "VARCHAR",
    shredded_type: "VARCHAR",
    ...STATISTICS,
  },
  ducklake_inlined_data_tables: { table_id: "BIGINT", table_name: "VARCHAR", schema_version: "BIGINT" },
  ducklake_macro: { schema_id: "BIGINT", macro_id: "BIGINT", macro_name: "VARCHAR", ...LIFETIME },
  ducklake_macro_impl: {
    macro_id: "BIGINT",
    impl_id: "BIGINT",
    dialect: "VARCHAR",
    sql: "VARCHAR",
    type: "VARCHAR",
  },
  ducklake_macro_parameters: {
    macro_id: "BIGINT",
    impl_id: "BIGINT",
    column_id: "BIGINT",
    parameter_name: "VARCHAR",
    parameter_type: "VARCHAR",
    default_value: "VARCHAR",
    default_value_type: "VARCHAR",
  },
  ducklake_metadata: { key: "VARCHAR", value: "VARCHAR", scope: "VARCHAR", scope_id: "BIGINT" },
  ducklake_name_mapping: {
    mapping_id: "BIGINT",
    column_id: "BIGINT",
    source_name: "VARCHAR",
    target_field_id: "BIGINT",
    parent_column: "BIGINT",
    is_partition: "BOOLEAN",
  },
  ducklake_partition_column: {
    partition_id: "BIGINT",
    table_id: "BIGINT",
    partition_key_index: "BIGINT",
    column_id: "BIGINT",
    transform: "VARCHAR",
  },
  ducklake_partition_info: { partition_id: "BIGINT", table_id: "BIGINT", ...LIFETIME },
  ducklake_schema: { schema_id: "BIGINT", schema_uuid: "UUID", ...LIFETIME, schema_name: "VARCHAR", ...PATH },
  ducklake_schema_versions: { begin_snapshot: "BIGINT", schema_version: "BIGINT", table_id: "BIGINT" },
  ducklake_snapshot: {
    snapshot_id: "BIGINT",
    snapshot_time: "TIMESTAMP WITH TIME ZONE",
    schema_version: "BIGINT",
    next_catalog_id: "BIGINT",
    next_file_id: "BIGINT",
  },
  ducklake_snapshot_changes: {
    snapshot_id: "BIGINT",
    changes_made: "VARCHAR",
    author: "VARCHAR",
    commit_message: "VARCHAR",
    commit_extra_info: "VARCHAR",
  },
  ducklake_sort_expression: {
    sort_id: "BIGINT",
    table_id: "BIGINT",
    sort_key_index: "BIGINT",
    expression: "VARCHAR",
    dialect: "VARCHAR",
    sort_direction: "VARCHAR",
    null_order: "VARCHAR",
  },
  ducklake_sort_info: { sort_id: "BIGINT", table_id: "BIGINT", ...LIFETIME },
  ducklake_table: {
    table_id: "BIGINT",
    table_uuid: "UUID",
    ...LIFETIME,
    schema_id: "BIGINT",
    table_name: "VARCHAR",
    ...PATH,
  },
  ducklake_table_column_stats: {
    table_id: "BIGINT",
    column_id: "BIGINT",
    contains_null: "BOOLEAN",
    contains_nan: "BOOLEAN",
    min_value: "VARCHAR",
    max_value: "VARCHAR",
    extra_stats: "VARCHAR",
  },
  ducklake_table_stats: {
    table_id: "BIGINT",
    record_count: "BIGINT",
    next_row_id: "BIGINT",
    file_size_bytes: "BIGINT",
  },
  ducklake_tag: { object_id: "BIGINT", ...LIFETIME, key: "VARCHAR", value: "VARCHAR" },
  ducklake_view: {
    view_id: "BIGINT",
    view_uuid: "UUID",
    ...LIFETIME,
    schema_id: "BIGINT",
    view_name: "VARCHAR",
    dialect: "VARCHAR",
    sql: "VARCHAR",
    column_aliases: "VARCHAR",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type CatalogueTable = keyof typeof TABLES;

/**
 * A catalogue names its data by an absolute path, so attaching a copy of it without READ_ONLY would write into the
 * original folder. These constraints prevent it, whatever the mode of the file: no snapshot after the newest can be
 * recorded, no Parquet file can be written, because the compression does not exist, and nothing can be collected,
 * because the list of files to delete cannot be read.
 */
const newestOnly = (newest: number): string => `BIGINT CHECK (snapshot_id <= ${newest})`;
export const UNWRITABLE = { parquet_compression: "none: this lake is read-only" };
const UNREADABLE: CatalogueTable = "ducklake_files_scheduled_for_deletion";
const REFUSAL = "error('this lake is read-only')";

type Value = string | number | boolean | null;
/** Rows by table; an absent column is NULL. */
export type CatalogueRows = {
  readonly [Name in CatalogueTable]?: readonly Readonly<Partial<Record<keyof (typeof TABLES)[Name], Value>>>[];
};

/**
 * The smallest blocks that DuckDB supports, for the file's size. A newer storage version has a random id in every file,
 * and DuckDB's choice of a compression is random too, so equal rows would not yield equal bytes.
 */
const STORAGE = "BLOCK_SIZE 16384, STORAGE_VERSION 'v1.2.0'";
const COMPRESSION = "zstd";
/** Rows per statement. */
const AT_ONCE = 5_000;

/** Writes the catalogue as a new DuckDB file. */
export async function writeCatalogue(path: string, rows: CatalogueRows): Promise<void> {
  const database = await openDatabase({ memoryLimit: "500MB", threads: 1, tempFolder: dirname(path) });
  try {
    const { connection } = database;
    await connection.run(`PRAGMA force_compression = '${COMPRESSION}'`);
    await connection.run(`ATTACH ${quoteLiteral(path)} AS lake (${STORAGE})`);
    await connection.run("BEGIN");
    const newest = Math.max(...(rows.ducklake_snapshot ?? []).map(({ snapshot_id }) => Number(snapshot_id)));
    for (const [name, columns] of Object.entries(TABLES)) {
      if (name === UNREADABLE) {
        const values = Object.entries(columns).map(([column, type]) => `CAST(${REFUSAL} AS ${type}) AS ${column}`);
        await connection.run(`CREATE VIEW lake.${name} AS SELECT ${values.join(", ")}`);
        continue;
      }
      const declared = Object.entries(columns).map(([column, type]) => {
        const isNumber = name === "ducklake_snapshot" && column === "snapshot_id";
        return `${quoteIdentifier(column)} ${isNumber ? newestOnly(newest) : type}`;
      });
      await connection.run(`CREATE TABLE lake.${name} (${declared.join(", ")})`);
      await insert(connection, name, columns, rows[name as CatalogueTable] ?? []);
    }
    await connection.run("COMMIT");
    // Close the file without a log beside it.
    await connection.run("DETACH lake");
  } finally {
    database.close();
  }
}

async function insert(
  connection: DuckDBConnection,
  name: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly object[],
): Promise<void> {
  for (let offset = 0; offset < rows.length; offset += AT_ONCE)
    await connection.run(
      `INSERT INTO lake.${name} SELECT unnest(from_json($rows::JSON, ${quoteLiteral(JSON.stringify([columns]))}), recursive := true)`,
      { rows: JSON.stringify(rows.slice(offset, offset + AT_ONCE)) },
    );
}

/** Derives a UUID from a text (RFC 9562, version 8), so that equal lakes have equal ids. */
export function uuidOf(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
