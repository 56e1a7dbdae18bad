import { createHash } from "node:crypto";
import { join } from "node:path";
import { manifest as manifestSchema, type Manifest, type PublishedFile } from "../contract/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { type Disk, hasCode, nodeDisk } from "./disk.ts";
import { type DamagedFile, findDamaged } from "./repair/file-check.ts";
import { generationName, layoutOf, parseGenerationName } from "./layout.ts";

/** A complete published tree. It never changes. */
export interface Generation {
  /** Never the path through `current`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A broken link, an invalid manifest or a missing file. */
export class DamagedGeneration extends Error {
  override name = "DamagedGeneration";
}

/** A sound generation of another contract version. */
export class OtherContract extends DamagedGeneration {
  override name = "OtherContract";
  constructor(
    message: string,
    readonly contract: number,
  ) {
    super(message);
  }
}

/**
 * 16 hexadecimal digits over the contract version and every file's partition and hash.
 * Equal inputs have equal ids; neither the time nor the generation number is in it.
 */
export function snapshotId(files: readonly PublishedFile[]): string {
  const places = files.map(({ table, partition, sha256 }) =>
    JSON.stringify([table, partition.year ?? null, partition.quarter ?? null, partition.month ?? null, sha256]),
  );
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT_VERSION, ...places.sort()]))
    .digest("hex")
    .slice(0, 16);
}

/**
 * The current generation; undefined when nothing was published yet. Sizes are compared, hashes are not (see verifyGeneration).
 * @throws DamagedGeneration, OtherContract
 */
export async function readCurrent(artifacts: string, disk: Disk = nodeDisk): Promise<Generation | undefined> {
  const name = await readCurrentName(artifacts, disk);
  return name === undefined ? undefined : readGeneration(join(layoutOf(artifacts).generations, name), name, disk);
}

/** The name of the generation that `current` points to, which may be missing. */
async function readCurrentName(artifacts: string, disk: Disk): Promise<string | undefined> {
  const { current } = layoutOf(artifacts);
  const entry = await disk.stat(current);
  if (entry === undefined) return undefined;
  if (entry.kind !== "link") throw new DamagedGeneration("current is no symbolic link");
  const target = await disk.readlink(current);
  const name = target.startsWith("generations/") ? target.slice("generations/".length) : "";
  if (!parseGenerationName(name)) throw new DamagedGeneration(`current leads to ${target}, no generation`);
  return name;
}

/** @throws as readCurrent */
export async function readGeneration(folder: string, name: string, disk: Disk): Promise<Generation> {
  const manifest = await readManifest(folder, name, disk);
  for (const { path, bytes } of manifest.files) {
    const entry = await disk.stat(join(folder, path));
    if (entry?.kind !== "file") throw new DamagedGeneration(`${name}: ${path} is missing`);
    if (entry.bytes !== bytes) throw new DamagedGeneration(`${name}: ${path} has ${entry.bytes} of ${bytes} bytes`);
  }
  return { folder, manifest };
}

/** Does not look at the files. @throws DamagedGeneration, OtherContract */
export async function readManifest(folder: string, name: string, disk: Disk): Promise<Manifest> {
  const place = `${name}/manifest.json`;
  let found: unknown;
  try {
    found = JSON.parse(await disk.readFile(join(folder, "manifest.json")));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw new DamagedGeneration(`${place} is missing`);
    if (error instanceof SyntaxError) throw new DamagedGeneration(`${place} is no JSON`);
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new DamagedGeneration(`${place} cannot be read (${code})`);
  }
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION) {
    throw new OtherContract(`${place} is of contract version ${contract}, not ${CONTRACT_VERSION}`, contract);
  }
  const checked = manifestSchema.safeParse(found);
  if (!checked.success) {
    const { path: at, message } = checked.error.issues[0] ?? { path: [], message: "" };
    throw new DamagedGeneration(`${place}: ${at.join(".")}: ${message}`);
  }
  const { generation, id, files } = checked.data;
  if (generationName(generation, id) !== name) {
    throw new DamagedGeneration(`${name}: the manifest is that of ${generation}-${id}`);
  }
  if (snapshotId(files) !== id) throw new DamagedGeneration(`${place}: the id is not that of its files`);
  return checked.data;
}

export interface Base {
  /** Undefined when no generation can be read. */
  readonly generation: Generation | undefined;
  /** Why it is not the current generation. */
  readonly damage: DamagedGeneration | undefined;
  readonly damaged: readonly DamagedFile[];
  /** The name of the newest generation without a readable manifest, when it is newer than the base. */
  readonly unreadable: string | undefined;
}

/**
 * The base of a run: the current generation, or the newest with a readable manifest, every file compared with its hash.
 * Damaged files are for the run to repair.
 */
export async function readBase(artifacts: string, disk: Disk = nodeDisk): Promise<Base> {
  const { generations } = layoutOf(artifacts);
  const names = (await generationNames(generations, disk)).map(({ name }) => name).toReversed();
  const read = async (name: string): Promise<Omit<Base, "damage" | "unreadable">> => {
    const folder = join(generations, name);
    const manifest = await readManifest(folder, name, disk);
    return { generation: { folder, manifest }, damaged: await findDamaged(folder, manifest.files, disk) };
  };
  let damage: DamagedGeneration | undefined;
  try {
    const name = await readCurrentName(artifacts, disk);
    if (name !== undefined) return { ...(await read(name)), damage, unreadable: undefined };
    if (names.length > 0) damage = new DamagedGeneration("current is missing though generations are there");
  } catch (error) {
    if (!(error instanceof DamagedGeneration)) throw error;
    damage = error;
  }
  let unreadable: string | undefined;
  for (const name of names) {
    try {
      return { ...(await read(name)), damage, unreadable };
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
      unreadable ??= name;
    }
  }
  return { generation: undefined, damage, damaged: [], unreadable };
}

/** The generations on disk by number, oldest first. */
export async function generationNames(
  folder: string,
  disk: Disk,
): Promise<{ name: string; generation: number; id: string }[]> {
  return (await disk.readdir(folder))
    .flatMap((name) => {
      const parsed = parseGenerationName(name);
      return parsed ? [{ name, ...parsed }] : [];
    })
    .sort((a, b) => a.generation - b.generation);
}
