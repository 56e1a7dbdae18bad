/** `/v1/data`: the published files of the retained snapshots; `/v1/snapshots` lists these. */
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Manifest, PublishedFile } from "../../pipeline/contract/documents/manifest.ts";
import { diskReader } from "../../pipeline/disk/disk.ts";
import { listPublished, readLocalManifest } from "../../pipeline/store/published.ts";
import { nameOf, parseSnapshotName } from "../../pipeline/store/layout.ts";
import { isOlder } from "../../pipeline/store/manifest.ts";
import type { H3Event, HTTPResponse } from "h3";
import { BULK_BASE, BULK_MANIFEST, toBulkManifest } from "../../pipeline/contract/documents/bulk-manifest.ts";
import { commonHeaders, IMMUTABLE } from "../response/headers.ts";
import type { PageRequest, Pages } from "../pages/page.ts";
import { filesMissing, Problem, servedSnapshot, shown } from "../response/problem.ts";
import { once } from "../snapshot/shared-work.ts";
import type { Store } from "../snapshot/store.ts";
import { readUnlessDamaged, unlessDamaged } from "../snapshot/earlier-generations.ts";
import { findRetained, momentParam, notRetained } from "../response/as-of.ts";
import { readQuery } from "../response/query.ts";
import { MANIFEST_CHANGES_TYPE, toManifestChanges } from "./manifest-changes.ts";
import { streamFile, sendFileContent, sendJson } from "../pages/content.ts";
import { createSnapshots } from "./snapshots.ts";

export const PARQUET_TYPE = "application/vnd.apache.parquet";
/** The alias of the snapshot in service. */
const CURRENT = "current";

export const MANIFEST_PARAMS = {
  since: momentParam(
    "instead of the manifest, the files added and removed since a retained snapshot: its id, a date (the end of that day on campus), or a time",
  ),
};

const SEE_MANIFEST = `${BULK_MANIFEST} lists all available files.`;

export function createBulk({ store, artifactsDir }: { store: Store; artifactsDir: string }): Pages {
  const findOnDisk = openSnapshots(artifactsDir);

  const currentManifest = () => servedSnapshot(store).published.manifest;

  const sendManifest = async (request: PageRequest): Promise<HTTPResponse> => {
    const manifest = currentManifest();
    const { values, problems } = readQuery(request.event.url.searchParams, MANIFEST_PARAMS);
    if (problems.length > 0) throw new Problem(400, problems.join("; "));
    if (values.since !== undefined) {
      const retained = await store.history.retained();
      const snapshot = findRetained(values.since, retained, new Date());
      const earlier = await readUnlessDamaged(store.history, snapshot);
      // It was deleted in the meantime, or its manifest cannot be read.
      if (!earlier) throw notRetained(values.since, retained.slice(0, 1));
      const now = { name: nameOf(manifest), manifest };
      return sendJson(
        request,
        manifest.id,
        toManifestChanges({ name: snapshot.folderName, manifest: earlier.manifest }, now),
        `${MANIFEST_CHANGES_TYPE}; charset=utf-8`,
      );
    }
    // A refresh without changes updates only the freshness.
    return sendJson(request, manifest.id, toBulkManifest(nameOf(manifest), manifest, store.freshness()));
  };

  const isServed = (name: string) => [CURRENT, nameOf(currentManifest())].includes(name);

  async function findSnapshot(requestedName: string): Promise<SnapshotOnDisk> {
    const name = requestedName === CURRENT ? nameOf(currentManifest()) : requestedName;
    const published = await findOnDisk(name);
    if (published) return published;
    if (isServed(name)) throw filesMissing();
    // The server may be a replica whose origin has the snapshot.
    const snapshots = await store.history.retained();
    const snapshot = snapshots.find(({ folderName, id }) => folderName === name || id === name);
    await (snapshot && store.history.readComplete(snapshot).catch(unlessDamaged));
    const copied = snapshot && (await findOnDisk(snapshot.folderName));
    if (copied) return copied;
    throw new Problem(404, `The generation ${shown(requestedName)} is not retained, or never existed. ${SEE_MANIFEST}`);
  }

  async function sendFile({ event, requestId }: PageRequest): Promise<HTTPResponse> {
    const [name = "", ...rest] = readPath(event);
    const published = await findSnapshot(name);
    const file = published.files.get(rest.join("/"));
    if (!file) throw new Problem(404, `The generation ${shown(name)} has no such file. ${SEE_MANIFEST}`);
    return sendFileContent(event, {
      headers: {
        ...commonHeaders(requestId),
        "Content-Type": PARQUET_TYPE,
        "X-Data-Snapshot": published.manifest.id,
        "Cache-Control": name === CURRENT ? "no-cache" : IMMUTABLE,
      },
      sha256: file.sha256,
      size: file.bytes,
      modified: Date.parse(published.manifest.createdAt),
      async open(range) {
        const opened = await openPublished(artifactsDir, file);
        if (opened) return streamFile(opened, range);
        if (isServed(name)) throw filesMissing();
        throw new Problem(404, `This file of the generation ${shown(name)} has been deleted. ${SEE_MANIFEST}`);
      },
    });
  }

  return {
    [BULK_MANIFEST]: sendManifest,
    [`${BULK_BASE}/**`]: sendFile,
    ...createSnapshots(store),
  };
}

/** Returns the path segments below `/v1/data`, percent-decoded once. */
function readPath(event: H3Event): string[] {
  try {
    return event.url.pathname
      .slice(BULK_BASE.length + 1)
      .split("/")
      .map(decodeURIComponent);
  } catch {
    throw new Problem(400, "The path is not properly percent-encoded.");
  }
}

interface SnapshotOnDisk {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, PublishedFile>;
}

/** Usually more than there are on disk. */
const MAX_CACHED = 32;

/** Returns a function that finds a snapshot on disk by its name, or by its snapshot id. */
function openSnapshots(artifactsDir: string): (name: string) => Promise<SnapshotOnDisk | undefined> {
  const cache = new LRUCache<string, Promise<SnapshotOnDisk>>({ max: MAX_CACHED });
  async function read(name: string): Promise<SnapshotOnDisk> {
    const manifest = await readLocalManifest(artifactsDir, name, diskReader, isOlder);
    return { manifest, files: new Map(manifest.files.map((file) => [file.path, file])) };
  }
  return async (name) => {
    // The name is compared with the folder's listing, so that a name from a client never becomes a path. A replica may
    // number its snapshots differently, but equal snapshot ids mean equal files.
    const all = await listPublished(artifactsDir);
    const id = parseSnapshotName(name)?.id ?? name;
    const match = all.find((generation) => generation.name === name) ?? all.find((generation) => generation.id === id);
    return match && once(cache, match.name, () => read(match.name)).catch(() => undefined);
  };
}

/** Opens a published file; undefined when its snapshot was deleted, or its size differs from the manifest. */
async function openPublished(folder: string, file: PublishedFile): Promise<FileHandle | undefined> {
  const opened = await open(join(folder, file.path)).catch(() => undefined);
  if (!opened) return undefined;
  if ((await opened.stat()).size === file.bytes) return opened;
  await opened.close();
  return undefined;
}
