/**
 * A store in a folder. Files are written as drafts and synced before they get their names; a published file is a hard
 * link where the file system has them.
 */
import { createHash, randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { TABLE_NAMES } from "../contract/tables.ts";
import { type Disk, type DiskReader, hasCode, isLinkRefused, nodeDisk, entriesBelow } from "../disk/disk.ts";
import { acquireLock, type Lock } from "../disk/lock.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { HASH_DIGITS, hashInPath, layoutOf } from "./layout.ts";
import { guardFolders, OBJECTS } from "./own-folders.ts";
import { parseSnapshotKey } from "./pointer.ts";
import type { Content, ListedReader, Store } from "./store.ts";

/** Writers hold this lock of the folder. */
const LOCK = ".lock";
/** Everything unfinished is in here and nowhere else. */
const DRAFTS = ".drafts";
const OWN = [
  ...[LOCK, DRAFTS, "snapshots", "backup", "backup/snapshots"],
  ...OBJECTS,
  ...TABLE_NAMES.flatMap((table) => [`backup/${table}`, `${table}/_delta_log`]),
];

export interface FolderOptions {
  /** Objects are written here before they get their names; by default in the folder itself. */
  readonly drafts?: string;
  /** Takes the lock of the folder; by default that of published data. */
  readonly lock?: (path: string) => Promise<Lock>;
  /** Copies share no blocks with their source, and each is read back: one bad block never damages both. */
  readonly isIndependent?: boolean;
}

/** Opens a folder for reading. Objects that it locates are not downloaded. */
export function openFolderReader(folder: string, disk: DiskReader): ListedReader {
  const pathOf = (key: string): string => join(folder, key);
  return {
    name: folder,
    locate: pathOf,
    async read(key, { etag = null } = {}) {
      let content: Buffer;
      try {
        content = await disk.readBytes(pathOf(key));
      } catch (error) {
        if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
        const { code } = error as NodeJS.ErrnoException;
        throw code === undefined ? error : new UpstreamBadResponse(folder, `${key} cannot be read (${code})`);
      }
      const tagOf = () => createHash("sha256").update(content).digest("hex");
      if (etag !== null && tagOf() === etag) return "unchanged";
      // Nobody asks for the tags of hundreds of manifests.
      return {
        content,
        get etag() {
          return tagOf();
        },
      };
    },
    download: () => Promise.reject(new TypeError(`${folder} is only read`)),
    async list(prefix) {
      const below = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      const listed = [];
      for (const { path, bytes, modifiedMs } of await entriesBelow(disk, pathOf(below.slice(0, -1)))) {
        const key = `${below}${path}`;
        if (key.startsWith(prefix)) listed.push({ key, bytes, modifiedMs });
      }
      return listed;
    },
  };
}

export function openFolderStore(
  folder: string,
  disk: Disk = nodeDisk,
  { drafts = join(folder, DRAFTS), isIndependent = false, lock: takeLock = acquireLock }: FolderOptions = {},
): Store {
  const pathOf = (key: string): string => join(folder, key);

  async function writeDraft(content: Content): Promise<string> {
    const draft = join(drafts, randomUUID());
    await disk.mkdir(drafts);
    if (typeof content === "string") await disk.writeFile(draft, content);
    else if (isIndependent) await disk.copyBytes(content.at, draft);
    else await disk.copyFile(content.at, draft);
    await disk.syncFile(draft);
    return draft;
  }

  async function makeFolder(key: string): Promise<string> {
    const path = pathOf(key);
    await disk.mkdir(dirname(path));
    return path;
  }

  /** Syncs the folders up to the store's root: the name of a new folder is stored in its parent. */
  async function syncAbove(path: string): Promise<void> {
    for (let above = dirname(path); above.length >= folder.length; above = dirname(above)) {
      await disk.syncFolder(above);
      if (above === folder) return;
    }
  }

  /** Gives the draft its name, unless that is taken. */
  async function name(draft: string, path: string): Promise<boolean> {
    try {
      await disk.link(draft, path);
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      if (!isLinkRefused(error)) throw error;
      // Without hard links only the lock keeps other publishers away.
      if (await disk.stat(path)) return false;
      await disk.rename(draft, path);
    }
    return true;
  }

  /** Leaves a sound object alone and replaces a damaged one. */
  async function place(path: string, at: string): Promise<void> {
    const entry = await disk.stat(path);
    if (entry) {
      if (entry.kind === "file" && hashInPath(path) === (await digestOf(path))) return;
      await disk.rm(path);
    }
    if (isIndependent) return copyTo(path, at);
    try {
      // A name must never exist before its content does.
      await disk.syncFile(at);
      await disk.link(at, path);
    } catch (error) {
      if (!isLinkRefused(error)) throw error;
      await copyTo(path, at);
    }
  }

  async function copyTo(path: string, at: string): Promise<void> {
    const draft = await writeDraft({ at });
    if ((await digestOf(draft)) !== hashInPath(path))
      throw new UpstreamBadResponse(folder, "a copy does not read back as it was written");
    await disk.rename(draft, path);
  }

  /** Returns as many digits of the hash as a name has; undefined when the file cannot be read. */
  const digestOf = async (path: string): Promise<string | undefined> =>
    (await disk.digest(path).catch(() => undefined))?.sha256.slice(0, HASH_DIGITS);

  async function etagOf(key: string): Promise<string | null> {
    return (await disk.stat(pathOf(key))) === undefined ? null : (await disk.digest(pathOf(key))).sha256;
  }

  return {
    ...openFolderReader(folder, disk),
    base: `${folder}/`,
    graceMs: 0,
    async download(key, _bytes, path) {
      await disk.rm(path);
      await disk.copyFile(pathOf(key), path);
    },
    async create(key, text) {
      const path = await makeFolder(key);
      if (!(await name(await writeDraft(text), path))) return false;
      await syncAbove(path);
      return true;
    },
    async addFiles(files) {
      const folders = new Set<string>();
      for (const { at, key } of files) {
        const path = await makeFolder(key);
        await place(path, at);
        folders.add(dirname(path));
      }
      for (const created of folders) await syncAbove(join(created, "-"));
    },
    async replace(key, content, etag) {
      const path = await makeFolder(key);
      const draft = await writeDraft(content);
      if ((await etagOf(key)) !== etag) return false;
      await disk.rename(draft, path);
      await syncAbove(path);
      return true;
    },
    async remove(key) {
      await disk.rm(pathOf(key));
      // An object that comes back after a power loss does no harm. A manifest would name objects that are gone.
      if (parseSnapshotKey(key)) await disk.syncFolder(dirname(pathOf(key)));
    },
    probe: () => Promise.resolve(),
    async exclusively(work) {
      await disk.mkdir(folder);
      await guardFolders(OWN.map(pathOf));
      const lock = await takeLock(join(folder, LOCK));
      try {
        // Leftovers of a killed publication do no harm, but take up space.
        await disk.rm(drafts);
        return await work(() => lock.assertHeld());
      } finally {
        await disk.rm(drafts).catch(() => undefined);
        await lock.release();
      }
    },
  };
}

/**
 * Opens the artifacts folder as a store. Requires its lock, except for a writer that only adds objects and has its own
 * folder of drafts.
 */
export const artifactsStore = (
  artifacts: string,
  disk: Disk,
  drafts: string = join(layoutOf(artifacts).staging, "drafts"),
): Store => openFolderStore(artifacts, disk, { drafts });
