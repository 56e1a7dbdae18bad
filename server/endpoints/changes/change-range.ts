/** Which changes lie between two moments: the files that may hold them, and the conditions on their rows. */
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

/** A file of changes, one month of a term. */
export interface ChangeFile extends Pick<PublishedFile, "sha256" | "rows"> {
  readonly path: string;
  readonly term: Required<TermPart>;
  readonly month: string;
  /** What its rows must meet to be in the range; none where all of them are. */
  readonly limits: readonly Fragment[];
}

export interface ChangeRange {
  /** By month, oldest first: no row of a month comes after one of the next. */
  readonly files: readonly ChangeFile[];
  /** Those of the filters. */
  readonly filters: readonly Fragment[];
  /** All conditions on the rows of the files: those of the filters, and where the range ends. */
  readonly conditions: readonly Fragment[];
}

type Bound = (file: PublishedFile) => boolean;
interface Limit {
  /** Whether a file may hold rows of the range. */
  readonly holds: Bound;
  /** Whether it may hold others too. */
  readonly cuts: Bound;
  readonly condition: Fragment;
}

export interface Parts {
  readonly pool: Pool;
  readonly history: History;
}

/** The changes of a generation that the values ask for. @throws Problem (404) for a snapshot that is not retained */
export async function rangeOf(generation: Generation, values: ChangeValues, parts: Parts): Promise<ChangeRange> {
  const { since, until } = values;
  const limits: Limit[] = [];
  if (since !== undefined) limits.push((await boundAt(since, generation, parts)).later);
  if (until !== undefined) limits.push((await boundAt(until, generation, parts)).earlier);
  return within(generation, values, limits);
}

/** What lies after a moment, and what up to it. */
async function boundAt(
  moment: string,
  generation: Generation,
  { pool, history }: Parts,
): Promise<Readonly<Record<"later" | "earlier", Limit>>> {
  if (!SNAPSHOT_ID.test(moment)) {
    // A day is over at its end, whatever the time is now.
    const at = new Date(momentOf(moment, 0) ?? 0).toISOString();
    const condition = sql`"at" > ${at}::TIMESTAMPTZ`;
    const cuts: Bound = (file) => monthOf(file) === at.slice(0, 7);
    const holds: Bound = (file) => monthOf(file) <= at;
    return {
      later: { holds: monthFrom(at), cuts, condition },
      earlier: { holds, cuts, condition: sql`NOT (${condition})` },
    };
  }
  // A snapshot has recorded everything but the changes that later ones published.
  const before = await history.readComplete(findRetained(moment, await history.retained(), new Date()));
  const isNew = after(generation, before);
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

/** The changes that a generation has and an earlier one has not. */
export const newChanges = (generation: Generation, before: Generation, values: ChangeValues = {}): ChangeRange =>
  within(generation, values, [after(generation, before)]);

/** The changes behind a position of an event stream; `seen` is the generation that published it, if it is retained. */
export function changesBehind(
  generation: Generation,
  { cursor }: Position,
  seen: Generation | undefined,
  values: ChangeValues,
): ChangeRange {
  const [at = ""] = cursor.split("_");
  const later: Limit = {
    holds: monthFrom(at),
    cuts: () => true,
    condition: sql`"at" >= ${at}::TIMESTAMPTZ AND ${CURSOR} > ${cursor}`,
  };
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
  // Files are of one term.
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

/** Every file of changes is of one. */
const monthOf = ({ partition }: Pick<PublishedFile, "partition">): string => partition.month as string;

const monthFrom =
  (at: string): Bound =>
  (file) =>
    monthOf(file) >= at.slice(0, 7);

const rowsOfFiles = ({ folder, manifest }: Generation, isRead: Bound): Fragment =>
  publishedRows(
    "changes",
    manifest.files.filter((file) => file.table === "changes" && isRead(file)).map(({ path }) => join(folder, path)),
  );

/**
 * What `before` has not. Every row names the snapshot that published it. A run publishes its rows at once, in the month in which it crawled or a neighbour:
 * no others are read. @param among files that the condition is asked of besides those that may hold such rows
 */
function after(generation: Generation, before: Generation, among: Bound = () => false): Limit {
  const known = new Set(before.manifest.files.map(({ path }) => path));
  const holds: Bound = ({ path }) => !known.has(path);
  const months = new Set(
    generation.manifest.files
      .filter((file) => file.table === "changes" && (holds(file) || among(file)))
      .flatMap((file) => [-1, 0, 1].map((away) => monthAway(monthOf(file), away))),
  );
  const beside: Bound = (file) => months.has(monthOf(file));
  return {
    holds,
    cuts: () => true,
    condition: sql`snapshot NOT IN (SELECT snapshot FROM ${rowsOfFiles(before, beside)})`,
  };
}

/** The month so many months after this one. */
function monthAway(month: string, away: number): string {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year as number, (number as number) - 1 + away)).toISOString().slice(0, 7);
}
