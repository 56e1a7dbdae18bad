/** The result of a statement as a table. */
import { DataTable } from "../parts/data-table.tsx";
import type { QueryResult } from "./sql-engine.ts";
import { count, plural } from "../format.ts";

const MAX_ROWS = 200;

const toJson = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? Number(one) : one));

/** `type` is Arrow's name of the column's type. */
function cell(value: unknown, type: string) {
  if (value === null || value === undefined) return <span class="quiet">null</span>;
  if (type.startsWith("Date")) return new Date(Number(value)).toISOString().slice(0, 10);
  if (type.startsWith("Timestamp")) return new Date(Number(value)).toISOString().slice(0, 19).replace("T", " ");
  if (typeof value === "number") return String(Math.round(value * 1e6) / 1e6);
  return typeof value === "object" ? toJson(value) : String(value);
}

export function SqlResult({ table, ms }: QueryResult) {
  const columns = table.schema.fields.map(({ name, type }) => ({ name, type: String(type) }));
  const rows = table.slice(0, MAX_ROWS).toArray() as Record<string, unknown>[];
  const shown = table.numRows > rows.length ? `, the first ${count(rows.length)} shown` : "";
  return (
    <DataTable
      caption={`${plural(table.numRows, "row")}${shown}, ${Math.round(ms)} ms`}
      headers={columns.map(({ name }) => name)}
      rows={rows.map((row) => columns.map(({ name, type }) => cell(row[name], type)))}
      isNumber={(column) => /^(U?int|Float|Decimal)/i.test(columns[column]?.type ?? "")}
      hasRowHeaders={false}
    />
  );
}
