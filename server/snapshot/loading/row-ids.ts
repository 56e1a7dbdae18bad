/** The ids of the rows that match, ascending: their order is the order of responses. */
import type { Fragment } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";

/** The row ids that a statement selects, ascending: that is the order of responses. Sorting here is cheaper than ORDER BY. */
export async function selectRowIds(pool: Pool, statement: Fragment): Promise<Int32Array> {
  const [rowIds = new Int32Array()] = await pool.integers(statement);
  return isAscending(rowIds) ? rowIds : rowIds.sort();
}

function isAscending(numbers: Int32Array): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] as number) < (numbers[i - 1] as number)) return false;
  return true;
}
