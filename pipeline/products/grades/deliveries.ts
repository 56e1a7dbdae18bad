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
 * Reads the office's exports, oldest first. Uses the last copy of an export that cannot be fetched or is gone from the
 * index, and of all exports when the office is not asked, because it is gone or has no address in this run.
 */
export async function readOffice(
  context: RunContext,
  store: ExportStore,
  records: Record<string, ExportRecord>,
  tally: Tally,
): Promise<Delivered[]> {
  const { addresses, client, config, forgotten, now } = context;
  const isClosed = config.closed.includes("records");
  const kept = (name: string, record: ExportRecord): Delivered => ({
    ...record,
    name,
    dropped: false,
    bytes: () => store.readFile(record.sha256),
  });
  const links = addresses.records ? await readRecordsIndex(client("records"), addresses.records, tally) : [];
  const delivered: Delivered[] = [];
  for (const link of links) {
    const previous = records[link.name];
    if (!previous && isBeyondHorizon(context, link.name)) continue;
    const usable = previous && (await store.readFile(previous.sha256)) ? previous : undefined;
    try {
      const fetched = await fetchExport(client("records"), link, usable);
      if (fetched === "unchanged") {
        if (usable) delivered.push(kept(link.name, usable));
        continue;
      }
      const { bytes, name: _, ...record } = fetched;
      if (forgotten?.isExport(record.sha256)) {
        tally.note("taken down: not read", "an export of the records office");
        continue;
      }
      await store.keepFile(record.sha256, bytes);
      const fetchedAt = (usable?.sha256 === record.sha256 && usable.fetchedAt) || now().toISOString();
      delivered.push(kept(link.name, { ...record, fetchedAt }));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      tally.damage(`${link.name}: ${error.message}`);
      if (usable)
        delivered.push(
          kept(link.name, {
            sha256: usable.sha256,
            ...(usable.lastModified ? { lastModified: usable.lastModified } : {}),
          }),
        );
    }
  }
  for (const [name, record] of Object.entries(records)) {
    if (links.some((link) => link.name === name)) continue;
    if (await store.readFile(record.sha256)) {
      if (addresses.records) tally.note("no longer in the office's index: its rows stay", name);
      delivered.push(kept(name, record));
    } else if (isClosed) tally.note("the office and the kept copy are gone", name);
    else if (addresses.records)
      tally.damage(`${name}: no longer in the office's index, and the kept copy is gone: its rows are lost`);
  }
  return delivered.sort(compareDeliveries);
}

/** A limited run reads the exports of this many years before its horizon. */
const GRADE_YEARS = 2;

/** True when the horizon of the run excludes an export, by the latest year in its name. */
function isBeyondHorizon({ since }: RunContext, name: string): boolean {
  const years = (name.match(/(?:19|20)\d\d/g) ?? []).map(Number);
  return since !== undefined && years.length > 0 && Math.max(...years) < Number(since.slice(0, 4)) - GRADE_YEARS;
}

/**
 * The office's exports behind the published grades, or behind those of a backup: a withdrawn export cannot be fetched
 * again, so its copy is read, or it is reported by name, even when the list of the copies is lost.
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

/** The prefix of dropped files in the table of sources. */
export const DROPPED = "data/grades/";

export async function readDropped(dataDir: string, tally: Tally): Promise<Delivered[]> {
  const dropped: Delivered[] = [];
  for await (const { name, bytes, sha256 } of readDroppedExports(join(dataDir, "grades"), tally)) {
    dropped.push({ name, sha256, dropped: true, bytes: () => Promise.resolve(bytes) });
  }
  return dropped;
}
