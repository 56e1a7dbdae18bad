/** Which earlier snapshots a replica lists: those that are retained, and that its origin still lists before the current one. */
import { expect, it } from "vitest";
import { createEarlierSnapshots } from "../../../server/snapshot/earlier-generations.ts";
import type { Served } from "../../../server/snapshot/earlier-generations.ts";

const idOf = (generation: number) => String(generation).repeat(16);
const at = (generation: number) => `2026-11-2${generation}T00:00:00.000Z`;
const earlier = (generation: number) => ({
  ...{ id: idOf(generation), generation, createdAt: at(generation), replacedAt: at(generation + 1) },
});
const manifest = { id: idOf(4), generation: 4, createdAt: at(4) };
const served = {
  folderName: `4-${idOf(4)}`,
  snapshot: { id: idOf(4), published: { folder: "/nowhere", manifest, retained: [3, 2, 1].map(earlier) } },
} as unknown as Served;

it.each([
  ["has not listed any yet", undefined, [4, 3, 2, 1]],
  ["lists all of them", { of: 4, listed: [3, 2, 1] }, [4, 3, 2, 1]],
  ["has removed one", { of: 4, listed: [3, 1] }, [4, 3, 1]],
  ["has removed all", { of: 4, listed: [] }, [4]],
  ["has listed what is before another one only", { of: 3, listed: [1] }, [4, 3, 2, 1]],
] as const)("whose origin %s", async (_what, listed, expected) => {
  const { retained } = createEarlierSnapshots("/nowhere", () => served, {
    readManifest: () => Promise.resolve(undefined),
    fetch: () => Promise.resolve(false),
    earlierThan: (id) => (listed && id === idOf(listed.of) ? new Set(listed.listed.map(idOf)) : undefined),
  });
  expect((await retained()).map(({ generation }) => generation)).toEqual(expected);
});
