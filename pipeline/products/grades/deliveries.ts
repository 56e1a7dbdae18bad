/** The exports of a run: those of the records office, and files in `data/grades/`. */
import { join } from "node:path";
import { UpstreamError } from "../../errors.ts";
import { type Source, sources } from "../../contract/rows/source.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { compareDeliveries, fetchExport, readDroppedExports, readRecordsIndex } from "../../sources/records.ts";
import type { RunContext } from "../context.ts";
import { readRows } from "../rows.ts";
import type { ExportRecord, ExportStore } from "./export-store.ts";

export interface Delivered extends ExportRecord {
  readonly name: string;
  readonly bytes: () => Promise<Buffer | undefined>;
  readonly dropped: boolean;
}

/**
 * The office's exports, oldest first. The last copy is used for one that cannot be fetched or is gone from the index,
 * as all are when the office is gone.
 */
export async function readOffice(
  context: RunContext,
  store: ExportStore,
  known: Record<string, ExportRecord>,
  tally: Tally,
): Promise<Delivered[]> {
  const { addresses, client, config, forgotten, now } = context;
  const isClosed = config.closed.includes("records");
  if (!addresses.records && !isClosed) return [];
  const kept = (name: string, record: ExportRecord): Delivered => ({
    ...record,
    name,
    dropped: false,
    bytes: () => store.readFile(record.sha256),
  });
  const links = addresses.records ? await readRecordsIndex(client("records"), addresses.records, tally) : [];
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
      if (forgotten?.isExport(record.sha256)) {
        tally.note("taken down: not read", "an export of the records office");
        continue;
      }
      await store.keepFile(record.sha256, bytes);
      const fetchedAt = (usable?.sha256 === record.sha256 && usable.fetchedAt) || now().toISOString();
      found.push(kept(link.name, { ...record, fetchedAt }));
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
    if (await store.readFile(record.sha256)) {
      if (!isClosed) tally.note("no longer in the office's index: its rows stay", name);
      found.push(kept(name, record));
    } else if (isClosed) tally.note("the office and the kept copy are gone", name);
    else tally.damage(`${name}: no longer in the office's index, and the kept copy is gone: its rows are lost`);
  }
  return found.sort(compareDeliveries);
}

/**
 * The office's exports behind the published grades, or behind those that a backup knows: one that was withdrawn cannot be fetched again, so it is read from
 * its kept copy or missed by name, also when the list of the kept ones is lost.
 */
export async function publishedExports({ database, staging }: RunContext): Promise<Record<string, ExportRecord>> {
  const rows: Source[] = await readRows(database, sources, staging.paths("sources"));
  const isPublished = (year: string | null) =>
    year !== null && (!staging.base || staging.find("grades", { year }) !== undefined);
  const office = rows.filter(
    ({ system, name, year }) => system === "records" && !name.startsWith(DROPPED) && isPublished(year),
  );
  return Object.fromEntries(office.map(({ name, sha256 }) => [name, { sha256 }]));
}

/** How the table of sources names dropped files. */
export const DROPPED = "data/grades/";

export async function readDropped(dataDir: string, tally: Tally): Promise<Delivered[]> {
  const found: Delivered[] = [];
  for await (const { name, bytes, sha256 } of readDroppedExports(join(dataDir, "grades"), tally)) {
    found.push({ name, sha256, dropped: true, bytes: () => Promise.resolve(bytes) });
  }
  return found;
}
