/** Copies of published files that share no blocks with them: one bad block would damage both. */
import { dirname, join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { type Copy, type CopySources, soundCopies } from "../generations/copies.ts";
import { isSound } from "../generations/file-check.ts";
import type { Disk } from "./disk.ts";

/**
 * Copies a published file and reads the copy back.
 * @returns false when it is not what `file` says
 */
export async function copySound(at: string, to: string, file: PublishedFile, disk: Disk): Promise<boolean> {
  await disk.mkdir(dirname(to));
  await disk.rm(to);
  await disk.copyBytes(at, to);
  await disk.syncFile(to);
  return isSound(to, file, disk);
}

/**
 * Puts a sound copy of a damaged file below `filesFolder`, or for recorded history the newest sound copy of an older state.
 * @returns the copy; undefined when there is none that reads back
 */
export async function restoreFile(
  sources: CopySources,
  damaged: PublishedFile,
  { disk, filesFolder }: { readonly disk: Disk; readonly filesFolder: string },
): Promise<Copy | undefined> {
  for await (const copy of soundCopies(sources, damaged))
    if (await copySound(copy.at, join(filesFolder, copy.file.path), copy.file, disk)) return copy;
  return undefined;
}
