/** A range of changes as pieces that lie behind each other: each is small enough to be put in order at once, and found when it is reached. */
import { type Fragment, sql } from "../../duckdb/sql.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";

export interface Piece {
  readonly files: readonly ChangeFile[];
  readonly conditions: readonly Fragment[];
  /** How many rows are in the range, or how many at most. */
  readonly rows: number;
}

/** Rows that are put in order at once. */
const SORTED_AT_ONCE = 200_000;
/** Rows that are looked through for them. */
const READ_AT_ONCE = 500_000;

/** Rows that are put in order at once with all of their columns. */
const WRITTEN_AT_ONCE = 60_000;
const DAYS = ["01", "09", "17", "25"];

/** The conditions of the parts of a piece that lie behind each other in time: about a week each, or the whole where that is little. */
export function weeksOf({ files, rows }: Piece): Fragment[][] {
  const months = [...new Set(files.map(({ month }) => month))];
  const [, ...begins] = months.flatMap((month) => DAYS.map((day) => `${month}-${day}T00:00:00Z`));
  if (rows <= WRITTEN_AT_ONCE) return [[]];
  return [undefined, ...begins].map((begin, i) => {
    const end = begins[i];
    return [
      ...(begin === undefined ? [] : [sql`"at" >= ${begin}::TIMESTAMPTZ`]),
      ...(end === undefined ? [] : [sql`"at" < ${end}::TIMESTAMPTZ`]),
    ];
  });
}

/** The pieces, oldest first; months are not divided. @param rowsOf how many rows of a file are in the range, or how many at most */
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
    if (last && last.rows + rows <= SORTED_AT_ONCE && last.read + read <= READ_AT_ONCE) {
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

/** The parts of pieces, whose `rows` are exact, that lie in [from, to) of all of their rows. */
export function partsOf(
  pieces: readonly Piece[],
  from: number,
  to: number,
): { readonly piece: Piece; readonly from: number; readonly to: number }[] {
  let before = 0;
  return pieces.flatMap((piece) => {
    const begin = before;
    before += piece.rows;
    const [first, last] = [Math.max(from - begin, 0), Math.min(to - begin, piece.rows)];
    return first < last ? [{ piece, from: first, to: last }] : [];
  });
}
