/**
 * DuckDB writes an answer's rows to a file of its own folder. Equal questions that arrive together share the file; it has no name any more once all of them
 * have opened it, so that nothing is left of it when the last one is done, hangs up or the process ends.
 */
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import pLimit from "p-limit";
import type { Pool } from "../../duckdb/pool.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Body } from "../endpoint.ts";
import { MAX_BUFFERED_BYTES } from "../body-stream.ts";
import { Problem } from "../problem.ts";

/** How each format is written. */
const OPTIONS = {
  csv: "FORMAT csv, HEADER, NEW_LINE '\\r\\n'",
  ndjson: "FORMAT json",
  parquet: "FORMAT parquet, COMPRESSION zstd",
} as const;
export type FileFormat = keyof typeof OPTIONS;

/** One file, and all that are written or read at a time. Who wants more takes the published files. */
const MOST_BYTES = 4 * 1024 ** 3;
const MOST_BYTES_IN_ALL = 2 * MOST_BYTES;
const LOOK_MS = 200;
/** So many are written at a time, and so many may wait. */
const AT_A_TIME = 2;
const MOST_WAITING = 32;
const PIECE = 256 * 1024;

interface Copy {
  readonly path: Promise<string>;
  readonly giveUp: AbortController;
  /** Those who have not opened it yet, and those who read it. */
  waiting: number;
  reading: number;
  bytes: number;
}

const copying = pLimit(AT_A_TIME);
const underWay = new Map<string, Copy>();
let held = 0;
let copies = 0;

const tooMuch = () =>
  new Problem(
    400,
    "This is too much for one file. Ask for less, or take the published files: /v1/data/manifest.json lists them.",
  );
const tooMany = () =>
  new Problem(503, "Too many files are being made. Please try again in a few seconds.", { "Retry-After": "5" });

/**
 * The rows as a file's bytes. `key` is the same for questions that may share the file; without one nobody shares it.
 * @throws Problem when it is too large; the signal's reason when the client hung up
 */
export async function copyRows(
  pool: Pool,
  rows: Fragment,
  format: FileFormat,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Body> {
  const name = `${pool.tempDir} ${key ?? `unshared ${copies}`}`;
  const copy = underWay.get(name) ?? begin(pool, rows, format, name);
  copy.waiting++;
  try {
    const path = await orAborted(copy.path, signal);
    return await read(await open(path), copy);
  } finally {
    copy.waiting--;
    if (copy.waiting === 0) {
      forget(name, copy);
      copy.giveUp.abort();
      await copy.path.then((path) => rm(path, { force: true })).catch(() => undefined);
    }
  }
}

function begin(pool: Pool, rows: Fragment, format: FileFormat, name: string): Copy {
  if (copying.pendingCount >= MOST_WAITING || held >= MOST_BYTES_IN_ALL) throw tooMany();
  const giveUp = new AbortController();
  const path = join(pool.tempDir, `${++copies}.${format}`);
  const copy: Copy = {
    path: copying(() => write(pool, rows, format, path, giveUp)).then(async () => {
      // Later questions find a file of their own: this one is about to lose its name.
      forget(name, copy);
      copy.bytes = (await stat(path)).size;
      return path;
    }),
    giveUp,
    waiting: 0,
    reading: 0,
    bytes: 0,
  };
  // Nobody may be waiting for it any more when it fails.
  copy.path.catch(() => forget(name, copy));
  underWay.set(name, copy);
  return copy;
}

function forget(name: string, copy: Copy): void {
  if (underWay.get(name) === copy) underWay.delete(name);
}

async function write(pool: Pool, rows: Fragment, format: FileFormat, path: string, giveUp: AbortController) {
  const watch = setInterval(() => {
    void stat(path).then(
      ({ size }) => size > MOST_BYTES && giveUp.abort(tooMuch()),
      () => undefined,
    );
  }, LOOK_MS);
  try {
    const to = constant(`'${path.replaceAll("'", "''")}' (${OPTIONS[format]})`);
    await pool.columns(sql`COPY ${rows} TO ${to}`, { heavy: true, uncached: true, signal: giveUp.signal });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** A small file is read at once, to be remembered. */
async function read(file: FileHandle, copy: Copy): Promise<Body> {
  if (copy.bytes <= MAX_BUFFERED_BYTES) {
    try {
      return [await file.readFile()];
    } finally {
      await file.close();
    }
  }
  if (copy.reading++ === 0) held += copy.bytes;
  const stream: Readable = file.createReadStream({ highWaterMark: PIECE });
  stream.once("close", () => {
    if (--copy.reading === 0) held -= copy.bytes;
  });
  return stream;
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
