/**
 * Loads the rows of operators' files into temporary tables. There are millions of rows, so each distinct section, day's
 * values and description is stored once, and a row is five integers.
 */
import { type DuckDBConnection, DuckDBDataChunk, INTEGER, VARCHAR } from "@duckdb/node-api";
import { DESCRIBED_COLUMNS, type ImportedSnapshot, SNAPSHOT_VALUES } from "../../contract/rows/enrollment-history.ts";
import type { Database } from "../../store/database.ts";
import { jsonText } from "../../contract/sql-text.ts";

/** The view of all rows of all files; `said` and `description` refer to IMPORTED_VALUES and IMPORTED_DESCRIPTIONS. */
export const IMPORTED = "imported_rows";
/** The values of a day as one text, which is compared at once. */
export const IMPORTED_VALUES = "imported_values";
/** The descriptions of sections, as JSON. */
export const IMPORTED_DESCRIPTIONS = "imported_descriptions";

const SECTION = ["year", "quarter", "sectionCode"] as const;
const VIEW = `
  SELECT place, ${SECTION.join(", ")}, DATE '1970-01-01' + day AS date, said, description
  FROM imported_days JOIN imported_sections USING (section)`;

/** A character that no value contains: `damageIn` refuses it. */
const VALUE_END = "\u0080";
/** The columns of `SNAPSHOT_VALUES` as one text, and back, in SQL. */
export const VALUES_TEXT = `concat_ws(chr(128), ${SNAPSHOT_VALUES.join(", ")})`;
export const TEXT_VALUES = SNAPSHOT_VALUES.map((name, i) => `string_split(text, chr(128))[${i + 1}] AS ${name}`).join(
  ", ",
);

export interface Loader {
  /** The number of rows of all files. */
  count(): number;
  /** Stores a section, and returns its number for `add`. */
  addSection(section: Pick<ImportedSnapshot, (typeof SECTION)[number]>): number;
  addValues(values: Pick<ImportedSnapshot, (typeof SNAPSHOT_VALUES)[number]>): number;
  addDescription(description: Pick<ImportedSnapshot, (typeof DESCRIBED_COLUMNS)[number]>): number | null;
  /** @param day counted from 1970 */
  add(section: number, day: number, values: number, description: number | null): void;
  /** Makes all rows visible to queries. */
  flush(): void;
  /** Removes the rows from this number on. */
  backTo(place: number): Promise<void>;
  close(): Promise<void>;
}

export async function createLoader({ connection }: Database): Promise<Loader> {
  const days = await createTable(connection, "imported_days", ["place", "section", "day", "said", "description"]);
  const sections = await createTable(connection, "imported_sections", ["section"], SECTION);
  const values = await createTable(connection, IMPORTED_VALUES, ["said"], ["text"]);
  const descriptions = await createTable(connection, IMPORTED_DESCRIPTIONS, ["description"], ["text"]);
  const tables = [days, sections, values, descriptions];
  await connection.run(`CREATE OR REPLACE TEMP VIEW ${IMPORTED} AS ${VIEW}`);
  let [count, lastId] = [0, 0];
  return {
    count: () => count,
    addSection(section) {
      sections.add(++lastId, ...SECTION.map((name) => section[name]));
      return lastId;
    },
    addValues(said) {
      values.add(++lastId, SNAPSHOT_VALUES.map((name) => said[name]).join(VALUE_END));
      return lastId;
    },
    addDescription(description) {
      if (DESCRIBED_COLUMNS.every((name) => description[name] === null)) return null;
      descriptions.add(++lastId, jsonText(description));
      return lastId;
    },
    add: (...row) => days.add(count++, ...row),
    flush: () => tables.forEach((table) => table.flush()),
    async backTo(place) {
      days.flush();
      count = place;
      await connection.run("DELETE FROM imported_days WHERE place >= $1", [place]);
    },
    async close() {
      await connection.run(`DROP VIEW ${IMPORTED}`);
      for (const table of tables) await table.drop();
    },
  };
}

type Value = number | string | null;

/** DuckDB's own batches have as many rows. */
const ROWS_PER_BATCH = 2048;

async function createTable(
  connection: DuckDBConnection,
  name: string,
  integers: readonly string[],
  texts: readonly string[] = [],
) {
  const columns = [...integers.map((column) => `${column} INTEGER`), ...texts.map((column) => `${column} VARCHAR`)];
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns.join(", ")})`);
  const appender = await connection.createAppender(name, "main", "temp");
  const types = [...integers.map(() => INTEGER), ...texts.map(() => VARCHAR)];
  const values: Value[][] = types.map(() => []);
  let count = 0;
  const append = () => {
    const chunk = DuckDBDataChunk.create(types, count);
    chunk.setColumns(values);
    appender.appendDataChunk(chunk);
    for (const column of values) column.length = 0;
    count = 0;
  };
  return {
    add(...row: Value[]): void {
      for (let i = 0; i < row.length; i++) values[i]?.push(row[i] ?? null);
      if (++count === ROWS_PER_BATCH) append();
    },
    flush(): void {
      if (count > 0) append();
      appender.flushSync();
    },
    async drop(): Promise<void> {
      appender.closeSync();
      await connection.run(`DROP TABLE ${name}`);
    },
  };
}
