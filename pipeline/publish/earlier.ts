import { join } from "node:path";
import { DamagedGeneration, type Generation, readManifest } from "./generation.ts";
import { generationName } from "./layout.ts";
import type { Disk } from "./disk.ts";

/** The base and the earlier generations that are still on disk and readable, newest first. Their files are not looked at. */
export async function readEarlier(base: Generation | undefined, disk: Disk): Promise<Generation[]> {
  if (!base) return [];
  const found = [base];
  for (const { generation, id } of base.manifest.snapshots) {
    const name = generationName(generation, id);
    const folder = join(base.folder, "..", name);
    try {
      found.push({ folder, manifest: await readManifest(folder, name, disk) });
    } catch (error) {
      if (!(error instanceof DamagedGeneration)) throw error;
    }
  }
  return found;
}
