/** The places of the rows that match, ascending: the order of places is the order of answers. */
import { type Fragment, sql } from "../duckdb/sql.ts";
import type { Pool } from "../duckdb/pool.ts";

/** Reads a statement's single column of places, in whatever order it gives them: sorting here is cheaper than an ORDER BY. */
export async function selectRowIds(pool: Pool, statement: Fragment): Promise<Int32Array> {
  const [places = new Int32Array()] = await pool.integers(statement);
  return isAscending(places) ? places : places.sort();
}

function isAscending(numbers: Int32Array): boolean {
  for (let i = 1; i < numbers.length; i++) if ((numbers[i] as number) < (numbers[i - 1] as number)) return false;
  return true;
}

/** Rows `from` to `to` (not included). */
export const rowsInRange = (numbered: Fragment, from: number, to: number): Fragment =>
  sql`(SELECT * FROM ${numbered} WHERE place >= ${from} AND place < ${to})`;

/** The rows at ascending places. Neighbours are not looked up one by one, and a filter, unlike a join, keeps their order. */
export function rowsWithIds(numbered: Fragment, places: Int32Array): Fragment {
  const [first = 0] = places;
  if (places.length === 0 || places.at(-1) === first + places.length - 1)
    return rowsInRange(numbered, first, first + places.length);
  // They travel as one text: binding each number by itself takes longer than the statement.
  return sql`(SELECT * FROM ${numbered} WHERE place IN (SELECT unnest(${`[${places.join(",")}]`}::INTEGER[])) ORDER BY place)`;
}
