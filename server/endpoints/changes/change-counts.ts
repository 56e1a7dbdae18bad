/** Counts the changes of a range per file: whole files by the manifest, others once by a statement. */
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { type Fragment, sql, statementText, where } from "../../duckdb/sql.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import type { ChangeValues } from "./change-filters.ts";
import { type Piece, piecesOf } from "./change-pieces.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";
import { numbered } from "./change-rows.ts";
import { onlyTaught } from "./taught-changes.ts";

/** The rows that a single statement reads, in a fraction of a second, so that other statements get their turn. */
const ROWS_PER_STATEMENT = 500_000;
/** How many statements of the same condition run at once. */
const MAX_RUNNING = 2;
const MAX_BYTES = 16e6;
const BYTES_PER_FILE = 100;

/** The counts by condition, then by the hash of the file, whose content never changes. */
const countsByCondition = new LRUCache<string, Map<string, number>>({
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_BYTES / 4,
});

/** Returns the pieces of the range that match the values, with exact numbers of rows. */
export async function countPieces(
  { pool, snapshot: { parts } }: Pick<EndpointContext, "pool" | "snapshot">,
  range: ChangeRange,
  { instructorName, year: _year, quarter: _quarter, since: _since, until: _until, ...others }: ChangeValues,
): Promise<Piece[]> {
  if (instructorName === undefined) return countRange(pool, range);
  const taught = await onlyTaught(pool, parts, range, instructorName, others);
  const isOnlyFilter = Object.keys(others).length === 0;
  return countRange(pool, taught.range, isOnlyFilter ? taught.changesOf : undefined);
}

/** Counts the rows of a range. @param counted the number of matching rows per file, where it is known */
async function countRange(
  pool: Pool,
  range: ChangeRange,
  counted: ReadonlyMap<ChangeFile, number> = new Map(),
): Promise<Piece[]> {
  const counts = new Map<ChangeFile, number>();
  const uncounted = new Map<string, { conditions: readonly Fragment[]; files: readonly ChangeFile[] }>();
  for (const file of range.files) {
    const conditions = [...range.filters, ...file.limits];
    const all = range.filters.length === 0 ? file.rows : counted.get(file);
    if (file.limits.length === 0 && all !== undefined) counts.set(file, all);
    else {
      const condition = statementText(where(conditions));
      const { files } = uncounted.get(condition) ?? { files: [] };
      uncounted.set(condition, { conditions, files: [...files, file] });
    }
  }
  for (const [condition, { conditions, files }] of uncounted) {
    const counted = countsByCondition.get(condition) ?? new Map<string, number>();
    countsByCondition.set(condition, counted, { size: 2 * condition.length + BYTES_PER_FILE * files.length });
    const portion = pLimit(MAX_RUNNING);
    await portion.map(portions(files.filter(({ sha256 }) => !counted.has(sha256))), async (batch) => {
      const rows = await countRows(pool, batch, conditions);
      for (const [i, { sha256 }] of batch.entries()) counted.set(sha256, rows.get(i) ?? 0);
    });
    for (const file of files) counts.set(file, counted.get(file.sha256) as number);
  }
  return piecesOf(range, (file) => counts.get(file) as number);
}

/** Counts rows by the file's position. */
async function countRows(
  pool: Pool,
  files: readonly ChangeFile[],
  conditions: readonly Fragment[],
): Promise<ReadonlyMap<number, number>> {
  const [file = [], rows = []] = await pool.integers(
    sql`SELECT file_index::INTEGER, count(*)::INTEGER FROM ${numbered(files)} ${where(conditions)} GROUP BY ALL`,
    OVER_FILES,
  );
  return new Map(Array.from(file, (index, i) => [index, rows[i] as number]));
}

function portions(files: readonly ChangeFile[]): ChangeFile[][] {
  const all: ChangeFile[][] = [];
  let rows = Infinity;
  for (const file of files) {
    if (rows + file.rows > ROWS_PER_STATEMENT) {
      all.push([]);
      rows = 0;
    }
    all.at(-1)?.push(file);
    rows += file.rows;
  }
  return all;
}
