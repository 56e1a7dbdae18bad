/** The rowIds of the rows that match, ascending: the order of rowIds is the order of answers. */
import type { Fragment } from "../duckdb/sql.ts";
import type { Pool } from "../duckdb/pool.ts";

/** Reads a statement's single column of rowIds, in whatever order it gives them: sorting here is cheaper than an ORDER BY. */
export async function selectRowIds(pool: Pool, statement: Fragment): Promise<Int32Array> {
  const [rowIds = new Int32Array()] = await pool.integers(statement);
  return isAscending(rowIds) ? rowIds : rowIds.sort();
}

function isAscending(numbers: Int32Array): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] as number) < (numbers[i - 1] as number)) return false;
  return true;
}
