/** Files of older enrollment history in `data/enrollment/`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Tally } from "../contract/documents/tally.ts";

export interface EnrollmentFile {
  readonly name: string;
  /** Of the bytes, in hex. */
  readonly sha256: string;
  /** Streams the file from its start; may be called again. @throws when the file cannot be read */
  read(): AsyncIterable<Buffer>;
}

/** Hidden files, lock files of spreadsheet programs, the folder's own README. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;
const HISTORY_NAME = /\.(?:csv|ndjson)$/i;

/** With numbers as numbers: a later file corrects an earlier one. */
const compareNames = new Intl.Collator("en", { numeric: true }).compare;

const folderOf = (dataDir: string) => join(dataDir, "enrollment");

export async function hasEnrollmentFiles(dataDir: string): Promise<boolean> {
  const names = await readdir(folderOf(dataDir)).catch(() => []);
  return names.some((name) => HISTORY_NAME.test(name) && !IGNORED_NAME.test(name));
}

/** The files by name; none when there is no such folder. An unreadable file is damage, files of other kinds are noted. */
export async function readEnrollmentFolder(dataDir: string, tally: Tally): Promise<EnrollmentFile[]> {
  const folder = folderOf(dataDir);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: EnrollmentFile[] = [];
  for (const { name } of entries.toSorted((a, b) => compareNames(a.name, b.name) || (a.name < b.name ? -1 : 1))) {
    if (IGNORED_NAME.test(name)) continue;
    if (!HISTORY_NAME.test(name)) {
      tally.note("neither .csv nor .ndjson, not read", name);
      continue;
    }
    const read = () => createReadStream(join(folder, name), { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
    try {
      const hash = createHash("sha256");
      for await (const part of read()) hash.update(part);
      found.push({ name, sha256: hash.digest("hex"), read });
    } catch {
      tally.damage(`${name}: the file cannot be read`);
    }
  }
  return found;
}
