/**
 * Loads the rows of operators' files in batches: there are millions, and the description of a section is stored once.
 */
import { DESCRIBED_COLUMNS, type ImportedSnapshot, importedSnapshots } from "../../contract/rows/enrollment-history.ts";
import { duckdbColumns, type RowOf } from "../../contract/table.ts";
import type { Database } from "../../store/database.ts";
import { jsonText } from "../../contract/sql-text.ts";
import { insertTexts } from "../../publish/rows.ts";

/** The temporary table of all rows of all files; `description` refers to IMPORTED_DESCRIPTIONS. */
export const IMPORTED = "imported_rows";
const IMPORTED_COLUMNS = [...duckdbColumns(importedSnapshots.row.shape), { name: "description", type: "INTEGER" }];
/** The descriptions of sections, which are equal on most days, stored once. */
export const IMPORTED_DESCRIPTIONS = "imported_descriptions";
const DESCRIPTION_COLUMNS = [
  { name: "description", type: "INTEGER" },
  { name: "text", type: "VARCHAR" },
];

const ROWS_PER_BATCH = 10_000;
/** Bounds the memory for descriptions that were seen; an evicted description is stored again. */
const KNOWN_TEXTS = 50_000;

type Text = string | number | null;

export interface Loader {
  count(): number;
  add(snapshot: ImportedSnapshot): void;
  /** Inserts full batches, or everything. */
  flush(all?: boolean): Promise<void>;
  /** Removes the snapshots from this row number on. */
  backTo(place: number): Promise<void>;
}

export async function createLoader({ connection }: Database): Promise<Loader> {
  for (const [table, columns] of [
    [IMPORTED, IMPORTED_COLUMNS] as const,
    [IMPORTED_DESCRIPTIONS, DESCRIPTION_COLUMNS] as const,
  ]) {
    const declared = columns.map(({ name, type }) => `"${name}" ${type}`);
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${declared.join(", ")})`);
  }
  const descriptionIds = new Map<string, number>();
  let last = 0;
  let count = 0;
  let rows: Text[][] = [];
  let texts: Text[][] = [];
  const numberOf = (snapshot: ImportedSnapshot): number | null => {
    if (DESCRIBED_COLUMNS.every((name) => snapshot[name] === null)) return null;
    const text = jsonText(Object.fromEntries(DESCRIBED_COLUMNS.map((name) => [name, snapshot[name]])));
    const number = descriptionIds.get(text);
    if (number !== undefined) return number;
    if (descriptionIds.size >= KNOWN_TEXTS) descriptionIds.clear();
    descriptionIds.set(text, ++last);
    texts.push([last, text]);
    return last;
  };
  return {
    count: () => count,
    add(snapshot) {
      count++;
      rows.push(
        IMPORTED_COLUMNS.map(({ name }) =>
          name === "description" ? numberOf(snapshot) : snapshot[name as keyof RowOf<typeof importedSnapshots>],
        ),
      );
    },
    async flush(all = false) {
      if (rows.length < (all ? 1 : ROWS_PER_BATCH)) return;
      const types = (columns: readonly { type: string }[]) => columns.map(({ type }) => type);
      if (texts.length > 0) await insertTexts(connection, IMPORTED_DESCRIPTIONS, types(DESCRIPTION_COLUMNS), texts);
      await insertTexts(connection, IMPORTED, types(IMPORTED_COLUMNS), rows);
      [rows, texts] = [[], []];
    },
    async backTo(place) {
      rows = [];
      count = place;
      await connection.run(`DELETE FROM ${IMPORTED} WHERE place >= $1`, [place]);
    },
  };
}
