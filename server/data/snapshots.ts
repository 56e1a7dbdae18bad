/** `/v1/snapshots`: the retained snapshots, and what changed from one to the next. */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Manifest, Partition } from "../../pipeline/contract/documents/manifest.ts";
import { compareTerms, type Term } from "../../pipeline/contract/vocabulary.ts";
import { SNAPSHOTS_PATH } from "../response/as-of.ts";
import { nothingServed } from "../response/problem.ts";
import type { Retained } from "../snapshot/retained.ts";
import type { Store } from "../snapshot/store.ts";
import type { Pages } from "../pages/page.ts";
import { sendJson } from "./json-response.ts";

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
  }),
);
export type SnapshotList = z.infer<typeof snapshotList>;

/** More than are ever retained. */
const MAX_COMPARED = 1024;

export function createSnapshots(store: Store): Pages {
  const { history } = store;
  const compared = new LRUCache<string, ChangedTable[]>({ max: MAX_COMPARED });
  let last: { folders: string; list: Promise<SnapshotList> } | undefined;

  const readManifest = (one: Retained): Promise<Manifest | undefined> =>
    history.readGeneration(one).then(
      ({ manifest }) => manifest,
      () => undefined,
    );

  /** Newest first. Snapshots that cannot be read are left out. */
  async function list(retained: readonly Retained[]): Promise<SnapshotList> {
    const snapshots: SnapshotList = [];
    let newer: { one: Retained; manifest: Manifest | undefined } | undefined;
    for (const one of retained) {
      const pair = `${newer?.one.folderName} ${one.folderName}`;
      let changed = compared.get(pair);
      const manifest = changed ? undefined : await readManifest(one);
      if (!changed && !manifest) continue;
      if (newer && manifest) {
        changed = compare(manifest, newer.manifest ?? (await readManifest(newer.one)) ?? manifest);
        compared.set(pair, changed);
      }
      const after = snapshots.at(-1);
      if (after) after.changed = changed ?? null;
      const { id, generation, servedFrom, servedUntil } = one;
      snapshots.push({ id, generation, createdAt: servedFrom, servedFrom, servedUntil, changed: null });
      newer = { one, manifest };
    }
    return snapshots;
  }

  return {
    async [SNAPSHOTS_PATH](request) {
      const id = store.current()?.id;
      if (id === undefined) throw nothingServed(store.mismatch());
      const retained = await history.retained();
      const folders = retained.map(({ folderName }) => folderName).join();
      if (last?.folders !== folders) last = { folders, list: list(retained) };
      return sendJson(request, id, await last.list);
    },
  };
}

/** A path contains the hash of the file. */
function compare(before: Manifest, after: Manifest): ChangedTable[] {
  const [old, now] = [before, after].map(({ files }) => new Set(files.map(({ path }) => path)));
  const differing = [
    ...before.files.filter(({ path }) => !now?.has(path)),
    ...after.files.filter(({ path }) => !old?.has(path)),
  ];
  return [...new Set(differing.map(({ table }) => table))].sort().map((table) => {
    const partitions = differing.filter((file) => file.table === table).map(({ partition }) => partition);
    // Years alone compare like terms.
    const terms = partitions
      .filter(({ year }) => year !== undefined)
      .sort((a, b) => compareTerms(a as Term, b as Term));
    return { table, terms: [...new Set(terms.map(termOf))] };
  });
}

const termOf = ({ year, quarter }: Partition): string => [year, quarter].filter(Boolean).join(" ");
