/**
 * Searches every byte below folders for texts: raw, unpacked, and in the rows of Parquet files. It shares nothing with
 * the code that removes them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { unzipSync } from "fflate";

/** The places that have one of the texts, in whatever case. */
export async function placesWith(
  connection: DuckDBConnection,
  roots: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const matches: string[] = [];
  for (const root of roots)
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? await contentOf(connection, path) : [];
      for (const text of wanted)
        if ([path, ...content].some((part) => part.toLowerCase().includes(text))) matches.push(`${text} in ${path}`);
    }
  return matches;
}

async function contentOf(connection: DuckDBConnection, path: string): Promise<string[]> {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 4).toString() !== "PAR1") return textsIn(bytes);
  const read = await connection.runAndReadAll(
    `SELECT to_json(r)::VARCHAR FROM read_parquet('${path}', hive_partitioning = false) r`,
  );
  return [...textsIn(bytes), (read.getColumnsJS()[0] ?? []).join("\n")];
}

function textsIn(bytes: Buffer): string[] {
  const plain = [bytes.toString("utf8"), bytes.toString("latin1"), bytes.toString("utf16le")];
  const starts = (...magic: number[]) => bytes.subarray(0, magic.length).equals(Buffer.from(magic));
  if (starts(0x1f, 0x8b)) return [...plain, ...textsIn(gunzipSync(bytes))];
  if (!starts(0x50, 0x4b, 3, 4)) return plain;
  return [...plain, ...Object.values(unzipSync(bytes)).flatMap((entry) => textsIn(Buffer.from(entry)))];
}
