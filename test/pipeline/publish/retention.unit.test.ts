/** Which generations, leftovers and foreign files go when a run is over, on a disk in memory. */
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot, PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { generationName } from "../../../pipeline/generations/layout.ts";
import { contentId, snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import { bytesBelow, collect, collectLeftovers, type CollectOptions } from "../../../pipeline/publish/retention.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const HOUR = 3_600_000;

/** The file of the generation of that number, and another that all of them share. */
const filesOf = (number: number): PublishedFile[] =>
  [String(number).padStart(64, "0"), "f".repeat(64)].map((sha256) => ({
    ...{ table: "grades", partition: { year: sha256.slice(-4) }, path: `grades/${sha256.slice(-6)}.parquet` },
    ...{ sha256, rows: 1, bytes: sha256.startsWith("f") ? 1000 : number },
  }));
const nameOf = (number: number): string => generationName(number, snapshotId(filesOf(number), null));

/** Publishes generations 1 to 6; the replaced ones were in service until so many hours ago. */
function published(
  hoursAgo: readonly number[],
  given: { current?: number; snapshots?: readonly EarlierSnapshot[]; forgotten?: (number: number) => string } = {},
): MemoryDisk {
  const disk = memoryDisk();
  for (const [i, hours] of hoursAgo.entries()) {
    const number = i + 1;
    const folder = `/artifacts/generations/${nameOf(number)}`;
    const files = filesOf(number);
    for (const { path, bytes } of files) disk.put(`${folder}/${path}`, "x".repeat(bytes));
    const manifest = {
      ...{ contract: CONTRACT_VERSION, id: snapshotId(files, null), generation: number, createdAt: NOW.toISOString() },
      ...{ contentId: contentId(files), source: {}, changesBefore: null, files, snapshots: given.snapshots ?? [] },
      ...(given.forgotten ? { forgotten: given.forgotten(number) } : {}),
    };
    disk.put(`${folder}/manifest.json`, JSON.stringify(manifest));
    disk.setTime(folder, NOW.getTime() - hours * HOUR);
  }
  disk.putLink("/artifacts/current", `generations/${nameOf(given.current ?? hoursAgo.length)}`);
  return disk;
}
const numbersOn = (disk: MemoryDisk): number[] =>
  [...new Set(disk.paths().flatMap((path) => /generations\/(\d+)-/.exec(path)?.[1] ?? []))].map(Number).sort();
const collected = (disk: MemoryDisk, options: Partial<CollectOptions> = {}) =>
  collect("/artifacts", { now: NOW, disk, ...options });

describe("generations", () => {
  const OLD = [9, 9, 9, 9, 9, 0];
  it("beyond the newest three go, if they were replaced more than an hour ago", async () => {
    const disk = published(OLD);
    const { removed, foreign, generations, keptBytes, freedBytes, problems } = await collected(disk);
    expect({ removed, foreign, generations, problems }).toEqual({
      ...{ removed: [1, 2, 3].map(nameOf), foreign: [], generations: 3, problems: [] },
    });
    expect(numbersOn(disk)).toEqual([4, 5, 6]);
    // A file that several list counts once.
    expect(keptBytes).toBe(1000 + 4 + 5 + 6);
    expect(freedBytes).toBeGreaterThan(3 * 1000 + 1 + 2 + 3);
    const recent = published([9, 1, 1 - 1e-6, 9, 9, 0]);
    await collected(recent);
    // Exactly an hour ago is not more than that.
    expect(numbersOn(recent)).toEqual([2, 3, 4, 5, 6]);
  });
  it.each([
    [{ keepGenerations: 1 }, [6]],
    [{ keepGenerations: 5 }, [2, 3, 4, 5, 6]],
    [{ keepGenerations: 9 }, [1, 2, 3, 4, 5, 6]],
    [{ keepGenerations: Infinity }, [1, 2, 3, 4, 5, 6]],
    [{ keepMs: 9 * HOUR + 1 }, [1, 2, 3, 4, 5, 6]],
    [{ keepMs: 9 * HOUR - 1 }, [4, 5, 6]],
  ])("%j keeps %j", async (options, kept) => {
    const disk = published(OLD);
    expect((await collected(disk, options)).generations).toBe(kept.length);
    expect(numbersOn(disk)).toEqual(kept);
  });
  it("that are newer than the current one stay, and count for nothing", async () => {
    const disk = published(OLD, { current: 4 });
    await collected(disk, { keepGenerations: 2 });
    expect(numbersOn(disk)).toEqual([3, 4, 5, 6]);
  });
  it("that are retained stay, if anything is to be retained", async () => {
    const snapshot = (number: number, hours: number): EarlierSnapshot => ({
      ...{ id: snapshotId(filesOf(number), null), generation: number },
      createdAt: new Date(NOW.getTime() - (hours + 1) * HOUR).toISOString(),
      replacedAt: new Date(NOW.getTime() - hours * HOUR).toISOString(),
    });
    const snapshots = [snapshot(2, 9), snapshot(1, 10)];
    const disk = published(OLD, { snapshots });
    await collected(disk, { retain: { hours: 10, days: 0, months: 0 } });
    expect(numbersOn(disk)).toEqual([2, 4, 5, 6]);
    const without = published(OLD, { snapshots });
    await collected(without);
    expect(numbersOn(without)).toEqual([4, 5, 6]);
  });
  it("stay while the current one cannot be read", async () => {
    for (const damage of [
      (disk: MemoryDisk) => disk.put(`/artifacts/generations/${nameOf(6)}/manifest.json`, "{"),
      (disk: MemoryDisk) => disk.putLink("/artifacts/current", "elsewhere"),
      (disk: MemoryDisk) => void disk.rm("/artifacts/current"),
    ]) {
      const disk = published(OLD, { forgotten: (number) => String(number).repeat(16) });
      damage(disk);
      expect((await collected(disk)).removed).toEqual([]);
      expect(numbersOn(disk)).toEqual([1, 2, 3, 4, 5, 6]);
    }
    const broken = { ...published(OLD), readlink: () => Promise.reject(new TypeError("a bug")) };
    await expect(collected(broken)).rejects.toThrow("a bug");
  });
  it("with what was taken down go at once", async () => {
    const disk = published([0, 0, 0, 0], { forgotten: (number) => (number < 3 ? "a" : "b").repeat(16) });
    const { removed } = await collected(disk);
    expect([...removed].sort()).toEqual([nameOf(1), nameOf(2)].sort());
    expect(numbersOn(disk)).toEqual([3, 4]);
    // Also those that cannot be read: nobody knows what they have. One that is outdated too is removed once.
    const other = published([9, 0, 0, 0, 0], { forgotten: () => "b".repeat(16) });
    other.put(`/artifacts/generations/${nameOf(1)}/manifest.json`, "{");
    other.put(`/artifacts/generations/${nameOf(4)}/manifest.json`, "{");
    const result = await collected(other);
    expect([[...result.removed].sort(), result.problems]).toEqual([[nameOf(1), nameOf(4)].sort(), []]);
  });
  it("that cannot be removed are told, and tried again", async () => {
    const disk = published(OLD);
    const rename = (from: string, to: string) =>
      from.endsWith(nameOf(2)) ? Promise.reject(new Error("EBUSY")) : disk.rename(from, to);
    const { removed, problems } = await collected({ ...disk, rename });
    expect([removed, problems]).toEqual([[nameOf(1), nameOf(3)], [`${nameOf(2)}: EBUSY`]]);
    // oxlint-disable-next-line prefer-promise-reject-errors
    const thrown = await collected({ ...disk, rename: () => Promise.reject("no error") });
    expect(thrown.problems).toEqual([`${nameOf(2)}: no error`]);
    expect((await collected(disk)).removed).toEqual([nameOf(2)]);
  });
  it("are gone from their folder for good before they are emptied", async () => {
    const stepsOf = async (disk: MemoryDisk) => {
      const steps: string[] = [];
      const told = (name: "syncFolder" | "rm") => (path: string) => {
        steps.push(`${name} ${path.replace(/trash-.*/, "trash")}`);
        return disk[name](path);
      };
      const { problems } = await collected({ ...disk, syncFolder: told("syncFolder"), rm: told("rm") });
      expect(problems).toEqual([]);
      return steps;
    };
    const trash = Array.from({ length: 3 }, () => "rm /artifacts/staging/trash");
    expect(await stepsOf(published(OLD))).toEqual(["syncFolder /artifacts/generations", ...trash]);
    expect(await stepsOf(published([0, 0]))).toEqual([]);
  });
  it("lose what their manifests do not name, unless every copy is wanted", async () => {
    const folder = `/artifacts/generations/${nameOf(5)}`;
    const strange = () => {
      const disk = published(OLD);
      disk.put(`${folder}/grades/x.parquet`, "x");
      disk.put(`${folder}/y/z`, "z");
      // Of a manifest that cannot be read nobody knows.
      disk.put(`/artifacts/generations/${nameOf(4)}/manifest.json`, "{");
      return disk;
    };
    const disk = strange();
    const { foreign, generations, keptBytes } = await collected(disk);
    expect([...foreign].sort()).toEqual([`${nameOf(5)}/grades/x.parquet`, `${nameOf(5)}/y`]);
    expect([generations, keptBytes]).toEqual([3, 1000 + 5 + 6]);
    expect(disk.paths()).not.toContain(`${folder}/y/z`);
    const all = strange();
    expect((await collected(all, { keepGenerations: Infinity })).foreign).toEqual([]);
    expect(all.paths()).toContain(`${folder}/y/z`);
  });
});

describe("leftovers", () => {
  const leftovers = () => {
    const disk = memoryDisk();
    disk.put("/artifacts/staging/a/b/c", "12345");
    disk.put("/artifacts/staging/a/shared", "123");
    disk.put("/artifacts/elsewhere", "123", "/artifacts/staging/a/shared");
    disk.put("/artifacts/staging/file", "1234567");
    disk.putLink("/artifacts/staging/link", "a");
    disk.put("/artifacts/staging/own/x", "1");
    return disk;
  };
  it("go, but not the folders that are in use; freed is what has no other name", async () => {
    const disk = leftovers();
    const own = { ownFolders: ["/artifacts/staging/own"] };
    expect(await collectLeftovers("/artifacts", { disk, ...own })).toEqual({ freedBytes: 5 + 7, problems: [] });
    expect(disk.paths()).toEqual(["/artifacts/elsewhere", "/artifacts/staging/own/x"]);
    expect(await collectLeftovers("/artifacts", { disk })).toEqual({ freedBytes: 1, problems: [] });
    expect(disk.paths()).toEqual(["/artifacts/elsewhere"]);
    // A run passes on which of them are its own.
    const other = leftovers();
    expect(await collected(other, own)).toMatchObject({ freedBytes: 12, problems: [] });
    expect(other.paths()).toContain("/artifacts/staging/own/x");
  });
  it("that cannot be removed are told", async () => {
    const disk = leftovers();
    const rm = (path: string) => (path.endsWith("/file") ? Promise.reject(new Error("EIO")) : disk.rm(path));
    expect(await collectLeftovers("/artifacts", { disk: { ...disk, rm } })).toEqual({
      ...{ freedBytes: 5 + 1, problems: ["staging/file: EIO"] },
    });
    // oxlint-disable-next-line prefer-promise-reject-errors
    const broken = { ...disk, rm: () => Promise.reject("no error") };
    expect((await collected(broken)).problems).toEqual(["staging/file: no error"]);
  });
});

it("the bytes below a folder count a file with several names once", async () => {
  const disk = memoryDisk();
  disk.put("/a/b/c", "12345");
  disk.put("/a/d", "12345", "/a/b/c");
  disk.put("/a/e", "12");
  disk.put("/other", "123");
  expect(await bytesBelow("/a", disk)).toBe(7);
  expect(await bytesBelow("/none", disk)).toBe(0);
  const gone = { ...disk, stat: (path: string) => (path === "/a/e" ? Promise.resolve(undefined) : disk.stat(path)) };
  expect(await bytesBelow("/a", gone)).toBe(5);
});
