/** Publishes the current snapshot in a store: a copy that can be followed, and Delta Lake tables over the same files. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readFreshness } from "../store/freshness.ts";
import { readPublished } from "../store/published.ts";
import { layoutOf } from "../store/layout.ts";
import { openDatabase } from "../publish/database.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { located } from "../publish/publication.ts";
import { RETENTION, type Retention } from "../contract/retention.ts";
import type { Store } from "../store/store.ts";
import { type Completed, completeSnapshot } from "./complete.ts";
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
    if (replaced?.snapshot.id === generation.manifest.id) await refreshCurrent(store, freshness, replaced);
    else await publishGeneration(store, located(generation), { freshness, replaced, assertHeld });
    return completeCurrent(artifacts, store, { ...options, assertHeld });
  });
}

export interface CompleteCurrentOptions extends ExportOptions {
  /** A folder that has objects which the artifacts folder lacks. */
  readonly more?: string;
  readonly assertHeld: () => Promise<void>;
  readonly disk?: Disk;
}

/** Completes what is current in the store. @throws LockedError when another publisher overtakes */
export async function completeCurrent(
  artifacts: string,
  store: Store,
  { assertHeld, checkpointInterval = 50, disk = nodeDisk, more, now, retain = RETENTION }: CompleteCurrentOptions,
): Promise<Completed> {
  const pointer = await readInService(store);
  if (!pointer) throw new Error(`nothing is published in ${store.name}`);
  const tempFolder = join(layoutOf(artifacts).staging, `store-${randomUUID()}`);
  await disk.mkdir(tempFolder);
  const { connection, close } = await openDatabase({ memoryLimit: "500MB", threads: 2, tempFolder });
  try {
    return await completeSnapshot(store, pointer, {
      ...{ now, retain, checkpointInterval, connection, tempFolder, assertHeld, disk },
      folders: more === undefined ? [artifacts] : [artifacts, more],
    });
  } finally {
    close();
    await disk.rm(tempFolder);
  }
}
