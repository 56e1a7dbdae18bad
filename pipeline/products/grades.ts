/**
 * Grade statistics: exports of the records office and files dropped into `data/grades/`, joined with our own sections.
 * **Output:** grades, by year
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { grades, type SheetRow } from "../contract/grade.ts";
import { UpstreamError } from "../errors.ts";
import { toGrades } from "../normalize/grade.ts";
import { parseGradeSheet } from "../parse/grades-sheet.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import { createTally, type Tally } from "../report.ts";
import { compareDeliveries, fetchExport, readDroppedExports, readRecordsIndex } from "../sources/records.ts";
import type { ProductStep, RunContext } from "./context.ts";
import { type ExportRecord, type ExportStore, openExportStore } from "./export-store.ts";
import { readGradedSections } from "./graded-sections.ts";
import { guardShrink } from "./guard.ts";

/** One export, as it will be read: its delivery's record, and a way to its bytes. */
interface Delivered extends ExportRecord {
  readonly name: string;
  readonly bytes: () => Promise<Buffer | undefined>;
  readonly dropped: boolean;
}

export const gradesStep: ProductStep = {
  product: "grades",
  async plan({ addresses, config }) {
    if (addresses.records) return true;
    const dropped = readDroppedExports(join(config.dataDir, "grades"), createTally("grades"));
    const first = await dropped.next();
    await dropped.return();
    return !first.done;
  },
  async run(context, tally) {
    const { config, landingFolder, staging } = context;
    const store = openExportStore(join(landingFolder, "records"));
    const state = await store.readState();
    const delivered = [
      ...(await readOffice(context, store, state.exports, tally)),
      ...(await readDropped(config.dataDir, tally)),
    ];
    const inputs = digest(delivered, staging.files());
    if (inputs === state.inputs && staging.paths("grades").length > 0) {
      tally.note("no export and no section changed: the grades stay as they are", `${delivered.length} exports`);
      return;
    }
    const { rows, exports } = await readSheets(delivered, state.exports, store, tally);
    const made = toGrades(rows, await readGradedSections(context, rows), tally);
    const refused = await putYears(context, made, tally);
    const settled = {
      inputs: refused || Object.keys(exports).length < delivered.filter(({ dropped }) => !dropped).length ? "" : inputs,
      exports,
    };
    context.afterPublish.push(() => store.settle(settled));
  },
};

/** What the grades depend on: the exports, and every published section. */
function digest(delivered: readonly Delivered[], files: readonly { table: string; sha256: string }[]): string {
  const hash = createHash("sha256");
  for (const { name, sha256 } of delivered) hash.update(JSON.stringify([name, sha256]));
  for (const sha256 of files
    .filter(({ table }) => ["sections", "departments"].includes(table))
    .map((file) => file.sha256)
    .sort())
    hash.update(sha256);
  return hash.digest("hex");
}

/** The office's exports, oldest delivery first. One that cannot be had, or is gone from the index, stays as it was. */
async function readOffice(
  context: RunContext,
  store: ExportStore,
  known: Record<string, ExportRecord>,
  tally: Tally,
): Promise<Delivered[]> {
  const { addresses, client } = context;
  if (!addresses.records) return [];
  const kept = (name: string, record: ExportRecord): Delivered => ({
    ...record,
    name,
    dropped: false,
    bytes: () => store.readFile(record.sha256),
  });
  const links = await readRecordsIndex(client("records"), addresses.records, tally);
  const found: Delivered[] = [];
  for (const link of links) {
    const before = known[link.name];
    const usable = before && (await store.readFile(before.sha256)) ? before : undefined;
    try {
      const fetched = await fetchExport(client("records"), link, usable);
      if (fetched === "unchanged") {
        if (usable) found.push(kept(link.name, usable));
        continue;
      }
      const { bytes, name: _, ...record } = fetched;
      await store.keepFile(record.sha256, bytes);
      found.push(kept(link.name, record));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      tally.damage(`${link.name}: ${error.message}`);
      if (usable)
        found.push(
          kept(link.name, {
            sha256: usable.sha256,
            ...(usable.lastModified ? { lastModified: usable.lastModified } : {}),
          }),
        );
    }
  }
  for (const [name, record] of Object.entries(known)) {
    if (links.some((link) => link.name === name)) continue;
    tally.note("no longer in the office's index: its rows stay", name);
    found.push(kept(name, record));
  }
  return found.sort(compareDeliveries);
}

async function readDropped(dataDir: string, tally: Tally): Promise<Delivered[]> {
  const found: Delivered[] = [];
  for await (const { name, bytes, sha256 } of readDroppedExports(join(dataDir, "grades"), tally)) {
    found.push({ name, sha256, dropped: true, bytes: () => Promise.resolve(bytes) });
  }
  return found;
}

/** Reads every export; a damaged one is read as it was before, and is not remembered as it is now. */
async function readSheets(
  delivered: readonly Delivered[],
  known: Record<string, ExportRecord>,
  store: ExportStore,
  tally: Tally,
) {
  const rows: SheetRow[] = [];
  const exports: Record<string, ExportRecord> = {};
  for (const { name, bytes, dropped, sha256, etag, lastModified } of delivered) {
    let damaged = false;
    let badRows = 0;
    const watched: Tally = {
      ...tally,
      damage: (what) => ((damaged = true), tally.damage(what)),
      drop: (reason, row) => (badRows++, tally.drop(reason, row)),
    };
    const content = await bytes();
    const read = content ? await parseGradeSheet(name, content, watched) : [];
    // A row that cannot be read is a fault of the sheet; one that finds no section is not.
    if (badRows > 0) tally.damage(`${name}: ${badRows} rows cannot be read`);
    if (!damaged) {
      rows.push(...read);
      if (!dropped) exports[name] = { sha256, ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
      continue;
    }
    const before = dropped ? undefined : known[name];
    const old = before && before.sha256 !== sha256 ? await store.readFile(before.sha256) : undefined;
    if (before && old) {
      rows.push(...(await parseGradeSheet(name, old, createTally("grades"))));
      exports[name] = { sha256: before.sha256 };
    } else rows.push(...read);
  }
  return { rows, exports };
}

/** Writes the years that there are; one that shrinks too much stays as it is published. True when any was refused. */
async function putYears(context: RunContext, made: ReturnType<typeof toGrades>, tally: Tally): Promise<boolean> {
  const { database, staging } = context;
  await loadRows(database.connection, grades, made);
  let refused = false;
  for (const year of [...new Set(made.map((row) => row.year))].sort()) {
    const request = {
      table: grades,
      partition: { year },
      select: "SELECT * FROM rows_grades WHERE year = $1",
      values: [year],
    };
    const file = await writePartition(database.connection, staging, request);
    try {
      guardShrink(`the grades of ${year}, in rows,`, staging.find("grades", { year })?.rows ?? 0, file.rows, context);
      staging.put(file);
    } catch (error) {
      refused = true;
      tally.damage(error instanceof Error ? error.message : String(error));
    }
  }
  return refused;
}
