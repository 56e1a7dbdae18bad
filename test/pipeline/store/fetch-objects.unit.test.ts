/** Downloads of a copy run side by side; the first failure ends the others before it is reported. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { fetchObjects } from "../../../pipeline/store/copy.ts";
import type { StoreReader } from "../../../pipeline/store/store.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "downloads-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A place whose objects hold their keys, and the most downloads that ran at once. */
function openPlace(broken?: string) {
  let [running, most, started] = [0, 0, 0];
  const reader: StoreReader = {
    name: "place",
    read: () => Promise.resolve(undefined),
    async download(key, _bytes, path, signal) {
      started++;
      most = Math.max(most, ++running);
      try {
        await sleep(10, undefined, { signal: signal as AbortSignal });
        await writeFile(path, key === broken ? "x".repeat(key.length) : key);
      } finally {
        running--;
      }
    },
  };
  return { reader, counts: () => ({ running, most, started }) };
}

const filesOf = (count: number): PublishedFile[] =>
  Array.from({ length: count }, (_, number) => {
    const path = `grades/${String(number).padStart(4, "0")}`;
    const sha256 = createHash("sha256").update(path).digest("hex");
    return { table: "grades", partition: {}, path, sha256, rows: 1, bytes: path.length };
  });
const fetch = (reader: StoreReader, files: readonly PublishedFile[], signal = new AbortController().signal) =>
  fetchObjects(reader, files, { folder, disk: nodeDisk, signal });

test("side by side, within a bound", async () => {
  const { reader, counts } = openPlace();
  const files = filesOf(40);
  const paths = await fetch(reader, files);
  expect(counts()).toEqual({ running: 0, most: 8, started: 40 });
  expect([...paths.keys()].sort()).toEqual(files.map(({ path }) => path));
  for (const [key, path] of paths) expect(await readFile(path, "utf8")).toBe(key);
});

test("objects of one content are downloaded once", async () => {
  const { reader, counts } = openPlace();
  const [file] = filesOf(1) as [PublishedFile];
  const paths = await fetch(reader, [file, { ...file, path: "a" }, { ...file, path: "b" }]);
  expect(counts().started).toBe(1);
  expect([...paths.keys()]).toEqual([file.path, "a", "b"]);
  expect(new Set(paths.values()).size).toBe(1);
});

test("an object with another hash is removed, and nothing more is begun", async () => {
  const { reader, counts } = openPlace("grades/0003");
  const files = filesOf(40);
  await expect(fetch(reader, files)).rejects.toThrow("grades/0003 has another hash than the manifest says");
  expect(counts().running).toBe(0);
  expect(counts().started).toBeLessThanOrEqual(16);
  expect(await readdir(folder)).not.toContain(`${files[3]?.sha256}.parquet`);
});

test("an abort ends all", async () => {
  const { reader, counts } = openPlace();
  const abort = new AbortController();
  const all = fetch(reader, filesOf(40), abort.signal);
  abort.abort();
  await expect(all).rejects.toThrow("aborted");
  expect(counts().running).toBe(0);
});

test("an object in a folder is used where it is, unless its content is not what the hash says", async () => {
  const [sound, damaged] = filesOf(2) as [PublishedFile, PublishedFile];
  const reader: StoreReader = {
    ...openPlace().reader,
    locate: (key) => join(folder, key.replace("/", "-")),
    download: () => Promise.reject(new Error("nothing is downloaded")),
  };
  await writeFile(join(folder, "grades-0000"), sound.path);
  await writeFile(join(folder, "grades-0001"), "x".repeat(damaged.bytes));
  expect([...(await fetch(reader, [sound]))]).toEqual([[sound.path, join(folder, "grades-0000")]]);
  await expect(fetch(reader, [sound, damaged])).rejects.toThrow("grades/0001 is missing or damaged");
});
