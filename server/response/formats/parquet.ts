/**
 * Parquet, made by a DuckDB of its own that sees one temporary folder and nothing else: the rows go there as lines of JSON, the finished file comes back.
 * Lists are lists, objects are structs; a row's columns have the contract's types.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import pLimit from "p-limit";
import { quoteLiteral } from "../../../pipeline/contract/sql-text.ts";
import { duckdbColumns } from "../../../pipeline/contract/table.ts";
import type { Body } from "../endpoint.ts";
import { Problem } from "../problem.ts";
import type { Layout } from "./layout.ts";
import { toNdjson } from "./ndjson.ts";
import type { Pieces } from "./scan.ts";

/** Who wants more takes the published files: this is for the lines of JSON on the disk, and for the finished file in memory. */
const MOST_LINES = 1024 ** 3;
const MOST_BYTES = 64 * 1024 ** 2;

const tooMuch = () =>
  new Problem(
    400,
    "This is too much for one Parquet answer. Ask for less, or take the published files: /v1/data/manifest.json lists them.",
  );

/** One at a time: each may fill a part of the disk and of the memory. */
const inTurn = pLimit(1);

/** @throws Problem when the answer is too large; an AbortError when the client hung up */
export function toParquet(pieces: Pieces, layout: Layout, signal: AbortSignal): Promise<Body> {
  return inTurn(async () => {
    signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), "academic-data-parquet-"));
    try {
      const lines = join(folder, "rows.ndjson");
      await pipeline(Readable.from(toNdjson(pieces, layout)), limited(), createWriteStream(lines), { signal });
      const made = join(folder, "rows.parquet");
      await writeParquet(folder, lines, made, layout);
      return await readMade(made);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function limited(): Transform {
  let size = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      if (size > MOST_LINES) done(tooMuch());
      else done(null, piece);
    },
  });
}

async function writeParquet(folder: string, lines: string, to: string, { columns }: Layout): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "400MB", threads: "1" });
  try {
    const connection = await instance.connect();
    await connection.run(`SET temp_directory = ${quoteLiteral(join(folder, "spill"))}`);
    await connection.run(`SET allowed_directories = [${quoteLiteral(`${folder}/`)}]`);
    await connection.run("SET enable_external_access = false");
    const types = duckdbColumns(columns).map(({ name, type }) => `${quoteLiteral(name)}: ${quoteLiteral(type)}`);
    const rows = `read_ndjson(${quoteLiteral(lines)}, columns = {${types.join(", ")}})`;
    await connection.run(`COPY (SELECT * FROM ${rows}) TO ${quoteLiteral(to)} (FORMAT parquet, COMPRESSION zstd)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

async function readMade(path: string): Promise<Body> {
  if ((await stat(path)).size > MOST_BYTES) throw tooMuch();
  return [await readFile(path)];
}
