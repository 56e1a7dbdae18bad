/** Counts the changes of a range by month: whole files by the manifest, others once by a statement. */
import { LRUCache } from "lru-cache";
import { OVER_FILES } from "../../duckdb/query.ts";
import { sql, statementText, where } from "../../duckdb/sql.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import type { ChangeValues } from "./change-filters.ts";
import { type ChangeFile, type ChangeRange, type CountedMonth, monthsOf } from "./change-range.ts";
import { readFiles } from "./change-rows.ts";
import { onlyTaught } from "./taught-changes.ts";

const MAX_BYTES = 16e6;
const BYTES_PER_FILE = 100;

/** The counts by condition, then by the hash of the file, whose content never changes. */
const countsByCondition = new LRUCache<string, Map<string, number>>({
  maxSize: MAX_BYTES,
  maxEntrySize: MAX_BYTES / 4,
});

/** Returns the months of the range with their numbers of matching rows, without empty ones. */
export async function countMonths(
  { pool, snapshot: { parts } }: Pick<EndpointContext, "pool" | "snapshot">,
  range: ChangeRange,
  { instructorName, year: _year, quarter: _quarter, since: _since, until: _until, ...others }: ChangeValues,
): Promise<CountedMonth[]> {
  const taught =
    instructorName === undefined ? undefined : await onlyTaught(pool, parts, range, instructorName, others);
  const { filters } = taught?.range ?? range;
  const isOnlyFilter = Object.keys(others).length === 0;
  const wholeCount = (file: ChangeFile): number | undefined =>
    filters.length === 0 ? file.rows : isOnlyFilter ? taught?.changesOf.get(file) : undefined;
  const months: CountedMonth[] = [];
  for (const month of monthsOf(taught?.range ?? range)) {
    const condition = statementText(where(month.conditions));
    const counts = countsByCondition.get(condition) ?? new Map<string, number>();
    const isWhole = month.files.every(({ limits }) => limits.length === 0);
    const known = (file: ChangeFile) => (isWhole ? wholeCount(file) : undefined) ?? counts.get(file.sha256);
    const uncounted = month.files.filter((file) => known(file) === undefined);
    if (uncounted.length > 0) {
      const [file = [], rows = []] = await pool.integers(
        sql`SELECT file_index::INTEGER, count(*)::INTEGER FROM ${readFiles(uncounted)} ${where(month.conditions)} GROUP BY ALL`,
        OVER_FILES,
      );
      for (const { sha256 } of uncounted) counts.set(sha256, 0);
      for (const [i, index] of file.entries()) counts.set(uncounted[index]?.sha256 ?? "", rows[i] as number);
      countsByCondition.set(condition, counts, { size: 2 * condition.length + BYTES_PER_FILE * counts.size });
    }
    const rows = month.files.reduce((sum, file) => sum + (known(file) ?? 0), 0);
    if (rows > 0) months.push({ ...month, rows });
  }
  return months;
}
