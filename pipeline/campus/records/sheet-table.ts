/** A grade export as a table of cells, before it becomes a file. */
import type { CampusGrade } from "../grades.ts";
import { LAYOUT_COLUMNS, type Layout } from "./sheet-columns.ts";

/** "" is an absent cell, null an empty cell. */
export type Cell = string | number | null;

const BLANK_ROWS = 3;

/** Returns the header first. A numeric sheet holds numbers; all others hold text, with thousands separators. */
export function sheetTable(rows: readonly CampusGrade[], layout: Layout, numeric: boolean): Cell[][] {
  const columns = LAYOUT_COLUMNS[layout];
  const body = rows.map((row) =>
    columns.map((column): Cell => {
      const value = column.read(row);
      if (value === "") return "";
      if (numeric && column.numeric) return Number(value);
      return typeof value === "number" ? value.toLocaleString("en-US") : value;
    }),
  );
  const blank = Array.from({ length: BLANK_ROWS }, () => columns.map((): Cell => null));
  return [columns.map(({ header }) => header), ...body, ...blank];
}
