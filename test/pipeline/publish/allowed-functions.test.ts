/** The functions that statements may use, compared with everything that the installed DuckDB lists. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FUNCTIONS, TABLE_FUNCTIONS } from "../../../pipeline/publish/sql/allowed-functions.ts";
import type { SqlShell } from "../../../pipeline/publish/sql/sql-shell.ts";
import { openSql } from "../../support/run-sql.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** Reviewed, and of no use to who reads tables, or worse. */
const REFUSED = words(`
  cast_to_type col_description combine constant_or_null create_sort_key current_catalog current_connection_id current_database current_query
  current_query_id current_role current_schema current_schemas current_setting current_transaction_id current_user currval error finalize
  format_pg_type format_type get_block_size get_type getvariable has_any_column_privilege has_column_privilege has_database_privilege
  has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_schema_privilege has_sequence_privilege
  has_server_privilege has_table_privilege has_tablespace_privilege icu_sort_key in_search_path inet_client_addr inet_client_port
  inet_server_addr inet_server_port is_histogram_other_bin json_deserialize_sql json_serialize_plan json_serialize_sql make_type
  map_to_pg_oid nextval obj_description parse_dirname parse_dirpath parse_duckdb_log_message parse_filename parse_path
  pg_collation_is_visible pg_conf_load_time pg_conversion_is_visible pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_viewdef
  pg_has_role pg_is_other_temp_schema pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible
  pg_postmaster_start_time pg_size_pretty pg_sleep pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible
  pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible remap_struct replace_type session_user setseed shobj_description
  sleep_ms st_asbinary st_astext st_aswkb st_aswkt st_crs st_geomfromwkb st_intersects_extent st_setcrs stats timetz_byte_comparable
  txid_current user variant_bytes_to_variant variant_extract variant_normalize variant_to_parquet_variant variant_typeof vector_type version
  write_log`);
/** DuckDB's own, for COLLATE and between its operators. */
const INTERNAL = /^(?:icu_collate_|__internal_)/;

const REFUSED_IN_FROM = words(`
  arrow_scan arrow_scan_dumb check_peg_parser checkpoint disable_logging disable_peg_parser disable_profiling duckdb_approx_database_count
  duckdb_columns duckdb_connection_count duckdb_constraints duckdb_coordinate_systems duckdb_databases duckdb_dependencies
  duckdb_extensions duckdb_external_file_cache duckdb_functions duckdb_indexes duckdb_keywords duckdb_log_contexts duckdb_logs
  duckdb_logs_parsed duckdb_memory duckdb_optimizers duckdb_prepared_statements duckdb_profiling_settings duckdb_schemas
  duckdb_secret_types duckdb_secrets duckdb_sequences duckdb_settings duckdb_table_sample duckdb_tables duckdb_temporary_files
  duckdb_types duckdb_variables duckdb_views enable_logging enable_peg_parser enable_profiling force_checkpoint glob histogram
  histogram_values icu_calendar_names json_execute_serialized_sql parquet_bloom_probe parquet_file_metadata parquet_full_metadata
  parquet_kv_metadata parquet_metadata parquet_scan parquet_schema pg_timezone_names pragma_collations pragma_database_size
  pragma_metadata_info pragma_platform pragma_show pragma_storage_info pragma_table_info pragma_user_agent pragma_version query query_table
  read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson
  read_ndjson_auto read_ndjson_objects read_parquet read_text repeat repeat_row seq_scan sniff_csv sql_auto_complete summary
  test_all_types test_vector_types truncate_duckdb_logs unnest which_secret`).filter((name) => name !== "unnest");

