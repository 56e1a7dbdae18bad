/**
 * The rows of a DuckLake catalogue about its schema: tables, columns, views, descriptions. They are the contract's in
 * every snapshot.
 */
import type { z } from "zod";
import { describedColumns, descriptionOf } from "../../contract/descriptions.ts";
import { quoteIdentifier, quoteLiteral } from "../../contract/sql-text.ts";
import { TABLE_NAMES, TABLES, type TableName } from "../../contract/tables.ts";
import { duckdbType, type Table } from "../../contract/table.ts";
import { COLUMNS, type View, VIEWS } from "../../contract/views.ts";
import { type CatalogueRows, uuidOf } from "./catalogue.ts";

interface LakeColumn {
  /** The id, counted through the table and its nested columns, from 1. */
  readonly id: number;
  readonly name: string;
  /** The name of the column in Parquet files that DuckDB writes. */
  readonly source: string;
  /** The type in DuckLake's spelling (DuckLake specification, "Data Types"). */
  readonly type: string;
  /** The id of the enclosing column; null for a column of the table. */
  readonly parent: number | null;
  readonly description: string | undefined;
}

const SCALARS: Readonly<Record<string, string>> = {
  VARCHAR: "varchar",
  INTEGER: "int32",
  BIGINT: "int64",
  DOUBLE: "float64",
  BOOLEAN: "boolean",
  DATE: "date",
  "TIMESTAMP WITH TIME ZONE": "timestamptz",
};

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; valueType?: z.ZodType; shape?: z.ZodRawShape };

export interface LakeTable {
  /** The id of the table, and of the mapping from its files' columns. */
  readonly id: number;
  readonly name: TableName;
  readonly table: Table;
  readonly columns: readonly LakeColumn[];
}

export const LAKE_TABLES: readonly LakeTable[] = TABLE_NAMES.map((name, index) => ({
  id: index + 1,
  name,
  table: TABLES[name],
  columns: lakeColumns(TABLES[name]),
}));

/** The placeholder that the extension replaces with the name of the attached lake. */
const SCHEMA = "{DUCKLAKE_CATALOG}.main";

/**
 * Binds the names of tables and views in a view's statement to the lake, instead of the reader's current schema, with a
 * prefix; the statement itself stays unchanged.
 */
function lakeSelect({ name, select }: Pick<View, "name" | "select">): string {
  const others = [...TABLE_NAMES, ...VIEWS.map((view) => view.name)].filter((other) => other !== name);
  const bound = others
    .filter((other) => new RegExp(`\\b${other}\\b`).test(select))
    .map((other) => `${quoteIdentifier(other)} AS NOT MATERIALIZED (FROM ${SCHEMA}.${quoteIdentifier(other)})`);
  return `WITH ${bound.join(", ")} FROM (${select})`;
}

/** The extension has no descriptions for a view's columns. */
const COLUMN_ROWS = [...LAKE_TABLES.map(({ table }) => table), ...VIEWS].flatMap((table) =>
  describedColumns(table).map(
    ({ name, type, description }) => `(${[table.name, name, type, description].map(quoteLiteral).join(", ")})`,
  ),
);
const LAKE_VIEWS = [
  ...VIEWS.map((view) => ({ ...view, sql: lakeSelect(view) })),
  { ...COLUMNS, sql: `FROM (VALUES ${COLUMN_ROWS.join(", ")}) AS described("table", "column", "type", description)` },
].map((view, index) => ({ ...view, id: LAKE_TABLES.length + 1 + index }));

/** The first id that no table and no view has. */
export const NEXT_ID = LAKE_TABLES.length + LAKE_VIEWS.length + 1;
export const SCHEMA_VERSION = 1;
const SCHEMA_ID = 0;

