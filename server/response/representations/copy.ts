/**
 * Exports rows to a temporary file by COPY. Concurrent requests with equal keys share the file, which is unlinked once
 * all of them have opened it: it disappears when the last reader finishes or disconnects, or when the process ends.
 */
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { quoteLiteral, readParquet } from "../../../pipeline/contract/sql-text.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES, TooManyStatements } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { orAborted } from "../../snapshot/shared-work.ts";
import type { Body } from "../endpoint.ts";
import { MAX_BUFFERED_BYTES } from "../encoding.ts";
import { Problem, unavailable } from "../problem.ts";

const OPTIONS = {
  csv: "FORMAT csv, HEADER, NEW_LINE '\\r\\n'",
  ndjson: "FORMAT json",
  parquet: "FORMAT parquet, COMPRESSION zstd",
} as const;
export type FileFormat = keyof typeof OPTIONS;

/** The rows per group of a Parquet file that is joined from parts; a group stays in memory until it is written. */
const ROWS_PER_GROUP = 20_480;
const MAX_FILE_BYTES = 4 * 1024 ** 3;
/** The limit for all files that are being read. */
const MAX_TOTAL_BYTES = 2 * MAX_FILE_BYTES;
const SIZE_CHECK_MS = 200;
const READ_CHUNK = 256 * 1024;

interface Copy {
  readonly written: Promise<{ readonly path: string; readonly rows: number }>;
  readonly abort: AbortController;
  /** Requests that have not opened the file yet. */
  waiting: number;
  readers: number;
  bytes: number;
}

const inFlight = new Map<string, Copy>();
let readBytes = 0;
let copyCount = 0;

const tooLarge = () =>
  new Problem(
    400,
    "The result is too large for one file. Narrow the query, or use the published files listed in /v1/data/manifest.json.",
  );
const tooMany = () => unavailable(5, "Too many files are being made. Please try again in a few seconds.");

/**
 * Exports the rows of the statements, in sequence, to a file; returns its bytes and their number of rows. `key`
 * identifies the rows for concurrent requests; undefined = not shared.
 * @throws Problem when too large or too many are being read; TooManyStatements; the signal's reason when the client
 * disconnects
 */
export async function copyRows(
  pool: Pool,
  statements: readonly Fragment[],
  format: FileFormat,
  key: string | undefined,
  signal: AbortSignal,
): Promise<{ body: Body; rows: number; length: number }> {
  const name = `${pool.tempDir} ${key ?? `unshared ${copyCount}`}`;
  const copy = inFlight.get(name) ?? begin(pool, statements, format, name);
  copy.waiting++;
  try {
    const { path, rows } = await orAborted(copy.written, signal);
    return { body: await read(await open(path), copy), rows, length: copy.bytes };
  } finally {
    copy.waiting--;
    if (copy.waiting === 0) {
      forget(name, copy);
      copy.abort.abort();
      await copy.written.then(({ path }) => rm(path, { force: true })).catch(() => undefined);
    }
  }
}

function begin(pool: Pool, statements: readonly Fragment[], format: FileFormat, name: string): Copy {
  if (readBytes >= MAX_TOTAL_BYTES) throw tooMany();
  const abort = new AbortController();
  const path = join(pool.tempDir, `${++copyCount}.${format}`);
  const copy: Copy = {
    written: writeAll(pool, statements, format, path, abort).then(async (rows) => {
      // The file is about to be unlinked, so later requests start a new copy.
      forget(name, copy);
      copy.bytes = (await stat(path)).size;
      return { path, rows };
    }),
    abort,
    waiting: 0,
    readers: 0,
    bytes: 0,
  };
  // All waiting requests may have disconnected before it fails.
  copy.written.catch(() => forget(name, copy));
  inFlight.set(name, copy);
  return copy;
}

function forget(name: string, copy: Copy): void {
  if (inFlight.get(name) === copy) inFlight.delete(name);
}

/**
 * Exports each statement to its own file and then joins them: sorting per statement takes less memory than sorting all
 * rows.
 */
async function writeAll(
  pool: Pool,
  statements: readonly Fragment[],
  format: FileFormat,
  path: string,
  abort: AbortController,
): Promise<number> {
  const [only, ...more] = statements;
  if (only && more.length === 0) return write(pool, only, format, path, abort);
  const parts = statements.map((_, i) => `${path}.${i}`);
  try {
    for (const [i, statement] of statements.entries())
      await write(pool, statement, "parquet", parts[i] as string, abort);
    const settings = format === "parquet" ? `${OPTIONS.parquet}, ROW_GROUP_SIZE ${ROWS_PER_GROUP}` : OPTIONS[format];
    return await write(pool, sql`FROM ${constant(readParquet(parts))}`, format, path, abort, settings);
  } finally {
    await Promise.all(parts.map((part) => rm(part, { force: true })));
  }
}

/**
 * Streams the rows of the statements in sequence: each runs when all rows before it were sent.
 * @throws TooManyStatements before the first one; the signal's reason when the client disconnects
 */
export async function* streamRows(
  pool: Pool,
  statements: readonly Fragment[],
  format: "csv" | "ndjson",
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const abort = new AbortController();
  const stop = () => abort.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (const [i, statement] of statements.entries()) {
      signal.throwIfAborted();
      const path = join(pool.tempDir, `${++copyCount}.${format}`);
      try {
        const settings = i > 0 && format === "csv" ? OPTIONS.csv.replace("HEADER", "HEADER false") : OPTIONS[format];
        const run = () => write(pool, statement, format, path, abort, settings);
        await (i === 0 ? run() : retryWhileBusy(run));
        yield* createReadStream(path, { highWaterMark: READ_CHUNK }) as AsyncIterable<Buffer>;
      } finally {
        await rm(path, { force: true });
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Retries while too many statements run: a response that is being sent can no longer be rejected. */
async function retryWhileBusy<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TooManyStatements)) throw error;
    }
  }
}

/** Writes a file by COPY; returns the number of rows. */
async function write(
  pool: Pool,
  statement: Fragment,
  format: FileFormat,
  path: string,
  abort: AbortController,
  settings: string = OPTIONS[format],
): Promise<number> {
  const watch = setInterval(() => {
    void stat(path).then(
      ({ size }) => size > MAX_FILE_BYTES && abort.abort(tooLarge()),
      () => undefined,
    );
  }, SIZE_CHECK_MS);
  try {
    const to = constant(`${quoteLiteral(path)} (${settings})`);
    const options = { ...OVER_FILES, signal: abort.signal };
    const [[rows] = []] = await pool.files.columns(sql`COPY (${statement}) TO ${to}`, options);
    return Number(rows);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** Reads the file; buffers a small one, so that the response can be cached. */
async function read(file: FileHandle, copy: Copy): Promise<Body> {
  if (copy.bytes <= MAX_BUFFERED_BYTES) {
    try {
      return [await file.readFile()];
    } finally {
      await file.close();
    }
  }
  if (copy.readers++ === 0) readBytes += copy.bytes;
  const stream: Readable = file.createReadStream({ highWaterMark: READ_CHUNK });
  stream.once("close", () => {
    if (--copy.readers === 0) readBytes -= copy.bytes;
  });
  return stream;
}
