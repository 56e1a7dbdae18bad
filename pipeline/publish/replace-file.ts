import { dirname } from "node:path";
import type { Disk } from "./disk.ts";

/**
 * Writes a file atomically and durably: after a kill or a power loss it has its old content or the new.
 * @param draft a path on the same file system, removed by whoever cleans up after a killed run
 */
export async function replaceFile(disk: Disk, path: string, text: string, draft: string): Promise<void> {
  await disk.writeFile(draft, text);
  await disk.syncFile(draft);
  await disk.rename(draft, path);
  await disk.syncFolder(dirname(path));
}
