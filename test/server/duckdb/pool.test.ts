/** Statements on a few connections: large ones leave the others room, and numbers are read as they are. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../server/duckdb/sql.ts";
import { readPlaces } from "../../../server/snapshot/row-ids.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ artifactsDir: tmpdir(), connections: 2 });
});
afterAll(() => pool?.close());

describe("a fair queue", () => {
  const long = sql`SELECT sum(hash(range)::DOUBLE) FROM range(3000000)`;

  it("lets small statements pass, however many large ones wait", async () => {
    const ended: string[] = [];
    const large = Array.from({ length: 4 }, (_, i) =>
      pool.columns(long, { large: true }).then(() => ended.push(`large ${i}`)),
    );
    await pool.columns(sql`SELECT 1`).then(() => ended.push("small"));
    await Promise.all(large);
    expect(ended.indexOf("small")).toBeLessThan(2);
    expect(ended.filter((name) => name !== "small")).toEqual(["large 0", "large 1", "large 2", "large 3"]);
  });

  it("gives the connection back when a large statement fails", async () => {
    const wrong = sql`SELECT error('no such thing')`;
    for (let i = 0; i < 4; i++) await expect(pool.columns(wrong, { large: true })).rejects.toThrow("no such thing");
    expect(await pool.columns(sql`SELECT 1`, { large: true })).toEqual([[1]]);
  });
});

describe("numbers as they are", () => {
  it("every column, over several chunks, in the order of the rows", async () => {
    const [numbers, negative] = await pool.integers(
      sql`SELECT range::INTEGER, (-range)::INTEGER FROM range(5000) ORDER BY range`,
    );
    expect(numbers).toEqual(Int32Array.from({ length: 5000 }, (_, i) => i));
    expect(negative?.at(-1)).toBe(-4999);
  });

  it("none at all", async () => {
    expect(await readPlaces(pool, sql`SELECT 1::INTEGER WHERE false`)).toEqual(new Int32Array());
  });

  it("places ascend, whatever order the statement gives them in", async () => {
    expect(await readPlaces(pool, sql`SELECT range::INTEGER FROM range(3000) ORDER BY range DESC`)).toEqual(
      Int32Array.from({ length: 3000 }, (_, i) => i),
    );
  });
});
