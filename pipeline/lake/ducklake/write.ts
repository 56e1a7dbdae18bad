/**
 * A frozen DuckLake: a catalogue whose snapshots are the retained generations, over their files where they are. DuckDB attaches it read-only; nothing is
 * ever written to it.
 */
import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import type { Manifest, Partition, PublishedFile } from "../../contract/documents/manifest.ts";
import { TABLE_NAMES, TABLES, type TableName } from "../../contract/tables.ts";
import type { Table } from "../../contract/table.ts";
import { VIEWS } from "../../contract/views.ts";
import { type CatalogueRows, DUCKLAKE_VERSION, uuidOf, writeCatalogue } from "./catalogue.ts";
import { type LakeColumn, lakeColumns } from "./columns.ts";
import { type Lifetime, lifetimesOf } from "./lifetimes.ts";
import { lakeSelect } from "./views.ts";

export interface DuckLakeOptions {
  /** Of this contract, in any order; at least one. */
  readonly generations: readonly { readonly manifest: Manifest }[];
  /** The address of the folder that the files' paths start from: DuckLake knows no paths relative to the catalogue. It ends with a slash. */
  readonly base: string;
  /** The path of a file below `base`. `generation` is the name of the newest one that has it. */
  readonly pathOf: (generation: string, file: PublishedFile) => string;
}

/** Writes the catalogue to `path`, which never holds half of one. Equal options give equal rows. */
export async function writeDuckLake(path: string, options: DuckLakeOptions): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeCatalogue(draft, catalogueRows(options));
    await rename(draft, path);
  } finally {
    await Promise.all([draft, `${draft}.wal`].map((left) => rm(left, { force: true })));
  }
}

const SCHEMA_ID = 0;
/** Nothing but the files changes from one snapshot to the next: all are of one contract. */
const SCHEMA_VERSION = 1;

interface LakeTable {
  readonly id: number;
  readonly name: TableName;
  readonly table: Table;
  readonly columns: readonly LakeColumn[];
}

/** The rows of the catalogue, by table. */
export function catalogueRows({ generations, base, pathOf }: DuckLakeOptions): CatalogueRows {
  const ordered = generations.map(({ manifest }) => manifest).sort((a, b) => a.generation - b.generation);
  const first = { begin_snapshot: ordered[0]?.generation ?? 0 };
  const tables = TABLE_NAMES.map((name, at): LakeTable => {
    const table: Table = TABLES[name];
    return { id: at + 1, name, table, columns: lakeColumns(table) };
  });
  const views = VIEWS.map((view, at) => ({ ...view, id: tables.length + 1 + at }));
  const lifetimes = lifetimesOf(ordered).map((one, at) => ({ ...one, id: at }));
  const comment = (value: string) => ({ ...first, key: "comment", value });
  return {
    ducklake_metadata: Object.entries({
      version: DUCKLAKE_VERSION,
      created_by: "academic-data-rest-service",
      data_path: base,
      encrypted: "false",
    }).map(([key, value]) => ({ key, value })),
    ducklake_snapshot: ordered.map(({ generation, createdAt }) => ({
      snapshot_id: generation,
      snapshot_time: createdAt,
      schema_version: SCHEMA_VERSION,
      next_catalog_id: tables.length + views.length + 1,
      next_file_id: lifetimes.length,
    })),
    ducklake_snapshot_changes: ordered.map(({ generation, id }) => ({
      snapshot_id: generation,
      changes_made: changesOf(generation, tables, lifetimes),
      commit_message: id,
    })),
    ducklake_schema: [
      {
        schema_id: SCHEMA_ID,
        schema_uuid: uuidOf("main"),
        ...first,
        schema_name: "main",
        path: "",
        path_is_relative: true,
      },
    ],
    ducklake_schema_versions: tables.map(({ id }) => ({ ...first, schema_version: SCHEMA_VERSION, table_id: id })),
    ducklake_table: tables.map(({ id, name }) => ({
      table_id: id,
      table_uuid: uuidOf(name),
      ...first,
      schema_id: SCHEMA_ID,
      table_name: name,
      path: "",
      path_is_relative: true,
    })),
    ducklake_column: tables.flatMap(({ id, columns }) =>
      columns.map((column) => ({
        column_id: column.id,
        ...first,
        table_id: id,
        column_order: column.id,
        column_name: column.name,
        column_type: column.type,
        default_value: "NULL",
        nulls_allowed: true,
        parent_column: column.parent,
        default_value_type: "literal",
        default_value_dialect: "duckdb",
      })),
    ),
    ducklake_column_tag: tables.flatMap(({ id, columns }) =>
      columns.flatMap((column) =>
        column.description === undefined
          ? []
          : [{ table_id: id, column_id: column.id, ...comment(column.description) }],
      ),
    ),
    ducklake_tag: [
      ...tables.map(({ id, table }) => ({ object_id: id, ...comment(table.about) })),
      ...views.map(({ id, about }) => ({ object_id: id, ...comment(about) })),
    ],
    ducklake_view: views.map((view) => ({
      view_id: view.id,
      view_uuid: uuidOf(view.name),
      ...first,
      schema_id: SCHEMA_ID,
      view_name: view.name,
      dialect: "duckdb",
      sql: lakeSelect(view),
      column_aliases: "",
    })),
    // The files have no field ids.
    ducklake_column_mapping: tables.map(({ id }) => ({ mapping_id: id, table_id: id, type: "map_by_name" })),
    ducklake_name_mapping: tables.flatMap(({ id, columns }) =>
      columns.map((column) => ({
        mapping_id: id,
        column_id: column.id,
        source_name: column.source,
        target_field_id: column.id,
        parent_column: column.parent,
        is_partition: false,
      })),
    ),
    ...fileRows(tables, lifetimes, pathOf),
  };
}

