/** What is made of single files: once each, shared, kept by use within a bound, made anew before a publication is served. */
import { expect, it } from "vitest";
import { NOBODY } from "../../../server/duckdb/query.ts";
import type { Pool } from "../../../server/duckdb/pool.ts";
import type { PublishedSnapshot } from "../../../server/snapshot/generation.ts";
import { createParts, type PartKind, placed, type PlacedFile } from "../../../server/snapshot/loading/parts.ts";

const pool = { signal: NOBODY.signal } as Pool;
const generation = (...months: readonly (readonly [month: string, content: string])[]): PublishedSnapshot => {
  const files = months.map(([month, sha256]) => ({
    table: "enrollment_periods",
    partition: { year: "2025", quarter: "Winter", month },
    path: `${month}-${sha256}.parquet`,
    sha256,
    rows: 1,
  }));
  return { folder: "folder", manifest: { files } } as unknown as PublishedSnapshot;
};
const files = (of: PublishedSnapshot) => of.manifest.files.map((file) => placed(of, file));

function counting(): { kind: PartKind<{ of: string }>; made: string[] } {
  const made: string[] = [];
  const kind: PartKind<{ of: string }> = {
    name: "counted",
    make(_pool, rows) {
      const of = /-(\w+)\.parquet/.exec(rows.pieces.join(""))?.[1] ?? "";
      made.push(of);
      return Promise.resolve({ of });
    },
    bytesOf: () => 10,
  };
  return { kind, made };
}

it("makes a part once for all who need it at the same time, and for snapshots that share the file", async () => {
  const { kind, made } = counting();
  const parts = createParts(pool);
  const [first, second] = [generation(["2025-01", "a"]), generation(["2025-01", "a"], ["2025-02", "b"])];
  for (const one of [first, second]) parts.expect(one);
  const all = [...files(first), ...files(second), ...files(second)];
  await Promise.all(all.map((file) => parts.load(kind, file, pool)));
  expect(made).toEqual(["a", "b"]);
});

it("forgets what was not used for longest where there is no room", async () => {
  const { kind } = counting();
  const parts = createParts(pool, 20);
  const all = files(generation(["2025-01", "a"], ["2025-02", "b"], ["2025-03", "c"]));
  for (const file of all.slice(0, 2)) await parts.load(kind, file, pool);
  const known = () => all.map((file) => parts.find(kind, file)?.of);
  // Looking at them is a use: of all, in their order.
  expect(known()).toEqual(["a", "b", undefined]);
  await parts.load(kind, all[2] as PlacedFile, pool);
  expect(known()).toEqual([undefined, "b", "c"]);
});

it("makes of the files of a publication what was made of those that they replace, and of no others", async () => {
  const { kind, made } = counting();
  const parts = createParts(pool);
  const before = generation(["2025-01", "a"], ["2025-02", "b"], ["2025-03", "c"]);
  for (const file of files(before).slice(1)) await parts.load(kind, file, pool);
  const next = generation(["2025-01", "a2"], ["2025-02", "b"], ["2025-03", "c2"], ["2025-04", "d"]);
  await parts.carryOver(before, next, pool);
  expect(made).toEqual(["b", "c", "c2"]);
});

it("drops what no snapshot has any more", async () => {
  const { kind } = counting();
  const parts = createParts(pool);
  const [before, next] = [generation(["2025-01", "a"], ["2025-02", "b"]), generation(["2025-01", "a"])];
  const [withdraw] = [before, next].map((one) => parts.expect(one));
  for (const file of files(before)) await parts.load(kind, file, pool);
  withdraw?.();
  expect(files(before).map((file) => parts.find(kind, file)?.of)).toEqual(["a", undefined]);
});
