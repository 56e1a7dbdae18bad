/**
 * The records office's exports as they were last delivered: the files by their hash, and `exports.json`, which says what each one's address answered.
 * An export that is damaged or gone today is still there as it was.
 */
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
  exports: z.record(z.string(), record),
});
export type ExportRecord = z.infer<typeof record>;
export type ExportState = z.infer<typeof state>;

export interface ExportStore {
  readState(): Promise<ExportState>;
  readFile(sha256: string): Promise<Buffer | undefined>;
  keepFile(sha256: string, bytes: Buffer): Promise<void>;
  /** After publishing: this is what is known now; files that nobody names are removed. */
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
        return { inputs: "", exports: {} };
      }
    },
    readFile: (sha256) => readFile(fileOf(sha256)).catch(() => undefined),
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
