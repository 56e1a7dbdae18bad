/** A followed server or static host as a store: its snapshots, where its objects are, and which paths are refused. */
import { describe, expect, it } from "vitest";
import { type BulkManifest, toBulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { Manifest, Partition, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { toServed } from "../../../pipeline/contract/documents/served-manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../../../pipeline/errors.ts";
import { NO_FRESHNESS } from "../../../pipeline/store/freshness.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { contentId, snapshotId } from "../../../pipeline/store/snapshot-id.ts";
import { serverReader } from "../../../pipeline/store/server-reader.ts";
import { assertSnapshot } from "../../../pipeline/store/manifest.ts";
import { manifestText, pointerText, readManifest, readPointer, snapshotKey } from "../../../pipeline/store/pointer.ts";
import type { StoreReader } from "../../../pipeline/store/store.ts";
import { fileOf } from "../../support/memory-generations.ts";

const FALL = { year: "2024", quarter: "Fall" } as const;
const made = (table: string, partition: Partition) => ({ ...fileOf(table, partition, table), madeOf: "1".repeat(64) });
const files: PublishedFile[] = [
  fileOf("grades", { year: "2024" }, "grades"),
  made("empty/larc", {}),
  made("views/grade_students", {}),
  made("views/seats", FALL),
];
const manifest: Manifest = {
  ...{ contract: CONTRACT_VERSION, id: snapshotId(files, null), contentId: contentId(files), generation: 5 },
  ...{ createdAt: "2026-11-26T05:00:00.000Z", source: {}, changesBefore: null, files },
};
const bulk: BulkManifest = toBulkManifest(nameOf(manifest), manifest, NO_FRESHNESS, (path) => `/${path}`);

const time = (hour: number) => `2026-11-26T0${hour}:00:00.000Z`;
/** A snapshot as a server lists it. */
const listed = (generation: number) => ({
  ...{ id: generation === 5 ? manifest.id : String(generation).repeat(16), generation, createdAt: time(generation) },
  ...{ servedFrom: time(generation), servedUntil: generation === 7 ? null : time(generation + 1) },
});

/** A host of these texts, which says `missing` of all others, and what was downloaded from it. */
function hostOf(texts: Readonly<Record<string, unknown>>, missing: 403 | 404 = 404) {
  const downloaded: string[] = [];
  const host: StoreReader = {
    name: "a host",
    async read(key) {
      const text = texts[key];
      if (text !== undefined)
        return { content: Buffer.from(typeof text === "string" ? text : JSON.stringify(text)), etag: `"${key}"` };
      if (missing === 403) throw new UpstreamRefused("a host", `/${key} returned status 403`, 403);
      return undefined;
    },
    download: async (key) => void downloaded.push(key),
  };
  return { reader: serverReader(host), downloaded };
}
const BULK = "v1/data/manifest.json";

describe.each([404, 403] as const)("a host that says %i of what it does not have", (missing) => {
  it("and has the objects of a store is read as it is", async () => {
    const retained = [{ id: "4".repeat(16), generation: 4, createdAt: time(4), replacedAt: time(5) }];
    const texts = {
      "current.json": pointerText({ snapshot: manifest, retained }),
      [snapshotKey(manifest)]: manifestText(manifest),
      [BULK]: "never asked for",
    };
    const { downloaded, reader } = hostOf(texts, missing);
    expect(await readPointer(reader)).toEqual({ snapshot: manifest, retained, etag: '"current.json"' });
    expect(await readManifest(reader, manifest)).toEqual(manifest);
    await reader.download("grades/x.parquet", 1, "");
    expect(downloaded).toEqual(["grades/x.parquet"]);
  });

  it("and is a server has the same documents under other addresses, and each object below its snapshot", async () => {
    const old = made("views/seats", { ...FALL, year: "2023" });
    const earlier = { ...manifest, generation: 4, files: [...files.slice(0, 3), old, ...files.slice(3)] };
    const texts = { [BULK]: bulk, [`v1/snapshots/${manifest.id}`]: toServed(earlier) };
    const { downloaded, reader } = hostOf(texts, missing);
    expect(await readPointer(reader)).toEqual({
      ...{ snapshot: manifest, retained: [], freshness: NO_FRESHNESS, etag: `"${BULK}"` },
    });
    for (const { path } of files) await reader.download(path, 1, "");
    expect(downloaded.splice(0)).toEqual(files.map(({ path }) => `v1/data/${nameOf(manifest)}/${path}`));
    expect(await readManifest(reader, earlier)).toEqual(earlier);
    // Its objects stay known while the pointer is read again.
    await readPointer(reader);
    await reader.download(old.path, 1, "");
    expect(downloaded).toEqual([`v1/data/${nameOf(earlier)}/${old.path}`]);
  });

  it("lists what was before the snapshot in service, whatever the list has already or not yet", async () => {
    const retainedOf = async (list: unknown) => {
      const { reader } = hostOf({ [BULK]: bulk, "v1/snapshots": list }, missing);
      const pointer = await readPointer(reader);
      return typeof pointer === "object" ? pointer.retained.map(({ generation }) => generation) : pointer;
    };
    expect(await retainedOf([listed(5), listed(4), listed(3)])).toEqual([4, 3]);
    expect(await retainedOf([listed(7), listed(6), listed(5), listed(4)])).toEqual([4]);
    expect(await retainedOf([listed(4), listed(3)])).toEqual([4, 3]);
    expect(await retainedOf([])).toEqual([]);
    expect(await retainedOf(undefined)).toEqual([]);
    expect(await retainedOf({ error: "not a list" })).toEqual([]);
  });
});

it("a server behind a proxy that once answered with a page of its own is still a server", async () => {
  const texts: Record<string, unknown> = { "current.json": "<html>", [BULK]: bulk };
  const { reader } = hostOf(texts);
  await expect(readPointer(reader)).rejects.toThrow("current.json is no JSON");
  delete texts["current.json"];
  expect(await readPointer(reader)).toMatchObject({ snapshot: { id: manifest.id } });
});

it("an earlier snapshot that a server does not have is none", async () => {
  const { reader } = hostOf({ [BULK]: bulk });
  await readPointer(reader);
  expect(await readManifest(reader, { id: "4".repeat(16), generation: 4 })).toBeUndefined();
});

it.each<[string, unknown, RegExp]>([
  ["no JSON", "<html>", /is not JSON/],
  ["another contract version", { ...bulk, contract: 99 }, /has contract version 99, this server reads/],
  ["no tables", { ...bulk, tables: undefined }, /damaged at tables/],
])("a manifest with %s is refused", async (_what, text, problem) => {
  const reading = readPointer(hostOf({ [BULK]: text }).reader);
  await expect(reading).rejects.toThrow(problem);
  await expect(reading).rejects.toThrow(UpstreamBadResponse);
});

it.each<[string, Partial<PublishedFile>]>([
  ["outside of its place", { path: "../../../escaped.parquet" }],
  ["of another view", { path: files[2]?.path ?? "" }],
  ["of a table", { path: files[0]?.path ?? "" }],
  ["of another hash", { sha256: "0".repeat(64) }],
  ["of a part of its partition", { partition: { year: "2024" } }],
  ["of no year", { partition: { year: "../..", quarter: "Fall" } }],
  ["of an unknown table", { table: "empty/gowns" }],
])("a file of a view %s has an invalid path", (_what, change) => {
  const lying = files.map((file, index) => (index === 3 ? { ...file, ...change } : file));
  const manifestOf = (listed: readonly PublishedFile[]) =>
    ({ contract: CONTRACT_VERSION, changesBefore: null, id: snapshotId(listed, null), files: [...listed] }) as Manifest;
  expect(() => assertSnapshot(manifestOf(lying), "the store")).toThrow(/has an invalid path/);
  const twice = manifestOf([...files, ...files.slice(0, 1)]);
  expect(() => assertSnapshot(twice, "the store")).toThrow(/not that of the listed files/);
  assertSnapshot(manifestOf(files), "the store");
});
