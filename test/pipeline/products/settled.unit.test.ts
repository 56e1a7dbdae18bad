import { describe, expect, it } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { isFirstOfDay, type RunContext } from "../../../pipeline/products/context.ts";
import { changedParts, isSettled } from "../../../pipeline/products/settled.ts";

const RAN_AT = "2024-10-10T18:00:00.000Z";
const NEXT = "2024-10-10T19:00:00.000Z";

describe("isSettled", () => {
  const settled = (change: Partial<RunContext["freshness"]>, isThorough = false) =>
    isSettled(
      {
        isThorough,
        freshness: { products: { history: RAN_AT }, terms: {}, nextRefresh: NEXT, ...change },
      } as RunContext,
      "history",
    );

  it.each<[string, boolean, boolean]>([
    ["the last run built it", settled({}), true],
    ["everything is derived again", settled({}, true), false],
    ["it was damaged", settled({ incomplete: ["history"] }), false],
    ["another product was damaged", settled({ incomplete: ["larc"] }), true],
    ["an earlier run built it", settled({ products: { history: "2024-10-10T17:00:00.000Z" } }), false],
    ["no run built it", settled({ products: {} }), false],
    ["there was no run", settled({ products: {}, nextRefresh: null }), false],
  ])("%s", (_, actual, expected) => expect(actual).toBe(expected));
});

it("the first run of a campus day is the one after a run of another day, or after none", () => {
  const freshness = (nextRefresh: string | null) => ({ products: {}, terms: {}, nextRefresh });
  expect(isFirstOfDay(freshness(NEXT), "2024-10-10")).toBe(false);
  expect(isFirstOfDay(freshness(NEXT), "2024-10-11")).toBe(true);
  // 23:30 on campus, in summer time.
  expect(isFirstOfDay(freshness("2024-10-11T07:30:00.000Z"), "2024-10-10")).toBe(false);
  expect(isFirstOfDay(freshness(null), "2024-10-10")).toBe(true);
});

it("the changed parts of a table are those with other files, new, gone or lost", () => {
  const file = (year: string, sha256: string, table = "grades") =>
    ({ table, partition: { year }, sha256 }) as PublishedFile;
  const [same, old, gone, lost] = [file("2020", "a"), file("2021", "b"), file("2022", "c"), file("2023", "d")];
  const [next, added] = [file("2021", "e"), file("2024", "f")];
  const staging = {
    base: { manifest: { files: [same, old, gone, lost, file("2020", "x", "sections")] } },
    files: () => [same, next, lost, added, file("2020", "y", "sections")],
    isSound: (candidate: PublishedFile) => candidate !== lost,
  } as unknown as RunContext["staging"];
  expect(changedParts({ staging }, "grades")).toEqual([
    { published: old, staged: next },
    { published: undefined, staged: added },
    { published: gone, staged: undefined },
  ]);
});
