/** Which snapshots, checkouts, leftovers and foreign files go when a run is over, on a disk in memory. */
import { describe, expect, it } from "vitest";
import type { EarlierSnapshot } from "../../../pipeline/contract/documents/manifest.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { collectArtifacts, collectLeftovers, type CollectOptions } from "../../../pipeline/store/collect-artifacts.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, putGeneration } from "../../support/memory-generations.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(NOW.getTime() - hours * HOUR).toISOString();

/** Publishes snapshots 1, 2, …; the replaced ones were current until so many hours ago. All share one object. */
function published(hoursAgo: readonly number[], current = hoursAgo.length + 1): MemoryDisk {
  const disk = memoryDisk();
  let retained: EarlierSnapshot[] = [];
  for (let number = 1; number <= hoursAgo.length + 1; number++) {
    const texts = { grades: "x".repeat(number), larc: "shared".padEnd(1000) };
    const { manifest } = putGeneration(disk, { number, texts, retained, isCurrent: number === current });
    const [createdAt, replacedAt] = [ago((hoursAgo[number - 1] ?? 0) + 1), ago(hoursAgo[number - 1] ?? 0)];
    retained = [{ id: manifest.id, generation: number, createdAt, replacedAt }, ...retained];
  }
  return disk;
}
const numbersIn = (folder: "snapshots" | "checkouts", disk: MemoryDisk): number[] =>
  [...new Set(disk.paths().flatMap((path) => new RegExp(`/${folder}/(\\d+)-`).exec(path)?.[1] ?? []))]
    .map(Number)
    .sort();
const collected = (disk: MemoryDisk, options: Partial<CollectOptions> = {}) =>
  collectArtifacts(ARTIFACTS, { now: NOW, disk, ...options });
const retainedOn = async (disk: MemoryDisk): Promise<number[] | undefined> =>
  (await readCurrent(ARTIFACTS, disk))?.retained.map(({ generation }) => generation);

