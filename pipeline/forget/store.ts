/**
 * Takes down in a place that snapshots are published to: the retained snapshots are rewritten, with the logs of the
 * Delta tables and the list of snapshots before the new ones are in service, and the backups. Each step can be
 * repeated, so that the next run goes on where a killed one ended.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type BackupList, backupList } from "../contract/documents/backup.ts";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { hashesIn, refusalOf } from "../generations/backups.ts";
import { isSound } from "../generations/file-check.ts";
import { completeCurrent } from "../lake/export.ts";
import { readInService } from "../lake/publish.ts";
import { listingText, readListing } from "../lake/retention.ts";
import { rewrite, type RewrittenSnapshots } from "../store/rewrite.ts";
import { SNAPSHOTS, type Store } from "../stores/store.ts";
import { listText, rewriteList } from "./backups.ts";
import { rewriteDeltaLog } from "./delta-log.ts";
import type { RewriteContext } from "./rewrite.ts";
import { filesLeft, type Rewriter, type Rewritten } from "./snapshots.ts";

export interface StoreOptions {
  readonly artifacts: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  /** For downloads; in the staging folder. */
  readonly tempFolder: string;
  /** Where a file of that content may be on this machine. */
  readonly placesOf: (file: PublishedFile) => readonly string[];
  readonly now: Date;
  readonly retain: Retention;
}

/** @throws LockedError when another publisher publishes meanwhile; UpstreamError. @returns the ids of the snapshot that was current, before and after; why backups are refused */
export async function forgetInStore(
  store: Store,
  options: StoreOptions,
): Promise<{ before: string; after: string; refused: readonly string[] } | undefined> {
  const { artifacts, context, now, retain, rewriter, tempFolder } = options;
  const { connection, disk, filesFolder, forgotten } = context;
  return store.exclusively(async (assertHeld) => {
    const current = await readInService(store);
    if (!current) return undefined;
    const work = openWork(store, options);
    const ids = await rewrite(store, {
      ...{ mark: forgotten.mark, now, retain, assertHeld },
      filesOf: (manifest: Manifest) =>
        filesLeft(
          manifest,
          rewriter,
          (file) => work.rewrite(file),
          manifest.files.filter(isMade).map((file) => ({ file, at: undefined })),
        ),
      async beforeSwitch(rewritten) {
        const { made } = work;
        for (const table of TABLE_NAMES)
          await rewriteDeltaLog(store, table, { connection, forgotten, tempFolder, made });
        await rewriteListing(store, rewritten);
      },
    });
    const refused = await rewriteStoredBackups(store, ids, work);
    await completeCurrent(artifacts, store, { now, retain, more: filesFolder, assertHeld, disk });
    const { id } = current.snapshot;
    return { before: id, after: ids.get(id)?.id ?? id, refused };
  });
}

interface Work {
  /** What took the place of a file, by its path. */
  readonly made: ReadonlyMap<string, Rewritten>;
  /** Rewrites a file of the store, and adds the one that takes its place. */
  rewrite(file: PublishedFile, key?: string): Promise<Rewritten>;
}

function openWork(store: Store, { context, placesOf, rewriter, tempFolder }: StoreOptions): Work {
  const made = new Map<string, Rewritten>();
  const { disk } = context;
  async function find(file: PublishedFile, key: string): Promise<string | undefined> {
    for (const at of placesOf(file)) if (await isSound(at, file, disk)) return at;
    const at = join(tempFolder, `${randomUUID()}.parquet`);
    if (!(await store.list(key)).some((listed) => listed.key === key)) return undefined;
    await store.download(key, file.bytes, at);
    return (await isSound(at, file, disk)) ? at : undefined;
  }
  return {
    made,
    async rewrite(file, key = file.path) {
      const one = await rewriter.rewrite(file, () => find(file, key));
      made.set(file.path, one);
      if (one?.at !== undefined && one.file.sha256 !== file.sha256)
        await store.addFiles([{ key: one.file.path, at: one.at, bytes: one.file.bytes }]);
      return one;
    },
  };
}

async function rewriteListing(store: Store, ids: RewrittenSnapshots): Promise<void> {
  for (;;) {
    const { etag, snapshots } = await readListing(store);
    // A snapshot that was not rewritten is not retained any more.
    const rewritten = snapshots.flatMap((listed) => {
      const now = ids.get(listed.id);
      return now ? [{ ...listed, id: now.id, generation: now.generation }] : [];
    });
    if (JSON.stringify(rewritten) === JSON.stringify(snapshots)) return;
    if (await store.replace(SNAPSHOTS, listingText(rewritten), etag)) return;
  }
}

const BACKUP = /^backup\/\d{4}-\d{2}-\d{2}(\.[0-9a-f]{16})?\.json$/;
const storedBackup = (sha256: string): string => `backup/files/${sha256}.parquet`;

/** @returns why lists of other contract versions are refused; they stay with their files */
async function rewriteStoredBackups(store: Store, ids: RewrittenSnapshots, work: Work): Promise<string[]> {
  const refused: string[] = [];
  const named = new Set<string>();
  const objects = await store.list("backup/");
  for (const { key } of objects) {
    if (!BACKUP.test(key)) continue;
    const stored = await store.read(key);
    if (typeof stored !== "object") continue;
    const read = parseJson(stored.content.toString());
    const reason = refusalOf(read, key, store.name);
    if (reason !== undefined) {
      refused.push(reason);
      for (const sha256 of hashesIn(stored.content.toString())) named.add(storedBackup(sha256));
      continue;
    }
    const checked = backupList.safeParse(read);
    // Nobody can say what is in its files.
    if (!checked.success) {
      await store.remove(key);
      continue;
    }
    const list: BackupList = checked.data;
    const { files, list: made } = await rewriteList(list, ids, (file) => work.rewrite(file, storedBackup(file.sha256)));
    for (const { at, file } of files) {
      if (at !== undefined && !objects.some((object) => object.key === storedBackup(file.sha256)))
        await store.addFiles([{ key: storedBackup(file.sha256), at, bytes: file.bytes }]);
      named.add(storedBackup(file.sha256));
    }
    if (JSON.stringify(made) !== JSON.stringify(list)) await store.replace(key, listText(made), stored.etag);
  }
  for (const { key } of objects) if (key.startsWith("backup/files/") && !named.has(key)) await store.remove(key);
  return refused;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
