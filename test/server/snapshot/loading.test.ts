/** Rows are loaded with their places in the order of responses, whatever order they stand in. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { constant, type Fragment, sql } from "../../../server/duckdb/sql.ts";
import { load, type Loading } from "../../../server/snapshot/loading/loading.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ artifactsDir: "/nowhere" });
});
afterAll(() => pool.close());

const loading: Omit<Loading, "table"> = {
  columns: { a: "a", b: "b" },
  orderBy: "a, b",
  record: "to_json({'a': a, 'b': b})",
};

async function loaded(rows: Fragment, asLoaded = loading) {
  const { from, records, bytes, drop } = await load(pool, asLoaded, rows);
  const [rowIds] = await pool.columns(sql`SELECT row_id FROM ${from}`);
  await drop();
  return { rowIds, records, bytes };
}

const given = (values: string) => constant(`(SELECT * FROM (VALUES ${values}) t(a, b))`);

describe("rows", () => {
  it.each(["('é', 1), ('é', 2), ('日本', 0)", "('日本', 0), ('é', 2), ('é', 1)"])("%s are numbered", async (values) => {
    const records = ['{"a":"é","b":1}', '{"a":"é","b":2}', '{"a":"日本","b":0}'];
    expect(await loaded(given(values))).toEqual({
      ...{ records, rowIds: [0, 1, 2] },
      bytes: records.join("").length,
    });
  });

  it("without a value are last", async () => {
    const { records } = await loaded(given("('a', NULL), ('a', 1), (NULL, 1)"));
    expect(records).toEqual(['{"a":"a","b":1}', '{"a":"a","b":null}', '{"a":null,"b":1}']);
  });

  it("can be stored in another order", async () => {
    const rows = given("('a', 3), ('b', 2), ('c', 1)");
    expect((await loaded(rows, { ...loading, clusteredBy: "b" })).rowIds).toEqual([2, 1, 0]);
  });

  it("none at all", async () => {
    expect(await loaded(sql`(SELECT 1 AS a, 2 AS b WHERE false)`)).toEqual({ records: [], rowIds: [], bytes: 0 });
  });
});

it("a table that does not load is dropped", async () => {
  const failing = load(pool, loading, given("('a', 1)"), () => Promise.reject(new Error("unreadable")));
  await expect(failing).rejects.toThrow("unreadable");
  expect(await pool.columns(sql`SELECT count(*)::INTEGER FROM duckdb_tables()`)).toEqual([[0]]);
});
