/** Files are written as drafts, synced, and only then get their names. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { type Disk, isLinkRefused } from "../publish/disk.ts";

export const draftPath = (drafts: string): string => join(drafts, randomUUID());

/** The path of a synced file with that text. */
export async function writeDraft(disk: Disk, drafts: string, text: string): Promise<string> {
  const path = draftPath(drafts);
  await disk.writeFile(path, text);
  await disk.syncFile(path);
  return path;
}

/**
 * Puts a published file at `path`, as a hard link where that is possible. A file of that size is left alone: its name is the hash of its content, and
 * an incomplete file has no name.
 */
export async function placeFile(disk: Disk, drafts: string, { from, path, bytes }: PlacedFile): Promise<void> {
  const found = await disk.stat(path);
  if (found?.kind === "file" && found.bytes === bytes) return;
  await disk.mkdir(dirname(path));
  if (found) await disk.rm(path);
  try {
    await disk.link(from, path);
  } catch (error) {
    if (!isLinkRefused(error)) throw error;
    const draft = draftPath(drafts);
    await disk.copyFile(from, draft);
    await disk.syncFile(draft);
    await disk.rename(draft, path);
  }
}

export interface PlacedFile {
  readonly from: string;
  readonly path: string;
  readonly bytes: number;
}
