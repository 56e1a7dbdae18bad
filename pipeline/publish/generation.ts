/** Reading what is published: the generation in service, its manifest and its files. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { manifest as manifestSchema, type Manifest, type PublishedFile } from "../contract/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { type Disk, hasCode, nodeDisk } from "./disk.ts";
import { type DamagedFile, findDamaged } from "./repair/file-check.ts";
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
  const name = await readCurrentName(artifacts, disk);
  return name === undefined ? undefined : readGeneration(join(layoutOf(artifacts).generations, name), name, disk);
}

/** The name of the generation that `current` leads to, whether it is there or not. */
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

/** Reads one generation by its folder; `name` is the folder's own. Errors as readCurrent. */
export async function readGeneration(folder: string, name: string, disk: Disk): Promise<Generation> {
  const manifest = await readManifest(folder, name, disk);
  for (const { path, bytes } of manifest.files) {
    const entry = await disk.stat(join(folder, path));
    if (entry?.kind !== "file") throw new DamagedGeneration(`${name}: ${path} is missing`);
    if (entry.bytes !== bytes) throw new DamagedGeneration(`${name}: ${path} has ${entry.bytes} of ${bytes} bytes`);
  }
  return { folder, manifest };
}

/** Reads a generation's manifest; of its files nothing is looked at. @throws DamagedGeneration, OtherContract */
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
  /** What a run starts from; undefined when no generation can be read. */
  readonly generation: Generation | undefined;
  /** Why that is not the generation in service, where it is not. */
  readonly damage: DamagedGeneration | undefined;
  /** Its files that are not what the manifest says. */
  readonly damaged: readonly DamagedFile[];
  /** The newest generation whose manifest cannot be read, by its name, where it is newer than the base. */
  readonly unreadable: string | undefined;
}

/**
 * What a run starts from: the generation in service, or the newest that can be read, with every file compared with its hash.
 * A generation can be read when its manifest can: what is damaged below it, the run has to mend.
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
