/** The ids of the rows that match, ascending: their order is the order of responses. */
import { type Fragment, sql } from "../../duckdb/sql.ts";
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

/** Rows `from` to `to` (not included). */
export const rowsInRange = (numbered: Fragment, from: number, to: number): Fragment =>
  sql`(SELECT * FROM ${numbered} WHERE row_id >= ${from} AND row_id < ${to})`;

/** The rows at ascending rowIds. Neighbours are not looked up one by one, and a filter, unlike a join, keeps their order. */
export function rowsWithIds(numbered: Fragment, rowIds: Int32Array): Fragment {
  const [first = 0] = rowIds;
  if (rowIds.length === 0 || rowIds.at(-1) === first + rowIds.length - 1)
    return rowsInRange(numbered, first, first + rowIds.length);
  // They travel as one text: binding each number by itself takes longer than the statement.
  return sql`(SELECT * FROM ${numbered} WHERE row_id IN (SELECT unnest(${`[${rowIds.join(",")}]`}::INTEGER[])) ORDER BY row_id)`;
}
