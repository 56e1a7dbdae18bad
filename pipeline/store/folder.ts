/**
 * A folder, as a store. Files are written as drafts, synced, and only then get their names; a published file is a hard link where that is possible.
 */
import { createHash, randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { filesOfView, VIEWS, VIEWS_FOLDER } from "../contract/views.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { type Disk, type DiskReader, hasCode, isLinkRefused, nodeDisk, filesBelow } from "../disk/disk.ts";
import { acquireLock, type Lock } from "../disk/lock.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { HASH_DIGITS, hashInPath } from "./layout.ts";
import { guardFolders } from "./own-folders.ts";
import { parseSnapshotKey } from "./pointer.ts";
import type { Content, ListedReader, Store, StoredFile } from "./store.ts";

/** Held by whoever writes to the folder. */
const LOCK = ".lock";
/** Everything unfinished is in here and nowhere else. */
const DRAFTS = ".drafts";
const OBJECTS = ["snapshots", ...TABLE_NAMES];
const OWN = [
  LOCK,
  DRAFTS,
  "snapshots",
  "backup",
  ...OBJECTS.map((folder) => `backup/${folder}`),
  ...OBJECTS,
  ...TABLE_NAMES.map((table) => `${table}/_delta_log`),
  VIEWS_FOLDER,
  ...VIEWS.map(filesOfView),
];

export interface FolderOptions {
  /** Where objects are written before they get their names; by default in the folder. */
  readonly drafts?: string;
  /** Takes the lock of the folder; by default that of published data. */
  readonly lock?: (path: string) => Promise<Lock>;
  /** Copies share no blocks with their source, and each is read back: one bad block never damages both. */
  readonly isIndependent?: boolean;
}

/** A folder that is only read. What it locates is not downloaded. */
export function openFolderReader(folder: string, disk: DiskReader): ListedReader {
  const at = (key: string): string => join(folder, key);
  return {
    name: folder,
    locate: at,
    async read(key, { etag = null } = {}) {
      let content: Buffer;
      try {
        content = await disk.readBytes(at(key));
      } catch (error) {
        if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
        const { code } = error as NodeJS.ErrnoException;
        throw code === undefined ? error : new UpstreamBadResponse(folder, `${key} cannot be read (${code})`);
      }
      const hash = createHash("sha256").update(content).digest("hex");
      return hash === etag ? "unchanged" : { content, etag: hash };
    },
    download: () => Promise.reject(new TypeError(`${folder} is only read`)),
    async list(prefix) {
      const below = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      const listed = [];
      for (const path of await filesBelow(disk, at(below.slice(0, -1)))) {
        const key = `${below}${path}`;
        const entry = key.startsWith(prefix) ? await disk.stat(at(key)) : undefined;
        if (entry) listed.push({ key, bytes: entry.bytes, modifiedMs: entry.modifiedMs });
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
  const at = (key: string): string => join(folder, key);

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
    const path = at(key);
    await disk.mkdir(dirname(path));
    return path;
  }

  /** The folders up to the store's own: a new folder's name is in the one above it. */
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

  /** An object that is what its name says is left alone. A damaged one is replaced. */
  async function place(path: string, file: Omit<StoredFile, "key">): Promise<void> {
    const entry = await disk.stat(path);
    if (entry) {
      if (entry.kind === "file" && hashInPath(path) === (await digestOf(path))) return;
      await disk.rm(path);
    }
    if (isIndependent) return copyTo(path, file);
    try {
      // A name must never stand before its content.
      await disk.syncFile(file.at);
      await disk.link(file.at, path);
    } catch (error) {
      if (!isLinkRefused(error)) throw error;
      await copyTo(path, file);
    }
  }

  async function copyTo(path: string, file: Omit<StoredFile, "key">): Promise<void> {
    const draft = await writeDraft(file);
    if ((await digestOf(draft)) !== hashInPath(path))
      throw new UpstreamBadResponse(folder, "a copy does not read back as it was written");
    await disk.rename(draft, path);
  }

  /** As many digits of the hash as a name has; undefined for a file that cannot be read. */
  const digestOf = async (path: string): Promise<string | undefined> =>
    (await disk.digest(path).catch(() => undefined))?.sha256.slice(0, HASH_DIGITS);

  async function etagOf(key: string): Promise<string | null> {
    return (await disk.stat(at(key))) === undefined ? null : (await disk.digest(at(key))).sha256;
  }

  return {
    ...openFolderReader(folder, disk),
    base: `${folder}/`,
    graceMs: 0,
    async download(key, _bytes, path) {
      await disk.rm(path);
      await disk.copyFile(at(key), path);
    },
    async create(key, text) {
      const path = await makeFolder(key);
      if (!(await name(await writeDraft(text), path))) return false;
      await syncAbove(path);
      return true;
    },
    async addFiles(files) {
      const folders = new Set<string>();
      for (const { key, ...file } of files) {
        const path = await makeFolder(key);
        await place(path, file);
        folders.add(dirname(path));
      }
      for (const one of folders) await syncAbove(join(one, "-"));
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
      await disk.rm(at(key));
      // An object that comes back after a power loss is in nobody's way. A manifest would name objects that are gone.
      if (parseSnapshotKey(key)) await disk.syncFolder(dirname(at(key)));
    },
    probe: () => Promise.resolve(),
    async exclusively(work) {
      await disk.mkdir(folder);
      await guardFolders(OWN.map(at));
      const lock = await takeLock(join(folder, LOCK));
      try {
        // What a killed publication left is in the way of nothing, but takes room.
        await disk.rm(drafts);
        return await work(() => lock.assertHeld());
      } finally {
        await disk.rm(drafts).catch(() => undefined);
        await lock.release();
      }
    },
  };
}
