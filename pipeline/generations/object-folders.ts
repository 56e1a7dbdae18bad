/** Where the objects of a store are. */
import { join } from "node:path";
import { TABLE_NAMES } from "../contract/tables.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";
import { diskReader, type DiskReader } from "./disk-reader.ts";
import { filesBelow } from "./verify.ts";

/** Of each table, and of all views. */
export const OBJECT_FOLDERS: readonly string[] = [...TABLE_NAMES.map((table) => `${table}/`), `${VIEWS_FOLDER}/`];

/** The bytes of all objects in the artifacts folder. */
export async function objectBytes(artifacts: string, disk: DiskReader = diskReader): Promise<number> {
  let bytes = 0;
  for (const prefix of OBJECT_FOLDERS) {
    const folder = join(artifacts, prefix.slice(0, -1));
    for (const path of await filesBelow(disk, folder)) bytes += (await disk.stat(join(folder, path)))?.bytes ?? 0;
  }
  return bytes;
}
