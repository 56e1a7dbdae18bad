/** The manifest's DuckDB types as Arrow types, and the values of a Parquet file as Arrow takes them. */
import { Bool, type DataType, DateDay, Field, Float64, Int32, Int64, List, Struct, Utf8 } from "apache-arrow";

type ColumnType =
  | { readonly is: "list"; readonly item: ColumnType }
  | { readonly is: "struct"; readonly fields: readonly { readonly name: string; readonly type: ColumnType }[] }
  | { readonly is: "map"; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly is: "simple"; readonly name: string };

/** `STRUCT("a" VARCHAR, "b" INTEGER[])[]` → its tree. @throws Error for a type that no table has */
export function parseType(text: string): ColumnType {
  const words = text.match(/"[^"]*"|\w+|\S/g) ?? [];
  let at = 0;
  const take = (wanted?: string): string => {
    const word = words[at++];
    if (word === undefined || (wanted !== undefined && word !== wanted))
      throw new Error(`The type ${text} is not known here.`);
    return word;
  };
  function readPlain(): ColumnType {
    const name = take();
    if (name === "STRUCT") {
      const fields = [];
      for (let mark = take("("); mark !== ")"; mark = take()) fields.push({ name: take().slice(1, -1), type: read() });
      return { is: "struct", fields };
    }
    if (name === "MAP") {
      take("(");
      const key = read();
      take(",");
      const value = read();
      take(")");
      return { is: "map", key, value };
    }
    if (words[at] === "(") while (take() !== ")");
    return { is: "simple", name };
  }
  function read(): ColumnType {
    let type = readPlain();
    while (words[at] === "[") {
      take("[");
      take("]");
      type = { is: "list", item: type };
    }
    return type;
  }
  return read();
}

const SIMPLE: Readonly<Record<string, () => DataType>> = {
  INTEGER: () => new Int32(),
  BIGINT: () => new Int64(),
  DOUBLE: () => new Float64(),
  DECIMAL: () => new Float64(),
  BOOLEAN: () => new Bool(),
  DATE: () => new DateDay(),
};

const listOf = (type: DataType) => new List(new Field("item", type, true));
const structOf = (fields: readonly (readonly [name: string, type: DataType])[]) =>
  new Struct(fields.map(([name, type]) => new Field(name, type, true)));

/** A map travels as a list of pairs, a decimal as a number: the engine casts them back. */
export function toArrowType(type: ColumnType): DataType {
  switch (type.is) {
    case "list":
      return listOf(toArrowType(type.item));
    case "struct":
      return structOf(type.fields.map((field) => [field.name, toArrowType(field.type)]));
    case "map":
      return listOf(
        structOf([
          ["key", toArrowType(type.key)],
          ["value", toArrowType(type.value)],
        ]),
      );
    case "simple":
      return SIMPLE[type.name]?.() ?? new Utf8();
  }
}

const asRecord = (value: unknown) => value as Readonly<Record<string, unknown>>;

/** Values as the Parquet reader gives them → as Arrow's builders take them. */
export function toArrowValue(value: unknown, type: ColumnType): unknown {
  if (value === undefined || value === null) return null;
  switch (type.is) {
    case "list":
      return Array.from(value as Iterable<unknown>, (item) => toArrowValue(item, type.item));
    case "struct":
      return Object.fromEntries(
        type.fields.map((field) => [field.name, toArrowValue(asRecord(value)[field.name], field.type)]),
      );
    case "map":
      return Object.entries(asRecord(value)).map(([key, item]) => ({ key, value: toArrowValue(item, type.value) }));
    case "simple":
      return ["DOUBLE", "DECIMAL", "INTEGER"].includes(type.name) ? Number(value) : value;
  }
}
