/** How rows come into the database, and which are refused. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { z } from "zod";
import { TABLES } from "../../../pipeline/contract/tables.ts";
import { jsonText } from "../../../pipeline/contract/sql-text.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";

const loaded: unknown[][] = [];
let open = 0;
const into = {
  run: async () => undefined,
  prepare: async () => {
    open++;
    let bound: unknown[] = [];
    return {
      bindVarchar: (_: number, text: string) => (bound = JSON.parse(text) as unknown[]),
      run: async () => void loaded.push(bound),
      destroySync: () => open--,
    };
  },
} as unknown as DuckDBConnection;
const table = {
  ...TABLES.larc,
  row: z.object({ courseNumber: z.string().nullable() }),
} as never as typeof TABLES.larc;
const many = (count: number) => Array.from({ length: count }, () => ({ courseNumber: "1" })) as never;

it("rows are loaded 2000 at a time", async () => {
  loaded.length = 0;
  expect(await loadRows(into, table, many(4001), 'a "b"')).toBe('"a ""b"""');
  expect([loaded.map((batch) => batch.length), open]).toEqual([[2000, 2000, 1], 0]);
  loaded.length = 0;
  expect(await loadRows(into, table, [])).toBe('"rows_larc"');
  expect(loaded).toEqual([]);
  await loadRows(into, table, many(2000));
  expect(loaded).toHaveLength(1);
});

it("rows that do not match the contract are refused by name, with the row's text cut", async () => {
  const load = (row: unknown) =>
    loadRows(into, table, [row] as never).catch((error: Error) => `${error.name}: ${error.message}`);
  expect(await load({ courseNumber: 7 })).toMatch(/^GuardError: larc\.courseNumber: .* in \{"courseNumber":7\}$/);
  expect(await load({ courseNumber: null, extra: "x".repeat(300) })).toMatch(
    /^GuardError: larc: .* in \{"courseNumber":null,"extra":"x{170}…$/,
  );
  expect(await load(undefined)).toMatch(/ in undefined$/);
  expect(open).toBe(0);
});

it("rows have no half of a surrogate pair", () => {
  expect([jsonText(["a\ud800b"]), jsonText(["😀", 1]), jsonText("\\ud")]).toEqual([
    '["a\ufffdb"]',
    '["😀",1]',
    String.raw`"\\ud"`,
  ]);
});
