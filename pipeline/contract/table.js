/** A table is declared once, as a zod object; the row type, the DuckDB columns and the landing's Parquet schema are derived from it. */
import { z } from "zod";
/** DuckDB types that do not follow from the zod type; a registry, as its entries survive the copy that `.describe()` makes. */
const duckdbTypes = z.registry();
const typed = (schema, duckdb) => {
    duckdbTypes.add(schema, { duckdb });
    return schema;
};
/** A whole number of at most 32 bits. */
export const integer = () => typed(z.int(), "INTEGER");
/** A number with two decimals that must stay exact, such as a grade point average. */
export const hundredths = () => typed(z.number(), "DECIMAL(4,2)");
/** A calendar day, `YYYY-MM-DD` in TypeScript and a DATE in SQL. */
export const day = () => typed(z.iso.date(), "DATE");
/** A point in time: ISO 8601 in UTC with milliseconds in TypeScript, a TIMESTAMP WITH TIME ZONE in SQL. */
export const instant = () => typed(z.iso.datetime(), "TIMESTAMP WITH TIME ZONE");
/** A nested value without a fixed shape, kept as JSON text. */
export const jsonText = () => typed(z.string(), "VARCHAR");
export function defineTable(table) {
    return table;
}
const defOf = (schema) => schema.def;
/** The DuckDB type of a column's schema, nested types included. */
export function duckdbType(schema) {
    const own = duckdbTypes.get(schema);
    if (own)
        return own.duckdb;
    const def = defOf(schema);
    switch (def.type) {
        case "string":
        case "enum":
            return "VARCHAR";
        case "number":
            return "DOUBLE";
        case "boolean":
            return "BOOLEAN";
        case "nullable":
            return duckdbType(def.innerType);
        case "array":
            return `${duckdbType(def.element)}[]`;
        case "record":
            return `MAP(VARCHAR, ${duckdbType(def.valueType)})`;
        case "object":
            return `STRUCT(${duckdbColumns(def.shape)
                .map(({ name, type }) => `"${name}" ${type}`)
                .join(", ")})`;
        default:
            throw new TypeError(`no DuckDB type for a column of kind ${def.type}`);
    }
}
/** Column names and DuckDB types, in the order of declaration. */
export function duckdbColumns(shape) {
    return Object.entries(shape).map(([name, schema]) => ({ name, type: duckdbType(schema) }));
}
/** The landing file's schema: nested like the row, lists as repeated fields, nullable values as optional ones. */
export function landingFields(shape) {
    return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, landingField(schema)]));
}
function landingField(schema) {
    const def = defOf(schema);
    switch (def.type) {
        case "nullable":
            return { ...landingField(def.innerType), optional: true };
        case "array":
            return { ...landingField(def.element), repeated: true };
        case "object":
            return { fields: landingFields(def.shape) };
        case "boolean":
            return { type: "BOOLEAN" };
        case "number":
            return { type: duckdbTypes.get(schema)?.duckdb === "INTEGER" ? "INT32" : "DOUBLE" };
        case "string":
        case "enum":
            return { type: "UTF8" };
        default:
            throw new TypeError(`no landing type for a column of kind ${def.type}`);
    }
}
