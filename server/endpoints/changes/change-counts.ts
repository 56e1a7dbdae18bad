/** How many changes of each file a range has: of whole files the manifest says it, others are counted once. */
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

/** Rows that one statement looks through, which takes a fraction of a second: others get their turn between two. */
const COUNTED_AT_ONCE = 500_000;
/** Statements of one question that run at once. */
const MOST_AT_ONCE = 2;
const MAX_BYTES = 16e6;
const BYTES_PER_FILE = 100;

/** By conditions, then by the file's content, which never changes. */
const known = new LRUCache<string, Map<string, number>>({ maxSize: MAX_BYTES, maxEntrySize: MAX_BYTES / 4 });

/** The pieces of the range that the values ask for, with the number of their rows. */
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

/** @param counted how many rows of a file meet the filters, where that is known */
async function countRange(
  pool: Pool,
  range: ChangeRange,
  counted: ReadonlyMap<ChangeFile, number> = new Map(),
): Promise<Piece[]> {
  const counts = new Map<ChangeFile, number>();
  const questions = new Map<string, { conditions: readonly Fragment[]; files: readonly ChangeFile[] }>();
  for (const file of range.files) {
    const conditions = [...range.filters, ...file.limits];
    const all = range.filters.length === 0 ? file.rows : counted.get(file);
    if (file.limits.length === 0 && all !== undefined) counts.set(file, all);
    else {
      const question = statementText(where(conditions));
      const { files } = questions.get(question) ?? { files: [] };
      questions.set(question, { conditions, files: [...files, file] });
    }
  }
  for (const [question, { conditions, files }] of questions) {
    const found = known.get(question) ?? new Map<string, number>();
    known.set(question, found, { size: 2 * question.length + BYTES_PER_FILE * files.length });
    const portion = pLimit(MOST_AT_ONCE);
    await portion.map(portions(files.filter(({ sha256 }) => !found.has(sha256))), async (some) => {
      const rows = await countRows(pool, some, conditions);
      for (const [i, { sha256 }] of some.entries()) found.set(sha256, rows.get(i) ?? 0);
    });
    for (const file of files) counts.set(file, found.get(file.sha256) as number);
  }
  return piecesOf(range, (file) => counts.get(file) as number);
}

/** By the file's position. */
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
    if (rows + file.rows > COUNTED_AT_ONCE) {
      all.push([]);
      rows = 0;
    }
    all.at(-1)?.push(file);
    rows += file.rows;
  }
  return all;
}
