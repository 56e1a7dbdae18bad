/**
 * Loads the rows of operators' files in batches: there are millions, and the description of a section is stored once.
 */
import { DESCRIBED_COLUMNS, type ImportedSnapshot, importedSnapshots } from "../contract/enrollment-history.ts";
import { duckdbColumns, type RowOf } from "../contract/table.ts";
import type { Database } from "../publish/database.ts";
import { insertTexts, jsonText } from "../publish/rows.ts";

/** The temporary table of all rows of all files; `told` is the number of what a row says of its section. */
export const IMPORTED = "imported_rows";
const IMPORTED_COLUMNS = [...duckdbColumns(importedSnapshots.row.shape), { name: "told", type: "INTEGER" }];
/** What rows say of their sections, each said once: they say the same day after day. */
export const TOLD_TEXTS = "told_texts";
const TOLD_COLUMNS = [
  { name: "told", type: "INTEGER" },
  { name: "text", type: "VARCHAR" },
];

/** Rows that are handed to the database at once. */
const ROWS_PER_BATCH = 10_000;
/** What was said is known again as long as there are no more than this. */
const KNOWN_TEXTS = 50_000;

type Text = string | number | null;

export interface Loader {
  /** How many snapshots are loaded. */
  count(): number;
  add(snapshot: ImportedSnapshot): void;
  /** Hands over what was added once it is enough for a batch, or all of it. */
  flush(all?: boolean): Promise<void>;
  /** Takes back the snapshots from a place on. */
  backTo(place: number): Promise<void>;
}

/** Makes the temporary tables, and fills them batch by batch. */
export async function createLoader({ connection }: Database): Promise<Loader> {
  for (const [table, columns] of [[IMPORTED, IMPORTED_COLUMNS] as const, [TOLD_TEXTS, TOLD_COLUMNS] as const]) {
    const declared = columns.map(({ name, type }) => `"${name}" ${type}`);
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${declared.join(", ")})`);
  }
  const known = new Map<string, number>();
  let told = 0;
  let count = 0;
  let rows: Text[][] = [];
  let texts: Text[][] = [];
  const numberOf = (snapshot: ImportedSnapshot): number | null => {
    if (DESCRIBED_COLUMNS.every((name) => snapshot[name] === null)) return null;
    const text = jsonText(Object.fromEntries(DESCRIBED_COLUMNS.map((name) => [name, snapshot[name]])));
    const number = known.get(text);
    if (number !== undefined) return number;
    if (known.size >= KNOWN_TEXTS) known.clear();
    known.set(text, ++told);
    texts.push([told, text]);
    return told;
  };
  return {
    count: () => count,
    add(snapshot) {
      count++;
      rows.push(
        IMPORTED_COLUMNS.map(({ name }) =>
          name === "told" ? numberOf(snapshot) : snapshot[name as keyof RowOf<typeof importedSnapshots>],
        ),
      );
    },
    async flush(all = false) {
      if (rows.length < (all ? 1 : ROWS_PER_BATCH)) return;
      const types = (columns: readonly { type: string }[]) => columns.map(({ type }) => type);
      if (texts.length > 0) await insertTexts(connection, TOLD_TEXTS, types(TOLD_COLUMNS), texts);
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
