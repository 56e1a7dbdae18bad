/** Older enrollment history that an operator dropped into `data/enrollment/`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Tally } from "../contract/tally.ts";

export interface EnrollmentFile {
  readonly name: string;
  /** Of the bytes, in hex. */
  readonly sha256: string;
  /** Its bytes from the start; may be called again. @throws when the file cannot be read */
  read(): AsyncIterable<Buffer>;
}

/** Files that are not for reading: hidden ones, a spreadsheet's lock, the folder's own description. */
const IGNORED_NAME = /^(?:\.|~\$|readme\b)/i;
const HISTORY_NAME = /\.(?:csv|ndjson)$/i;

/** By name, with numbers as numbers: the order in which a later file corrects an earlier one. */
const compareNames = new Intl.Collator("en", { numeric: true }).compare;

const folderOf = (dataDir: string) => join(dataDir, "enrollment");

/** Whether there is anything to read. */
export async function hasEnrollmentFiles(dataDir: string): Promise<boolean> {
  const names = await readdir(folderOf(dataDir)).catch(() => []);
  return names.some((name) => HISTORY_NAME.test(name) && !IGNORED_NAME.test(name));
}

/** The files by name; none when there is no such folder. One that cannot be read is damage, files of other kinds are noted. */
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
