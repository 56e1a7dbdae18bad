/**
 * Finds the changes between two times, by month: the files that may contain them, and the conditions on their rows.
 * Cursors are texts that sort like the list of changes and are equal on every server with the same data.
 */
import { join } from "node:path";
import { momentOf, SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import { samePart, type PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import pLimit from "p-limit";
import { z } from "zod";
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { anyOf, constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { quarterRank } from "../../snapshot/tables/expressions.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import { findRetained } from "../../response/as-of.ts";
import type { PublishedSnapshot } from "../../snapshot/generation.ts";
import { publishedRows } from "../../snapshot/loading/loading.ts";
import { type PartKind, placed, type PlacedFile } from "../../snapshot/loading/parts.ts";
import { changeConditions, type ChangeValues, matchesInstructor } from "./change-filters.ts";

/** Sorts rows of `changes` by crawl time, term, section and field. */
export const CHANGE_ORDER = `"at", year, ${quarterRank}, sectionCode, field`;

/** Formats a column of times: `2026-11-22T10:00:00.000Z`. */
export const isoTime = (column: string): string =>
  `strftime(make_timestamp(epoch_us("${column}")), '%Y-%m-%dT%H:%M:%S.%gZ')`;

/**
 * Builds the cursor: `2026-11-22T10:00:00.000Z_2026-6_34250_status`. All components but the last have a fixed width.
 */
export const CURSOR = constant(
  `(${isoTime("at")} || '_' || year || '-' || ${quarterRank} || '_' || sectionCode || '_' || field)`,
);

export interface Position {
  readonly cursor: string;
  /** The snapshot that published the change, or the current snapshot. */
  readonly snapshot: string;
}

const EVENT_ID = /^((.{24})(?:_[\w.-]+)?)@([0-9a-f]{16})$/;
const TIME = z.iso.datetime({ precision: 3 });

/** Parses an event id; undefined if it is invalid. */
export function readEventId(text: string): Position | undefined {
  const [, cursor, time, snapshot] = EVENT_ID.exec(text) ?? [];
  return cursor !== undefined && snapshot !== undefined && TIME.safeParse(time).success
    ? { cursor, snapshot }
    : undefined;
}

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
  published: PublishedSnapshot,
  values: ChangeValues,
  context: Pick<EndpointContext, "pool" | "history">,
): Promise<ChangeRange> {
  const { since, until } = values;
  const limits = [
    ...(since === undefined ? [] : [await limitAfter(since, published, context)]),
    ...(until === undefined ? [] : [not(await limitAfter(until, published, context))]),
  ];
  return within(published, values, limits);
}

async function limitAfter(
  moment: string,
  published: PublishedSnapshot,
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
  const { condition, holds } = after(published, snapshotThen);
  // The ids make the condition independent of the files of the earlier snapshot.
  const newFiles = changeFiles(published).filter((file) => holds(file) !== false);
  const [later = []] = await pool.columns(
    sql`SELECT DISTINCT snapshot FROM ${rowsOf(published, newFiles)} WHERE ${condition} ORDER BY 1`,
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

/** Returns the changes that a snapshot has and an earlier one lacks. */
export const newChanges = (
  published: PublishedSnapshot,
  previous: PublishedSnapshot,
  values: ChangeValues = {},
): ChangeRange => within(published, values, [after(published, previous)]);

/** Tests for changes behind a cursor. The condition on the time alone lets the statement skip row groups. */
export const isAfter = (cursor: string): Fragment =>
  sql`"at" >= ${cursor.split("_")[0] ?? ""}::TIMESTAMPTZ AND ${CURSOR} > ${cursor}`;

/**
 * Returns the changes behind a position of an event stream; `seen` is the snapshot that published it, if it is
 * retained: a later snapshot may record an earlier crawl.
 */
export function changesBehind(
  published: PublishedSnapshot,
  { cursor }: Position,
  seen: PublishedSnapshot | undefined,
  values: ChangeValues,
): ChangeRange {
  const isLater = (file: PublishedFile) => monthOf(file) >= cursor.slice(0, 7);
  const later = seen && after(published, seen, isLater);
  return within(published, values, [
    {
      condition: anyOf([isAfter(cursor), ...(later ? [later.condition] : [])]),
      holds: (file) => (isLater(file) ? undefined : later ? later.holds(file) : false),
    },
  ]);
}

/**
 * Selects the changes that `previous` lacks. Every row names the snapshot that published it, and a snapshot publishes
 * all of its rows at once: rows are new if their snapshot is not in the previous version of their file.
 * @param isRead selects further files that the condition is used on
 */
function after(
  published: PublishedSnapshot,
  previous: PublishedSnapshot,
  isRead: (file: PublishedFile) => boolean = () => false,
): Limit {
  const previousPaths = new Set(previous.manifest.files.map(({ path }) => path));
  const isNew = ({ path }: PublishedFile) => !previousPaths.has(path);
  const read = changeFiles(published).filter((file) => isNew(file) || isRead(file));
  const versions = changeFiles(previous).filter((file) => read.some((other) => samePart(file, other)));
  return {
    condition: sql`snapshot NOT IN (SELECT snapshot FROM ${rowsOf(previous, versions)})`,
    holds: (file) => (isNew(file) ? undefined : false),
  };
}

function within(published: PublishedSnapshot, values: ChangeValues, limits: readonly Limit[]): ChangeRange {
  // Files are selected by term.
  const { year, quarter, ...others } = values;
  const filters = changeConditions(others);
  const byMonth = new Map<string, { files: ChangeFile[]; conditions: Set<Fragment> }>();
  const files = changeFiles(published).filter(
    ({ partition }) =>
      (year ?? partition.year) === partition.year && (quarter ?? partition.quarter) === partition.quarter,
  );
  for (const file of files.sort((a, b) => (monthOf(a) < monthOf(b) ? -1 : Number(monthOf(a) > monthOf(b))))) {
    if (limits.some(({ holds }) => holds(file) === false)) continue;
    const month = byMonth.get(monthOf(file)) ?? { files: [], conditions: new Set(filters) };
    byMonth.set(monthOf(file), month);
    const tested = limits.filter(({ holds }) => holds(file) === undefined);
    const isWhole = filters.length + tested.length === 0;
    month.files.push({ ...placed(published, file), rows: isWhole ? file.rows : undefined });
    for (const { condition } of tested) month.conditions.add(condition);
  }
  return {
    months: [...byMonth.values()].map(({ files, conditions }) => ({ files, conditions: [...conditions] })),
    conditions: [...changeConditions(values), ...limits.map(({ condition }) => condition)],
  };
}

const changeFiles = ({ manifest }: PublishedSnapshot): PublishedFile[] =>
  manifest.files.filter(({ table }) => table === "changes");

/** Returns the month of a file; every file of changes has one. */
const monthOf = ({ partition }: Pick<PublishedFile, "partition">): string => partition.month as string;

const rowsOf = ({ folder }: PublishedSnapshot, files: readonly PublishedFile[]): Fragment =>
  publishedRows(
    "changes",
    files.map(({ path }) => join(folder, path)),
  );

/** The distinct lists of instructors in a file, and the number of changes of each. */
interface InstructorLists {
  /** The lists as JSON, one per line. */
  readonly lists: string;
  readonly changes: Int32Array;
}

const MAX_LOADING = 2;

const instructorLists: PartKind<InstructorLists> = {
  name: "instructors of changes",
  async make(pool, rows) {
    const [lists = [], changes = []] = await pool.columns(
      sql`SELECT to_json(instructors)::VARCHAR, changes
        FROM (SELECT instructors, count(*)::INTEGER AS changes FROM ${rows} GROUP BY ALL)`,
      OVER_FILES,
    );
    return { lists: lists.join("\n"), changes: Int32Array.from(changes as number[]) };
  },
  bytesOf: ({ lists, changes }) => 2 * lists.length + changes.byteLength,
};

/**
 * Restricts months to a person's sections; files without any are dropped. Names are compared once per distinct list of
 * instructors in a file: comparing them row by row takes many times as long.
 */
export async function onlyTaught(
  { pool, snapshot: { parts } }: Pick<EndpointContext, "pool" | "snapshot">,
  months: readonly Month[],
  instructorName: string,
): Promise<Month[]> {
  const matches = matchesInstructor(instructorName);
  /** The results by list; the same list is in many files. */
  const matchByList = new Map<string, boolean>();
  const isTaught = (list: string): boolean => {
    let isMatch = matchByList.get(list);
    if (isMatch === undefined) {
      const instructorKeys = (JSON.parse(list) as string[]).map(nameKey);
      matchByList.set(list, (isMatch = matches({ instructorKeys })));
    }
    return isMatch;
  };
  const limit = pLimit(MAX_LOADING);
  /** Returns the file with the number of the person's changes; undefined if it has none. */
  async function restrict(file: ChangeFile): Promise<ChangeFile | undefined> {
    const { lists, changes } = await limit(() => parts.load(instructorLists, file, pool));
    const fileLists = changes.length === 0 ? [] : lists.split("\n");
    const rows = fileLists.reduce((sum, list, i) => sum + (isTaught(list) ? (changes[i] as number) : 0), 0);
    return rows === 0 ? undefined : { ...file, rows: file.rows === undefined ? undefined : rows };
  }
  const files = await Promise.all(months.map((month) => Promise.all(month.files.map(restrict))));
  // Sort the lists, so that equal conditions have equal texts, whatever the order of files.
  const taught = [...matchByList.keys()].filter(isTaught).sort();
  const condition = sql`instructors IN (SELECT unnest(${`[${taught.join(",")}]`}::JSON::VARCHAR[][]))`;
  return months.map(({ conditions }, i) => ({
    files: (files[i] ?? []).filter((file) => file !== undefined),
    conditions: [condition, ...conditions],
  }));
}
