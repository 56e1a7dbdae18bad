/** What goes from a store with the snapshots that are not retained any more. */
import { describe, expect, it } from "vitest";
import type { Remove, TableState } from "../../../pipeline/lake/delta/actions.ts";
import { checkpointKey, commitKey, lastCheckpointKey } from "../../../pipeline/lake/delta/keys.ts";
import {
  collectDuckLakeWrites,
  collectGenerations,
  collectTable,
  collectViews,
  type ListedSnapshot,
  listingText,
  neededFiles,
  readListing,
  retainedSnapshots,
  withNewest,
} from "../../../pipeline/lake/retention.ts";
import { manifestKey, SNAPSHOTS, type Store } from "../../../pipeline/stores/store.ts";

const NOW = new Date("2026-11-22T20:00:00Z");
const GRACE_MS = 1000;
const OLD = NOW.getTime() - GRACE_MS - 1;

/** A store that lists objects with their times, and loses those that are removed. */
function storeOf(objects: Readonly<Record<string, number>>, given: Partial<Store> = {}) {
  const left = new Map(Object.entries(objects));
  const store = {
    name: "store",
    graceMs: GRACE_MS,
    list: (prefix: string) =>
      Promise.resolve(
        [...left].flatMap(([key, modifiedMs]) => (key.startsWith(prefix) ? [{ key, bytes: 1, modifiedMs }] : [])),
      ),
    remove: (key: string) => Promise.resolve(void left.delete(key)),
    ...given,
  } as unknown as Store;
  return { store, left: () => [...left.keys()].sort() };
}
const all = (keys: readonly string[], modifiedMs = OLD) => Object.fromEntries(keys.map((key) => [key, modifiedMs]));
const snapshot = (generation: number, createdAt: string, replacedAt?: string): ListedSnapshot => ({
  ...{ id: String(generation % 10).repeat(16), generation, createdAt, versions: {} },
  ...(replacedAt === undefined ? {} : { replacedAt }),
});

describe("the list of snapshots", () => {
  const reading = (read: Store["read"]) => readListing(storeOf({}, { read }).store);
  it("is read as it is written, and none is one of no snapshots", async () => {
    const snapshots = [snapshot(2, "2026-11-22T00:00:00Z"), snapshot(1, "2026-11-21T00:00:00Z")];
    const content = Buffer.from(listingText(snapshots));
    expect(await reading(() => Promise.resolve({ content, etag: "e" }))).toEqual({ snapshots, etag: "e" });
    // A line for each.
    expect(String(content).trim().split("\n")).toHaveLength(4);
    expect(await reading(() => Promise.resolve(undefined))).toEqual({ snapshots: [], etag: null });
    const damaged = reading(() => Promise.resolve({ content: Buffer.from("{"), etag: null }));
    await expect(damaged).rejects.toThrow(`${SNAPSHOTS} is damaged`);
  });
  it("gets the newest on top, which replaces the one before", () => {
    const [first, second, third] = [
      snapshot(1, "2026-01-01T00:00:00Z"),
      snapshot(2, "2026-01-02T00:00:00Z"),
      snapshot(3, "2026-01-03T00:00:00Z"),
    ] as const;
    const two = withNewest(second, withNewest(first, []));
    // The same one has other versions after another program wrote to its tables.
    const again = { ...second, versions: { grades: 7 } };
    expect(withNewest(again, two)).toEqual([again, ...two.slice(1)]);
    expect(two).toEqual([second, { ...first, replacedAt: second.createdAt }]);
    expect(withNewest(third, two)).toEqual([third, { ...second, replacedAt: third.createdAt }, two[1]]);
  });
  it("has what is retained: by when it was replaced, or else by the next one's time", () => {
    const retain = { hours: 1, days: 0, months: 0 };
    const retained = (snapshots: ListedSnapshot[]) =>
      retainedSnapshots(snapshots, { now: NOW, retain }).map(({ generation }) => generation);
    const newest = snapshot(3, "2026-11-22T19:30:00Z");
    expect(retained([newest, snapshot(2, "2026-11-22T10:00:00Z"), snapshot(1, "2026-11-22T09:00:00Z")])).toEqual([
      3, 2,
    ]);
    const told = snapshot(2, "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z");
    expect(retained([newest, told])).toEqual([3]);
  });
});

it("a removed file is needed as long as a retained version has it", () => {
  const removed = (since: number, until: number) =>
    ({ tags: { since: String(since), until: String(until) } }) as Remove;
  const state = {
    removed: new Map([
      ["a", removed(2, 4)],
      ["b", removed(4, 9)],
      ["c", removed(1, 2)],
      ["d", removed(9, 12)],
    ]),
  } as unknown as TableState;
  const needed = (...versions: number[]) => [...neededFiles(state, versions).keys()];
  expect([1, 2, 3, 4, 8, 9, 12].map((version) => needed(version).join(""))).toEqual(["c", "a", "a", "b", "b", "d", ""]);
  expect(needed(3, 5)).toEqual(["a", "b"]);
  expect(neededFiles(state, [2]).get("a")).toBe(state.removed.get("a"));
});

const digits = (digit: string) => digit.repeat(32);

