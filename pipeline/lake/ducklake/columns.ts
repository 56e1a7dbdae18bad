/**
 * The columns of a contract's table in DuckLake: nested ones with children, and their names in Parquet files without
 * field ids.
 */
import type { z } from "zod";
import { descriptionOf } from "../../contract/descriptions.ts";
import { duckdbType, type Table } from "../../contract/table.ts";

export interface LakeColumn {
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

/** Returns parents before their children. @throws TypeError for a column of a type that DuckLake does not have */
export function lakeColumns({ row }: Pick<Table, "row">): LakeColumn[] {
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
