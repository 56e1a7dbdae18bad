/**
 * Notes every change that a piece of work makes to the disk, and every sync: the possible states after a power loss are
 * built from these notes.
 */
import { readFileSync } from "node:fs";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";

/** Paths are absolute. */
export type Note =
  | { readonly kind: "mkdir" | "rm" | "syncFile" | "syncFolder"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly content: Buffer }
  | { readonly kind: "link"; readonly from: string; readonly path: string; readonly content: Buffer }
  | { readonly kind: "rename"; readonly from: string; readonly path: string }
  | { readonly kind: "symlink"; readonly target: string; readonly path: string };

/** Records the work with this disk in order. A file of DuckDB's counts as a single write. */
export function recordingDisk(): { disk: Disk; notes: Note[] } {
  const notes: Note[] = [];
  const after = async (work: Promise<void>, note: () => Note): Promise<void> => {
    await work;
    notes.push(note());
  };
  const written = (path: string): Note => ({ kind: "write", path, content: readFileSync(path) });
  const disk: Disk = {
    ...nodeDisk,
    mkdir: (path) => after(nodeDisk.mkdir(path), () => ({ kind: "mkdir", path })),
    writeFile: (path, content) => after(nodeDisk.writeFile(path, content), () => written(path)),
    copyFile: (from, to) => after(nodeDisk.copyFile(from, to), () => written(to)),
    copyBytes: (from, to) => after(nodeDisk.copyBytes(from, to), () => written(to)),
    async writtenBy(path, write) {
      const made = await nodeDisk.writtenBy(path, write);
      notes.push(written(path));
      return made;
    },
    link: (from, path) =>
      after(nodeDisk.link(from, path), () => ({ kind: "link", from, path, content: readFileSync(path) })),
    rename: (from, path) => after(nodeDisk.rename(from, path), () => ({ kind: "rename", from, path })),
    symlink: (target, path) => after(nodeDisk.symlink(target, path), () => ({ kind: "symlink", target, path })),
    rm: (path) => after(nodeDisk.rm(path), () => ({ kind: "rm", path })),
    syncFile: (path) => after(nodeDisk.syncFile(path), () => ({ kind: "syncFile", path })),
    syncFolder: (path) => after(nodeDisk.syncFolder(path), () => ({ kind: "syncFolder", path })),
  };
  return { disk, notes };
}
