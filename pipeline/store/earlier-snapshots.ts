/** Lists and reads the earlier snapshots of a replica's origin, and copies them here on request. */
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamError, UpstreamRefused } from "../errors.ts";
import { readCurrent } from "./published.ts";
import { layoutOf, nameOf } from "./layout.ts";
import { OtherContract, assertSnapshot } from "./manifest.ts";
import type { Log } from "../log.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { guardFolders } from "./own-folders.ts";
import { artifactsStore } from "./folder.ts";
import { readManifest, readPointer } from "./pointer.ts";
import type { StoreReader } from "./store.ts";
import { type Alone, copyChecked, soundObjects } from "./copy-to-artifacts.ts";

export type Named = Pick<EarlierSnapshot, "id" | "generation">;

/** Thrown when there is not enough free space for a snapshot. */
export class NoRoom extends UpstreamError {
  override name = "NoRoom";
}

export interface OriginSnapshots {
  /** Returns undefined when the origin no longer has the snapshot. @throws UpstreamError */
  readManifest(snapshot: Named): Promise<Manifest | undefined>;
  /**
   * Copies the snapshot's files into the artifacts folder, once for all concurrent requests.
   * @returns false when the origin no longer has the snapshot
   * @throws UpstreamError; OtherContract for a snapshot of an older contract
   */
  fetch(snapshot: Named): Promise<boolean>;
  /** Returns the ids that the origin listed before that snapshot when last read; undefined when it was not read. */
  earlierThan(id: string): ReadonlySet<string> | undefined;
}

export interface OpenedOriginSnapshots extends OriginSnapshots {
  /**
   * Updates the snapshots that the origin lists before the current one: it may have removed some since that was
   * published.
   */
  list(id: string, earlier: readonly Named[]): void;
  /** Runs work while no snapshot is added: objects that no manifest names yet must not be collected. */
  readonly alone: Alone;
  close(): Promise<void>;
}

/** Manifests are read in parallel up to this number. */
const READ_AT_ONCE = 4;
/** The limit of cached manifests, compressed; some 40 kB each. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** The free space must be this multiple of the snapshot: a server and a copy of the next snapshot need room too. */
const FREE_SHARE = 2;

export function openOriginSnapshots(
  from: StoreReader,
  artifacts: string,
  log: Log,
  disk: Disk = nodeDisk,
): OpenedOriginSnapshots {
  const ending = new AbortController();
  const reading = pLimit(READ_AT_ONCE);
  // Snapshots are fetched sequentially, so that requests for many do not delay the next snapshot.
  const fetching = pLimit(1);
  const adding = pLimit(1);
  const fetches = new Map<string, Promise<boolean>>();
  let listed: { readonly id: string; readonly earlier: ReadonlySet<string> } | undefined;
  const texts = new LRUCache<string, Buffer>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ length }) => length });
  const folderOf = (snapshot: Named): string => join(layoutOf(artifacts).staging, `earlier-${nameOf(snapshot)}`);

  /** False for a snapshot from before a take-down, which counts as removed from the origin. */
  async function isCovered(manifest: Manifest): Promise<boolean> {
    const current = await readCurrent(artifacts).catch(() => undefined);
    const mark = current?.manifest.forgotten;
    return mark === undefined || manifest.forgotten === mark;
  }

  /** Hosts may answer 403 for missing objects when listing is not allowed. */
  async function readUnlessGone(snapshot: Named): Promise<Manifest | undefined> {
    const { signal } = ending;
    try {
      return await readManifest(from, snapshot, { signal });
    } catch (error) {
      if (!(error instanceof UpstreamRefused) || error.status !== 403) throw error;
      const pointer = await readPointer(from, { signal });
      const named = typeof pointer === "object" ? [pointer.snapshot, ...pointer.retained] : [snapshot];
      if (named.some(({ id }) => id === snapshot.id)) throw error;
      return undefined;
    }
  }

  const read = (snapshot: Named): Promise<Manifest | undefined> =>
    reading(async () => {
      const manifest = await readUnlessGone(snapshot);
      if (manifest?.contract === CONTRACT_VERSION) assertSnapshot(manifest, from.name);
      return manifest && (await isCovered(manifest)) ? manifest : undefined;
    });

  async function fetchOne(snapshot: Named): Promise<boolean> {
    const manifest = await read(snapshot);
    if (!manifest) return false;
    const { contract } = manifest;
    if (contract !== CONTRACT_VERSION)
      throw new OtherContract(`${nameOf(snapshot)} is of contract version ${contract}`, contract);
    try {
      // Data that was taken down in the meantime must not come back.
      if (!(await adding(async () => (await isCovered(manifest)) && bring(manifest, folderOf(snapshot))))) return false;
    } catch (error) {
      if (!ending.signal.aborted)
        log.warn("an earlier snapshot cannot be copied", {
          id: snapshot.id,
          from: from.name,
          cause: String(error).slice(0, 300),
        });
      throw error;
    }
    log.info("copied an earlier snapshot", { id: snapshot.id, from: from.name });
    return true;
  }

  /** **Output:** the snapshot, which is not in service: its objects, then its manifest. */
  async function bring(manifest: Manifest, folder: string): Promise<true> {
    await guardFolders([layoutOf(artifacts).staging, folder]);
    const present = await soundObjects(artifacts, manifest.files, { published: undefined, lost: [] }, disk);
    await expectRoom(
      manifest.files.filter(({ path }) => !present.has(path)),
      artifacts,
      from,
    );
    await copyChecked(from, artifactsStore(artifacts, disk, join(folder, "drafts")), {
      ...{ manifest, present, folder, disk, signal: ending.signal, isEarlier: true },
    });
    await disk.rm(folder);
    return true;
  }

  return {
    async readManifest(snapshot) {
      const name = nameOf(snapshot);
      const text = texts.get(name);
      if (text) return JSON.parse(gunzipSync(text).toString()) as Manifest;
      const manifest = await read(snapshot);
      if (manifest) texts.set(name, gzipSync(JSON.stringify(manifest)));
      return manifest;
    },
    fetch(snapshot) {
      const name = nameOf(snapshot);
      const fetch = fetches.get(name) ?? fetching(() => fetchOne(snapshot)).finally(() => fetches.delete(name));
      fetches.set(name, fetch);
      return fetch;
    },
    earlierThan: (id) => (listed?.id === id ? listed.earlier : undefined),
    list: (id, earlier) => void (listed = { id, earlier: new Set(earlier.map((snapshot) => snapshot.id)) }),
    alone: (work) => adding(work),
    async close() {
      ending.abort();
      await Promise.allSettled(fetches.values());
    },
  };
}

async function expectRoom(files: readonly PublishedFile[], artifacts: string, { name }: StoreReader): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { bavail, bsize } = await statfs(artifacts);
  if (bavail * bsize < FREE_SHARE * bytes) throw new NoRoom(name, "there is no room for an earlier snapshot");
}
