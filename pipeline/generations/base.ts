/** The generation that a run starts from. */
import { isMade } from "../contract/documents/manifest.ts";
import { type DamagedFile, findDamaged } from "./file-check.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { type Generation, generationFolder, listGenerations, readCurrentName } from "./generation.ts";
import { DamagedGeneration, readManifest } from "./manifest.ts";

export interface Base {
  /** Undefined when no generation can be read. */
  readonly generation: Generation | undefined;
  /** Why it is not the current generation. */
  readonly damage: DamagedGeneration | undefined;
  /** Also files that are made from others, which no product has to repair. */
  readonly damaged: readonly DamagedFile[];
  /** The name of the newest generation without a readable manifest, when it is newer than the base. */
  readonly unreadable: string | undefined;
}

/** After damage the same data is published again: `current` is broken, or its files were repaired. */
export const isPublished = ({ damage, damaged, generation }: Base, id: string): boolean =>
  generation?.manifest.id === id && !damage && damaged.length === 0;

/** True when a file of a table is damaged. */
export const lacksData = ({ damaged }: Base): boolean => damaged.some(({ file }) => !isMade(file));

/**
 * The base of a run: the current generation, or the newest with a readable manifest, every file compared with its hash.
 * Damaged files are for the run to repair.
 */
export async function readBase(artifacts: string, disk: DiskReader = diskReader): Promise<Base> {
  const names = (await listGenerations(artifacts, disk)).map(({ name }) => name);
  const read = async (name: string): Promise<Omit<Base, "damage" | "unreadable">> => {
    const folder = generationFolder(artifacts, name);
    const manifest = await readManifest(folder, disk);
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
