/** Reading what is published: the generation in service, and the last sound one where that is damaged. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { manifest as manifestSchema, type Manifest, type PublishedFile } from "../contract/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { type Disk, hasCode, nodeDisk } from "./disk.ts";
import { generationName, layoutOf, parseGenerationName } from "./layout.ts";

/** A complete published tree; nothing below its folder ever changes. */
export interface Generation {
  /** The generation's own folder, never the link to it. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What is published cannot be read: a link that leads nowhere, a manifest that is none, a file that is gone. */
export class DamagedGeneration extends Error {
  override name = "DamagedGeneration";
}

/** A generation of another contract version: sound, but its tables have other columns. */
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
 * The snapshot id: 16 hexadecimal digits over the contract version and every file's place and hash.
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
 * Reads the generation in service; undefined when nothing was published yet. `current` is resolved once.
 * Throws DamagedGeneration (or OtherContract) when what is there cannot be used. Sizes are compared, hashes are not: see verifyGeneration.
 */
export async function readCurrent(artifacts: string, disk: Disk = nodeDisk): Promise<Generation | undefined> {
  const layout = layoutOf(artifacts);
  const entry = await disk.stat(layout.current);
  if (entry === undefined) return undefined;
  if (entry.kind !== "link") throw new DamagedGeneration(`${layout.current} is no symbolic link`);
  const target = await disk.readlink(layout.current);
  const name = target.startsWith("generations/") ? target.slice("generations/".length) : "";
  if (!parseGenerationName(name)) throw new DamagedGeneration(`${layout.current} leads to ${target}, no generation`);
  return readGeneration(join(layout.generations, name), name, disk);
}

/** Reads one generation by its folder; `name` is the folder's own. Errors as readCurrent. */
export async function readGeneration(folder: string, name: string, disk: Disk): Promise<Generation> {
  const manifest = await readManifest(join(folder, "manifest.json"), disk);
  if (generationName(manifest.generation, manifest.id) !== name) {
    throw new DamagedGeneration(`${folder}: the manifest is that of ${manifest.generation}-${manifest.id}`);
  }
  for (const { path, bytes } of manifest.files) {
    const entry = await disk.stat(join(folder, path));
    if (entry?.kind !== "file") throw new DamagedGeneration(`${folder}: ${path} is missing`);
    if (entry.bytes !== bytes) throw new DamagedGeneration(`${folder}: ${path} has ${entry.bytes} of ${bytes} bytes`);
  }
  return { folder, manifest };
}

async function readManifest(path: string, disk: Disk): Promise<Manifest> {
  let found: unknown;
  try {
    found = JSON.parse(await disk.readFile(path));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw new DamagedGeneration(`${path} is missing`);
    if (error instanceof SyntaxError) throw new DamagedGeneration(`${path} is no JSON`);
    throw error;
  }
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION) {
    throw new OtherContract(`${path} is of contract version ${contract}, not ${CONTRACT_VERSION}`, contract);
  }
  const checked = manifestSchema.safeParse(found);
  if (checked.success) return checked.data;
  const { path: at, message } = checked.error.issues[0] ?? { path: [], message: "" };
  throw new DamagedGeneration(`${path}: ${at.join(".")}: ${message}`);
}

export interface Base {
  /** What a run starts from; undefined when nothing usable was published yet. */
  readonly generation: Generation | undefined;
  /** Why that is not the generation in service, where it is not. */
  readonly damage: DamagedGeneration | undefined;
}

/** The generation in service, or the newest sound one of this contract where that is damaged: what a run may carry over. */
export async function readBase(artifacts: string, disk: Disk = nodeDisk): Promise<Base> {
  try {
    const generation = await readCurrent(artifacts, disk);
    if (generation) return { generation, damage: undefined };
    const { generations, current } = layoutOf(artifacts);
    if ((await generationNames(generations, disk)).length === 0) return { generation: undefined, damage: undefined };
    throw new DamagedGeneration(`${current} is missing though generations are there`);
  } catch (damage) {
    if (!(damage instanceof DamagedGeneration)) throw damage;
    return { generation: await readNewestSound(artifacts, disk), damage };
  }
}

async function readNewestSound(artifacts: string, disk: Disk): Promise<Generation | undefined> {
  const { generations } = layoutOf(artifacts);
  for (const { name } of (await generationNames(generations, disk)).toReversed()) {
    try {
      return await readGeneration(join(generations, name), name, disk);
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return undefined;
}

/** The generations on disk by number, oldest first; other names in that folder are none of ours. */
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
