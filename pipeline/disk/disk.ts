/** Abstracts all reads and changes of the disk, so that tests can damage what is read and fail at each change. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import * as fs from "node:fs/promises";
import { openRegularFile, readRegularFile } from "../regular-files.ts";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { dirname } from "node:path";

/** Symbolic links are described themselves, as by lstat. */
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
  /** Returns the SHA-256 in hexadecimal, and the size. */
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
      const stats = await fs.lstat(path);
      const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
      const { dev: device, ino: inode, nlink: links, mtimeMs: modifiedMs } = stats;
      return { kind, bytes: stats.size, device, inode, links, modifiedMs };
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

/** Errors are those of node:fs, with their `code`. */
export interface Disk extends DiskReader {
  /** Works as `mkdir -p`. */
  mkdir(path: string): Promise<void>;
  /** Fails with EEXIST when the file exists. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  /** Fails with EEXIST when the target exists. */
  copyFile(from: string, to: string): Promise<void>;
  /**
   * Works as copyFile, but never shares blocks on a copy-on-write file system: one bad block would damage both files.
   */
  copyBytes(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  touch(path: string, when: Date): Promise<void>;
  /** Works as `rm -rf`. */
  rm(path: string): Promise<void>;
  syncFile(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** Runs `write`, which lets DuckDB's COPY create the file. */
  writtenBy<T>(path: string, write: () => Promise<T>): Promise<T>;
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
  ...diskReader,
  mkdir: async (path) => void (await fs.mkdir(path, { recursive: true })),
  writeFile: (path, content) => fs.writeFile(path, content, { flag: "wx" }),
  link: (existing, path) => fs.link(existing, path),
  copyFile: (from, to) => fs.copyFile(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE),
  copyBytes: (from, to) => pipeline(createReadStream(from), createWriteStream(to, { flags: "wx" })),
  rename: (from, to) => fs.rename(from, to),
  symlink: (target, path) => fs.symlink(target, path),
  touch: (path, when) => fs.utimes(path, when, when),
  rm: (path) => fs.rm(path, { recursive: true, force: true }),
  syncFile: sync,
  syncFolder: sync,
  writtenBy: (_path, write) => write(),
};

/**
 * Writes a file atomically and durably: after a kill or a power loss it has its old content or the new.
 * @param draft a path on the same file system, removed by the cleanup after a killed run
 */
export async function replaceFile(disk: Disk, path: string, text: string, draft: string): Promise<void> {
  await disk.writeFile(draft, text);
  await disk.syncFile(draft);
  await disk.rename(draft, path);
  await disk.syncFolder(dirname(path));
}

/** Returns the paths of all files below a folder, relative to it. */
export const filesBelow = async (disk: DiskReader, folder: string): Promise<string[]> =>
  (await entriesBelow(disk, folder)).map(({ path }) => path);

/** Returns all files below a folder, with their paths relative to it. */
export async function entriesBelow(
  disk: DiskReader,
  folder: string,
  below = "",
): Promise<(Entry & { readonly path: string })[]> {
  const entries = [];
  for (const name of await disk.readdir(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    const entry = await disk.stat(join(folder, path));
    if (entry?.kind === "folder") entries.push(...(await entriesBelow(disk, folder, path)));
    else if (entry) entries.push({ ...entry, path });
  }
  return entries;
}
