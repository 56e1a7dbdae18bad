/** Downloads of a copy run side by side; the first failure ends the others before it is reported. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { type Download, downloadAll } from "../../../pipeline/following/download-all.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import type { StoreReader } from "../../../pipeline/stores/store.ts";

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

const downloads = (count: number): Download[] =>
  Array.from({ length: count }, (_, number) => {
    const key = `grades/${String(number).padStart(4, "0")}`;
    const sha256 = createHash("sha256").update(key).digest("hex");
    const file: PublishedFile = { table: "grades", partition: {}, path: key, sha256, rows: 1, bytes: key.length };
    return { file, key, at: join(folder, String(number)) };
  });

test("side by side, within a bound", async () => {
  const { reader, counts } = openPlace();
  await downloadAll(reader, downloads(40), new AbortController().signal, nodeDisk);
  expect(counts()).toEqual({ running: 0, most: 8, started: 40 });
  expect(await readdir(folder)).toHaveLength(40);
});

test("files of one content are downloaded once", async () => {
  const { reader, counts } = openPlace();
  const [file] = downloads(1) as [Download];
  await downloadAll(reader, [file, file, file], new AbortController().signal, nodeDisk);
  expect(counts().started).toBe(1);
});

test("a file with another hash is removed, and nothing more is begun", async () => {
  const { reader, counts } = openPlace("grades/0003");
  const all = downloadAll(reader, downloads(40), new AbortController().signal, nodeDisk);
  await expect(all).rejects.toThrow("grades/0003 has another hash than the manifest says");
  expect(counts().running).toBe(0);
  expect(counts().started).toBeLessThanOrEqual(16);
  expect(await readdir(folder)).not.toContain("3");
});

test("an abort ends all", async () => {
  const { reader, counts } = openPlace();
  const abort = new AbortController();
  const all = downloadAll(reader, downloads(40), abort.signal, nodeDisk);
  abort.abort();
  await expect(all).rejects.toThrow("aborted");
  expect(counts().running).toBe(0);
});
