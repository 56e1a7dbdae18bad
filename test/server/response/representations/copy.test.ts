/** Files that DuckDB writes for answers: shared, bounded, and gone when nobody reads them. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPool, type Pool } from "../../../../server/duckdb/pool.ts";
import { TooManyStatements } from "../../../../server/duckdb/query.ts";
import { type Fragment, sql } from "../../../../server/duckdb/sql.ts";
import { discard, streamBody } from "../../../../server/response/encoding.ts";
import type { Body } from "../../../../server/response/endpoint.ts";
import { copyRows } from "../../../../server/response/representations/copy.ts";

const LARGE = sql`SELECT range AS n, ${"a,b"} AS text FROM range(200000)`;
const ENDLESS = sql`SELECT count(*) AS n FROM range(1000000000) a, range(1000) b`;
const open = () => new AbortController().signal;

let artifactsDir: string;
let pool: Pool;
let statements = 0;
beforeAll(async () => {
  artifactsDir = await mkdtemp(join(tmpdir(), "copy-test-"));
  const own = await createPool({ artifactsDir, connections: 3 });
  const { files } = own;
  pool = {
    ...own,
    files: { ...files, columns: (statement: Fragment, options) => (statements++, files.columns(statement, options)) },
  };
});
afterAll(async () => {
  await pool?.close();
  await rm(artifactsDir, { recursive: true, force: true });
});

const copied = async (...given: Parameters<typeof copyRows>): Promise<Body> => (await copyRows(...given)).body;
const files = () => readdir(pool.tempDir);
async function textOf(body: Body): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
async function within(ms: number, isDone: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20)))
    if (await isDone()) return true;
  return false;
}

describe("a file", () => {
  it("has a line of names, RFC 4180's ends of lines, and quotes where they are needed", async () => {
    const rows = sql`SELECT 'a "b", c' AS x, ''::VARCHAR AS y, NULL::VARCHAR AS z, DATE '2026-01-02' AS day`;
    const { body, rows: count } = await copyRows(pool, [rows], "csv", "small", open());
    expect(count).toBe(1);
    expect(await textOf(body)).toBe('x,y,z,day\r\n"a ""b"", c","",,2026-01-02\r\n');
    expect(await files()).toEqual([]);
  });

  it("is shared by equal questions that arrive together; each reads all of it, and it has no name any more", async () => {
    statements = 0;
    const bodies = await Promise.all([1, 2, 3].map(() => copied(pool, [LARGE], "csv", "shared", open())));
    expect(statements).toBe(1);
    expect(await files()).toEqual([]);
    for (const body of bodies) expect((await textOf(body)).split("\r\n")).toHaveLength(200_002);
    await textOf(await copied(pool, [LARGE], "csv", "shared", open()));
    expect(statements).toBe(2);
  });

  it("of a live answer is nobody else's", async () => {
    statements = 0;
    await Promise.all([1, 2].map(() => copied(pool, [sql`SELECT 1 AS n`], "ndjson", undefined, open())));
    expect(statements).toBe(2);
  });

  it("that nobody reads is closed", async () => {
    const body = (await copied(pool, [LARGE], "parquet", "unread", open())) as Readable;
    const other = (await copied(pool, [LARGE], "csv", "unread too", open())) as Readable;
    for (const one of [body, other]) discard(one);
    expect(await within(5000, () => Promise.resolve(other.closed))).toBe(true);
  });

  it.each(["identity", "gzip"] as const)("of which a client reads a part only is closed (%s)", async (encoding) => {
    for (const readsFirst of [false, true]) {
      const body = (await copied(pool, [LARGE], "csv", "in part", open())) as Readable;
      const sent = streamBody(body, encoding, { signal: open(), onEnd: () => discard(body) }).getReader();
      if (readsFirst) expect((await sent.read()).value?.length).toBeGreaterThan(0);
      await sent.cancel();
      expect(await within(5000, () => Promise.resolve(body.closed))).toBe(true);
    }
  });

  it("that cannot be made leaves nothing, and the same request may be repeated", async () => {
    const wrong = sql`SELECT CASE WHEN range = 150000 THEN error('no such thing') ELSE range::VARCHAR END AS n FROM range(200000)`;
    for (let i = 0; i < 2; i++)
      await expect(copied(pool, [wrong], "csv", "again", open())).rejects.toThrow("no such thing");
    expect(await files()).toEqual([]);
  });
});

describe("a client that hangs up", () => {
  it("ends the statement when nobody else waits for it", async () => {
    const hangingUp = new AbortController();
    const made = copied(pool, [ENDLESS], "csv", "endless", hangingUp.signal);
    // The statement is under way when its file is there.
    expect(await within(5000, async () => (await files()).length === 1)).toBe(true);
    hangingUp.abort();
    await expect(made).rejects.toThrow("aborted");
    expect(await within(5000, async () => (await files()).length === 0)).toBe(true);
    // All connections are free.
    expect(await Promise.all([1, 2, 3].map(() => pool.columns(sql`SELECT 1`)))).toEqual([[[1]], [[1]], [[1]]]);
  });

  it("takes nothing from another with the same request", async () => {
    const hangingUp = new AbortController();
    const [first, second] = [hangingUp.signal, open()].map((signal) => copied(pool, [LARGE], "csv", "two", signal));
    hangingUp.abort();
    await expect(first).rejects.toThrow("aborted");
    expect((await textOf((await second) as Body)).split("\r\n")).toHaveLength(200_002);
    expect(await files()).toEqual([]);
  });
});

describe("too many at once", () => {
  it("are told to come again when those that are made take long, and leave nothing", async () => {
    const hangingUp = new AbortController();
    const blocking = [1, 2].map((n) => copied(pool, [ENDLESS], "csv", `blocking ${n}`, hangingUp.signal));
    const waiting = Array.from({ length: 8 }, (_, n) =>
      copied(pool, [sql`SELECT ${n} AS n`], "csv", `waiting ${n}`, open()),
    );
    await Promise.all(waiting.map((one) => expect(one).rejects.toThrow(TooManyStatements)));
    expect(await pool.columns(sql`SELECT 1`)).toEqual([[1]]);
    hangingUp.abort();
    await Promise.all(blocking.map((one) => expect(one).rejects.toThrow("aborted")));
    expect(await textOf(await copied(pool, [sql`SELECT 1 AS n`], "csv", "waiting 1", open()))).toBe("n\r\n1\r\n");
    expect(await files()).toEqual([]);
  });
});
