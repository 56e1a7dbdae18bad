/** Places for snapshots whose publishers are killed: folders in memory and on the disk, and prefixes of a bucket. */
import { join } from "node:path";
import { type Disk, nodeDisk, filesBelow } from "../../../pipeline/disk/disk.ts";
import { readPointer, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import { BUCKET_OPTIONS, openBucket } from "../../../pipeline/store/bucket.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import type { MemoryDisk } from "../../support/memory-disk.ts";
import type { S3Store } from "../../support/s3/store.ts";

export class Killed extends Error {
  override name = "Killed";
}

/** A place for snapshots, and the number of changes until its process is killed. */
export interface Place {
  readonly name: string;
  /** What is there, past every fault. */
  objects(): Promise<ReadonlyMap<string, string>>;
  /** Opens the store in a process that is killed before its change of that number; Infinity = never. */
  open(changesLeft: number): Store;
}

const READING = new Set<PropertyKey>(["readFile", "readBytes", "readlink", "readdir", "stat", "digest"]);

/** Every change counts; from the last one on nothing happens any more, also no cleaning up. */
export function mortalDisk(disk: Disk, changesLeft: number): Disk {
  let left = changesLeft;
  return new Proxy(disk, {
    get(target, name, receiver) {
      const operation: unknown = Reflect.get(target, name, receiver);
      if (typeof operation !== "function" || READING.has(name)) return operation;
      return async (...parameters: unknown[]): Promise<unknown> => {
        if (left-- <= 0) throw new Killed(String(name));
        return (operation as (...all: unknown[]) => Promise<unknown>)(...parameters);
      };
    },
  });
}

const noLock = async () => ({ assertHeld: async () => undefined, release: async () => undefined });

export function folderPlace(name: string, disk: MemoryDisk): Place {
  const folder = `/${name}`;
  return {
    name,
    // Nobody else is there, and no folder leads elsewhere: the lock and its checks are of the real file system.
    open: (changesLeft) => ({
      ...openFolderStore(folder, mortalDisk(disk, changesLeft)),
      exclusively: (work) => work(() => Promise.resolve()),
    }),
    async objects() {
      const keys = disk.paths().filter((path) => path.startsWith(`${folder}/`) && !path.includes("/.drafts/"));
      return new Map(
        await Promise.all(
          keys.map(async (path) => [path.slice(folder.length + 1), await disk.readFile(path)] as const),
        ),
      );
    },
  };
}

/** A folder of the real file system. Killed processes are those of the disk that opens it. */
export const realPlace = (name: string, folder: string, disk: Disk): Place => ({
  name,
  open: () => openFolderStore(folder, disk, { lock: noLock }),
  async objects() {
    const texts = new Map<string, string>();
    for (const path of await filesBelow(nodeDisk, folder))
      if (!path.startsWith(".drafts/")) texts.set(path, await nodeDisk.readFile(join(folder, path)));
    return texts;
  },
});

/** Prefixes of a bucket, whose requests meet faults. A process is killed before a write. */
export const bucketPlace = (name: string, s3: S3Store): Place => ({
  name,
  open(changesLeft) {
    const { region, ...credentials } = s3.credentials;
    const aws = { endpoint: new URL(s3.url), region, credentials, pathStyle: undefined };
    const store = openBucket(s3.bucket, name, aws, { ...BUCKET_OPTIONS, timeoutMs: 2_000, backoffMs: 1, retries: 20 });
    let left = changesLeft;
    const mortal =
      <T extends unknown[], R>(write: (...parameters: T) => Promise<R>) =>
      async (...parameters: T): Promise<R> => {
        if (left-- <= 0) throw new Killed("before a write");
        return write(...parameters);
      };
    const { addFiles, create, remove, replace } = store;
    const writes = { addFiles: mortal(addFiles), create: mortal(create), remove: mortal(remove) };
    return { ...store, ...writes, replace: mortal(replace), graceMs: 0 };
  },
  objects: async () =>
    new Map(
      [...s3.objects()].flatMap(([key, { body }]) =>
        key.startsWith(`${name}/`) ? [[key.slice(name.length + 1), body.toString()] as const] : [],
      ),
    ),
});

export async function pointerOf(place: Place): Promise<StoredPointer | undefined> {
  const pointer = await readPointer(place.open(Infinity));
  return typeof pointer === "object" ? pointer : undefined;
}