describe("of a table go", () => {
  const file = (digit: string) => `grades/2025-${digits(digit)}.parquet`;
  const log = [0, 1, 2, 3, 4, 5].map((version) => commitKey("grades", version));
  const checkpoints = [2, 4].map((version) => checkpointKey("grades", version));
  const collect = async (
    keys: Readonly<Record<string, number>>,
    oldestRetained: number,
    kept: string[] = [],
    given: Partial<Store> = {},
  ) => {
    const { store, left } = storeOf(keys, given);
    const isKept = (path: string) => kept.includes(`grades/${path}`);
    const before = await collectTable(store, "grades", { now: NOW, oldestRetained, isKept });
    expect([...before].sort()).toEqual(
      Object.keys(keys)
        .filter((key) => key.startsWith("grades/"))
        .sort(),
    );
    return Object.keys(keys).filter((key) => !left().includes(key));
  };
  it("Parquet files that nobody needs, whoever wrote them, but not young ones, and none of another kind", async () => {
    const others = ["grades/notes.txt", "grades2/x.parquet", lastCheckpointKey("grades"), "grades/_delta_log/x.json"];
    const foreign = ["grades/year=2025/part-00000-c000.snappy.parquet", "grades/x.parquet"];
    const empty = `grades/empty-${digits("c")}.parquet`;
    const keys = {
      ...all([file("a"), file("b"), empty, ...foreign, ...others]),
      [file("e")]: NOW.getTime() - GRACE_MS,
    };
    expect((await collect(keys, 9, [file("a")])).sort()).toEqual([file("b"), empty, ...foreign].sort());
    expect(await collect(keys, 9, [file("a"), file("b"), empty, ...foreign])).toEqual([]);
    expect(await collect({ [file("e")]: NOW.getTime() + 1 }, 9, [], { graceMs: 0 })).toEqual([file("e")]);
  });
  it("commits and checkpoints before the newest checkpoint that every retained version can start from", async () => {
    const keys = all([...log, ...checkpoints]);
    expect(await collect(keys, 1)).toEqual([]);
    expect((await collect(keys, 2)).sort()).toEqual(log.slice(0, 2).sort());
    expect((await collect(keys, 3)).sort()).toEqual(log.slice(0, 2).sort());
    expect((await collect(keys, 4)).sort()).toEqual([...log.slice(0, 4), ...checkpoints.slice(0, 1)].sort());
    expect(await collect(all(log), 5)).toEqual([]);
    // Also in forms that only other writers use.
    const others = ["1.checkpoint.1.2.parquet", "1.crc", "3.crc", "4.json.tmp"].map(
      (name) => `grades/_delta_log/${name.replace(/^\d/, (version) => version.padStart(20, "0"))}`,
    );
    expect((await collect(all([...log, ...checkpoints, ...others]), 2)).sort()).toEqual(
      [...log.slice(0, 2), ...others.slice(0, 2)].sort(),
    );
    // Those of another table are not looked at.
    const other = checkpointKey("sections", 9);
    expect(await collect({ ...all(log), [`grades/${other}`]: OLD }, 9)).toEqual([]);
  });
});

it("of views go the files that no retained snapshot has", async () => {
  const [kept, gone, young] = ["a", "b", "c"].map((digit) => `views/seats/2026-Fall-${digits(digit)}.parquet`) as [
    string,
    string,
    string,
  ];
  const keys = { ...all([kept, gone, "views/notes.txt", "grades/x"]), [young]: NOW.getTime() };
  const { store, left } = storeOf(keys);
  const before = await collectViews(store, { now: NOW, isKept: (key) => key === kept });
  expect([...before].sort()).toEqual([kept, gone, young, "views/notes.txt"].sort());
  expect(left()).toEqual([kept, young, "views/notes.txt", "grades/x"].sort());
});

it("beside the tables only what DuckLake wrote goes", async () => {
  const name = "ducklake-01a2229c-2fe5-7538-b36e-34c8de74c738";
  const others = ["ducklake-notes.parquet", "lake.ducklake", "README.txt", `mine/${name}.parquet`, `${name}.csv`];
  const young = `${name.replace("c738", "c739")}.parquet`;
  const { store, left } = storeOf({
    ...all([...others, `${name}.parquet`, `${name}-delete.parquet`]),
    [young]: NOW.getTime(),
  });
  await collectDuckLakeWrites(store, NOW);
  expect(left()).toEqual([...others, young].sort());
});

it("of generations go the manifests that are not retained, and the claims of earlier numbers", async () => {
  const manifests = [1, 2, 3, 4].map((number) => manifestKey(`${number}-${String(number).repeat(16)}`));
  const claims = [1, 2, 3, 4].map((number) => `generations/${number}.json`);
  const others = [
    "generations/x/manifest.json",
    "generations/2.json.tmp",
    "x/generations/1.json",
    "generations/a1.json",
  ];
  const young = manifestKey(`1-${"f".repeat(16)}`);
  const { store, left } = storeOf(
    { ...all([...manifests, ...claims, ...others]), [young]: NOW.getTime() },
    {
      list: () =>
        Promise.resolve(
          [...manifests, ...claims, ...others, young].map((key) => ({
            key,
            bytes: 1,
            modifiedMs: key === young ? NOW.getTime() : OLD,
          })),
        ),
    },
  );
  await collectGenerations(store, { now: NOW, current: 3, retained: [snapshot(1, "2026-01-01T00:00:00Z")] });
  expect(left()).toEqual([manifests[0], ...manifests.slice(2), ...claims.slice(2), ...others, young].sort());
});
