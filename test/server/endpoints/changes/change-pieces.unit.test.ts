import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sql, statementText, allOf } from "../../../../server/duckdb/sql.ts";
import { partsOf, piecesOf, weeksOf } from "../../../../server/endpoints/changes/change-pieces.ts";
import type { ChangeFile } from "../../../../server/endpoints/changes/change-range.ts";

const file = fc
  .record({
    month: fc.constantFrom("2024-01", "2024-02", "2024-03", "2025-01"),
    rows: fc.oneof({ weight: 4, arbitrary: fc.nat(400_000) }, fc.constant(0)),
    limited: fc.boolean(),
  })
  .map(({ month, rows, limited }): ChangeFile => {
    const term = { year: "2024", quarter: "Fall" } as const;
    return { path: "", sha256: "", term, month, rows, limits: limited ? [sql`"at" > 1`] : [] };
  });
const range = fc
  .array(file)
  .map((files) => ({ files: files.toSorted((a, b) => a.month.localeCompare(b.month)), filters: [], conditions: [] }));

test("pieces have every file with rows once, whole months, and no more at once than a month where that is much", () =>
  fc.assert(
    fc.property(range, (asked) => {
      const pieces = piecesOf(asked);
      expect(pieces.flatMap(({ files }) => files)).toEqual(asked.files.filter(({ rows }) => rows > 0));
      const months = pieces.map(({ files }) => new Set(files.map(({ month }) => month)));
      expect(months.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(months.flatMap((some) => [...some])).size);
      for (const [i, { files, rows, conditions }] of pieces.entries()) {
        expect(rows).toBeGreaterThan(0);
        expect(rows).toBe(files.reduce((sum, one) => sum + one.rows, 0));
        expect(rows <= 200_000 || months[i]?.size === 1).toBe(true);
        expect(conditions.length > 0).toBe(files.some(({ limits }) => limits.length > 0));
      }
    }),
  ));

test("as many rows as are put in order at once, and as are looked through for them, are one piece", () => {
  const months = (rows: number) =>
    ["2024-01", "2024-02", "2024-03"].map((month): ChangeFile => ({
      ...{ path: "", sha256: "", limits: [] },
      ...{ term: { year: "2024", quarter: "Fall" }, month, rows },
    }));
  const lengths = (rows: number, rowsOf?: () => number) =>
    piecesOf({ files: months(rows), filters: [], conditions: [] }, rowsOf).map(({ files }) => files.length);
  expect([lengths(100_000), lengths(100_001)]).toEqual([
    [2, 1],
    [1, 1, 1],
  ]);
  expect([lengths(250_000, () => 1), lengths(250_001, () => 1), lengths(166_000, () => 1)]).toEqual([
    [2, 1],
    [1, 1, 1],
    [3],
  ]);
});

test("parts of pieces are the rows from one number to another", () =>
  fc.assert(
    fc.property(range, fc.nat(1_000_000), fc.nat(1_000_000), (asked, from, length) => {
      const pieces = piecesOf(asked);
      const total = pieces.reduce((sum, { rows }) => sum + rows, 0);
      const to = Math.min(from + length, total);
      let at = Math.min(from, to);
      for (const part of partsOf(pieces, from, to)) {
        const before = pieces.slice(0, pieces.indexOf(part.piece)).reduce((sum, { rows }) => sum + rows, 0);
        expect([before + part.from, part.to > part.from]).toEqual([at, true]);
        at = before + part.to;
      }
      expect(at).toBe(Math.max(Math.min(from, to), to));
    }),
  ));

test("a piece in parts by time, of which the first and the last are open", () => {
  const month = (name: string): ChangeFile => ({
    ...{ path: "", sha256: "", term: { year: "2024", quarter: "Fall" }, month: name, rows: 50_000, limits: [] },
  });
  const [piece, ...more] = piecesOf({ files: [month("2024-01"), month("2024-02")], filters: [], conditions: [] });
  expect(more).toEqual([]);
  const texts = weeksOf(piece ?? { files: [], conditions: [], rows: 0 }).map((week) => statementText(allOf(week)));
  expect(texts).toHaveLength(8);
  const ends = texts.map((text) => /< '([^']*)'/.exec(text)?.[1]);
  expect(texts.map((text) => />= '([^']*)'/.exec(text)?.[1])).toEqual([undefined, ...ends.slice(0, -1)]);
  expect([texts[0], texts.at(-1)]).toEqual([
    `("at" < '2024-01-09T00:00:00Z'::TIMESTAMPTZ)`,
    `("at" >= '2024-02-25T00:00:00Z'::TIMESTAMPTZ)`,
  ]);
  expect([ends[3], ends.at(-1)]).toEqual(["2024-02-01T00:00:00Z", undefined]);
  expect(weeksOf({ files: [month("2024-01")], conditions: [], rows: 60_000 })).toEqual([[]]);
});