/** Builds the rows. @param begin_snapshot the oldest snapshot */
export function schemaRows(begin_snapshot: number): CatalogueRows {
  const comment = (value: string) => ({ begin_snapshot, key: "comment", value });
  const folder = { path: "", path_is_relative: true };
  return {
    ducklake_schema: [
      { schema_id: SCHEMA_ID, schema_uuid: uuidOf("main"), begin_snapshot, schema_name: "main", ...folder },
    ],
    ducklake_schema_versions: LAKE_TABLES.map(({ id }) => ({
      begin_snapshot,
      schema_version: SCHEMA_VERSION,
      table_id: id,
    })),
    ducklake_table: LAKE_TABLES.map(({ id, name }) => ({
      table_id: id,
      table_uuid: uuidOf(name),
      begin_snapshot,
      schema_id: SCHEMA_ID,
      table_name: name,
      ...folder,
    })),
    ducklake_column: LAKE_TABLES.flatMap(({ id, columns }) =>
      columns.map((column) => ({
        column_id: column.id,
        begin_snapshot,
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
    ducklake_column_tag: LAKE_TABLES.flatMap(({ id, columns }) =>
      columns.flatMap(({ id: column_id, description }) =>
        description === undefined ? [] : [{ table_id: id, column_id, ...comment(description) }],
      ),
    ),
    ducklake_tag: [
      ...LAKE_TABLES.map(({ id, table }) => ({ object_id: id, ...comment(table.about) })),
      ...LAKE_VIEWS.map(({ id, about }) => ({ object_id: id, ...comment(about) })),
    ],
    ducklake_view: LAKE_VIEWS.map((view) => ({
      view_id: view.id,
      view_uuid: uuidOf(view.name),
      begin_snapshot,
      schema_id: SCHEMA_ID,
      view_name: view.name,
      dialect: "duckdb",
      sql: view.sql,
      column_aliases: "",
    })),
    // The files have no field ids.
    ducklake_column_mapping: LAKE_TABLES.map(({ id }) => ({ mapping_id: id, table_id: id, type: "map_by_name" })),
    ducklake_name_mapping: LAKE_TABLES.flatMap(({ id, columns }) =>
      columns.map((column) => ({
        mapping_id: id,
        column_id: column.id,
        source_name: column.source,
        target_field_id: column.id,
        parent_column: column.parent,
        is_partition: false,
      })),
    ),
  };
}

/**
 * The columns of a table, nested ones with children. Returns parents before their children. @throws TypeError for a
 * column of a type that DuckLake does not have
 */
function lakeColumns({ row }: Pick<Table, "row">): LakeColumn[] {
  const columns: LakeColumn[] = [];
  const add = (name: string, source: string, type: string, parent: number | null, schema?: z.ZodType): number => {
    const id = columns.length + 1;
    columns.push({ id, name, source, type, parent, description: schema && descriptionOf(schema) });
    return id;
  };
  const addFields = (shape: z.ZodRawShape, parent: number | null): void => {
    for (const [name, schema] of Object.entries(shape)) addColumn(name, name, schema as z.ZodType, parent);
  };
  const addColumn = (name: string, source: string, schema: z.ZodType, parent: number | null): void => {
    const def = defOf(schema);
    if (def.type === "array") {
      addColumn("element", "list", def.element as z.ZodType, add(name, source, "list", parent, schema));
    } else if (def.type === "record") {
      const map = add(name, source, "map", parent, schema);
      add("key", "key", "varchar", map);
      addColumn("value", "value", def.valueType as z.ZodType, map);
    } else if (def.type === "object") {
      addFields(def.shape as z.ZodRawShape, add(name, source, "struct", parent, schema));
    } else {
      add(name, source, scalarOf(schema), parent, schema);
    }
  };
  addFields(row.shape, null);
  return columns;
}

/** The definition of the value inside a nullable one, because every column of DuckLake is nullable. */
function defOf(schema: z.ZodType): Def {
  const def = schema.def as unknown as Def;
  return def.type === "nullable" ? defOf(def.innerType as z.ZodType) : def;
}

function scalarOf(schema: z.ZodType): string {
  const type = duckdbType(schema);
  const scalar = SCALARS[type];
  if (scalar === undefined) throw new TypeError(`no DuckLake type for a column of type ${type}`);
  return scalar;
}
