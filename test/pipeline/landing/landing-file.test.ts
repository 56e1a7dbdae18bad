import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTable, integer } from "../../../pipeline/contract/table.ts";
import { readLandingRows, readMemo, writeLandingFile } from "../../../pipeline/landing/landing-file.ts";
import { readLanded } from "../../support/published/landed.ts";

const time = z.object({ hour: integer(), minute: integer() });
const table = defineTable({
  name: "nested",
  about: "every kind of nesting that a landing has",
  row: z.object({
    text: z.string(),
    count: integer(),
    share: z.number(),
    flag: z.boolean(),
    texts: z.array(z.string()),
    at: time.nullable(),
    plan: z.object({
      word: z.string(),
      day: integer().nullable(),
      start: time.nullable(),
      places: z.array(z.string()),
    }),
    lines: z.array(
      z.object({ flag: z.boolean(), bldg: z.array(z.string()), days: z.string().nullable(), start: time.nullable() }),
    ),
  }),
  partitionedBy: [],
  sortedBy: [],
  key: ["text"],
});

const timeValue = fc.option(fc.record({ hour: fc.nat(30), minute: fc.nat(59) }));
const row = fc.record({
  text: fc.string({ unit: "grapheme" }),
  count: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  share: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  flag: fc.boolean(),
  texts: fc.array(fc.string(), { maxLength: 3 }),
  at: timeValue,
  plan: fc.record({
    word: fc.string(),
    day: fc.option(fc.nat(31)),
    start: timeValue,
    places: fc.array(fc.string(), { maxLength: 2 }),
  }),
  lines: fc.array(
    fc.record({
      flag: fc.boolean(),
      bldg: fc.array(fc.string(), { maxLength: 3 }),
      days: fc.option(fc.string()),
      start: timeValue,
    }),
    { maxLength: 3 },
  ),
});

describe("writeLandingFile", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "landing-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("writes what DuckDB reads back, nested lists and nulls included", async () => {
    const path = join(folder, "rows.parquet");
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        await writeLandingFile(path, [{ table, rows }], null);
        expect(await readLanded(table, [path])).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  it("holds several tables, of which each is read back alone, and a memo", async () => {
    const path = join(folder, "both.parquet");
    const other = defineTable({ ...table, name: "other", row: z.object({ text: z.string() }) });
    const rows = fc.sample(row, { numRuns: 50, seed: 3 });
    const texts = [{ text: "é" }, { text: '\u2028 \n "' }];
    const tables = [
      { table, rows },
      { table: other, rows: texts },
    ];
    await writeLandingFile(path, tables, { codes: ["é"] });
    expect(await readLandingRows(path, other)).toEqual(texts);
    expect(await readLanded(other, [path])).toEqual(texts);
    // Rows that were read can be written again.
    await writeLandingFile(path, [{ table, rows: await readLandingRows(path, table) }], { codes: ["é"] });
    expect(await readLanded(table, [path])).toEqual(rows);
    expect(await readMemo(path)).toEqual({ codes: ["é"] });
  });

  it("an empty file has a memo too, and is read beside full ones", async () => {
    const [empty, full] = [join(folder, "empty.parquet"), join(folder, "full.parquet")];
    await writeLandingFile(empty, [{ table, rows: [] }], { codes: [] });
    await writeLandingFile(full, [{ table, rows: fc.sample(row, 2) }], null);
    expect(await readMemo(empty)).toEqual({ codes: [] });
    expect(await readMemo(full)).toBeNull();
    expect(await readLanded(table, [empty, full])).toHaveLength(2);
    expect(await readLanded(table, [])).toEqual([]);
  });

  it("a file that was cut or changed anywhere is damaged", async () => {
    const path = join(folder, "x.parquet");
    await writeLandingFile(path, [{ table, rows: fc.sample(row, 3) }], { codes: ["10000"] });
    const bytes = await readFile(path);
    for (const end of [0, 1, 40, bytes.length - 1]) {
      await writeFile(path, bytes.subarray(0, end));
      await expect(readMemo(path)).rejects.toThrow();
    }
    await writeFile(path, Buffer.from(bytes).fill("0", 9, 10));
    await expect(readMemo(path)).rejects.toThrow("damaged");
  });

  it("leaves nothing behind when it fails", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(writeLandingFile(join(folder, "file", "x.parquet"), [{ table, rows: [] }], null)).rejects.toThrow(
      "ENOTDIR",
    );
    await mkdir(join(folder, "taken.parquet"));
    await expect(writeLandingFile(join(folder, "taken.parquet"), [{ table, rows: [] }], null)).rejects.toThrow(
      "EISDIR",
    );
    expect((await readdir(folder)).sort()).toEqual(["file", "taken.parquet"]);
  });
});
