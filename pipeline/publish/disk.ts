/** All changes to the disk go through this interface, so that tests can kill the process or fail at each one. */
import { createReadStream, createWriteStream } from "node:fs";
import * as fs from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { diskReader, type DiskReader, hasCode } from "../generations/disk-reader.ts";

/** Errors are those of node:fs, with their `code`. */
export interface Disk extends DiskReader {
  /** As `mkdir -p`. */
  mkdir(path: string): Promise<void>;
  /** Fails with EEXIST when the file exists. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  /** Fails with EEXIST when the target exists. */
  copyFile(from: string, to: string): Promise<void>;
  /** As copyFile, but never shares blocks on a copy-on-write file system: one bad block would damage both. */
  copyBytes(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  touch(path: string, when: Date): Promise<void>;
  /** As `rm -rf`. */
  rm(path: string): Promise<void>;
  syncFile(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** A file that DuckDB's COPY writes. */
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
