/**
 * Splits a range of changes into consecutive pieces, each small enough to be sorted at once and read only when it is
 * reached.
 */
import { type Fragment, sql } from "../../duckdb/sql.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";

export interface Piece {
  readonly files: readonly ChangeFile[];
  readonly conditions: readonly Fragment[];
  /** The number of rows in the range, or an upper bound. */
  readonly rows: number;
}

/** The most rows that are sorted at once. */
const MAX_SORTED_ROWS = 200_000;
/** The most rows that are read to find them. */
const MAX_READ_ROWS = 500_000;

/** The most rows that are sorted at once with all of their columns. */
const MAX_WRITTEN_ROWS = 60_000;
const DAYS = ["01", "09", "17", "25"];

/** Returns the conditions of consecutive parts of a piece: about a week each, or all of it if it is small. */
export function weeksOf({ files, rows }: Piece): Fragment[][] {
  const months = [...new Set(files.map(({ month }) => month))];
  const [, ...begins] = months.flatMap((month) => DAYS.map((day) => `${month}-${day}T00:00:00Z`));
  if (rows <= MAX_WRITTEN_ROWS) return [[]];
  return [undefined, ...begins].map((begin, i) => {
    const end = begins[i];
    return [
      ...(begin === undefined ? [] : [sql`"at" >= ${begin}::TIMESTAMPTZ`]),
      ...(end === undefined ? [] : [sql`"at" < ${end}::TIMESTAMPTZ`]),
    ];
  });
}

/**
 * Splits a range into pieces, oldest first; months are not divided.
 * @param rowsOf the number of rows of a file in the range, or an upper bound
 */
export function piecesOf(
  { files, filters }: ChangeRange,
  rowsOf: (file: ChangeFile) => number = ({ rows }) => rows,
): Piece[] {
  const pieces: { files: ChangeFile[]; rows: number; read: number }[] = [];
  for (let from = 0, to = 0; from < files.length; from = to) {
    while (files[to]?.month === files[from]?.month) to++;
    const month = files.slice(from, to).filter((file) => rowsOf(file) > 0);
    const sum = (of: (file: ChangeFile) => number) => month.reduce((total, file) => total + of(file), 0);
    const [rows, read] = [sum(rowsOf), sum((file) => file.rows)];
    if (rows === 0) continue;
    const last = pieces.at(-1);
    if (last && last.rows + rows <= MAX_SORTED_ROWS && last.read + read <= MAX_READ_ROWS) {
      last.files.push(...month);
      last.rows += rows;
      last.read += read;
    } else pieces.push({ files: month, rows, read });
  }
  return pieces.map((piece) => ({
    files: piece.files,
    conditions: [...filters, ...new Set(piece.files.flatMap(({ limits }) => limits))],
    rows: piece.rows,
  }));
}

/** Returns the parts of pieces, whose `rows` must be exact, that are in [from, to) of all rows. */
export function partsOf(
  pieces: readonly Piece[],
  from: number,
  to: number,
): { readonly piece: Piece; readonly from: number; readonly to: number }[] {
  let offset = 0;
  return pieces.flatMap((piece) => {
    const begin = offset;
    offset += piece.rows;
    const [first, last] = [Math.max(from - begin, 0), Math.min(to - begin, piece.rows)];
    return first < last ? [{ piece, from: first, to: last }] : [];
  });
}
