/** The file system as publishing sees it: every step that changes the disk goes through here, so that tests can kill or fail each one. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import * as fs from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** What is known of a directory entry; a symbolic link is described itself, not what it points to. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Same number, same file: hard links share it. */
  readonly inode: number;
  readonly modifiedMs: number;
}

/** Errors are those of node:fs, told apart by their `code`. */
export interface Disk {
  /** Makes the folder and its parents; one that exists is left as it is. */
  mkdir(path: string): Promise<void>;
  /** Creates a file; one that exists already is an error (EEXIST). */
  writeFile(path: string, text: string): Promise<void>;
  readFile(path: string): Promise<string>;
  /** A second name for a file. */
  link(existing: string, path: string): Promise<void>;
  /** A second copy of a file; a file at the new place is an error (EEXIST). */
  copyFile(from: string, to: string): Promise<void>;
  /** As copyFile, with blocks of its own: a file system that shares blocks between copies would damage both at once. */
  copyBytes(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  /** Names in a folder, sorted; none when there is no such folder. */
  readdir(path: string): Promise<string[]>;
  /** Undefined when there is nothing at that path. */
  stat(path: string): Promise<Entry | undefined>;
  /** Sets when the file or folder was last modified. */
  touch(path: string, when: Date): Promise<void>;
  /** Removes a file or a whole folder; nothing there is no error. */
  rm(path: string): Promise<void>;
  /** Returns when the file's content has reached the disk. */
  syncFile(path: string): Promise<void>;
  /** Returns when the folder's list of names has reached the disk. */
  syncFolder(path: string): Promise<void>;
  /** Reads the whole file: its SHA-256 in hexadecimal and its size. */
  digest(path: string): Promise<{ sha256: string; bytes: number }>;
  /** A file that somebody else writes: DuckDB's COPY. */
  writtenBy<T>(path: string, write: () => Promise<T>): Promise<T>;
}

/** True for an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

async function sync(path: string): Promise<void> {
  const handle = await fs.open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The real file system. */
export const nodeDisk: Disk = {
  mkdir: async (path) => void (await fs.mkdir(path, { recursive: true })),
  writeFile: (path, text) => fs.writeFile(path, text, { flag: "wx" }),
  readFile: (path) => fs.readFile(path, "utf8"),
  link: (existing, path) => fs.link(existing, path),
  copyFile: (from, to) => fs.copyFile(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE),
  copyBytes: (from, to) => pipeline(createReadStream(from), createWriteStream(to, { flags: "wx" })),
  rename: (from, to) => fs.rename(from, to),
  symlink: (target, path) => fs.symlink(target, path),
  readlink: (path) => fs.readlink(path),
  async readdir(path) {
    try {
      return (await fs.readdir(path)).sort();
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    }
  },
  async stat(path) {
    try {
      const found = await fs.lstat(path);
      const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other";
      return { kind, bytes: found.size, inode: found.ino, modifiedMs: found.mtimeMs };
    } catch (error) {
      if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
      throw error;
    }
  },
  touch: (path, when) => fs.utimes(path, when, when),
  rm: (path) => fs.rm(path, { recursive: true, force: true }),
  syncFile: sync,
  syncFolder: sync,
  async digest(path) {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.length;
    }
    return { sha256: hash.digest("hex"), bytes };
  },
  writtenBy: (_path, write) => write(),
};
