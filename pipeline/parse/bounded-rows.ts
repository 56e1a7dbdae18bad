/** Options of the CSV parser that bound one row and all rows. */
import { beyondLimit, LIMITS } from "../limits.ts";

type Row = string[] | { readonly record: string[] };

/** For one file. The parser fails with CSV_MAX_RECORD_SIZE on a row that does not end, and with UpstreamBadResponse on too many columns or cells. */
export function boundedRows(system: string): { max_record_size: number; on_record: <R extends Row>(row: R) => R } {
  const { bytes, columns, cells: mostCells } = LIMITS.rows;
  let cells = 0;
  return {
    max_record_size: bytes,
    on_record(row) {
      const { length } = Array.isArray(row) ? row : row.record;
      cells += length;
      if (length > columns) throw beyondLimit(system, "file", columns, "columns in a row");
      if (cells > mostCells) throw beyondLimit(system, "file", mostCells, "cells");
      return row;
    },
  };
}
