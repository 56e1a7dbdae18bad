/** `/v1/snapshots`: the retained snapshots, and what changed from one to the next. */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import {
  isMade,
  type Manifest,
  type Partition,
  type PublishedFile,
} from "../../pipeline/contract/documents/manifest.ts";
import { toServed } from "../../pipeline/contract/documents/served-manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term } from "../../pipeline/contract/vocabulary.ts";
import { notRetained, SNAPSHOTS_PATH } from "../response/as-of.ts";
import { servedSnapshot } from "../response/problem.ts";
import { readUnlessDamaged, type Retained } from "../snapshot/earlier-generations.ts";
import { once } from "../snapshot/shared-work.ts";
import type { Store } from "../snapshot/store.ts";
import type { Pages } from "../pages/page.ts";
import { sendJson } from "../pages/content.ts";

const changedTable = z.object({
  table: z.string().describe("name of the table"),
  terms: z.array(z.string()).describe("its terms or years, such as `2026 Fall`; empty where it is in one part"),
});
type ChangedTable = z.infer<typeof changedTable>;

export const snapshotList = z.array(
  z.object({
    id: z.string().describe("snapshot id, for `asOf`"),
    generation: z.int().describe("number; `/v1/data/<generation>-<id>/…` has the files"),
    createdAt: z.iso.datetime().describe("when it was published"),
    servedFrom: z.iso.datetime().describe("from then on it was the current one"),
    servedUntil: z.iso.datetime().nullable().describe("when it was replaced; null for the current one"),
    changed: z
      .array(changedTable)
      .nullable()
      .describe("compared with the snapshot before it in time; null for the oldest"),
    contract: z
      .int()
      .exactOptional()
      .describe("of an older contract version: its files can be downloaded, and `asOf` does not answer from it"),
  }),
);
export type SnapshotList = z.infer<typeof snapshotList>;

/** An upper bound of the snapshots that are ever retained. */
const MAX_COMPARED = 1024;

export function createSnapshots(store: Store): Pages {
  const { history } = store;
  /** The comparison of each snapshot with the next newer one. */
  const compared = new LRUCache<string, { changed: ChangedTable[]; contract: number }>({ max: MAX_COMPARED });
  /** The last list, by the folders that it is about. */
  const lists = new LRUCache<string, Promise<SnapshotList>>({ max: 1 });

  const readManifest = async (snapshot: Retained): Promise<Manifest | undefined> =>
    (await readUnlessDamaged(history, snapshot))?.manifest;

  /** Lists the snapshots, newest first, without those that cannot be read. */
  async function list(retained: readonly Retained[]): Promise<SnapshotList> {
    const snapshots: SnapshotList = [];
    let newer: { snapshot: Retained; manifest: Manifest | undefined } | undefined;
    for (const snapshot of retained) {
      const pair = `${newer?.snapshot.folderName} ${snapshot.folderName}`;
      let comparison = compared.get(pair);
      const manifest = comparison ? undefined : await readManifest(snapshot);
      if (!comparison && !manifest) continue;
      if (newer && manifest) {
        const changed = compare(manifest, newer.manifest ?? (await readManifest(newer.snapshot)) ?? manifest);
        compared.set(pair, (comparison = { changed, contract: manifest.contract }));
      }
      const after = snapshots.at(-1);
      if (after) after.changed = comparison?.changed ?? null;
      const { id, generation, servedFrom, servedUntil } = snapshot;
      const contract = manifest?.contract ?? comparison?.contract ?? CONTRACT_VERSION;
      snapshots.push({
        ...{ id, generation, createdAt: servedFrom, servedFrom, servedUntil, changed: null },
        ...(contract === CONTRACT_VERSION ? {} : { contract }),
      });
      newer = { snapshot, manifest };
    }
    return snapshots;
  }

  return {
    async [SNAPSHOTS_PATH](request) {
      const { id } = servedSnapshot(store);
      const retained = await history.retained();
      const folders = retained.map(({ folderName }) => folderName).join();
      return sendJson(request, id, await once(lists, folders, () => list(retained)));
    },
    async [`${SNAPSHOTS_PATH}/:id`](request) {
      const current = servedSnapshot(store);
      const requestedId = request.event.url.pathname.split("/").at(-1)?.toLowerCase() ?? "";
      const retained = await history.retained();
      const snapshot = retained.find(({ id }) => id === requestedId);
      const read = snapshot && (await readManifest(snapshot));
      if (!read) throw notRetained(requestedId, retained.slice(0, 1));
      return sendJson(request, current.id, toServed(read));
    },
  };
}

/** Compares two manifests by the hashes of their files. */
function compare(previous: Manifest, next: Manifest): ChangedTable[] {
  const keyOf = ({ partition, sha256, table }: PublishedFile) => `${table} ${termOf(partition)} ${sha256}`;
  const [old, now] = [previous, next].map(({ files }) => new Set(files.map(keyOf)));
  const differing = [
    ...previous.files.filter((file) => !now?.has(keyOf(file))),
    ...next.files.filter((file) => !old?.has(keyOf(file))),
  ].filter((file) => !isMade(file));
  return [...new Set(differing.map(({ table }) => table))].sort().map((table) => {
    const partitions = differing.filter((file) => file.table === table).map(({ partition }) => partition);
    // Partitions with only a year are compared like terms.
    const terms = partitions
      .filter(({ year }) => year !== undefined)
      .sort((a, b) => compareTerms(a as Term, b as Term));
    return { table, terms: [...new Set(terms.map(termOf))] };
  });
}

const termOf = ({ year, quarter }: Partition): string => [year, quarter].filter(Boolean).join(" ");
