/** Which changes lie between two moments: the files that may hold them, and the conditions on their rows. */
import { join } from "node:path";
import { momentOf, SNAPSHOT_ID } from "../../../pipeline/contract/as-of.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { anyOf, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { findRetained } from "../../response/as-of.ts";
import type { Generation } from "../../snapshot/generation.ts";
import type { History } from "../../snapshot/history.ts";
import { rowsOf } from "../../snapshot/loading/loading.ts";
import { CURSOR, type Position } from "./cursor.ts";
import { changeConditions, type ChangeValues } from "./change-filters.ts";

export interface ChangeRange {
  readonly files: readonly string[];
  readonly conditions: readonly Fragment[];
}

type Bound = (file: PublishedFile) => boolean;
interface Limit {
  /** Whether a file may hold rows of the range. */
  readonly holds: Bound;
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
    const holds: Bound = ({ partition }) => (partition.month ?? at) <= at;
    return { later: { holds: monthFrom(at), condition }, earlier: { holds, condition: sql`NOT (${condition})` } };
  }
  // A snapshot has recorded everything but the changes that later ones published.
  const before = await history.readGeneration(findRetained(moment, await history.retained(), new Date()));
  const [later = []] = await pool.columns(
    sql`FROM ${snapshotsIn(generation)} EXCEPT FROM ${snapshotsIn(before)} ORDER BY 1`,
    { uncached: true },
  );
  const condition = sql`list_contains(${later as string[]}, snapshot)`;
  return {
    later: { holds: after(before).holds, condition },
    earlier: { holds: () => true, condition: sql`NOT (${condition})` },
  };
}

/** The changes that a generation has and an earlier one has not. */
export const newChanges = (generation: Generation, before: Generation, values: ChangeValues = {}): ChangeRange =>
  within(generation, values, [after(before)]);

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
    condition: sql`"at" >= ${at}::TIMESTAMPTZ AND ${CURSOR} > ${cursor}`,
  };
  if (!seen) return within(generation, values, [later]);
  const published = after(seen);
  // A later snapshot may record an earlier crawl.
  return within(generation, values, [
    {
      holds: (file) => later.holds(file) || published.holds(file),
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
  return {
    files: files.map(({ path }) => join(folder, path)),
    conditions: [...changeConditions(values), ...limits.map(({ condition }) => condition)],
  };
}

const monthFrom =
  (at: string): Bound =>
  ({ partition }) =>
    (partition.month ?? at) >= at.slice(0, 7);

/** Every row names the snapshot that published it. */
const snapshotsIn = (generation: Generation): Fragment =>
  sql`(SELECT DISTINCT snapshot FROM ${rowsOf(generation, "changes")})`;

function after(before: Generation): Limit {
  const known = new Set(before.manifest.files.map(({ path }) => path));
  return { holds: ({ path }) => !known.has(path), condition: sql`snapshot NOT IN ${snapshotsIn(before)}` };
}
