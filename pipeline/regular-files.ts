/**
 * Reads files and nothing else: a pipe would be waited for without end, and a device has none. A link leads to what is
 * read.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** @throws an error of node:fs, or one with the code EFTYPE for a folder, a pipe, a device or a socket */
export async function openRegularFile(path: string | URL): Promise<FileHandle> {
  // Without O_NONBLOCK a pipe is not even opened before somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error(`EFTYPE: no regular file, open '${String(path)}'`), { code: "EFTYPE" });
}

/** @throws as openRegularFile */
export async function readRegularFile(path: string | URL): Promise<Buffer> {
  const file = await openRegularFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
