/** The list of snapshots, and the parts of the logs that are removed with snapshots that are no longer retained. */
import { describe, expect, it } from "vitest";
import type { Remove, TableState } from "../../../pipeline/lake/delta/actions.ts";
import { checkpointKey, commitKey, lastCheckpointKey } from "../../../pipeline/lake/delta/actions.ts";
import { collectLog, neededFiles } from "../../../pipeline/lake/delta/log.ts";
import { type ListedSnapshot, listingText, listSnapshots, readListing } from "../../../pipeline/lake/listing.ts";
import { SNAPSHOTS, type Store } from "../../../pipeline/store/store.ts";

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
type Named = Pick<ListedSnapshot, "createdAt" | "generation" | "id">;
const snapshot = (generation: number, createdAt: string): ListedSnapshot => ({
  ...{ id: String(generation % 10).repeat(16), generation, createdAt, versions: {} },
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
  it("has the snapshots of the pointer: the current one with the given versions, the others with their own", () => {
    const [first, second, third] = [1, 2, 3].map((day) => ({
      ...{ id: String(day).repeat(16), generation: day, createdAt: `2026-01-0${day}T00:00:00Z` },
    })) as [Named, Named, Named];
    const retained = [second, first].map((one) => ({ ...one, replacedAt: "2026-01-04T00:00:00Z" }));
    const pointer = { snapshot: third, retained } as unknown as Parameters<typeof listSnapshots>[0];
    const versionsOf = (listed: readonly ListedSnapshot[]) =>
      listSnapshots(pointer, { grades: 7 }, listed).map(({ generation, replacedAt, versions }) => [
        ...[generation, replacedAt, versions["grades"]],
      ]);
    const old = (snapshot: Named, grades: number): ListedSnapshot => ({ ...snapshot, versions: { grades } });
    const replacedAt = "2026-01-04T00:00:00Z";
    expect(versionsOf([old(second, 5), old(first, 4)])).toEqual([
      [3, undefined, 7],
      [2, replacedAt, 5],
      [1, replacedAt, 4],
    ]);
    // Another program wrote to its tables; and nobody completed the second one.
    expect(versionsOf([old(third, 6), old(first, 4)])).toEqual([
      [3, undefined, 7],
      [1, replacedAt, 4],
    ]);
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

it("of a log go commits and checkpoints before the newest checkpoint that every retained version can start from", async () => {
  const log = [0, 1, 2, 3, 4, 5].map((version) => commitKey("grades", version));
  const checkpoints = [2, 4].map((version) => checkpointKey("grades", version));
  const collect = async (keys: readonly string[], oldestRetained: number): Promise<string[]> => {
    const { store, left } = storeOf(all(keys));
    await collectLog(store, "grades", oldestRetained);
    return keys.filter((key) => !left().includes(key)).sort();
  };
  const both = [...log, ...checkpoints, lastCheckpointKey("grades"), "grades/x.parquet"];
  expect(await collect(both, 1)).toEqual([]);
  expect(await collect(both, 2)).toEqual(log.slice(0, 2).sort());
  expect(await collect(both, 3)).toEqual(log.slice(0, 2).sort());
  expect(await collect(both, 4)).toEqual([...log.slice(0, 4), ...checkpoints.slice(0, 1)].sort());
  expect(await collect(log, 5)).toEqual([]);
  // Objects in forms that only other writers use are included.
  const others = ["1.checkpoint.1.2.parquet", "1.crc", "3.crc", "4.json.tmp"].map(
    (name) => `grades/_delta_log/${name.replace(/^\d/, (version) => version.padStart(20, "0"))}`,
  );
  expect(await collect([...both, ...others], 2)).toEqual([...log.slice(0, 2), ...others.slice(0, 2)].sort());
  // The log of another table is not looked at.
  expect(await collect([...log, `grades/${checkpointKey("sections", 9)}`], 9)).toEqual([]);
});
