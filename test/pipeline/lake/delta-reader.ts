/** Reads Delta tables by the protocol's text, and shares nothing with the code that writes them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";

export interface DeltaFile {
  path: string;
  size: number;
  partitionValues: Record<string, string>;
  stats: string;
}

type Line = { add?: DeltaFile; remove?: { path: string }; metaData?: { schemaString: string }; protocol?: object };

const name = (version: number, end: string) => `${String(version).padStart(20, "0")}${end}`;

/** -1 for a table without a log. */
export function newestVersion(table: string): number {
  const log = join(table, "_delta_log");
  if (!existsSync(log)) return -1;
  return Math.max(
    -1,
    ...readdirSync(log).flatMap((file) => (/^\d{20}\.json$/.test(file) ? [Number.parseInt(file, 10)] : [])),
  );
}

async function checkpointLines(connection: DuckDBConnection, path: string): Promise<Line[]> {
  const read = await connection.runAndReadAll(
    `SELECT add.path, add.size, to_json(add."partitionValues")::VARCHAR, add.stats, "metaData"."schemaString", protocol."minReaderVersion"
     FROM read_parquet('${path}') WHERE remove IS NULL`,
  );
  return read.getRowsJS().map(([path, size, values, stats, schemaString, reader]): Line => {
    if (path !== null)
      return {
        add: {
          path: String(path),
          size: Number(size),
          partitionValues: JSON.parse(String(values)),
          stats: String(stats),
        },
      };
    if (schemaString !== null) return { metaData: { schemaString: String(schemaString) } };
    return { protocol: { reader } };
  });
}

/**
 * The files of a version: the newest checkpoint that is not newer, then every commit after it, without a gap. Each file
 * must be on disk with its size.
 * @throws Error for a version that cannot be read
 */
export async function readVersion(connection: DuckDBConnection, table: string, version: number): Promise<DeltaFile[]> {
  const log = join(table, "_delta_log");
  const checkpoints = readdirSync(log).flatMap((file) =>
    /^\d{20}\.checkpoint\.parquet$/.test(file) && Number.parseInt(file, 10) <= version
      ? [Number.parseInt(file, 10)]
      : [],
  );
  const from = Math.max(-1, ...checkpoints);
  const lines = from < 0 ? [] : await checkpointLines(connection, join(log, name(from, ".checkpoint.parquet")));
  for (let at = from + 1; at <= version; at++) {
    const text = readFileSync(join(log, name(at, ".json")), "utf8");
    lines.push(
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line),
    );
  }
  const files = new Map<string, DeltaFile>();
  for (const { add, remove } of lines) {
    if (add) files.set(add.path, add);
    if (remove) files.delete(remove.path);
  }
  if (!lines.some(({ protocol }) => protocol) || !lines.some(({ metaData }) => metaData))
    throw new Error(`${table}: version ${version} has no protocol or no schema`);
  for (const { path, size } of files.values()) {
    const { size: actual } = statSync(join(table, path));
    if (actual !== size) throw new Error(`${table}/${path} has ${actual} of ${size} bytes`);
  }
  return [...files.values()];
}