function fileRows(
  tables: readonly LakeTable[],
  lifetimes: readonly (Lifetime & { id: number })[],
  pathOf: DuckLakeOptions["pathOf"],
): CatalogueRows {
  const byTable = tables.map((table) => {
    let rowId = 0;
    const files = lifetimes
      .filter(({ file }) => file.table === table.name)
      .map((one) => {
        const row_id_start = rowId;
        rowId += one.file.rows;
        return { ...one, row_id_start };
      });
    return { ...table, files, rowId };
  });
  return {
    ducklake_data_file: byTable.flatMap(({ id: table_id, files }) =>
      files.map(({ id, file, begin, end, newest, row_id_start }) => ({
        data_file_id: id,
        table_id,
        begin_snapshot: begin,
        end_snapshot: end,
        path: pathOf(newest, file),
        path_is_relative: true,
        file_format: "parquet",
        record_count: file.rows,
        file_size_bytes: file.bytes,
        row_id_start,
        mapping_id: table_id,
      })),
    ),
    ducklake_file_column_stats: byTable.flatMap(({ id: table_id, columns, files }) =>
      files.flatMap(({ id: data_file_id, file }) =>
        columns.flatMap((column) => {
          const value = column.parent === null ? file.partition[column.name as keyof Partition] : undefined;
          return value === undefined
            ? []
            : [
                {
                  data_file_id,
                  table_id,
                  column_id: column.id,
                  value_count: file.rows,
                  null_count: 0,
                  min_value: value,
                  max_value: value,
                },
              ];
        }),
      ),
    ),
    ducklake_table_stats: byTable.map(({ id: table_id, files, rowId }) => {
      const now = files.filter(({ end }) => end === null);
      return {
        table_id,
        record_count: now.reduce((sum, { file }) => sum + file.rows, 0),
        next_row_id: rowId,
        file_size_bytes: now.reduce((sum, { file }) => sum + file.bytes, 0),
      };
    }),
  };
}

/** What a snapshot did to the tables (DuckLake specification, "ducklake_snapshot_changes"). */
function changesOf(snapshot: number, tables: readonly LakeTable[], lifetimes: readonly Lifetime[]): string {
  const having = (is: (one: Lifetime) => boolean) => {
    const names = new Set(lifetimes.filter(is).map(({ file }) => file.table));
    return tables.filter(({ name }) => names.has(name));
  };
  return [
    ...having(({ begin }) => begin === snapshot).map(({ id }) => `inserted_into_table:${id}`),
    ...having(({ end }) => end === snapshot).map(({ id }) => `deleted_from_table:${id}`),
  ].join(",");
}
