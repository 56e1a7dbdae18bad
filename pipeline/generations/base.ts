/** The snapshot that a run starts from. */
import { isMade, type Manifest } from "../contract/documents/manifest.ts";
import type { Pointer } from "../contract/documents/pointer.ts";
import { findDamaged, type LostFile } from "./file-check.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, listGenerations } from "./generation.ts";
import { layoutOf } from "./layout.ts";
import { DamagedGeneration, readManifest, readPointer } from "./manifest.ts";

export interface Base {
  /** Undefined when no snapshot can be read. */
  readonly generation: Generation | undefined;
  /** The hash of the pointer as it was read: it is replaced only while it is the same. Null where there is none. */
  readonly etag: string | null;
  /** Why the pointer cannot be read. */
  readonly damage: DamagedGeneration | undefined;
  /** Objects that are missing or damaged, with those of views, which no product has to build. */
  readonly lost: readonly LostFile[];
  /** The name of the newest snapshot, when its manifest cannot be read and an older one is the base. */
  readonly unreadable: string | undefined;
}

/** False while something of the snapshot is lost: then the same data is published again. */
export const isPublished = ({ damage, generation, lost }: Base, id: string): boolean =>
  generation?.manifest.id === id && !damage && lost.length === 0;

/** True when an object of a table is lost. */
export const lacksData = ({ lost }: Base): boolean => lost.some(({ file }) => !isMade(file));

/**
 * The base of a run: the current snapshot, or the newest with a readable manifest, every file compared with its hash.
 */
export async function readBase(artifacts: string, disk: DiskReader = diskReader): Promise<Base> {
  const etag = await readPointerTag(artifacts, disk);
  const { damage, pointer, unreadable } = await readOrRecover(artifacts, disk);
  if (!pointer) return { generation: undefined, etag, damage, lost: [], unreadable };
  const generation = { folder: artifacts, manifest: pointer.snapshot, retained: pointer.retained };
  const lost = await findDamaged(artifacts, pointer.snapshot.files, disk);
  return { generation, etag, damage, lost, unreadable };
}

/** The hash of the pointer; null where there is none, or it cannot be read. */
export async function readPointerTag(artifacts: string, disk: DiskReader): Promise<string | null> {
  const { pointer } = layoutOf(artifacts);
  return (await disk.digest(pointer).catch(() => undefined))?.sha256 ?? null;
}

/** Without a readable pointer the newest manifest that can be read is the current one, and the others are retained. */
async function readOrRecover(
  artifacts: string,
  disk: DiskReader,
): Promise<Pick<Base, "damage" | "unreadable"> & { readonly pointer: Pointer | undefined }> {
  let damage: DamagedGeneration | undefined;
  const names = (await listGenerations(artifacts, disk)).map(({ name }) => name);
  try {
    const pointer = await readPointer(artifacts, disk);
    if (pointer) return { pointer, damage, unreadable: undefined };
    if (names.length > 0) damage = new DamagedGeneration("current.json is missing though snapshots are there");
  } catch (error) {
    if (!(error instanceof DamagedGeneration)) throw error;
    damage = error;
  }
  const manifests: Manifest[] = [];
  let unreadable: string | undefined;
  for (const name of names)
    try {
      manifests.push(await readManifest(artifacts, name, disk));
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
      if (manifests.length === 0) unreadable ??= name;
    }
  const [snapshot, ...earlier] = manifests;
  const retained = earlier.map(({ createdAt, generation, id }, index) => ({
    ...{ id, generation, createdAt },
    replacedAt: manifests[index]?.createdAt ?? createdAt,
  }));
  return { pointer: snapshot && { snapshot, retained }, damage, unreadable };
}
