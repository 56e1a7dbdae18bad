/** What programs read from a disk or a store that somebody may have damaged: each with a fixture, and what is made of it. */
import { expect } from "vitest";
import { createHash } from "node:crypto";
import { toBulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { Manifest, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { toServed } from "../../../pipeline/contract/documents/served-manifest.ts";
import { CONTRACT_VERSION, TABLES } from "../../../pipeline/contract/tables.ts";
import { UpstreamBadResponse, UsageError } from "../../../pipeline/errors.ts";
import { readState } from "../../../pipeline/backup/backups.ts";
import { POINTER } from "../../../pipeline/store/pointer.ts";
import { diskReader, type DiskReader } from "../../../pipeline/disk/disk.ts";
import { NO_FRESHNESS, readFreshness } from "../../../pipeline/store/freshness.ts";
import { filePath, nameOf } from "../../../pipeline/store/layout.ts";
import { DamagedSnapshot, isOlder, OtherContract, assertSnapshot } from "../../../pipeline/store/manifest.ts";
import { readLocalManifest, readLocalPointer } from "../../../pipeline/store/published.ts";
import { contentId, snapshotId } from "../../../pipeline/store/snapshot-id.ts";
import { EMPTY_STATE, toActions } from "../../../pipeline/lake/delta/actions.ts";
import { applyActions, neededFiles, readTableLog } from "../../../pipeline/lake/delta/log.ts";
import { commitKey } from "../../../pipeline/lake/delta/actions.ts";
import { listingText, listSnapshots, readListing } from "../../../pipeline/lake/listing.ts";
import * as stored from "../../../pipeline/store/pointer.ts";
import { serverReader } from "../../../pipeline/store/server-reader.ts";
import type { Store, StoreReader } from "../../../pipeline/store/store.ts";
import type { Declared } from "../../support/outcomes.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const file = (table: string, partition: PublishedFile["partition"]): PublishedFile => {
  const hash = sha256(JSON.stringify([table, partition]));
  return { table, partition, path: filePath(table, partition, hash), sha256: hash, rows: 7, bytes: 1_000 };
};
const GRADES = [file("grades", { year: "2023" }), file("grades", { year: "2024" })];
const FILES = [file("terms", {}), ...GRADES, file("sections", { year: "2024", quarter: "Fall" })];
const NOW = "2026-11-22T20:00:00.000Z";
const ID = snapshotId(FILES, null);
const MANIFEST: Manifest = {
  contract: CONTRACT_VERSION,
  id: ID,
  contentId: contentId(FILES),
  generation: 3,
  createdAt: NOW,
  source: { schedule: "https://schedule.example.edu" },
  changesBefore: null,
  files: FILES,
};
const RETAINED = [{ id: ID, generation: 2, createdAt: "2026-11-21T20:00:00.000Z", replacedAt: NOW }];
const FRESHNESS = { ...NO_FRESHNESS, products: { schedule: NOW }, terms: { "2024 Fall": NOW }, nextRefresh: NOW };
const CURRENT = { snapshot: MANIFEST, retained: RETAINED, freshness: FRESHNESS };
const { views: _views, tables, ...bulk } = toBulkManifest("3", MANIFEST, FRESHNESS, (path) => `/${path}`);
const named = ["terms", "grades", "sections"].map((name) => [name, { ...tables[name], columns: [] }]);
const BULK = { ...bulk, tables: Object.fromEntries(named) };

const diskWith = (bytes: Buffer): DiskReader => ({
  ...diskReader,
  readFile: async () => bytes.toString(),
  readBytes: async () => bytes,
});
/** A store of which only what is read here is there. */
const storeWith = (objects: Readonly<Record<string, Buffer>>): Store =>
  ({
    name: "the store",
    read: async (key: string) => objects[key] && { content: objects[key], etag: "1" },
    list: async () => Object.entries(objects).map(([key, { length: bytes }]) => ({ key, bytes, modifiedMs: 0 })),
  }) as Partial<Store> as Store;
/** As a follower reads it, up to the keys of the objects. */
async function readFrom(reader: StoreReader): Promise<void> {
  const pointer = await stored.readPointer(reader);
  if (typeof pointer !== "object") throw new Error("nothing is published");
  assertSnapshot(pointer.snapshot, reader.name);
  const earlier = await stored.readManifest(reader, pointer.snapshot);
  if (earlier) assertSnapshot(earlier, reader.name);
}
const json = (value: unknown) => JSON.stringify(value, null, 1);

const lines = (actions: readonly object[]) => actions.map((action) => `${JSON.stringify(action)}\n`).join("");
const at = Date.parse(NOW);
const next = { table: TABLES.grades, stats: new Map<string, string>(), at, snapshot: ID };
const FIRST = toActions(EMPTY_STATE, { ...next, files: GRADES });
const SECOND = toActions({ ...applyActions(EMPTY_STATE, FIRST), version: 0 }, { ...next, files: GRADES.slice(1) });

export const DOCUMENTS: readonly Declared[] = [
  {
    name: "the manifest of a snapshot",
    structure: "json",
    fixtures: { current: json(MANIFEST), older: json({ ...MANIFEST, contract: CONTRACT_VERSION - 1 }) },
    refusals: [DamagedSnapshot],
    async read(bytes) {
      const read = (accepts?: typeof isOlder) =>
        readLocalManifest("artifacts", nameOf(MANIFEST), diskWith(bytes), accepts);
      const manifest = await read(isOlder);
      if (manifest.contract === CONTRACT_VERSION) await read();
    },
  },
  {
    name: "current.json",
    structure: "json",
    fixtures: { usual: json(CURRENT) },
    refusals: [DamagedSnapshot],
    read: async (bytes) => void (await readLocalPointer("artifacts", diskWith(bytes))),
  },
  {
    name: "freshness.json",
    structure: "json",
    fixtures: { usual: json(FRESHNESS) },
    refusals: [],
    read: async (bytes) => void (await readFreshness("artifacts", diskWith(bytes))),
  },
  {
    name: "the pointer of a store, as that of the backups",
    structure: "json",
    fixtures: { usual: json({ snapshot: MANIFEST, retained: RETAINED, isKept: true }) },
    refusals: [UsageError],
    read: async (bytes) => void (await readState(storeWith({ [POINTER]: bytes }))),
  },
  {
    name: "current.json of a store",
    structure: "json",
    fixtures: { usual: json(CURRENT) },
    refusals: [UpstreamBadResponse, OtherContract],
    read: (content) => readFrom(storeWith({ "current.json": content })),
  },
  {
    name: "what a server says of its snapshots",
    structure: "json",
    fixtures: { usual: json(BULK) },
    refusals: [UpstreamBadResponse],
    read: (content) => readFrom(serverReader(storeWith({ "v1/data/manifest.json": content }))),
  },
  {
    name: "an earlier snapshot of a server",
    structure: "json",
    fixtures: { usual: json(toServed(MANIFEST)) },
    refusals: [UpstreamBadResponse, OtherContract],
    async read(content) {
      const server = storeWith({ "v1/data/manifest.json": Buffer.from(json(BULK)), [`v1/snapshots/${ID}`]: content });
      await readFrom(serverReader(server));
    },
  },
  {
    name: "snapshots.json of a store",
    structure: "json",
    fixtures: { usual: listingText([{ id: ID, generation: 3, createdAt: NOW, versions: { grades: 1, terms: 0 } }]) },
    refusals: [UpstreamBadResponse],
    async read(bytes) {
      const { snapshots } = await readListing(storeWith({ "snapshots.json": bytes }));
      listingText(listSnapshots(CURRENT, {}, snapshots));
    },
  },
  ...[FIRST, SECOND].map((actions, version): Declared => ({
    name: "the log of a table in a store",
    structure: "json",
    fixtures: { [`version ${version}`]: lines(actions) },
    refusals: [UpstreamBadResponse],
    async read(bytes) {
      const commits = [FIRST, SECOND].map((one, i) => [commitKey("grades", i), Buffer.from(lines(one))] as const);
      const store = storeWith({ ...Object.fromEntries(commits), [commitKey("grades", version)]: bytes });
      const state = await readTableLog(undefined as never, store, "grades", "");
      neededFiles(state, [0, 1]);
      // An undamaged log says what was written, in its order: nothing is left to do.
      if (bytes.toString() === lines([FIRST, SECOND][version] ?? []))
        expect(toActions(state, { ...next, files: GRADES.slice(1) })).toEqual([]);
      for (const files of [GRADES, FILES.slice(0, 1)]) toActions(state, { ...next, files });
    },
  })),
];