const scratch = scratchFolder();
const artifacts = join(scratch, "artifacts");
mkdirSync(artifacts);
const database = await scratchDatabase();
let shell: SqlShell;
let listed: { readonly name: string; readonly kind: string; readonly effects: boolean }[] = [];
beforeAll(async () => {
  await (await openPublisher(artifacts, { database, rows: 10 })).publish();
  const rows = await database.connection.runAndReadAll(
    "SELECT DISTINCT lower(function_name), function_type, has_side_effects IS TRUE FROM duckdb_functions() WHERE internal",
  );
  listed = (rows.getRowsJson() as [string, string, boolean][]).map(([name, kind, effects]) => ({
    name,
    kind,
    effects,
  }));
  shell = await openSql(artifacts, { tempFolder: "", threads: 1, selectOnly: true });
});
afterAll(() => shell?.close());

const isTable = ({ kind }: { kind: string }) => kind === "table" || kind === "table_macro";
const namesOf = (those: typeof listed) => [...new Set(those.map(({ name }) => name))].sort();

describe("the list", () => {
  test("every function that DuckDB has is allowed, or was reviewed and refused", () => {
    const called = namesOf(listed.filter((listing) => !isTable(listing) && listing.kind !== "pragma"));
    const unknown = called.filter((name) => !FUNCTIONS.has(name) && !INTERNAL.test(name));
    expect(unknown).toEqual(REFUSED.toSorted());
    const inFrom = namesOf(listed.filter(isTable));
    expect(inFrom.filter((name) => !TABLE_FUNCTIONS.has(name))).toEqual(REFUSED_IN_FROM.toSorted());
  });

  test("nothing else is allowed, and of what has side effects only what is random", () => {
    const names = new Set(namesOf(listed));
    expect([...FUNCTIONS, ...TABLE_FUNCTIONS].filter((name) => !names.has(name))).toEqual([]);
    const effects = namesOf(listed.filter(({ name, effects }) => effects && FUNCTIONS.has(name)));
    expect(effects).toEqual(["gen_random_uuid", "random", "uuid", "uuidv4", "uuidv7"]);
  });
});

test("each function in each place: nothing is written, and what is not allowed is not called", async () => {
  const text = `'export database ''${join(artifacts, "current")}x'''`;
  const files = () => [scratch, process.cwd()].map((folder) => readdirSync(folder, { recursive: folder === scratch }));
  const run = async (sql: string) => {
    try {
      for await (const _ of shell.run(sql, { format: "json" }));
      return "answered";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const before = files();
  const called: string[] = [];
  for (const { name, kind } of listed) {
    const quoted = `"${name.toUpperCase()}"`;
    const scalar = [
      `SELECT ${quoted}(${text})`,
      `SELECT list_transform([1], lambda x : system.main.${quoted}(x)) FROM (PIVOT sections ON year USING max(${quoted}(${text})))`,
      `WITH x AS (SELECT max(1) OVER (ORDER BY ${quoted}(${text}))) FROM x`,
    ];
    const inFrom = [`FROM ${quoted}(${text})`, `SELECT (SELECT count(*) FROM main.${quoted}(${text}))`];
    for (const [statements, allowed] of [
      [scalar, FUNCTIONS],
      [inFrom, TABLE_FUNCTIONS],
    ] as const)
      for (const sql of allowed.has(name) ? statements.slice(0, 1) : statements) {
        const message = await run(sql);
        if (!allowed.has(name) && !message.includes("is not allowed")) called.push(`${sql}: ${message}`);
      }
    if (kind === "pragma")
      for (const sql of [
        `PRAGMA ${name}`,
        `CALL ${quoted}()`,
        `PRAGMA ${name}(${text})`,
        `PRAGMA table_info(${quoted}(${text}))`,
      ])
        if ((await run(sql)) === "answered") called.push(sql);
  }
  for (const sql of [
    "PRAGMA table_info(error('called'))",
    "SELECT 1; PRAGMA table_info(error('called'))",
    "EXPLAIN PRAGMA table_info(error('called'))",
    "CALL query(error('called'))",
  ])
    expect(await run(sql)).toMatch(/^(?:only SELECT|one statement)/);
  expect(called).toEqual([]);
  expect(files()).toEqual(before);
});
