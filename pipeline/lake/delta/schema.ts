/**
 * A contract's table as a Delta Lake schema. Reader version 1 supports every type here (Delta protocol, "Schema
 * Serialization Format").
 */
import type { z } from "zod";
import { descriptionOf } from "../../contract/descriptions.ts";
import { duckdbType, type Table } from "../../contract/table.ts";

export type DeltaType =
  | string
  | { readonly type: "array"; readonly elementType: DeltaType; readonly containsNull: true }
  | {
      readonly type: "map";
      readonly keyType: "string";
      readonly valueType: DeltaType;
      readonly valueContainsNull: true;
    }
  | DeltaStruct;

export interface DeltaField {
  readonly name: string;
  readonly type: DeltaType;
  /** Every column is optional, as in the Parquet files. */
  readonly nullable: true;
  readonly metadata: { readonly comment?: string };
}

export interface DeltaStruct {
  readonly type: "struct";
  readonly fields: readonly DeltaField[];
}

/** TIMESTAMP without a time zone is missing: it would need reader version 3. */
const SCALARS: Readonly<Record<string, string>> = {
  VARCHAR: "string",
  INTEGER: "integer",
  BIGINT: "long",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  DATE: "date",
  "TIMESTAMP WITH TIME ZONE": "timestamp",
};

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; valueType?: z.ZodType; shape?: z.ZodRawShape };

/** Returns the schema. @throws TypeError for a column that no reader of version 1 supports */
export function deltaSchema({ row }: Pick<Table, "row">): DeltaStruct {
  return toStruct(row.shape);
}

function toStruct(shape: z.ZodRawShape): DeltaStruct {
  const fields = Object.entries(shape).map(([name, schema]): DeltaField => {
    const comment = descriptionOf(schema as z.ZodType);
    const metadata = comment === undefined ? {} : { comment };
    return { name, type: toType(schema as z.ZodType), nullable: true, metadata };
  });
  return { type: "struct", fields };
}

function toType(schema: z.ZodType): DeltaType {
  const def = schema.def as unknown as Def;
  switch (def.type) {
    case "nullable":
      return toType(def.innerType as z.ZodType);
    case "array":
      return { type: "array", elementType: toType(def.element as z.ZodType), containsNull: true };
    case "record":
      return { type: "map", keyType: "string", valueType: toType(def.valueType as z.ZodType), valueContainsNull: true };
    case "object":
      return toStruct(def.shape as z.ZodRawShape);
    default:
      return toScalar(duckdbType(schema));
  }
}

function toScalar(type: string): string {
  const scalar = SCALARS[type];
  if (scalar === undefined) throw new TypeError(`no Delta type for a column of type ${type}`);
  return scalar;
}
