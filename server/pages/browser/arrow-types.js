/** The manifest's DuckDB types as Arrow types, and the values of a Parquet file as Arrow takes them. */
import { Bool, DateDay, Field, Float64, Int32, Int64, List, Struct, Utf8 } from "apache-arrow";

const SIMPLE = {
  VARCHAR: () => new Utf8(),
  INTEGER: () => new Int32(),
  BIGINT: () => new Int64(),
  DOUBLE: () => new Float64(),
  BOOLEAN: () => new Bool(),
  DATE: () => new DateDay(),
};

/** `STRUCT("a" VARCHAR, "b" INTEGER[])[]` → a tree of { list | struct | map | simple }. @throws Error for a type that no table has */
export function parseType(text) {
  const tokens = text.match(/"[^"]*"|\w+|\S/g) ?? [];
  let at = 0;
  const take = (wanted) => {
    const token = tokens[at++];
    if (wanted !== undefined && token !== wanted) throw new Error(`The type ${text} is not known here.`);
    return token;
  };
  function read() {
    const name = take();
    let type;
    if (name === "STRUCT") {
      const fields = [];
      for (let mark = take("("); mark !== ")"; mark = take()) fields.push({ name: take().slice(1, -1), type: read() });
      type = { struct: fields };
    } else if (name === "MAP") {
      take("(");
      const key = read();
      take(",");
      type = { map: [key, read()] };
      take(")");
    } else {
      if (tokens[at] === "(") while (take() !== ")");
      type = { simple: name };
    }
    while (tokens[at] === "[") {
      take("[");
      take("]");
      type = { list: type };
    }
    return type;
  }
  return read();
}

/** A map travels as a list of pairs, a decimal as a number: `cast.js` makes them again what they are. */
export function toArrowType(type) {
  if (type.list) return new List(new Field("item", toArrowType(type.list), true));
  if (type.struct) return new Struct(type.struct.map((field) => new Field(field.name, toArrowType(field.type), true)));
  if (type.map) {
    const [key, value] = type.map.map(toArrowType);
    return new List(
      new Field("item", new Struct([new Field("key", key, true), new Field("value", value, true)]), true),
    );
  }
  return (SIMPLE[type.simple] ?? (type.simple === "DECIMAL" ? SIMPLE.DOUBLE : SIMPLE.VARCHAR))();
}

/** Values as the Parquet reader gives them → as Arrow's builders take them. */
export function toArrowValue(value, type) {
  if (value === undefined || value === null) return null;
  if (type.list) return Array.from(value, (item) => toArrowValue(item, type.list));
  if (type.struct)
    return Object.fromEntries(type.struct.map((field) => [field.name, toArrowValue(value[field.name], field.type)]));
  if (type.map) return Object.entries(value).map(([key, item]) => ({ key, value: toArrowValue(item, type.map[1]) }));
  if (type.simple === "DOUBLE" || type.simple === "DECIMAL" || type.simple === "INTEGER") return Number(value);
  return value;
}
