/** Reads the disk. Whatever reads generations goes through this interface, so that tests can damage what it finds. */
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { openRegularFile, readRegularFile } from "../regular-files.ts";

/** A symbolic link is described itself, as by lstat. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  readonly device: number;
  /** Shared by hard links. */
  readonly inode: number;
  /** The number of hard links. */
  readonly links: number;
  readonly modifiedMs: number;
}

/** Errors are those of node:fs, with their `code`. */
export interface DiskReader {
  readFile(path: string): Promise<string>;
  readBytes(path: string): Promise<Buffer>;
  readlink(path: string): Promise<string>;
  /** Sorted names; none when the folder does not exist. */
  readdir(path: string): Promise<string[]>;
  /** Undefined when the path does not exist. */
  stat(path: string): Promise<Entry | undefined>;
  /** SHA-256 in hexadecimal, and size. */
  digest(path: string): Promise<{ sha256: string; bytes: number }>;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

const CHUNK_BYTES = 1 << 20;

export const diskReader: DiskReader = {
  readFile: async (path) => (await readRegularFile(path)).toString(),
  readBytes: readRegularFile,
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
      const { dev: device, ino: inode, nlink: links, mtimeMs: modifiedMs } = found;
      return { kind, bytes: found.size, device, inode, links, modifiedMs };
    } catch (error) {
      if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
      throw error;
    }
  },
  // A stream for each of hundreds of small files would cost more than hashing them.
  async digest(path) {
    const hash = createHash("sha256");
    const file = await openRegularFile(path);
    try {
      const chunk = Buffer.allocUnsafe(Math.min((await file.stat()).size + 1, CHUNK_BYTES));
      let bytes = 0;
      for (let read = -1; read !== 0; bytes += read) {
        ({ bytesRead: read } = await file.read(chunk));
        hash.update(chunk.subarray(0, read));
      }
      return { sha256: hash.digest("hex"), bytes };
    } finally {
      await file.close();
    }
  },
};
