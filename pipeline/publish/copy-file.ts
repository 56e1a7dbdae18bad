import { dirname } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { isSound } from "../generations/file-check.ts";
import type { Disk } from "./disk.ts";

/**
 * Copies a published file so that both share no blocks, and reads the copy back.
 * @returns false when it is not what `file` says
 */
export async function copySound(at: string, to: string, file: PublishedFile, disk: Disk): Promise<boolean> {
  await disk.mkdir(dirname(to));
  await disk.rm(to);
  await disk.copyBytes(at, to);
  await disk.syncFile(to);
  return isSound(to, file, disk);
}
