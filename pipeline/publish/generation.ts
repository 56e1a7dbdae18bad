import { createHash } from "node:crypto";
import { join } from "node:path";
import { manifest as manifestSchema, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, FACT_TABLES, TABLES_BESIDE_ID } from "../contract/tables.ts";
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
 * 16 hexadecimal digits over the contract version, the changes before, and the partition and hash of every file but those of `changes` and `sources`.
 * Equal inputs have equal ids; neither the time nor the generation number is in it.
 */
export function snapshotId(files: readonly PublishedFile[], changesBefore: string | null): string {
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT_VERSION, changesBefore, ...dataPlaces(files)]))
    .digest("hex")
    .slice(0, 16);
}

/** 16 hexadecimal digits over the contract version and the files of the tables of facts. */
export function contentId(files: readonly PublishedFile[]): string {
  const places = placesOf(files.filter(({ table }) => FACT_TABLES.includes(table)));
  return createHash("sha256")
    .update(JSON.stringify([CONTRACT_VERSION, ...places]))
    .digest("hex")
    .slice(0, 16);
}

const dataPlaces = (files: readonly PublishedFile[]): string[] =>
  placesOf(files.filter(({ table }) => !TABLES_BESIDE_ID.includes(table)));

function placesOf(files: readonly PublishedFile[]): string[] {
  return files
    .map(({ table, partition, sha256 }) =>
      JSON.stringify([table, partition.year ?? null, partition.quarter ?? null, partition.month ?? null, sha256]),
    )
    .sort();
}

/** What the id of the next snapshot covers besides its data, so that data which comes back gets another id; null without any changes. */
export function changesDigest(files: readonly PublishedFile[]): string | null {
  const recorded = files.filter(({ table }) => table === "changes").map(({ path, sha256 }) => `${path} ${sha256}`);
  if (recorded.length === 0) return null;
  return createHash("sha256").update(JSON.stringify(recorded.sort())).digest("hex");
}

/** Whether these files can be those of that id. Which changes came before is only known from the last readable manifest. */
export function canHaveId(files: readonly PublishedFile[], id: string, before: Manifest | undefined): boolean {
  const known = [null, before?.changesBefore ?? null, changesDigest(before?.files ?? [])];
  return known.some((changesBefore) => snapshotId(files, changesBefore) === id);
}

/** The snapshot that these files make after `before`: the same one when the data is the same. */
export function nextSnapshot(
  before: Manifest | undefined,
  files: readonly PublishedFile[],
): Pick<Manifest, "id" | "changesBefore"> {
  const isSame = before && dataPlaces(before.files).join() === dataPlaces(files).join();
  const changesBefore = isSame ? before.changesBefore : changesDigest(before?.files ?? []);
  return { id: snapshotId(files, changesBefore), changesBefore };
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
  const { changesBefore, generation, id, files } = checked.data;
  if (generationName(generation, id) !== name) {
    throw new DamagedGeneration(`${name}: the manifest is that of ${generation}-${id}`);
  }
  if (snapshotId(files, changesBefore) !== id) throw new DamagedGeneration(`${place}: the id is not that of its files`);
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

/** After damage the same data is published again: `current` is broken, or its files were repaired. */
export const isPublished = ({ damage, damaged, generation }: Base, id: string): boolean =>
  generation?.manifest.id === id && !damage && damaged.length === 0;

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
