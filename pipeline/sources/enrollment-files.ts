/** Files of older enrollment history in `data/enrollment/`. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Tally } from "../contract/documents/tally.ts";
import { openRegularFile } from "../regular-files.ts";
import { droppedNames, hasDropped } from "./dropped-files.ts";

export interface EnrollmentFile {
  readonly name: string;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** Streams the file from its start; may be called again. @throws when the file cannot be read */
  read(): AsyncIterable<Buffer>;
}

const ENDINGS = [".csv", ".ndjson"];

const folderOf = (dataDir: string) => join(dataDir, "enrollment");

/** True also when the entries cannot be read. */
export const hasEnrollmentFiles = (dataDir: string): Promise<boolean> => hasDropped(folderOf(dataDir), ENDINGS);

/**
 * Returns the files by name; none when there is no such folder. An unreadable file is damage, files of other kinds are
 * noted.
 */
export async function readEnrollmentFolder(dataDir: string, tally: Tally): Promise<EnrollmentFile[]> {
  const folder = folderOf(dataDir);
  const files: EnrollmentFile[] = [];
  for (const name of await droppedNames(folder, ENDINGS, tally)) {
    const read = () => readParts(join(folder, name));
    try {
      const hash = createHash("sha256");
      for await (const part of read()) hash.update(part);
      files.push({ name, sha256: hash.digest("hex"), read });
    } catch {
      tally.damage(`${name}: the file cannot be read`);
    }
  }
  return files;
}

async function* readParts(path: string): AsyncGenerator<Buffer> {
  yield* (await openRegularFile(path)).createReadStream({ highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
}
