/**
 * The last sound exports of the records office, which may withdraw them: files by hash, and `exports.json` with the
 * validators of each address.
 */
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keptName, sheetWithoutNames } from "../../forget/raw-files.ts";
import type { Forgotten } from "../../forget/tombstones.ts";
import { readRegularFile } from "../../regular-files.ts";

const record = z.object({
  sha256: z.string(),
  etag: z.string().exactOptional(),
  lastModified: z.string().exactOptional(),
  /** When it was received; absent after a later request for it failed. */
  fetchedAt: z.iso.datetime().exactOptional(),
});
const state = z.object({
  /** The digest of all inputs of the published grades. */
  inputs: z.string(),
  /** The names of the terms in which the rows' sections were looked up, published or not. */
  terms: z.array(z.string()),
  /** Damage of the published grades, reported again while nothing changes. */
  damaged: z.array(z.string()),
  exports: z.record(z.string(), record),
});
export type ExportRecord = z.infer<typeof record>;
export type ExportState = z.infer<typeof state>;

export interface ExportStore {
  readState(): Promise<ExportState>;
  /** Returns undefined when it is missing or damaged. */
  readFile(sha256: string): Promise<Buffer | undefined>;
  keepFile(sha256: string, bytes: Buffer): Promise<void>;
  /** Saves the state and removes files that are not in it. */
  save(next: ExportState): Promise<void>;
}

/**
 * Opens the store. @param from the owner of the exports: `office`, or the sample campus of a size
 * @param forgotten the take-down list, applied to the stored files
 */
export async function openExportStore(dataDir: string, from: string, forgotten?: Forgotten): Promise<ExportStore> {
  const folder = join(dataDir, "exports", from);
  const path = join(folder, "exports.json");
  const fileOf = (sha256: string) => join(folder, "files", sha256);
  async function writeWhole(to: string, bytes: Buffer | string): Promise<void> {
    // Remove it first: writing would follow a link of that name.
    await rm(`${to}.part`, { recursive: true, force: true });
    await writeFile(`${to}.part`, bytes, { flag: "wx" });
    await rename(`${to}.part`, to);
  }
  return {
    async readState() {
      try {
        return state.parse(JSON.parse((await readRegularFile(path)).toString()));
      } catch {
        return { inputs: "", terms: [], damaged: [], exports: {} };
      }
    },
    async readFile(sha256) {
      const names = await readdir(join(folder, "files")).catch(() => []);
      for (const name of names.filter((candidate) => receivedAs(candidate) === sha256)) {
        const bytes = await readRegularFile(fileOf(name)).catch(() => undefined);
        // After a power loss the name may exist without the content.
        if (bytes && keptName(sha256, bytes) === name) return bytes;
      }
      return undefined;
    },
    async keepFile(sha256, bytes) {
      await mkdir(join(folder, "files"), { recursive: true });
      const kept = forgotten ? sheetWithoutNames(bytes, forgotten) : bytes;
      await writeWhole(fileOf(keptName(sha256, kept)), kept);
    },
    async save(next) {
      await mkdir(join(folder, "files"), { recursive: true });
      await writeWhole(path, `${JSON.stringify(next, undefined, 2)}\n`);
      const named = new Set(Object.values(next.exports).map(({ sha256 }) => sha256));
      for (const name of await readdir(join(folder, "files")))
        if (!named.has(receivedAs(name))) await rm(fileOf(name), { force: true });
    },
  };
}

/** The hash of the received bytes, in the name of the stored file. */
const receivedAs = (name: string): string => name.split(".")[0] ?? "";
