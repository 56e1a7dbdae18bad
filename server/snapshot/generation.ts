/** Reads a published generation: resolves `current` once, validates the manifest, verifies the hash of every file. */
import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import {
  type Freshness,
  freshness,
  type Manifest,
  manifest,
  type PublishedFile,
} from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION, TABLE_NAMES, type TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { settleAll } from "./settle-all.ts";

/** The message is for the operator. */
export class GenerationRefused extends Error {
  override name = "GenerationRefused";
}

export class OtherContract extends GenerationRefused {
  override name = "OtherContract";
  constructor(contract: number) {
    const remedy =
      contract < CONTRACT_VERSION ? "run `make refresh` to migrate it" : "run the newer version of the program";
    super(`the published data is of contract version ${contract}, this server reads ${CONTRACT_VERSION}: ${remedy}`);
  }
}

export interface Generation {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Keys (device, inode, size, mtime, hash) of the last generation's verified files. Unchanged files of the next generation are hard links to them and
 * need no second hash.
 */
export type VerifiedFiles = Set<string>;

/** The folder name that `current` points to; undefined before the first publication. */
export async function readCurrentName(artifactsDir: string): Promise<string | undefined> {
  const target = await readlink(join(artifactsDir, "current")).catch(() => undefined);
  return target === undefined ? undefined : basename(target);
}

export async function listGenerations(artifactsDir: string): Promise<string[]> {
  const names = await readdir(join(artifactsDir, "generations")).catch(() => []);
  const number = (name: string) => Number(/^(\d+)-/.exec(name)?.[1] ?? -1);
  return names.filter((name) => number(name) >= 0).sort((a, b) => number(b) - number(a));
}

/** Reads and verifies one generation; `verified` then holds its files. @throws GenerationRefused */
export async function readGeneration(
  artifactsDir: string,
  folderName: string,
  verified: VerifiedFiles,
): Promise<Generation> {
  const generation = await readManifest(artifactsDir, folderName);
  const sound = await verifyFiles(generation, generation.manifest.files, (key) => verified.has(key));
  verified.clear();
  for (const key of sound) verified.add(key);
  return generation;
}

/** Reads a generation without its files. @throws GenerationRefused */
export async function readManifest(artifactsDir: string, folderName: string): Promise<Generation> {
  const folder = join(artifactsDir, "generations", folderName);
  let found: Manifest;
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    // Checked first: another version may have another schema.
    const contract = (read as { contract?: unknown } | null)?.contract;
    if (typeof contract === "number" && contract !== CONTRACT_VERSION) throw new OtherContract(contract);
    found = manifest.parse(read);
  } catch (error) {
    if (error instanceof OtherContract) throw error;
    throw new GenerationRefused(`the manifest of ${folderName} is missing or damaged`);
  }
  return { folder, manifest: found };
}

/** Compares files with their sizes and hashes. Returns their keys; the hash of one with a known key is not computed again. @throws GenerationRefused */
export async function verifyFiles(
  { folder }: Generation,
  files: readonly PublishedFile[],
  isVerified: (key: string) => boolean,
): Promise<string[]> {
  const folderName = basename(folder);
  // All at once: one by one, each would wait behind the requests of a busy server.
  const all = await Promise.all(files.map((file) => stat(join(folder, file.path)).catch(() => undefined)));
  const reading = pLimit(FILES_AT_A_TIME);
  return settleAll(
    files.map(async (file, i) => {
      const about = all[i];
      if (!about || about.size !== file.bytes)
        throw new GenerationRefused(`${folderName}: ${file.path} is missing or has another size`);
      const key = `${about.dev}:${about.ino}:${about.size}:${about.mtimeMs}:${file.sha256}`;
      if (!isVerified(key) && (await reading(() => hashFile(join(folder, file.path), file.bytes))) !== file.sha256)
        throw new GenerationRefused(`${folderName}: ${file.path} does not have its hash`);
      return key;
    }),
  );
}

const FILES_AT_A_TIME = 8;
const CHUNK_BYTES = 1 << 20;

/** Reads by hand, because a stream for each of hundreds of small files takes twice as long. */
async function hashFile(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(size + 1, CHUNK_BYTES));
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    for (let bytes = -1; bytes !== 0;) {
      ({ bytesRead: bytes } = await file.read(chunk));
      hash.update(chunk.subarray(0, bytes));
    }
  } catch {
    throw new GenerationRefused("a published file cannot be read");
  } finally {
    await file?.close();
  }
  return hash.digest("hex");
}

/** The files of a table, or of its partition, and a key of their content. */
export function filesOf(
  generation: Generation,
  table: TableName,
  term?: Partial<Term>,
): { paths: string[]; key: string } {
  const files = generation.manifest.files.filter(
    (file) =>
      file.table === table &&
      (term?.year === undefined || file.partition.year === term.year) &&
      (term?.quarter === undefined || file.partition.quarter === term.quarter),
  );
  return {
    paths: files.map((file) => join(generation.folder, file.path)),
    key: [table, ...files.map((file) => file.sha256).sort()].join(" "),
  };
}

/** Characters of six bits each: more bits than a snapshot id has. */
const VERSION_LENGTH = 16;

/** By table: the same for generations with the same files of it. */
export function versionsOf({ manifest }: Generation): Readonly<Record<TableName, string>> {
  const contents = new Map<string, string[]>(TABLE_NAMES.map((table) => [table, []]));
  for (const { table, partition, sha256 } of manifest.files)
    contents.get(table)?.push(JSON.stringify([partition, sha256]));
  const versions = [...contents].map(([table, files]) => {
    const hash = createHash("sha256").update(JSON.stringify([table, ...files.sort()]));
    return [table, hash.digest("base64url").slice(0, VERSION_LENGTH)] as const;
  });
  return Object.fromEntries(versions) as Record<TableName, string>;
}

export const NO_FRESHNESS: Freshness = { products: {}, terms: {}, nextRefresh: null };

/**
 * When each product was last crawled. Returns the same object as `before` when nothing changed or the file cannot be read, so that caches can compare
 * by identity.
 */
export async function readFreshness(artifactsDir: string, before: Freshness): Promise<Freshness> {
  try {
    const read = freshness.parse(JSON.parse(await readFile(join(artifactsDir, "freshness.json"), "utf8")));
    return isDeepStrictEqual(read, before) ? before : read;
  } catch {
    return before;
  }
}