describe("snapshots", () => {
  const OLD = [9, 9, 9, 9, 9];

  it("beyond the newest three go with their objects, if they were replaced an hour ago or earlier", async () => {
    const disk = published(OLD);
    const { removed, foreign, generations, keptBytes, freedBytes, problems } = await collected(disk);
    expect(removed.map((name) => name.split("-")[0])).toEqual(["1", "2", "3"]);
    expect({ foreign, generations, problems }).toEqual({ foreign: [], generations: 3, problems: [] });
    expect([numbersIn("snapshots", disk), await retainedOn(disk)]).toEqual([
      [4, 5, 6],
      [5, 4],
    ]);
    // An object that several snapshots name counts once.
    expect(keptBytes).toBe(1000 + 4 + 5 + 6);
    expect(freedBytes).toBeGreaterThan(1 + 2 + 3);
    expect(disk.paths().filter((path) => path.startsWith(`${ARTIFACTS}/grades/`))).toHaveLength(3);
    const recent = published([9, 1, 1 - 1e-6, 9, 9]);
    await collected(recent);
    expect(numbersIn("snapshots", recent)).toEqual([3, 4, 5, 6]);
  });

  it.each([
    [{ keepSnapshots: 1 }, [6]],
    [{ keepSnapshots: 5 }, [2, 3, 4, 5, 6]],
    [{ keepSnapshots: 9 }, [1, 2, 3, 4, 5, 6]],
    [{ keepSnapshots: Infinity }, [1, 2, 3, 4, 5, 6]],
    [{ keepMs: 9 * HOUR + 1 }, [1, 2, 3, 4, 5, 6]],
    [{ keepMs: 9 * HOUR }, [4, 5, 6]],
    [{ retain: { hours: 10, days: 0, months: 0 } }, [1, 2, 3, 4, 5, 6]],
    [{ retain: { hours: 9, days: 0, months: 0 }, keepSnapshots: 1 }, [6]],
  ])("%j keeps %j", async (options, kept) => {
    const disk = published(OLD);
    expect((await collected(disk, options)).generations).toBe(kept.length);
    expect(numbersIn("snapshots", disk)).toEqual(kept);
  });

  it("that were never current go: a killed publication has left them", async () => {
    const disk = published(OLD, 4);
    const { removed } = await collected(disk, { keepSnapshots: 2 });
    expect([numbersIn("snapshots", disk), removed.length]).toEqual([[3, 4], 4]);
    expect(disk.paths().filter((path) => path.startsWith(`${ARTIFACTS}/grades/`))).toHaveLength(2);
  });

  it("stay while the pointer cannot be read", async () => {
    for (const damage of [
      (disk: MemoryDisk) => disk.put(`${ARTIFACTS}/current.json`, "{"),
      (disk: MemoryDisk) => disk.rm(`${ARTIFACTS}/current.json`),
    ]) {
      const disk = published(OLD);
      await damage(disk);
      const before = disk.paths();
      expect((await collected(disk)).removed).toEqual([]);
      expect(disk.paths()).toEqual(before);
    }
  });

  it("that are retained and cannot be read keep every object, and are told", async () => {
    const disk = published(OLD);
    const name = nameOf((await readCurrent(ARTIFACTS, disk))?.retained[0] as EarlierSnapshot);
    disk.put(`${ARTIFACTS}/snapshots/${name}.json`, "{");
    disk.put(`${ARTIFACTS}/grades/notes`, "");
    const { foreign, problems } = await collected(disk);
    expect(problems).toEqual([expect.stringContaining("cannot be read: no object is removed")]);
    expect([foreign, numbersIn("snapshots", disk)]).toEqual([[], [4, 5, 6]]);
    expect(disk.paths().filter((path) => path.startsWith(`${ARTIFACTS}/grades/`))).toHaveLength(7);
  });

  it("that cannot be removed are told, and tried again", async () => {
    const disk = published(OLD);
    const rm = (path: string) => (path.includes("/snapshots/2-") ? Promise.reject(new Error("EBUSY")) : disk.rm(path));
    expect((await collected({ ...disk, rm })).problems).toEqual(["EBUSY"]);
    // oxlint-disable-next-line prefer-promise-reject-errors
    const thrown = await collected({ ...disk, rm: () => Promise.reject("no error") });
    expect(thrown.problems).toEqual(["no error"]);
    expect((await collected(disk)).problems).toEqual([]);
    expect(numbersIn("snapshots", disk)).toEqual([4, 5, 6]);
  });

  it("lose what is beside their objects, unless every copy is wanted", async () => {
    const strange = () => {
      const disk = published(OLD);
      for (const path of ["grades/x.parquet", "grades/y/z", "grades/notes"]) disk.put(`${ARTIFACTS}/${path}`, "x");
      return disk;
    };
    const disk = strange();
    expect((await collected(disk)).foreign.toSorted()).toEqual(["grades/notes", "grades/y"]);
    for (const path of ["grades/x.parquet", "grades/y/z", "grades/notes"])
      expect(disk.paths()).not.toContain(`${ARTIFACTS}/${path}`);
    const all = strange();
    const before = all.paths();
    expect((await collected(all, { keepSnapshots: Infinity })).foreign).toEqual([]);
    expect(all.paths()).toEqual(before);
  });
});

describe("checkouts", () => {
  it("go with the hour in which a reader may have them open", async () => {
    const disk = published([9, 0.5]);
    const folder = `${ARTIFACTS}/checkouts`;
    for (const { generation, id } of (await readCurrent(ARTIFACTS, disk))?.retained ?? [])
      disk.put(`${folder}/${nameOf({ generation, id })}/grades/a`, "a");
    disk.put(`${folder}/mine/file`, "");
    await collected(disk);
    expect([numbersIn("snapshots", disk), numbersIn("checkouts", disk)]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    expect(disk.paths()).toContain(`${folder}/mine/file`);
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
    expect(await collectArtifacts(ARTIFACTS, { now: NOW, disk: other, ...own })).toMatchObject({
      freedBytes: 12,
      problems: [],
    });
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
    expect((await collectArtifacts(ARTIFACTS, { now: NOW, disk: broken })).problems).toEqual([
      "staging/file: no error",
    ]);
  });
});
