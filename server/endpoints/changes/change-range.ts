/** Finds the changes between two times: the files that may contain them, and the conditions on their rows. */
import { join } from "node:path";
import { momentOf, SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { anyOf, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { findRetained } from "../../response/as-of.ts";
import type { Generation, TermPart } from "../../snapshot/generation.ts";
import type { History } from "../../snapshot/history.ts";
import { publishedRows } from "../../snapshot/loading/loading.ts";
import { CURSOR, type Position } from "./cursor.ts";
import { changeConditions, type ChangeValues } from "./change-filters.ts";

/** A file of changes: a month of a term. */
export interface ChangeFile extends Pick<PublishedFile, "sha256" | "rows"> {
  readonly path: string;
  readonly term: Required<TermPart>;
  readonly month: string;
  /** The conditions that its rows must meet to be in the range; empty if all of them are in it. */
  readonly limits: readonly Fragment[];
}

export interface ChangeRange {
  /** The files by month, oldest first: every row of a month precedes those of the next. */
  readonly files: readonly ChangeFile[];
  /** The conditions of the filters. */
  readonly filters: readonly Fragment[];
  /** All conditions on the rows of the files: the filters and the bounds of the range. */
  readonly conditions: readonly Fragment[];
}

/** The part of a range that is read at once: every row of a month precedes those of the next. */
export interface Month {
  readonly files: readonly ChangeFile[];
  readonly conditions: readonly Fragment[];
}

export interface CountedMonth extends Month {
  readonly rows: number;
}

/** Returns the months of a range, oldest first. */
export function monthsOf({ files, filters }: ChangeRange): Month[] {
  const byMonth = new Map<string, ChangeFile[]>();
  for (const file of files) byMonth.set(file.month, [...(byMonth.get(file.month) ?? []), file]);
  return [...byMonth.values()].map((monthFiles) => ({
    files: monthFiles,
    conditions: [...filters, ...new Set(monthFiles.flatMap(({ limits }) => limits))],
  }));
}

/** Returns the parts of months that are in [from, to) of all rows. */
export function partsOf(
  months: readonly CountedMonth[],
  from: number,
  to: number,
): { readonly month: CountedMonth; readonly offset: number; readonly limit: number }[] {
  let begin = 0;
  return months.flatMap((month) => {
    const offset = Math.max(from - begin, 0);
    const limit = Math.min(to - begin, month.rows) - offset;
    begin += month.rows;
    return limit > 0 ? [{ month, offset, limit }] : [];
  });
}

type Bound = (file: PublishedFile) => boolean;
interface Limit {
  /** True if a file may contain rows of the range. */
  readonly holds: Bound;
  /** True if the file may also contain other rows. */
  readonly cuts: Bound;
  readonly condition: Fragment;
}

export interface Parts {
  readonly pool: Pool;
  readonly history: History;
}

/**
 * Returns the changes of a generation that match the values. @throws Problem (404) for a snapshot that is not retained
 */
export async function rangeOf(generation: Generation, values: ChangeValues, parts: Parts): Promise<ChangeRange> {
  const { since, until } = values;
  const limits: Limit[] = [];
  if (since !== undefined) limits.push((await limitsAt(since, generation, parts)).later);
  if (until !== undefined) limits.push((await limitsAt(until, generation, parts)).earlier);
  return within(generation, values, limits);
}

/** Returns the limits for changes after a time or snapshot, and for those up to it. */
async function limitsAt(
  moment: string,
  generation: Generation,
  { pool, history }: Parts,
): Promise<Readonly<Record<"later" | "earlier", Limit>>> {
  if (!SNAPSHOT_ID.test(moment)) {
    // A day means its end, whatever the time is now.
    const time = new Date(momentOf(moment, 0) ?? 0).toISOString();
    const condition = sql`"at" > ${time}::TIMESTAMPTZ`;
    const cuts: Bound = (file) => monthOf(file) === time.slice(0, 7);
    const holds: Bound = (file) => monthOf(file) <= time;
    return {
      later: { holds: monthFrom(time), cuts, condition },
      earlier: { holds, cuts, condition: sql`NOT (${condition})` },
    };
  }
  // A snapshot contains all changes except those that later snapshots published.
  const snapshotThen = await history.readComplete(findRetained(moment, await history.retained(), new Date()));
  const isNew = after(generation, snapshotThen);
  const [later = []] = await pool.columns(
    sql`SELECT DISTINCT snapshot FROM ${rowsOfFiles(generation, isNew.holds)} WHERE ${isNew.condition} ORDER BY 1`,
    { uncached: true },
  );
  const condition = sql`list_contains(${later as string[]}, snapshot)`;
  return {
    later: { ...isNew, condition },
    earlier: { holds: () => true, cuts: isNew.holds, condition: sql`NOT (${condition})` },
  };
}

/** Returns the changes that a generation has and an earlier one lacks. */
export const newChanges = (generation: Generation, previous: Generation, values: ChangeValues = {}): ChangeRange =>
  within(generation, values, [after(generation, previous)]);

/** Tests for changes behind a cursor. The condition on the time alone lets the statement skip row groups. */
export const isAfter = (cursor: string): Fragment =>
  sql`"at" >= ${cursor.split("_")[0] ?? ""}::TIMESTAMPTZ AND ${CURSOR} > ${cursor}`;

/**
 * Returns the changes behind a position of an event stream; `seen` is the generation that published it, if it is
 * retained.
 */
export function changesBehind(
  generation: Generation,
  { cursor }: Position,
  seen: Generation | undefined,
  values: ChangeValues,
): ChangeRange {
  const later: Limit = { holds: monthFrom(cursor), cuts: () => true, condition: isAfter(cursor) };
  if (!seen) return within(generation, values, [later]);
  const published = after(generation, seen, later.holds);
  // A later snapshot may record an earlier crawl.
  return within(generation, values, [
    {
      holds: (file) => later.holds(file) || published.holds(file),
      cuts: () => true,
      condition: anyOf([later.condition, published.condition]),
    },
  ]);
}

function within({ folder, manifest }: Generation, values: ChangeValues, limits: readonly Limit[]): ChangeRange {
  const { year, quarter } = values;
  const files = manifest.files.filter(
    (file) =>
      file.table === "changes" &&
      (year ?? file.partition.year) === file.partition.year &&
      (quarter ?? file.partition.quarter) === file.partition.quarter &&
      limits.every(({ holds }) => holds(file)),
  );
  // Files are selected by term above.
  const { year: _year, quarter: _quarter, ...others } = values;
  return {
    files: files
      .map((file) => ({
        ...file,
        path: join(folder, file.path),
        term: file.partition as Required<TermPart>,
        month: monthOf(file),
        limits: limits.filter(({ cuts }) => cuts(file)).map(({ condition }) => condition),
      }))
      .sort((a, b) => compareTexts(a.month, b.month)),
    filters: changeConditions(others),
    conditions: [...changeConditions(values), ...limits.map(({ condition }) => condition)],
  };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Returns the month of a file; every file of changes has one. */
const monthOf = ({ partition }: Pick<PublishedFile, "partition">): string => partition.month as string;

const monthFrom =
  (time: string): Bound =>
  (file) =>
    monthOf(file) >= time.slice(0, 7);

const rowsOfFiles = ({ folder, manifest }: Generation, isRead: Bound): Fragment =>
  publishedRows(
    "changes",
    manifest.files.filter((file) => file.table === "changes" && isRead(file)).map(({ path }) => join(folder, path)),
  );

/**
 * Selects the changes that `previous` lacks. Every row names the snapshot that published it. A run publishes all of its
 * rows at once, in the month of its crawl or a neighbouring one: only these months are read.
 * @param among further files that the condition is used on
 */
function after(generation: Generation, previous: Generation, among: Bound = () => false): Limit {
  const previousPaths = new Set(previous.manifest.files.map(({ path }) => path));
  const holds: Bound = ({ path }) => !previousPaths.has(path);
  const months = new Set(
    generation.manifest.files
      .filter((file) => file.table === "changes" && (holds(file) || among(file)))
      .flatMap((file) => [-1, 0, 1].map((away) => monthAway(monthOf(file), away))),
  );
  const beside: Bound = (file) => months.has(monthOf(file));
  return {
    holds,
    cuts: () => true,
    condition: sql`snapshot NOT IN (SELECT snapshot FROM ${rowsOfFiles(previous, beside)})`,
  };
}

/** Adds months to a month. */
function monthAway(month: string, away: number): string {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year as number, (number as number) - 1 + away)).toISOString().slice(0, 7);
}
