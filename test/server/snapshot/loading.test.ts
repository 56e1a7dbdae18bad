/** Rows are served in one order, whatever order they stand in: those that stand in it already are numbered where they stand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { constant, type Fragment, sql } from "../../../server/duckdb/sql.ts";
import { load, type Loading } from "../../../server/snapshot/loading/loading.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";
import { readJsonRows, rowCount, slice, toRange } from "../../../server/snapshot/loading/json-rows.ts";

let pool: Pool;
/** What the database was asked to make. */
let made: string[] = [];
beforeAll(async () => {
  const own = await createPool({ artifactsDir: "/nowhere" });
  pool = {
    ...own,
    columns: (statement, manner) => {
      made.push(...(/CREATE TABLE (\w+)_/.exec(statement.pieces.join("?"))?.slice(1) ?? []));
      return own.columns(statement, manner);
    },
  };
});
afterAll(() => pool.close());

const loading: Loading<"row"> = {
  table: "terms",
  columns: { a: "a", b: "b" },
  orderBy: "a, b",
  jsonColumns: { row: "to_json({'a': a, 'b': b})" },
};

async function loaded(rows: Fragment) {
  made = [];
  const { from, jsonRows, drop } = await load(pool, loading, rows);
  const table = await pool.columns(sql`SELECT row_id, a, b FROM ${from} ORDER BY row_id`);
  await drop();
  const texts = Array.from({ length: rowCount(jsonRows.row) }, (_, i) => slice(jsonRows.row, i, i + 1).toString());
  return { table, texts, made };
}

const given = (values: string) => constant(`(SELECT * FROM (VALUES ${values}) t(a, b))`);

describe("rows", () => {
  const IN_ORDER = "('é', 1), ('é', 2), ('日本', 0)";
  const expected = {
    table: [
      [0, 1, 2],
      ["é", "é", "日本"],
      [1, 2, 0],
    ],
    texts: ['{"a":"é","b":1}', '{"a":"é","b":2}', '{"a":"日本","b":0}'],
  };

  it("that stand in order are not copied", async () => {
    expect(await loaded(given(IN_ORDER))).toEqual({ ...expected, made: ["narrow"] });
  });

  it("that do not are put in order", async () => {
    expect(await loaded(given("('日本', 0), ('é', 2), ('é', 1)"))).toEqual({ ...expected, made: ["wide", "narrow"] });
  });

  it("whose order cannot be told are put in order, those without a value last", async () => {
    const { table, texts } = await loaded(given("('a', NULL), ('a', 1), (NULL, 1)"));
    expect(table).toEqual([
      [0, 1, 2],
      ["a", "a", null],
      [1, null, 1],
    ]);
    expect(texts).toEqual(['{"a":"a","b":1}', '{"a":"a","b":null}', '{"a":null,"b":1}']);
  });

  it("in hand are read once", async () => {
    const rows = sql`(SELECT unnest(CAST(${'[{"a":"é","b":1}]'}::JSON AS STRUCT(a VARCHAR, b INTEGER)[]), recursive := true))`;
    expect((await loaded(rows)).made).toEqual(["wide", "narrow"]);
  });

  it("of many: every text is the one of its place, whatever their sizes", async () => {
    const many = sql`(SELECT repeat('ä', (i % 97) * (i % 3)::INTEGER)::VARCHAR AS b, i::INTEGER AS a FROM range(30000) t(i))`;
    const { texts } = await loaded(many);
    expect(texts).toHaveLength(30_000);
    expect(texts.every((text, i) => text === `{"a":${i},"b":"${"ä".repeat((i % 97) * (i % 3))}"}`)).toBe(true);
  });

  it("that come in another order than they are numbered", async () => {
    const rows = sql`(SELECT (4999 - i)::INTEGER AS row_id, 4999 - i AS a FROM range(5000) t(i))`;
    const jsonRows = await readJsonRows(pool, sql`a`, rows);
    const texts = Array.from({ length: rowCount(jsonRows) }, (_, i) => slice(jsonRows, i, i + 1).toString());
    expect(texts).toEqual(Array.from({ length: 5000 }, (_, i) => String(i)));
  });

  it("that are not numbered from 0 on without a gap are refused, never left out", async () => {
    for (const place of ["i + 1", "2 * i"]) {
      const rows = sql`(SELECT (${constant(place)})::INTEGER AS row_id, i AS a FROM range(3) t(i))`;
      await expect(readJsonRows(pool, sql`a`, rows)).rejects.toThrow("without a gap");
    }
  });

  it("are a JSON array as they stand in memory, of which every range is one too", async () => {
    for (const count of [0, 1, 2, 5000]) {
      const rows = sql`(SELECT i::INTEGER AS row_id, 'é' || i AS a FROM range(${count}) t(i))`;
      const jsonRows = await readJsonRows(pool, sql`to_json(a)`, rows);
      const all = Array.from({ length: count }, (_, i) => `é${i}`);
      for (const [from, to] of [
        [0, count],
        [1, count],
        [0, count - 1],
        [2, 2],
      ] as const)
        expect(JSON.parse(Buffer.concat(toRange(jsonRows, from, to)).toString())).toEqual(
          from < to ? all.slice(from, to) : [],
        );
      expect(JSON.parse(jsonRows.bytes.toString())).toEqual(all);
    }
  });

  it("none at all", async () => {
    expect(await loaded(sql`(SELECT 1 AS a, 2 AS b WHERE false)`)).toMatchObject({ table: [[], [], []], texts: [] });
  });
});
