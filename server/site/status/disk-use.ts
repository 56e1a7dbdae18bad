/** Disk usage of the retained generations. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { listGenerations } from "../../snapshot/generation.ts";

export interface DiskUse {
  readonly generations: number;
  /** Hard links of one file count once. */
  readonly bytes: number;
}

export async function readDiskUse(artifactsDir: string): Promise<DiskUse> {
  const names = await listGenerations(artifactsDir);
  const sizes = new Map<string, number>();
  for (const name of names) {
    const folder = join(artifactsDir, "generations", name);
    // A generation may be removed meanwhile.
    const entries = await readdir(folder, { recursive: true }).catch(() => []);
    for (const entry of entries) {
      const about = await lstat(join(folder, entry)).catch(() => undefined);
      if (about?.isFile()) sizes.set(`${about.dev}:${about.ino}`, about.size);
    }
  }
  return { generations: names.length, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}
