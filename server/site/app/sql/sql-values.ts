/** Values of a result as text, and the result as CSV. */
import type { FirstResult } from "./first-statement.ts";
import type { QueryResult } from "./sql-engine.ts";

type Table = QueryResult["table"];

export interface ResultColumn {
  readonly name: string;
  /** Arrow's name of the type. */
  readonly type: string;
  readonly isNumber: boolean;
  readonly isTime: boolean;
  readonly at: (row: number) => unknown;
}

/** The parts of a result that the view shows: its columns, and the number of their rows. */
export interface ShownRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
}

/** Reads a result of DuckDB. */
export const fromTable = (table: Table): ShownRows => ({ columns: columnsIn(table), rows: table.numRows });

/** Reads a result that the server sent. */
export const fromJson = ({ columns, rows }: Pick<FirstResult, "columns" | "rows">): ShownRows => ({
  columns: columns.map((name, i) => ({
    name,
    type: "",
    isNumber: rows.every((row) => row[i] === null || typeof row[i] === "number"),
    isTime: false,
    at: (row) => rows[row]?.[i] ?? null,
  })),
  rows: rows.length,
});

const columnsIn = (table: Table): ResultColumn[] =>
  table.schema.fields.map(({ name, type: arrowType }, i) => {
    const type = String(arrowType);
    const values = table.getChildAt(i);
    return {
      name,
      type,
      isNumber: /^(U?int|Float|Decimal)/i.test(type),
      isTime: /^(Date|Timestamp)/.test(type),
      at: (row) => values?.get(row) ?? null,
    };
  });

const toJson = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? Number(item) : item));

/** Null is empty. */
export function valueText(value: unknown, { type }: Pick<ResultColumn, "type">): string {
  if (value === null || value === undefined) return "";
  if (type.startsWith("Date")) return new Date(Number(value)).toISOString().slice(0, 10);
  if (type.startsWith("Timestamp")) return new Date(Number(value)).toISOString().slice(0, 19).replace("T", " ");
  return typeof value === "object" ? toJson(value) : String(value as number | bigint | boolean | string);
}

/** With at most six digits after the point. */
export const shownText = (value: unknown, column: Pick<ResultColumn, "type" | "isNumber">): string =>
  typeof value === "number" && column.isNumber ? String(Math.round(value * 1e6) / 1e6) : valueText(value, column);

/** RFC 4180 with a header, like `make sql FORMAT=csv`: null is empty; an empty string is `""`. */
export function toCsv({ columns, rows }: ShownRows): string {
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns.map(({ name }) => field(name)).join(",")];
  for (let row = 0; row < rows; row++)
    lines.push(
      columns
        .map((column) => {
          const value = column.at(row);
          return value === "" ? '""' : field(valueText(value, column));
        })
        .join(","),
    );
  return `${lines.join("\r\n")}\r\n`;
}
