/** What the origin of a replica has besides the snapshot in service: its earlier snapshots, read and brought here when they are asked for. */
import { gunzipSync, gzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { EarlierSnapshot, Manifest } from "../contract/documents/manifest.ts";
import { readCurrent } from "../generations/generation.ts";
import { generationName } from "../generations/layout.ts";
import type { Log } from "../log.ts";
import { type EarlierManifest, readEarlierManifest } from "../stores/earlier.ts";
import type { Source } from "../stores/open.ts";
import { fetchEarlier, fetchFolder } from "./fetch-earlier.ts";

export type Named = Pick<EarlierSnapshot, "id" | "generation">;

export interface Origin {
  /** Undefined when the origin does not have it any more. @throws UpstreamError */
  readManifest(one: Named): Promise<Manifest | undefined>;
  /**
   * Brings its files into the artifacts folder, once for all who wait.
   * @returns false when the origin does not have it any more
   * @throws UpstreamError; OtherContract for one of an older contract
   */
  fetch(one: Named): Promise<boolean>;
  /** The ids that it lists before that snapshot, as they were read last; undefined when they were not. */
  earlierThan(id: string): ReadonlySet<string> | undefined;
}

export interface OpenedOrigin extends Origin {
  /** What it lists before a snapshot now: it may have removed some since that was published. */
  list(id: string, earlier: readonly Named[]): void;
  /** The folders of snapshots on their way, below staging. */
  folders(): readonly string[];
  close(): Promise<void>;
}

/** Manifests that are read at the same time. */
const READ_AT_ONCE = 4;
/** Compressed; some 40 kB each. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

export function openOrigin(source: Source, artifacts: string, log: Log): OpenedOrigin {
  const ending = new AbortController();
  const reading = pLimit(READ_AT_ONCE);
  // One after the other, so that clients who ask for many do not keep the next snapshot from coming.
  const fetching = pLimit(1);
  const fetches = new Map<string, Promise<boolean>>();
  let listed: { readonly id: string; readonly earlier: ReadonlySet<string> } | undefined;
  const texts = new LRUCache<string, Buffer>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ length }) => length });

  /** One from before a take-down is as if the origin did not have it any more. */
  async function isCovered({ manifest }: EarlierManifest): Promise<boolean> {
    const current = await readCurrent(artifacts).catch(() => undefined);
    const mark = current?.manifest.forgotten;
    return mark === undefined || manifest.forgotten === mark;
  }

  const read = (one: Named): Promise<EarlierManifest | undefined> =>
    reading(async () => {
      const found = await readEarlierManifest(source, one, ending.signal);
      return found && (await isCovered(found)) ? found : undefined;
    });

  async function fetchOne(one: Named, name: string): Promise<boolean> {
    const found = await read(one);
    if (!found) return false;
    const from = source.reader;
    try {
      await fetchEarlier(found, name, { artifacts, from, signal: ending.signal });
    } catch (error) {
      if (!ending.signal.aborted)
        log.warn("an earlier snapshot cannot be copied", {
          id: one.id,
          from: from.name,
          cause: String(error).slice(0, 300),
        });
      throw error;
    }
    log.info("copied an earlier snapshot", { id: one.id, from: from.name });
    return true;
  }

  return {
    async readManifest(one) {
      const name = generationName(one.generation, one.id);
      const text = texts.get(name);
      if (text) return JSON.parse(gunzipSync(text).toString()) as Manifest;
      const found = await read(one);
      if (found) texts.set(name, gzipSync(JSON.stringify(found.manifest)));
      return found?.manifest;
    },
    fetch(one) {
      const name = generationName(one.generation, one.id);
      const fetch = fetches.get(name) ?? fetching(() => fetchOne(one, name)).finally(() => fetches.delete(name));
      fetches.set(name, fetch);
      return fetch;
    },
    earlierThan: (id) => (listed?.id === id ? listed.earlier : undefined),
    list: (id, earlier) => void (listed = { id, earlier: new Set(earlier.map((one) => one.id)) }),
    folders: () => [...fetches.keys()].map((name) => fetchFolder(artifacts, name)),
    async close() {
      ending.abort();
      await Promise.allSettled(fetches.values());
    },
  };
}
