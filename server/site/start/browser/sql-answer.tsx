/** The answer of a statement as a table. */
import { DataTable } from "./data-table.tsx";
import type { Answered } from "./sql-engine.ts";
import { count, plural } from "./words.ts";

const MOST_ROWS = 200;

const toJson = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? Number(one) : one));

/** Numbers plain, days and times as such, nested values as JSON. `type` is Arrow's name of the column's type. */
function cell(value: unknown, type: string) {
  if (value === null || value === undefined) return <span class="quiet">null</span>;
  if (type.startsWith("Date")) return new Date(Number(value)).toISOString().slice(0, 10);
  if (type.startsWith("Timestamp")) return new Date(Number(value)).toISOString().slice(0, 19).replace("T", " ");
  if (typeof value === "number") return String(Math.round(value * 1e6) / 1e6);
  return typeof value === "object" ? toJson(value) : String(value);
}

export function SqlAnswer({ table, ms }: Answered) {
  const columns = table.schema.fields.map(({ name, type }) => ({ name, type: String(type) }));
  const rows = table.slice(0, MOST_ROWS).toArray() as Record<string, unknown>[];
  const shown = table.numRows > rows.length ? `, the first ${count(rows.length)} shown` : "";
  return (
    <div class="scroll" role="region" aria-label="Answer" tabIndex={0}>
      <DataTable
        caption={`${plural(table.numRows, "row")}${shown}, ${Math.round(ms)} ms`}
        heads={columns.map(({ name }) => name)}
        rows={rows.map((row) => columns.map(({ name, type }) => cell(row[name], type)))}
        isNumber={(column) => /^(U?int|Float|Decimal)/i.test(columns[column]?.type ?? "")}
        namesRows={false}
      />
    </div>
  );
}
