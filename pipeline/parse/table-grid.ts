/** The rows of a table with each cell in every column and row that it spans (HTML Standard, "Forming a table"). */
import type { Element, Page } from "./html-page.ts";

/** By column; undefined where the row has no cell. A cell that spans several places is the same element in each. */
export type GridRow = readonly (Element | undefined)[];

/** No calendar, catalogue or form has more columns. */
const MAX_COLUMNS = 100;

/** Rows of tables inside the table's cells are not its own. */
export function gridOf(page: Page, table: Element): GridRow[] {
  const rows = page(table)
    .find("tr")
    .toArray()
    .filter((row) => page(row).closest("table").get(0) === table);
  /** Cells of earlier rows that go on, by column. */
  let open: { cell: Element; rows: number }[] = [];
  return rows.map((row) => {
    const filled: (Element | undefined)[] = [];
    const next: typeof open = [];
    const place = (at: number, cell: Element, more: number) => {
      filled[at] = cell;
      if (more > 0) next[at] = { cell, rows: more };
    };
    open.forEach(({ cell, rows: more }, at) => place(at, cell, more - 1));
    for (const cell of page(row).children("td, th").toArray()) {
      let at = 0;
      while (filled[at]) at++;
      const width = spanOf(cell, "colspan");
      // A cell of 0 rows goes on to the end of the table.
      const height = cell.attribs["rowspan"]?.trim() === "0" ? rows.length : spanOf(cell, "rowspan");
      for (let i = 0; i < width && at + i < MAX_COLUMNS && !filled[at + i]; i++) place(at + i, cell, height - 1);
    }
    open = next;
    return Array.from(filled);
  });
}

function spanOf({ attribs }: Element, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attribs[name] ?? "1", 10);
  return span >= 1 ? span : 1;
}
