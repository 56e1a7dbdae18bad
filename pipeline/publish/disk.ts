/** All changes to the disk go through this interface, so that tests can kill the process or fail at each one. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import * as fs from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** A symbolic link is described itself, as by lstat. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Shared by hard links. */
  readonly inode: number;
  /** The number of hard links. */
  readonly links: number;
  readonly modifiedMs: number;
}

/** Errors are those of node:fs, with their `code`. */
export interface Disk {
  /** As `mkdir -p`. */
  mkdir(path: string): Promise<void>;
  /** Fails with EEXIST when the file exists. */
  writeFile(path: string, text: string): Promise<void>;
  readFile(path: string): Promise<string>;
  link(existing: string, path: string): Promise<void>;
  /** Fails with EEXIST when the target exists. */
  copyFile(from: string, to: string): Promise<void>;
  /** As copyFile, but never shares blocks on a copy-on-write file system: one bad block would damage both. */
  copyBytes(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  /** Sorted names; none when the folder does not exist. */
  readdir(path: string): Promise<string[]>;
  /** Undefined when the path does not exist. */
  stat(path: string): Promise<Entry | undefined>;
  touch(path: string, when: Date): Promise<void>;
  /** As `rm -rf`. */
  rm(path: string): Promise<void>;
  syncFile(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** SHA-256 in hexadecimal, and size. */
  digest(path: string): Promise<{ sha256: string; bytes: number }>;
  /** A file that DuckDB's COPY writes. */
  writtenBy<T>(path: string, write: () => Promise<T>): Promise<T>;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Some file systems have no hard links, or limit their number. */
export const isLinkRefused = (error: unknown): boolean =>
  hasCode(error, "EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS");

async function sync(path: string): Promise<void> {
  const handle = await fs.open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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
      return { kind, bytes: found.size, inode: found.ino, links: found.nlink, modifiedMs: found.mtimeMs };
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
