/** Which loaded tables stay when nothing uses them. */
import { expect, it } from "vitest";
import { createTableCache } from "../../../server/snapshot/loading/table-cache.ts";

const keys = Array.from({ length: 20 }, (_, i) => `t${i}`);

/** Loads tables of these sizes one after another, and tells which are still loaded. */
async function remaining(sizes: readonly number[], earlier: boolean): Promise<string[]> {
  const cache = createTableCache();
  cache.expect(new Set(keys), earlier);
  const loaded = new Set<string>();
  for (const [i, bytes] of sizes.entries()) {
    const key = keys[i] as string;
    loaded.add(key);
    await cache.acquire(key, () => Promise.resolve({ bytes, drop: async () => void loaded.delete(key) }));
    cache.release(key);
  }
  await Promise.resolve();
  expect(keys.filter((key) => cache.uses(key) !== undefined)).toEqual([...loaded]);
  return [...loaded];
}

it.each([
  ["small ones: the last twelve", Array.from({ length: 15 }, () => 1e6), false, keys.slice(3, 15)],
  ["large ones: as many as there is room for", Array.from({ length: 9 }, () => 20e6), false, keys.slice(7, 9)],
  ["one that is larger than the room", [1e6, 1e9], false, ["t1"]],
  ["of earlier snapshots: the last five", Array.from({ length: 9 }, () => 1e6), true, keys.slice(4, 9)],
  ["five versions of a term of 25,000 sections", Array.from({ length: 5 }, () => 15e6), true, keys.slice(0, 5)],
  ["large ones of earlier snapshots", Array.from({ length: 9 }, () => 25e6), true, keys.slice(6, 9)],
])("%s", async (_, sizes, earlier, expected) => {
  expect(await remaining(sizes, earlier)).toEqual(expected);
});
