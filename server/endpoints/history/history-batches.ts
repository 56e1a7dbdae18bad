/** Splits matching rows of enrollment files into batches, so that only one of them is in memory. */

/** Fewest sections of a batch: about 3 MB of JSON for 200 days. */
const ROWS_PER_BATCH = 256;
/** Terms with few months allow larger batches, up to this many snapshots. */
const SNAPSHOTS_PER_BATCH = 50_000;
const DAYS_PER_MONTH = 31;

/** The matching rows of a file: row numbers, ascending, or the count when all rows match. */
export interface Found {
  readonly path: string;
  readonly periods: readonly string[];
  readonly rows: number | readonly number[];
  /** Further matching rows of the file are not in `rows`. */
  readonly isPart?: true;
}

export const countOf = (rows: Found["rows"]): number => (typeof rows === "number" ? rows : rows.length);

/** The matching rows [from, to) of all files. */
export function sliceFound(found: readonly Found[], from: number, to: number): Found[] {
  let before = 0;
  return found.flatMap((file): Found[] => {
    const { rows } = file;
    const [first, last] = [Math.max(0, from - before), Math.min(countOf(rows), to - before)];
    before += countOf(rows);
    if (first >= last) return [];
    if (last - first === countOf(rows)) return [file];
    const part =
      typeof rows === "number" ? Array.from({ length: last - first }, (_, i) => first + i) : rows.slice(first, last);
    return [{ ...file, rows: part, isPart: true }];
  });
}

/** Several complete files, or a row range of one file, both ends included. */
export interface Batch {
  readonly paths: string[];
  readonly periods: string[];
  readonly rows?: readonly [first: number, last: number];
}

export function toBatches(found: readonly Found[]): Batch[] {
  const batches: Batch[] = [];
  let shared: { paths: string[]; periods: string[]; count: number } | undefined;
  for (const { path, periods, rows, isPart } of found) {
    const count = countOf(rows);
    const rowAt = (i: number) => (typeof rows === "number" ? i : (rows[i] as number));
    const most = Math.max(ROWS_PER_BATCH, Math.floor(SNAPSHOTS_PER_BATCH / (DAYS_PER_MONTH * periods.length)));
    if (isPart || count > ROWS_PER_BATCH) {
      for (let from = 0; from < count; from += most)
        batches.push({
          paths: [path],
          periods: [...periods],
          rows: [rowAt(from), rowAt(Math.min(from + most, count) - 1)],
        });
      shared = undefined;
    } else if (shared && shared.count + count <= ROWS_PER_BATCH) {
      shared.paths.push(path);
      shared.periods.push(...periods);
      shared.count += count;
    } else {
      shared = { paths: [path], periods: [...periods], count };
      batches.push(shared);
    }
  }
  return batches;
}
