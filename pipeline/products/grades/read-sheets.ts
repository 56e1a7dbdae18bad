/** The rows of the delivered exports, and what is remembered of each export. */
import { createTally, type Tally } from "../../contract/documents/tally.ts";
import { createUnknownFields } from "../../contract/source-fields.ts";
import type { SheetExport } from "../../contract/rows/grade.ts";
import { parseGradeSheet } from "../../parse/sheets/grades-sheet.ts";
import type { Delivered } from "./deliveries.ts";
import type { ExportRecord, ExportStore } from "./export-store.ts";

/** The validators of unchanged exports: a server may send a new date for the same file. */
export function sameAs(
  known: Record<string, ExportRecord>,
  delivered: readonly Delivered[],
): Record<string, ExportRecord> {
  const same = delivered.filter(({ name, sha256, dropped }) => !dropped && known[name]?.sha256 === sha256);
  return Object.fromEntries(same.map((one) => [one.name, recordOf(one)]));
}

const recordOf = ({ sha256, etag, fetchedAt, lastModified }: ExportRecord): ExportRecord => ({
  sha256,
  ...(fetchedAt ? { fetchedAt } : {}),
  ...(etag ? { etag } : {}),
  ...(lastModified ? { lastModified } : {}),
});

/** Reads every export. The last sound copy is used for a damaged one. */
export async function readSheets(
  delivered: readonly Delivered[],
  known: Record<string, ExportRecord>,
  store: ExportStore,
  tally: Tally,
) {
  const sheets: SheetExport[] = [];
  const exports: Record<string, ExportRecord> = {};
  const damages: string[] = [];
  const damage = (what: string): void => {
    damages.push(what);
    tally.damage(what);
  };
  for (const one of delivered) {
    const { name, bytes, dropped, sha256 } = one;
    let damaged = false;
    let badRows = 0;
    const watched: Tally = {
      ...tally,
      damage: (what) => ((damaged = true), damage(what)),
      drop: (reason, row) => (badRows++, tally.drop(reason, row)),
    };
    const unknown = createUnknownFields();
    const content = await bytes();
    if (!content) watched.damage(`${name}: the kept copy is gone`);
    const read = content ? await parseGradeSheet(name, content, watched, unknown) : [];
    // A row that cannot be read is damage; a row without a section is not.
    if (badRows > 0) damage(`${name}: ${badRows} rows cannot be read`);
    if (!damaged) {
      sheets.push({ name, sha256, rows: read, unknown: unknown.list() });
      if (!dropped) exports[name] = recordOf(one);
      continue;
    }
    const before = dropped ? undefined : known[name];
    const old = before && before.sha256 !== sha256 ? await store.readFile(before.sha256) : undefined;
    if (before && old) {
      sheets.push({ name, sha256: before.sha256, rows: await parseGradeSheet(name, old, createTally("grades")) });
      exports[name] = { sha256: before.sha256 };
    } else sheets.push({ name, sha256, rows: read, unknown: unknown.list() });
  }
  return { sheets, exports, damaged: damages };
}
