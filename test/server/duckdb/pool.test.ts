/** Statements on a few connections: large ones leave the others room, and numbers are read as they are. */
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { constant, sql } from "../../../server/duckdb/sql.ts";
import { StatementTooLarge, TooManyStatements, LOADING, OVER_FILES } from "../../../server/duckdb/query.ts";
import { toProblem } from "../../../server/response/problem.ts";
import { createPool, type Pool } from "../../../server/duckdb/pool.ts";

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ artifactsDir: tmpdir(), connections: 2 });
});
afterAll(() => pool?.close());

describe("the queue", () => {
  const long = sql`SELECT sum(hash(range)::DOUBLE) FROM range(3000000)`;

  it("lets other statements pass, however many heavy ones wait", async () => {
    const ended: string[] = [];
    const large = Array.from({ length: 4 }, (_, i) =>
      pool.columns(long, { heavy: true }).then(() => ended.push(`large ${i}`)),
    );
    await pool.columns(sql`SELECT 1`).then(() => ended.push("small"));
    await Promise.all(large);
    expect(ended.indexOf("small")).toBeLessThan(2);
    expect(ended.filter((name) => name !== "small")).toEqual(["large 0", "large 1", "large 2", "large 3"]);
  });

  it("releases the connection when a heavy statement fails", async () => {
    const wrong = sql`SELECT error('no such thing')`;
    for (let i = 0; i < 4; i++) await expect(pool.columns(wrong, { heavy: true })).rejects.toThrow("no such thing");
    expect(await pool.columns(sql`SELECT 1`, { heavy: true })).toEqual([[1]]);
  });
});

describe("slow statements of requests", () => {
  const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000) b`;

  it("run two at once; a third one is refused, short ones and loads of the same pool and of others go on", async () => {
    const own = await createPool({ artifactsDir: tmpdir(), connections: 4 });
    const more = await own.reserve(1);
    const slow = [own, own.files].map((by) => by.columns(endless, OVER_FILES).catch((error: Error) => error.message));
    // A rejection counts as unhandled as soon as it is made, so each has its handler before anything is awaited.
    const refused = [own, own.files].map((by) =>
      by.columns(sql`SELECT 1`, OVER_FILES).catch((thrown: unknown) => thrown),
    );
    const others = [
      own.columns(sql`SELECT 2`),
      own.columns(sql`SELECT 2`, LOADING),
      more.columns(sql`SELECT 2`, OVER_FILES),
    ];
    expect(await Promise.all(others)).toEqual([[[2]], [[2]], [[2]]]);
    for (const error of await Promise.all(refused)) {
      expect(error).toBeInstanceOf(TooManyStatements);
      expect(toProblem(error)).toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
    }
    await own.close();
    expect(await Promise.all(slow)).toHaveLength(2);
  });

  it("wait, however many they are, while others end", async () => {
    const quick = sql`SELECT sum(hash(range)::DOUBLE) FROM range(100000)`;
    const many = Array.from({ length: 200 }, () => pool.columns(quick, OVER_FILES));
    expect(await Promise.all(many)).toHaveLength(200);
  });

  it("that need too much memory are refused, and take none from others", async () => {
    const greedy = sql`SELECT length(list(range)) FROM range(60000000)`;
    const error = await pool.files.columns(greedy, OVER_FILES).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StatementTooLarge);
    expect(toProblem(error)).toMatchObject({ status: 503, headers: { "Retry-After": "30" } });
    expect(await pool.columns(greedy)).toEqual([[60_000_000n]]);
    // What does not fit is sorted on disk.
    const sorted = sql`SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY hash(range)) AS n, repeat('x', 64) || range AS x FROM range(3000000))`;
    expect(await pool.files.columns(sorted, OVER_FILES)).toEqual([[3_000_000n]]);
  });
});

describe("closing", () => {
  it("interrupts what runs, rejects what waits, and ends", async () => {
    const own = await createPool({ artifactsDir: tmpdir(), connections: 2 });
    const more = await own.reserve(1);
    const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000) b`;
    const all = [own, own, own, more].map((pool) => pool.columns(endless).catch((error: Error) => error));
    await own.close();
    for (const one of await Promise.all(all)) expect(one).toBeInstanceOf(Error);
    await expect(more.columns(sql`SELECT 1`)).rejects.toThrow("being closed");
  });

  it("counts what waits", async () => {
    const own = await createPool({ artifactsDir: tmpdir(), connections: 1 });
    const all = Promise.all(Array.from({ length: 5 }, (_, i) => own.columns(sql`SELECT 1`, { heavy: i % 2 === 0 })));
    expect(own.waiting()).toBeGreaterThan(0);
    await all;
    expect(own.waiting()).toBe(0);
    await own.close();
  });
});

describe("the temporary folder", () => {
  it("is all that statements may write to, and goes with the pool", async () => {
    const own = await createPool({ artifactsDir: "/nowhere" });
    const copy = (folder: string) =>
      own.columns(sql`COPY (SELECT 1 AS n) TO ${constant(`'${join(folder, "n.csv")}'`)}`);
    await copy(own.tempDir);
    expect(await readdir(own.tempDir)).toEqual(["n.csv"]);
    await expect(copy(tmpdir())).rejects.toThrow("file system operations are disabled");
    await expect(own.columns(sql`SET temp_directory = '/tmp'`)).rejects.toThrow("locked");
    await own.close();
    await expect(readdir(own.tempDir)).rejects.toThrow("ENOENT");
  });
});

describe("a signal", () => {
  it("interrupts its statement and no other", async () => {
    const stopping = new AbortController();
    const endless = sql`SELECT count(*) FROM range(1000000000) a, range(1000) b`;
    const stopped = pool.columns(endless, { signal: stopping.signal, heavy: true });
    const other = pool.columns(sql`SELECT sum(hash(range)::DOUBLE) FROM range(3000000)`);
    setTimeout(() => stopping.abort(), 50);
    await expect(stopped).rejects.toThrow("aborted");
    expect(await other).toHaveLength(1);
    await expect(pool.columns(sql`SELECT 1`, { signal: stopping.signal })).rejects.toThrow("aborted");
  });
});

describe("typed results", () => {
  it("every column, over several chunks, in the order of the rows", async () => {
    const [numbers, negative] = await pool.integers(
      sql`SELECT range::INTEGER, (-range)::INTEGER FROM range(5000) ORDER BY range`,
    );
    expect(numbers).toEqual(Int32Array.from({ length: 5000 }, (_, i) => i));
    expect(negative?.at(-1)).toBe(-4999);
  });

  it("none at all", async () => {
    expect(await pool.integers(sql`SELECT 1::INTEGER WHERE false`)).toEqual([new Int32Array()]);
  });
});
