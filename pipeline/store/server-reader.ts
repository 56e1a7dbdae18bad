/** A server, or a static host with the objects of a store, as a store that can be read. */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import {
  BULK_BASE,
  BULK_MANIFEST,
  type BulkManifest,
  bulkManifest,
  filesIn,
} from "../contract/documents/bulk-manifest.ts";
import { byPath, type EarlierSnapshot, type Manifest, manifest } from "../contract/documents/manifest.ts";
import { fromServed } from "../contract/documents/served-manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../errors.ts";
import { nameOf } from "./layout.ts";
import { parseSnapshotKey, POINTER, pointerText } from "./pointer.ts";
import type { ReadOptions, Stored, StoreReader } from "./store.ts";

const SNAPSHOTS = "v1/snapshots";
/** Of the objects of the current snapshot and of earlier ones that are on their way; a snapshot has some hundreds. */
const MAX_ADDRESSES = 50_000;

const listed = z.array(
  z.object({
    id: z.string(),
    generation: z.int(),
    createdAt: z.iso.datetime(),
    servedUntil: z.iso.datetime().nullable(),
  }),
);

/** A server has the same documents under other addresses, and its objects below the name of a snapshot. */
export function serverReader(http: StoreReader): StoreReader {
  /** Undefined until the pointer was read once. */
  let isStatic: boolean | undefined;
  const addresses = new LRUCache<string, string>({ max: MAX_ADDRESSES });
  const remember = (snapshot: Pick<Manifest, "generation" | "id">, paths: readonly { readonly path: string }[]) => {
    for (const { path } of paths) addresses.set(path, `${BULK_BASE.slice(1)}/${nameOf(snapshot)}/${path}`);
  };

  async function readPointer(options: ReadOptions | undefined): Promise<Stored | "unchanged" | undefined> {
    if (isStatic !== false) {
      const stored = await readOrNothing(http, POINTER, options);
      if (stored !== undefined) {
        isStatic = true;
        return stored;
      }
    }
    const stored = await http.read(BULK_MANIFEST.slice(1), options);
    if (typeof stored !== "object") return stored;
    const bulk = parseBulk(stored.content.toString(), http.name);
    const { freshness } = bulk;
    const snapshot = toManifest(bulk);
    // Until then a page of a proxy may have stood where a static host has its pointer.
    isStatic = false;
    remember(snapshot, snapshot.files);
    const retained = await readRetained(snapshot, options);
    return { content: Buffer.from(pointerText({ snapshot, retained, freshness })), etag: stored.etag };
  }

  async function readRetained(
    { generation, id }: Manifest,
    options: ReadOptions | undefined,
  ): Promise<EarlierSnapshot[]> {
    const stored = await readOrNothing(http, SNAPSHOTS, options?.signal ? { signal: options.signal } : {});
    const all =
      typeof stored === "object" ? listed.safeParse(parseJson(stored.content.toString(), http.name)).data : undefined;
    if (!all) return [];
    // The list may have a newer snapshot already.
    const index = all.findIndex((snapshot) => snapshot.id === id);
    const earlier = index >= 0 ? all.slice(index + 1) : all.filter((snapshot) => snapshot.generation < generation);
    return earlier.flatMap(({ servedUntil, ...snapshot }) =>
      servedUntil === null ? [] : [{ ...snapshot, replacedAt: servedUntil }],
    );
  }

  return {
    name: http.name,
    async read(key, options) {
      if (key === POINTER) return readPointer(options);
      const snapshot = parseSnapshotKey(key);
      if (isStatic !== false || !snapshot) return http.read(key, options);
      const stored = await http.read(`${SNAPSHOTS}/${snapshot.id}`, options);
      if (typeof stored !== "object") return stored;
      const json = fromServed(parseJson(stored.content.toString(), http.name));
      // Whoever reads it refuses any other.
      remember(snapshot, manifest.safeParse(json).data?.files ?? []);
      return { ...stored, content: Buffer.from(JSON.stringify(json)) };
    },
    download: (key, bytes, path, signal) => http.download(addresses.get(key) ?? key, bytes, path, signal),
  };
}

/** A host of files may refuse what it does not have, to those who may not list (403, as S3 does). */
async function readOrNothing(http: StoreReader, key: string, options: ReadOptions | undefined) {
  try {
    return await http.read(key, options);
  } catch (error) {
    if (error instanceof UpstreamRefused && error.status === 403) return undefined;
    throw error;
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamBadResponse(name, "the manifest is not JSON");
  }
}

function parseBulk(text: string, name: string): BulkManifest {
  const found = parseJson(text, name);
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(name, `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`);
  const checked = bulkManifest.safeParse(found);
  if (checked.success) return checked.data;
  throw new UpstreamBadResponse(name, `the manifest is damaged at ${checked.error.issues[0]?.path.join(".")}`);
}

function toManifest(bulk: BulkManifest): Manifest {
  const { changesBefore, contentId, contract, createdAt, forgotten, forgottenAt, generation, id, source } = bulk;
  return {
    ...{ contract, id, contentId, generation, createdAt, source, changesBefore },
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    files: filesIn(bulk)
      .map(({ url: _url, ...file }) => file)
      .sort(byPath),
  };
}
