/**
 * Enrollment histories out of the published files, piece by piece: a first statement finds where the matching rows are, then each piece is one statement.
 * No connection is held while a slow client reads, and however much is asked for, one piece is in memory.
 */
import { join } from "node:path";
import { type SnapshotValue, SNAPSHOT_VALUES } from "../pipeline/contract/enrollment-history.ts";
import { compareTerms, type Term } from "../pipeline/contract/vocabulary.ts";
import { allOf, constant, type Fragment, sql } from "./bind.ts";
import type { Body } from "./endpoint.ts";
import type { Generation } from "./generation.ts";
import { jsonObject } from "./loading.ts";
import type { Pool } from "./pool.ts";

/** Rows of one piece: with a snapshot for each of 200 days, about 3 MB of text. */
const ROWS_PER_PIECE = 256;

/** Names under which a period's values are served. */
const SERVED_AS: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "maxCapacityHistory",
  totalEnrolled: "totalEnrolledHistory",
  waitlist: "waitlistHistory",
  waitlistCap: "waitlistCapHistory",
  requested: "requestedHistory",
  newOnlyReserved: "newOnlyReservedHistory",
  status: "statusHistory",
};

const described = jsonObject([
  "year",
  "quarter",
  ["sectionCode", "sectionCode::INTEGER"],
  "department",
  "courseNumber",
  "sectionType",
  "sectionNum",
  "units",
  "instructors",
  "meetings",
  "finalExam",
]);

/** One text for each period, joined: quicker than lists of days that are then made JSON. */
const joined = (perPeriod: string) => `array_to_string(list_transform(periods, lambda p: ${perPeriod}), ',')`;
const repeated = (value: string) => joined(`${value} || repeat(',' || ${value}, (p.last - p.first)::INTEGER)`);
const dates = joined(
  `array_to_string(list_transform(range(p.last - p.first + 1), lambda i: '"' || (p.first + i::INTEGER)::VARCHAR || '"'), ',')`,
);

const record = constant(
  `left(${described}::VARCHAR, -1) || ',"dates":[' || ${dates} || ']' || ${SNAPSHOT_VALUES.map(
    (name) => `',"${SERVED_AS[name]}":[' || ${repeated(`to_json(p.${name})::VARCHAR`)} || ']'`,
  ).join(" || ")} || '}'`,
);

/** Files of one or several terms whole, or some rows of one file, both ends included. */
interface Piece {
  readonly paths: string[];
  readonly rows?: readonly [first: number, last: number];
}

/** A JSON array of the records that match, in the order of terms and then of their files; whole when it is one piece. */
export async function readHistory(
  pool: Pool,
  generation: Generation,
  term: Partial<Term>,
  conditions: readonly Fragment[],
): Promise<Body> {
  const files = findFiles(generation, term);
  const pieces = toPieces(conditions.length === 0 ? files : await findRows(pool, files, conditions));
  const read = async ({ paths, rows }: Piece): Promise<Buffer[]> => {
    const within = rows ? [sql`file_row_number BETWEEN ${rows[0]} AND ${rows[1]}`] : [];
    const [records = []] = await pool.columns(
      sql`SELECT ${record} FROM ${rowsOf(paths)} WHERE ${allOf([...within, ...conditions])}`,
    );
    return (records as string[]).map((text, i) => Buffer.from(i === 0 ? text : `,${text}`));
  };
  const [only] = pieces;
  if (pieces.length < 2) return [OPEN, ...(only ? await read(only) : []), CLOSE];
  return stream(pieces, read);
}

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

async function* stream(pieces: readonly Piece[], read: (piece: Piece) => Promise<Buffer[]>): AsyncGenerator<Buffer> {
  yield OPEN;
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) yield COMMA;
    yield* await read(piece);
  }
  yield CLOSE;
}

/** Where the matching rows of a file are: their numbers in the file, ascending, or all of so many. */
interface Found {
  readonly path: string;
  readonly rows: number | readonly number[];
}

function findFiles({ folder, manifest }: Generation, { year, quarter }: Partial<Term>): Found[] {
  return manifest.files
    .filter(({ table }) => table === "enrollment_history")
    .flatMap(({ partition, path, rows }) =>
      partition.year !== undefined && partition.quarter !== undefined && rows > 0
        ? [{ term: { year: partition.year, quarter: partition.quarter }, path: join(folder, path), rows }]
        : [],
    )
    .filter(({ term }) => (year ?? term.year) === term.year && (quarter ?? term.quarter) === term.quarter)
    .sort((a, b) => compareTerms(a.term, b.term));
}

const rowsOf = (paths: readonly string[]): Fragment =>
  // Paths are our own (below the artifacts folder), and read_parquet wants its list before parameters are known.
  constant(
    `read_parquet([${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(", ")}], hive_partitioning = false, file_row_number = true)`,
  );

async function findRows(pool: Pool, files: readonly Found[], conditions: readonly Fragment[]): Promise<Found[]> {
  if (files.length === 0) return [];
  const [indexes = [], lists = []] = await pool.columns(
    sql`SELECT file_index::INTEGER AS i, list_sort(list(file_row_number::INTEGER)) FROM ${rowsOf(files.map(({ path }) => path))}
      WHERE ${allOf(conditions)} GROUP BY i ORDER BY i`,
  );
  return (indexes as number[]).map((index, i) => ({
    path: files[index]?.path ?? "",
    rows: lists[i] as number[],
  }));
}

/** Small files share a piece, large ones are cut. */
function toPieces(found: readonly Found[]): Piece[] {
  const pieces: Piece[] = [];
  let shared: { paths: string[]; count: number } | undefined;
  for (const { path, rows } of found) {
    const count = typeof rows === "number" ? rows : rows.length;
    const rowAt = (i: number) => (typeof rows === "number" ? i : (rows[i] as number));
    if (count > ROWS_PER_PIECE) {
      for (let from = 0; from < count; from += ROWS_PER_PIECE)
        pieces.push({ paths: [path], rows: [rowAt(from), rowAt(Math.min(from + ROWS_PER_PIECE, count) - 1)] });
      shared = undefined;
    } else if (shared && shared.count + count <= ROWS_PER_PIECE) {
      shared.paths.push(path);
      shared.count += count;
    } else {
      shared = { paths: [path], count };
      pieces.push(shared);
    }
  }
  return pieces;
}
