/** The list of what was taken down, for a program that goes on running: read again when the file has changed. */
import { stat } from "node:fs/promises";
import { nodeDisk } from "../disk/disk.ts";
import { type Forgotten, openTombstones, readTombstones, tombstonesPath } from "./tombstones.ts";

/**
 * Undefined where nothing was taken down. The function that it returns throws UsageError for a list that cannot be
 * read.
 */
export function watchForgotten(dataDir: string): () => Promise<Forgotten | undefined> {
  let last: { readonly version: string; readonly list: Promise<Forgotten | undefined> } | undefined;
  return async () => {
    // Each change renames a new file into place.
    const file = await stat(tombstonesPath(dataDir)).catch(() => undefined);
    const version = file ? `${file.ino} ${file.size} ${file.mtimeMs}` : "";
    if (last?.version !== version) {
      const list = readTombstones(dataDir, nodeDisk).then((read) => read && openTombstones(read));
      last = { version, list };
      // Do not remember failures.
      list.catch(() => (last = undefined));
    }
    return last.list;
  };
}

/**
 * Whether a list keeps away whatever was taken down from data with this mark (`Manifest.forgotten`). A list that is
 * not applied everywhere yet is ahead of the data.
 */
export const coversMark = (list: Forgotten | undefined, mark: string | undefined): boolean =>
  mark === undefined || (list !== undefined && (list.mark === mark || list.isPending));
