/** Values without the declared form of their column are published unchanged, and counted in the report. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { columnMeasures } from "../../contract/measures.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import type { Profile, Rows } from "./profile.ts";

/** The maximum length of an example in the report. */
const MOST_LETTERS = 60;

/** Notes each column with such values, with the number of rows and an example. */
export async function noteOutside(
  connection: DuckDBConnection,
  { table, from }: Rows,
  what: string,
  { rows, columns }: Profile,
  tally: Tally,
): Promise<void> {
  for (const { name, value, form } of columnMeasures(table, [])) {
    const { written = 0, formed = 0 } = columns.get(name) ?? {};
    if (!form || written === formed) continue;
    const reader = await connection.runAndReadAll(
      `SELECT min(left(to_json(${value})::VARCHAR, ${MOST_LETTERS})) FROM ${from} WHERE ${form.written} AND NOT ${form.formed}`,
    );
    const example = String(reader.getRowsJS()[0]?.[0]);
    tally.note(
      "values without the form of their column",
      `\`${name}\` of ${what} in ${written - formed} of ${rows} rows, such as ${example}`,
    );
  }
}
