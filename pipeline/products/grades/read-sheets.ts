/** The rows of the delivered exports, and a record of each export. */
import { createTally, type Tally } from "../../contract/documents/tally.ts";
import { createUnknownFields } from "../../contract/source-fields.ts";
import type { SheetExport } from "../../contract/rows/grade.ts";
import { parseGradeSheet } from "../../parse/sheets/grades-sheet.ts";
import type { Delivered } from "./deliveries.ts";
import type { ExportRecord, ExportStore } from "./export-store.ts";

/** The validators of unchanged exports: a server may send a new date for the same file. */
export function sameAs(
  records: Record<string, ExportRecord>,
  delivered: readonly Delivered[],
): Record<string, ExportRecord> {
  const same = delivered.filter(({ name, sha256, dropped }) => !dropped && records[name]?.sha256 === sha256);
  return Object.fromEntries(same.map((delivery) => [delivery.name, recordOf(delivery)]));
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
  records: Record<string, ExportRecord>,
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
  for (const delivery of delivered) {
    const { name, bytes, dropped, sha256 } = delivery;
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
      if (!dropped) exports[name] = recordOf(delivery);
      continue;
    }
    const previous = dropped ? undefined : records[name];
    const old = previous && previous.sha256 !== sha256 ? await store.readFile(previous.sha256) : undefined;
    if (previous && old) {
      sheets.push({ name, sha256: previous.sha256, rows: await parseGradeSheet(name, old, createTally("grades")) });
      exports[name] = { sha256: previous.sha256 };
    } else sheets.push({ name, sha256, rows: read, unknown: unknown.list() });
  }
  return { sheets, exports, damaged: damages };
}
