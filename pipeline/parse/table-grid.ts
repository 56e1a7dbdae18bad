/** The rows of a table with each cell in every column and row that it spans (HTML Standard, "Forming a table"). */
import type { Element, Page } from "./html-page.ts";

/**
 * Cells by column; undefined if the row has no cell there. A cell that spans several positions is the same element in
 * each.
 */
export type GridRow = readonly (Element | undefined)[];

/** More columns than any calendar, catalogue or form has. */
const MAX_COLUMNS = 100;

/** Ignores rows of nested tables. */
export function gridOf(page: Page, table: Element): GridRow[] {
  const rows = page(table)
    .find("tr")
    .toArray()
    .filter((row) => page(row).closest("table").get(0) === table);
  /** Cells of earlier rows that continue, by column. */
  let open: { cell: Element; rows: number }[] = [];
  return rows.map((row) => {
    const filled: (Element | undefined)[] = [];
    const next: typeof open = [];
    const place = (column: number, cell: Element, more: number) => {
      filled[column] = cell;
      if (more > 0) next[column] = { cell, rows: more };
    };
    open.forEach(({ cell, rows: more }, column) => place(column, cell, more - 1));
    for (const cell of page(row).children("td, th").toArray()) {
      let column = 0;
      while (filled[column]) column++;
      const width = spanOf(cell, "colspan");
      // A cell of 0 rows continues to the end of the table.
      const height = cell.attribs["rowspan"]?.trim() === "0" ? rows.length : spanOf(cell, "rowspan");
      for (let i = 0; i < width && column + i < MAX_COLUMNS && !filled[column + i]; i++)
        place(column + i, cell, height - 1);
    }
    open = next;
    return Array.from(filled);
  });
}

function spanOf({ attribs }: Element, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attribs[name] ?? "1", 10);
  return span >= 1 ? span : 1;
}
