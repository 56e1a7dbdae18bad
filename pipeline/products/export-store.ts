/**
 * The records office's exports as they were last delivered: the files by their hash, and `exports.json`, which says what each one's address answered.
 * An export that is damaged or gone today is still there as it was.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const record = z.object({
  sha256: z.string(),
  etag: z.string().exactOptional(),
  lastModified: z.string().exactOptional(),
});
const state = z.object({
  /** A digest of everything that the published grades were made from. */
  inputs: z.string(),
  /** The terms whose sections the rows were looked up in, published or not: their names. */
  terms: z.array(z.string()),
  /** What was damaged when the published grades were made: as long as nothing changes, it still is. */
  damaged: z.array(z.string()),
  exports: z.record(z.string(), record),
});
export type ExportRecord = z.infer<typeof record>;
export type ExportState = z.infer<typeof state>;

export interface ExportStore {
  readState(): Promise<ExportState>;
  /** Undefined when it is not there, or is not what it was. */
  readFile(sha256: string): Promise<Buffer | undefined>;
  keepFile(sha256: string, bytes: Buffer): Promise<void>;
  /** This is what is known now; files that nobody names are removed. */
  settle(next: ExportState): Promise<void>;
}

export function openExportStore(folder: string): ExportStore {
  const path = join(folder, "exports.json");
  const fileOf = (sha256: string) => join(folder, "files", sha256);
  async function writeWhole(to: string, bytes: Buffer | string): Promise<void> {
    await writeFile(`${to}.part`, bytes);
    await rename(`${to}.part`, to);
  }
  return {
    async readState() {
      try {
        return state.parse(JSON.parse(await readFile(path, "utf8")));
      } catch {
        return { inputs: "", terms: [], damaged: [], exports: {} };
      }
    },
    async readFile(sha256) {
      const bytes = await readFile(fileOf(sha256)).catch(() => undefined);
      // A machine that lost power may have kept the name and not the content.
      return bytes && createHash("sha256").update(bytes).digest("hex") === sha256 ? bytes : undefined;
    },
    async keepFile(sha256, bytes) {
      await mkdir(join(folder, "files"), { recursive: true });
      await writeWhole(fileOf(sha256), bytes);
    },
    async settle(next) {
      await mkdir(join(folder, "files"), { recursive: true });
      await writeWhole(path, `${JSON.stringify(next, undefined, 2)}\n`);
      const named = new Set(Object.values(next.exports).map(({ sha256 }) => sha256));
      for (const name of await readdir(join(folder, "files")))
        if (!named.has(name)) await rm(fileOf(name), { force: true });
    },
  };
}
