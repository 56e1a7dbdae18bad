/**
 * Applies a take-down to the backups: republishes each of them through the filter of rows, then removes the old ones.
 */
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { BACKUP_RETENTION, readState, repairDocuments } from "../backup/backups.ts";
import { rewrite } from "../store/rewrite.ts";
import type { Store } from "../store/store.ts";
import type { LocatedFile } from "../publish/publication.ts";
import type { Rewriter } from "./snapshots.ts";

export interface RewriteBackupsOptions {
  /** The published snapshots that were rewritten, by the id that each had. */
  readonly ids: ReadonlyMap<string, Manifest>;
  readonly mark: string;
  readonly now: Date;
  readonly rewriter: Rewriter;
  /** Returns the path of a sound copy on this machine. Removes the object when it is damaged. */
  readonly find: (file: PublishedFile) => Promise<string | undefined>;
}

/**
 * Rewrites the backups. Requires the lock. An unreadable manifest is removed with the objects that it alone names,
 * because the people in them cannot be determined.
 * @returns the keys of such manifests
 * @throws LockedError; UpstreamError
 */
export async function rewriteBackups(
  store: Store,
  { find, ids, mark, now, rewriter }: RewriteBackupsOptions,
): Promise<readonly string[]> {
  const state = await readState(store);
  await repairDocuments(store, state);
  for (const key of state.unreadable) await store.remove(key);
  await rewrite(store, {
    ...{ ...BACKUP_RETENTION, mark, now, idOf: ({ id }: Manifest) => ids.get(id)?.id },
    async filesOf({ files }) {
      const left: LocatedFile[] = [];
      for (const file of files) {
        const rewritten = await rewriter.rewrite(file, () => find(file));
        if (rewritten) left.push(rewritten);
      }
      return left;
    },
  });
  return state.unreadable;
}
