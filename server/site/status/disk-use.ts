/** What the kept generations take on the disk. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { listGenerations } from "../../snapshot/generation.ts";

export interface DiskUse {
  readonly generations: number;
  /** A file that several generations share by hard links counts once. */
  readonly bytes: number;
}

export async function readDiskUse(artifactsDir: string): Promise<DiskUse> {
  const names = await listGenerations(artifactsDir);
  const sizes = new Map<string, number>();
  for (const name of names) {
    const folder = join(artifactsDir, "generations", name);
    // One that is removed while it is looked at counts as far as it was seen.
    const entries = await readdir(folder, { recursive: true }).catch(() => []);
    for (const entry of entries) {
      const about = await lstat(join(folder, entry)).catch(() => undefined);
      if (about?.isFile()) sizes.set(`${about.dev}:${about.ino}`, about.size);
    }
  }
  return { generations: names.length, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}
