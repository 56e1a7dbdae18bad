/** The files of a store's snapshot: which are listed, and which places are refused before anything is fetched. */
import { expect, it } from "vitest";
import { type BulkManifest, toBulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { Manifest, Partition, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { toServed } from "../../../pipeline/contract/documents/served-manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { NO_FRESHNESS } from "../../../pipeline/generations/freshness.ts";
import { generationName } from "../../../pipeline/generations/layout.ts";
import { snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import { readEarlierManifest } from "../../../pipeline/stores/earlier.ts";
import { keyOf, parseSnapshot } from "../../../pipeline/stores/snapshot.ts";
import { SERVED, type StoreReader, STORED } from "../../../pipeline/stores/store.ts";
import { fileOf } from "../../support/memory-generations.ts";

const FALL = { year: "2024", quarter: "Fall" } as const;
const made = (table: string, partition: Partition) => ({ ...fileOf(table, partition, table), madeOf: "1".repeat(64) });
const files: PublishedFile[] = [
  fileOf("grades", { year: "2024" }, "grades"),
  made("empty/larc", {}),
  made("views/seats", FALL),
  made("views/grade_students", {}),
];
const manifest: Manifest = {
  ...{ contract: CONTRACT_VERSION, id: snapshotId(files, null), generation: 1, createdAt: "2026-11-20T12:00:00.000Z" },
  ...{ source: {}, changesBefore: null, snapshots: [], files },
};
const reader = { name: "the store" } as StoreReader;
const parse = (bulk: unknown) => parseSnapshot({ content: Buffer.from(JSON.stringify(bulk)), etag: null }, reader);
const bulkOf = (): BulkManifest => toBulkManifest("1", manifest, NO_FRESHNESS, (path) => `/${path}`);

it("has the files of the manifest that it was made from, each below the key that its address says", () => {
  const snapshot = parse(bulkOf());
  expect(snapshot.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  );
  expect(JSON.stringify(snapshot.files[0])).toBe(JSON.stringify(files[0]));
  for (const file of files) expect(keyOf(snapshot.urls, file, reader)).toBe(file.path);
  expect(() => keyOf(new Map(), files[0] as PublishedFile, reader)).toThrow(/is not a path on this server/);
});

it("an earlier one of a server has them too, though they stand apart there", async () => {
  const name = generationName(manifest.generation, manifest.id);
  const json: Record<string, unknown> = {
    [SERVED.manifest(manifest)]: toServed(manifest),
    [STORED.manifest(manifest)]: manifest,
  };
  for (const places of [SERVED, STORED]) {
    const read: StoreReader["read"] = async (key) => ({ content: Buffer.from(JSON.stringify(json[key])), etag: null });
    const source = { reader: { ...reader, read }, manifest: "", earlier: [places] };
    const earlier = await readEarlierManifest(source, manifest, new AbortController().signal);
    expect(earlier?.manifest).toEqual(manifest);
    expect(earlier?.keyOf("x")).toBe(places.file(name, "x"));
  }
  const { derived, files: tables } = toServed(manifest);
  expect([tables, derived.map(({ table }) => table)]).toEqual([
    files.slice(0, 1),
    ["larc", "views/seats", "views/grade_students"],
  ]);
});

it.each<[string, Partial<PublishedFile>]>([
  ["outside of its place", { path: "../../../escaped.parquet" }],
  ["of another view", { path: files[3]?.path ?? "" }],
  ["of a table", { path: files[0]?.path ?? "" }],
  ["of another hash", { sha256: "0".repeat(64) }],
  ["of a part of its partition", { partition: { year: "2024" } }],
  ["of no year", { partition: { year: "../..", quarter: "Fall" } }],
])("a file of a view %s is refused", (_what, change) => {
  const bulk = bulkOf();
  const seats = bulk.views?.find(({ name }) => name === "seats");
  Object.assign(seats?.files?.[0] ?? {}, change);
  expect(() => parse(bulk)).toThrow(/has an invalid path/);
});

it("an empty file elsewhere than beside its table is refused, and an unknown table's", () => {
  const bulk = bulkOf();
  const { larc } = bulk.tables;
  expect(() => parse({ ...bulk, tables: { ...bulk.tables, gowns: larc } })).toThrow("a file of empty/gowns has");
  Object.assign(larc?.empty ?? {}, { path: files[0]?.path });
  expect(() => parse(bulk)).toThrow("a file of empty/larc has an invalid path");
});
