export const SQL_FORMATS = ["table", "csv", "json"] as const;
export type SqlFormat = (typeof SQL_FORMATS)[number];

export interface Column {
  readonly name: string;
  readonly nested: boolean;
  readonly numeric: boolean;
  readonly floating: boolean;
}

type Row = readonly (string | null)[];
type Batches = AsyncIterable<readonly Row[]>;

/** Wider values are cut; CSV and JSON have them whole. */
const WIDEST = 60;

/** An aligned table of at most `most` rows, and a last line with their number. */
export async function* tableText(columns: readonly Column[], batches: Batches, most: number): AsyncGenerator<string> {
  const rows: string[][] = [];
  let more = false;
  for await (const batch of batches) {
    for (const row of batch) {
      if (rows.length < most) rows.push(row.map((value) => shown(value ?? "NULL")));
      else more = true;
    }
    if (more) break;
  }
  const widths = columns.map(({ name }, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? "")), widthOf(shown(name))),
  );
  const line = (values: readonly string[]) =>
    `${values
      .map((value, at) => {
        const blank = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(value)));
        return columns[at]?.numeric ? blank + value : value + blank;
      })
      .join("  ")
      .trimEnd()}\n`;
  yield line(columns.map(({ name }) => shown(name)));
  yield line(widths.map((width) => "─".repeat(width)));
  for (const row of rows) yield line(row);
  if (more) yield `(the first ${rows.length} rows; the formats csv and json give all)\n`;
  else yield `(${rows.length} ${rows.length === 1 ? "row" : "rows"})\n`;
}

/** Control characters would break the alignment, or control the terminal. */
function shown(value: string): string {
  const characters = [...value.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")];
  return characters.length > WIDEST ? `${characters.slice(0, WIDEST - 1).join("")}…` : characters.join("");
}

const widthOf = (value: string): number => [...value].length;

/** RFC 4180 with a header. Null is empty; an empty string is `""`. */
export async function* csvText(columns: readonly Column[], batches: Batches): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name));
  for await (const batch of batches) yield batch.map(csvLine).join("");
}

const csvLine = (row: Row): string => `${row.map(csvValue).join(",")}\r\n`;

function csvValue(value: string | null): string {
  if (value === null) return "";
  return value === "" || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** An array of objects, one a line. Values are JSON already; a repeated column name gets a number. */
export async function* jsonText(columns: readonly Column[], batches: Batches): AsyncGenerator<string> {
  const seen = new Map<string, number>();
  const names = columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return JSON.stringify(count === 1 ? name : `${name}_${count}`);
  });
  let separator = "[\n";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const lines = batch.map((row) => `{${row.map((value, at) => `${names[at]}:${value ?? "null"}`).join(",")}}`);
    yield separator + lines.join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}
