/** Finds the changes between two times, by month: the files that may contain them, and the conditions on their rows. */
import { join } from "node:path";
import { momentOf, SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { samePart } from "../../../pipeline/store/layout.ts";
import { anyOf, type Fragment, sql } from "../../duckdb/sql.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import { findRetained } from "../../response/as-of.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { publishedRows } from "../../snapshot/loading/loading.ts";
import { placed, type PlacedFile } from "../../snapshot/loading/parts.ts";
import { CURSOR, type Position } from "./cursor.ts";
import { changeConditions, type ChangeValues } from "./change-filters.ts";

/** A file of changes, which is a month of a term. */
export interface ChangeFile extends PlacedFile {
  /** The number of its rows in the range; undefined until they are counted. */
  readonly rows: number | undefined;
}

/** The part of a range that is read at once: every row of a month precedes those of the next. */
export interface Month {
  readonly files: readonly ChangeFile[];
  readonly conditions: readonly Fragment[];
}

export interface ChangeRange {
  /** The months, oldest first. */
  readonly months: readonly Month[];
  /** The conditions on rows of the whole table. */
  readonly conditions: readonly Fragment[];
}

/** A bound of a range. */
interface Limit {
  readonly condition: Fragment;
  /** Returns true if all rows of a file meet the condition, false if none does, and undefined if rows must be tested. */
  readonly holds: (file: PublishedFile) => boolean | undefined;
}

/** Returns the changes that match the values. @throws Problem (404) for a snapshot that is not retained */
export async function rangeOf(
  generation: Generation,
  values: ChangeValues,
  context: Pick<EndpointContext, "pool" | "history">,
): Promise<ChangeRange> {
  const { since, until } = values;
  const limits = [
    ...(since === undefined ? [] : [await limitAfter(since, generation, context)]),
    ...(until === undefined ? [] : [not(await limitAfter(until, generation, context))]),
  ];
  return within(generation, values, limits);
}

/** Returns the limit for changes after a time or snapshot. */
async function limitAfter(
  moment: string,
  generation: Generation,
  { pool, history }: Pick<EndpointContext, "pool" | "history">,
): Promise<Limit> {
  if (!SNAPSHOT_ID.test(moment)) {
    // A day means its end, whatever the time is now.
    const time = new Date(momentOf(moment, 0) ?? 0).toISOString();
    const month = time.slice(0, 7);
    return {
      condition: sql`"at" > ${time}::TIMESTAMPTZ`,
      holds: (file) => (monthOf(file) === month ? undefined : monthOf(file) > month),
    };
  }
  const snapshotThen = await history.readComplete(findRetained(moment, await history.retained(), new Date()));
  const { condition, holds } = after(generation, snapshotThen);
  // The ids make the condition independent of the files of the earlier snapshot.
  const newFiles = changeFiles(generation).filter((file) => holds(file) !== false);
  const [later = []] = await pool.columns(
    sql`SELECT DISTINCT snapshot FROM ${rowsOf(generation, newFiles)} WHERE ${condition} ORDER BY 1`,
    { uncached: true },
  );
  return { condition: sql`list_contains(${later as string[]}, snapshot)`, holds };
}

const not = ({ condition, holds }: Limit): Limit => ({
  condition: sql`NOT (${condition})`,
  holds(file) {
    const isHeld = holds(file);
    return isHeld === undefined ? undefined : !isHeld;
  },
});

/** Returns the changes that a generation has and an earlier one lacks. */
export const newChanges = (generation: Generation, previous: Generation, values: ChangeValues = {}): ChangeRange =>
  within(generation, values, [after(generation, previous)]);

/** Tests for changes behind a cursor. The condition on the time alone lets the statement skip row groups. */
export const isAfter = (cursor: string): Fragment =>
  sql`"at" >= ${cursor.split("_")[0] ?? ""}::TIMESTAMPTZ AND ${CURSOR} > ${cursor}`;

/**
 * Returns the changes behind a position of an event stream; `seen` is the generation that published it, if it is
 * retained: a later snapshot may record an earlier crawl.
 */
export function changesBehind(
  generation: Generation,
  { cursor }: Position,
  seen: Generation | undefined,
  values: ChangeValues,
): ChangeRange {
  const isLater = (file: PublishedFile) => monthOf(file) >= cursor.slice(0, 7);
  const published = seen && after(generation, seen, isLater);
  return within(generation, values, [
    {
      condition: anyOf([isAfter(cursor), ...(published ? [published.condition] : [])]),
      holds: (file) => (isLater(file) ? undefined : published ? published.holds(file) : false),
    },
  ]);
}

/**
 * Selects the changes that `previous` lacks. Every row names the snapshot that published it, and a snapshot publishes
 * all of its rows at once: rows are new if their snapshot is not in the previous version of their file.
 * @param isRead selects further files that the condition is used on
 */
function after(
  generation: Generation,
  previous: Generation,
  isRead: (file: PublishedFile) => boolean = () => false,
): Limit {
  const previousPaths = new Set(previous.manifest.files.map(({ path }) => path));
  const isNew = ({ path }: PublishedFile) => !previousPaths.has(path);
  const read = changeFiles(generation).filter((file) => isNew(file) || isRead(file));
  const versions = changeFiles(previous).filter((file) => read.some((other) => samePart(file, other)));
  return {
    condition: sql`snapshot NOT IN (SELECT snapshot FROM ${rowsOf(previous, versions)})`,
    holds: (file) => (isNew(file) ? undefined : false),
  };
}

function within(generation: Generation, values: ChangeValues, limits: readonly Limit[]): ChangeRange {
  // Files are selected by term.
  const { year, quarter, ...others } = values;
  const filters = changeConditions(others);
  const byMonth = new Map<string, { files: ChangeFile[]; conditions: Set<Fragment> }>();
  const files = changeFiles(generation).filter(
    ({ partition }) =>
      (year ?? partition.year) === partition.year && (quarter ?? partition.quarter) === partition.quarter,
  );
  for (const file of files.sort((a, b) => (monthOf(a) < monthOf(b) ? -1 : Number(monthOf(a) > monthOf(b))))) {
    if (limits.some(({ holds }) => holds(file) === false)) continue;
    const month = byMonth.get(monthOf(file)) ?? { files: [], conditions: new Set(filters) };
    byMonth.set(monthOf(file), month);
    const tested = limits.filter(({ holds }) => holds(file) === undefined);
    const isWhole = filters.length + tested.length === 0;
    month.files.push({ ...placed(generation, file), rows: isWhole ? file.rows : undefined });
    for (const { condition } of tested) month.conditions.add(condition);
  }
  return {
    months: [...byMonth.values()].map(({ files, conditions }) => ({ files, conditions: [...conditions] })),
    conditions: [...changeConditions(values), ...limits.map(({ condition }) => condition)],
  };
}

const changeFiles = ({ manifest }: Generation): PublishedFile[] =>
  manifest.files.filter(({ table }) => table === "changes");

/** Returns the month of a file; every file of changes has one. */
const monthOf = ({ partition }: Pick<PublishedFile, "partition">): string => partition.month as string;

const rowsOf = ({ folder }: Generation, files: readonly PublishedFile[]): Fragment =>
  publishedRows(
    "changes",
    files.map(({ path }) => join(folder, path)),
  );
