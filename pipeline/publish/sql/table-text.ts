/** Rows as an aligned table. */
export interface Column {
  readonly name: string;
  readonly nested: boolean;
  readonly numeric: boolean;
  readonly floating: boolean;
}

export type RowBatches = AsyncIterable<readonly (readonly (string | null)[])[]>;

/** The most rows on a terminal. */
const MOST_ROWS = 200;
/** The number of rows that are held to measure the columns; a wider value further down is not aligned. */
const MEASURED_ROWS = 10_000;
const NARROWEST = 8;
const GAP = 2;

/**
 * Columns of equal width, and a last line with the number of rows. On a terminal, `screen` characters wide, long values
 * and lines are cut, and rows after the first 200 are left out.
 */
export async function* tableText(
  columns: readonly Column[],
  batches: RowBatches,
  screen?: number,
): AsyncGenerator<string> {
  const most = screen === undefined ? Infinity : MOST_ROWS;
  const names = columns.map(({ name }) => shown(name));
  const head: string[][] = [];
  let layout: Layout | undefined;
  const begin = () => {
    layout = layOut(columns, [names, ...head], screen);
    return [names, layout.rule, ...head].map(layout.line).join("");
  };
  let [count, isMore] = [0, false];
  for await (const batch of batches) {
    const rows = batch.slice(0, most - count).map((row) => row.map((value) => shown(value ?? "NULL")));
    count += rows.length;
    if (layout) yield rows.map(layout.line).join("");
    else for (const row of rows) head.push(row);
    if (!layout && count >= MEASURED_ROWS) yield begin();
    isMore = rows.length < batch.length;
    if (isMore) break;
  }
  if (!layout) yield begin();
  const all = "the format line shows everything";
  if (isMore) yield `(the first ${count} rows; the formats csv, json and line give all)\n`;
  else yield `(${count} ${count === 1 ? "row" : "rows"}${layout?.isCut() ? `, cut to the terminal; ${all}` : ""})\n`;
}

interface Layout {
  readonly rule: readonly string[];
  line(values: readonly string[]): string;
  /** True when a line was longer than the screen. */
  isCut(): boolean;
}

function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], screen = Infinity): Layout {
  const wanted = columns.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? "")), 0),
  );
  const most = widestThatFits(wanted, screen);
  const widths = wanted.map((width) => Math.min(width, most));
  let isCut = false;
  const cut = (text: string, width: number) => {
    if (text.length <= width || widthOf(text) <= width) return text;
    isCut = true;
    return `${[...text].slice(0, width - 1).join("")}…`;
  };
  return {
    rule: widths.map((width) => "─".repeat(width)),
    line: (values) => {
      const cells = values.map((value, column) => {
        const text = cut(value, screen === Infinity ? Infinity : (widths[column] ?? 0));
        const blank = " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
        return columns[column]?.numeric ? blank + text : text + blank;
      });
      return `${cut(cells.join(" ".repeat(GAP)).trimEnd(), screen)}\n`;
    },
    isCut: () => isCut,
  };
}

/** The width to which wider columns are cut so that a line fits. */
function widestThatFits(widths: readonly number[], screen: number): number {
  const room = screen - GAP * (widths.length - 1);
  let most = Math.max(...widths);
  if (screen === Infinity) return most;
  while (most > NARROWEST && widths.reduce((sum, width) => sum + Math.min(width, most), 0) > room) most--;
  return most;
}

/** Control characters would break the alignment, or control the terminal. */
const shown = (value: string): string => value.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

const widthOf = (value: string): number => [...value].length;
