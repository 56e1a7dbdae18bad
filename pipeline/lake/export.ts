/** Publishes the current snapshot in a store: a copy that can be followed, and Delta Lake tables over the same files. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Manifest, manifest as manifestSchema, type PublishedFile } from "../contract/documents/manifest.ts";
import { readFreshness } from "../generations/freshness.ts";
import { type Generation, generationFolder, listGenerations, readPublished } from "../generations/generation.ts";
import { readOlderManifest } from "../generations/manifest.ts";
import { generationName, layoutOf } from "../generations/layout.ts";
import { openDatabase } from "../publish/database.ts";
import { type Disk, nodeDisk } from "../publish/disk.ts";
import { RETENTION, type Retention } from "../contract/retention.ts";
import { parseSnapshot } from "../stores/snapshot.ts";
import { CURRENT, manifestKey, type Store } from "../stores/store.ts";
import { parseStored } from "../stores/stored-json.ts";
import { type Completed, completeSnapshot } from "./complete.ts";
import type { ListedSnapshot } from "./retention.ts";
import { publishGeneration, readInService, refreshCurrent } from "./publish.ts";

export interface ExportOptions {
  readonly now: Date;
  /** As RETAIN says; by default its default. */
  readonly retain?: Retention;
  /** Versions of a table from one checkpoint to the next. */
  readonly checkpointInterval?: number;
}

/**
 * The store is a copy of this folder: whatever is current in it is replaced.
 * @throws UsageError when nothing is published, LockedError while another program publishes in the store
 */
export async function exportSnapshot(artifacts: string, store: Store, options: ExportOptions): Promise<Completed> {
  const generation = await readPublished(artifacts);
  const freshness = await readFreshness(artifacts);
  return store.exclusively(async (assertHeld) => {
    const replaced = await readInService(store);
    if (replaced?.id === generation.manifest.id) await refreshCurrent(store, generation.manifest, freshness, replaced);
    else await publishGeneration(store, generation, { freshness, replaced, assertHeld });
    return completeCurrent(artifacts, store, { ...options, generation, assertHeld });
  });
}

/**
 * Mostly this machine has it: unlike its number, its id is the same everywhere.
 * @returns the manifest, and the folder of its files where this machine has them
 */
async function readManifestOf(
  artifacts: string,
  store: Store,
  { generation, id }: ListedSnapshot,
): Promise<{ manifest: Manifest; folder?: string } | undefined> {
  const here = (await listGenerations(artifacts)).find((one) => one.id === id);
  if (here) {
    const folder = generationFolder(artifacts, here.name);
    return { folder, manifest: await readOlderManifest(folder) };
  }
  const key = manifestKey(generationName(generation, id));
  const stored = await store.read(key);
  if (typeof stored !== "object") return undefined;
  return { manifest: parseStored(manifestSchema, stored.content.toString(), key, store) };
}

export interface CompleteCurrentOptions extends ExportOptions {
  /** What this machine has of its files. */
  readonly generation: Generation;
  readonly assertHeld: () => Promise<void>;
  readonly disk?: Disk;
}

/** Completes what is current in the store. @throws LockedError when another publisher overtakes */
export async function completeCurrent(
  artifacts: string,
  store: Store,
  { assertHeld, checkpointInterval = 50, disk = nodeDisk, generation, now, retain = RETENTION }: CompleteCurrentOptions,
): Promise<Completed> {
  const stored = await store.read(CURRENT);
  if (typeof stored !== "object") throw new Error(`${store.name} has no ${CURRENT}`);
  const current = parseSnapshot(stored, store);
  const here = new Map<string, string>();
  const pathOf = ({ path }: Pick<PublishedFile, "path">) => here.get(path);
  const addHere = (folder: string, { files }: Pick<Manifest, "files">) => {
    for (const { path } of files) if (!here.has(path)) here.set(path, join(folder, path));
  };
  addHere(generation.folder, generation.manifest);
  const tempFolder = join(layoutOf(artifacts).staging, `store-${randomUUID()}`);
  await disk.mkdir(tempFolder);
  const { connection, close } = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder });
  try {
    return await completeSnapshot(store, current, {
      now,
      retain,
      checkpointInterval,
      connection,
      tempFolder,
      pathOf,
      async manifestOf(snapshot) {
        const { folder, manifest } = (await readManifestOf(artifacts, store, snapshot)) ?? {};
        if (manifest && folder !== undefined) addHere(folder, manifest);
        return manifest;
      },
      assertHeld,
    });
  } finally {
    close();
    await disk.rm(tempFolder);
  }
}
