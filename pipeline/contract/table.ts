/**
 * A table is declared once, as a zod object; the row type and the DuckDB columns are derived from it.
 */
import { z } from "zod";

/**
 * DuckDB types that do not follow from the zod type. Use a registry: its entries survive the copy that `.describe()`
 * creates.
 */
const duckdbTypes = z.registry<{ duckdb: string }>();

const typed = <T extends z.ZodType>(schema: T, duckdb: string): T => {
  duckdbTypes.add(schema, { duckdb });
  return schema;
};

/** A whole number of at most 32 bits. */
export const integer = () => typed(z.int(), "INTEGER");
/** A calendar day, `YYYY-MM-DD` in TypeScript and a DATE in SQL. */
export const day = () => typed(z.iso.date(), "DATE");
/** A point in time: ISO 8601 in UTC with milliseconds in TypeScript, a TIMESTAMP WITH TIME ZONE in SQL. */
export const instant = () => typed(z.iso.datetime(), "TIMESTAMP WITH TIME ZONE");
/** A nested value without a fixed shape, kept as JSON text. */
export const jsonText = () => typed(z.string(), "VARCHAR");

export interface Table<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly about: string;
  readonly row: z.ZodObject<Shape>;
  /**
   * The columns in the name of a partition's file, of `year`, `quarter` and `month` in this order; empty for a table in
   * a single file.
   */
  readonly partitionedBy: readonly string[];
  /** ORDER BY terms: a total order yields equal bytes for equal rows, and common filters read few row groups. */
  readonly sortedBy: readonly string[];
  /** The primary key within a partition. */
  readonly key: readonly string[];
  /** Rows in a Parquet row group, if the default does not fit the width of the rows. */
  readonly rowsPerGroup?: number;
}

export type RowOf<T extends Table> = z.infer<T["row"]>;

/** The fields of these names, in their order. */
export const fieldsOf = <Shape extends z.ZodRawShape, Name extends keyof Shape>(
  shape: Shape,
  names: readonly Name[],
): Pick<Shape, Name> => Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<Shape, Name>;

export function defineTable<Shape extends z.ZodRawShape>(table: Table<Shape>): Table<Shape> {
  return table;
}

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; shape?: z.ZodRawShape; valueType?: z.ZodType };

const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** The DuckDB type of a column's schema, nested types included. */
export function duckdbType(schema: z.ZodType): string {
  const declared = duckdbTypes.get(schema);
  if (declared) return declared.duckdb;
  const def = defOf(schema);
  switch (def.type) {
    case "string":
    case "enum":
      return "VARCHAR";
    // Never use a DECIMAL, which many readers of Parquet convert to an object, an unscaled integer or a rounded mean.
    case "number":
      return "DOUBLE";
    case "boolean":
      return "BOOLEAN";
    case "nullable":
      return duckdbType(def.innerType as z.ZodType);
    case "array":
      return `${duckdbType(def.element as z.ZodType)}[]`;
    case "record":
      return `MAP(VARCHAR, ${duckdbType(def.valueType as z.ZodType)})`;
    case "object":
      return `STRUCT(${duckdbColumns(def.shape as z.ZodRawShape)
        .map(({ name, type }) => `"${name}" ${type}`)
        .join(", ")})`;
    default:
      throw new TypeError(`no DuckDB type for a column of kind ${def.type}`);
  }
}

/** Column names and DuckDB types, in the order of declaration. */
export function duckdbColumns(shape: z.ZodRawShape): { name: string; type: string }[] {
  return Object.entries(shape).map(([name, schema]) => ({ name, type: duckdbType(schema as z.ZodType) }));
}
