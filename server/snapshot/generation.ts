/** Reads what the pipeline published: `current` is resolved once, the manifest checked, every file compared with its hash. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { type Freshness, freshness, type Manifest, manifest } from "../../pipeline/contract/manifest.ts";
import { CONTRACT_VERSION, type TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { settleAll } from "./settle-all.ts";

/** A generation that cannot be served; the message says why, for the operator. */
export class GenerationRefused extends Error {
  override name = "GenerationRefused";
}

/** A generation of another contract version, sound or not: it is for another version of this program, or for a run of this one to migrate. */
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
 * The files of the last generation that were compared with their hash already: unchanged files of the next one are hard links to them. They are
 * known by what any change of theirs would change.
 */
export type VerifiedFiles = Set<string>;

/** The folder name that `current` points to; undefined before the first publication. */
export async function readCurrentName(artifactsDir: string): Promise<string | undefined> {
  const target = await readlink(join(artifactsDir, "current")).catch(() => undefined);
  return target === undefined ? undefined : basename(target);
}

/** All generations on the disk, newest first. */
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
  const folder = join(artifactsDir, "generations", folderName);
  let found: Manifest;
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    // Before anything else: in another version the rest may look otherwise.
    const contract = (read as { contract?: unknown } | null)?.contract;
    if (typeof contract === "number" && contract !== CONTRACT_VERSION) throw new OtherContract(contract);
    found = manifest.parse(read);
  } catch (error) {
    if (error instanceof OtherContract) throw error;
    throw new GenerationRefused(`the manifest of ${folderName} is missing or damaged`);
  }
  // EndpointContext for all at once: behind a busy server's requests each would wait its turn.
  const all = await Promise.all(found.files.map((file) => stat(join(folder, file.path)).catch(() => undefined)));
  const reading = pLimit(FILES_AT_A_TIME);
  const sound = await settleAll(
    found.files.map(async (file, i) => {
      const about = all[i];
      if (!about || about.size !== file.bytes)
        throw new GenerationRefused(`${folderName}: ${file.path} is missing or has another size`);
      const key = `${about.dev}:${about.ino}:${about.size}:${about.mtimeMs}:${file.sha256}`;
      if (!verified.has(key) && (await reading(() => hashFile(join(folder, file.path)))) !== file.sha256)
        throw new GenerationRefused(`${folderName}: ${file.path} does not have its hash`);
      return key;
    }),
  );
  verified.clear();
  for (const key of sound) verified.add(key);
  return { folder, manifest: found };
}

/** While one is hashed, others come from the disk. */
const FILES_AT_A_TIME = 8;

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part as Buffer);
  } catch {
    throw new GenerationRefused("a published file cannot be read");
  }
  return hash.digest("hex");
}

/** The files of a table, of one term where a term is given, with the key of their content. */
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

export const NO_FRESHNESS: Freshness = { products: {}, terms: {}, nextRefresh: null };

/**
 * When each product was last looked at; what was known `before` when the file is absent or cannot be read now, or tells nothing else: then the very
 * same value, so that what was made from it can be known by it.
 */
export async function readFreshness(artifactsDir: string, before: Freshness): Promise<Freshness> {
  try {
    const told = freshness.parse(JSON.parse(await readFile(join(artifactsDir, "freshness.json"), "utf8")));
    return isDeepStrictEqual(told, before) ? before : told;
  } catch {
    return before;
  }
}
