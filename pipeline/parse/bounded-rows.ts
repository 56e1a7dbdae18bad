/** Limits of CSV: for a line, a row and all rows. */
import { UpstreamBadResponse } from "../errors.ts";
import { beyondLimit, LIMITS } from "../limits.ts";

/**
 * Checks text, piece by piece, for a line that never ends: the parser counts only the bytes of cells, and a row of
 * nothing but commas has none.
 * @throws UpstreamBadResponse, in the returned function
 */
export function boundedLines(system: string): (text: string) => void {
  let [line, length] = [1, 0];
  return (text) => {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === LINE_FEED) line++;
      if (code === LINE_FEED || code === CARRIAGE_RETURN) length = 0;
      else if (++length > LIMITS.rows.bytes)
        throw new UpstreamBadResponse(system, `the comma-separated text is damaged: line ${line} does not end`);
    }
  };
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/**
 * Limits the rows of a file. The parser fails with CSV_MAX_RECORD_SIZE on a row that never ends, and with
 * UpstreamBadResponse on too many columns or cells.
 */
export function boundedRows(system: string): { max_record_size: number; on_record: <R extends string[]>(row: R) => R } {
  const { bytes, columns, cells: mostCells } = LIMITS.rows;
  let cells = 0;
  return {
    max_record_size: bytes,
    on_record(row) {
      const { length } = row;
      cells += length;
      if (length > columns) throw beyondLimit(system, "file", columns, "columns in a row");
      if (cells > mostCells) throw beyondLimit(system, "file", mostCells, "cells");
      return row;
    },
  };
}
