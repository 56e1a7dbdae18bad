import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
        await writeLandingFile(path, table, rows);
        expect(await readLanded([path])).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  it("reads back rows that can be written again, byte for byte", async () => {
    const [first, second] = [join(folder, "a.parquet"), join(folder, "b.parquet")];
    const rows = fc.sample(row, { numRuns: 50, seed: 3 });
    await writeLandingFile(first, table, rows);
    await writeLandingFile(second, table, (await readLandingRows(first)) as typeof rows);
    expect(await readLanded([second])).toEqual(rows);
  });

  it("carries its memo, also without rows, and an empty file reads beside full ones", async () => {
    const [empty, full] = [join(folder, "empty.parquet"), join(folder, "full.parquet")];
    await writeLandingFile(empty, table, [], { codes: ["é"] });
    await writeLandingFile(full, table, fc.sample(row, 2));
    expect(await readMemo(empty)).toEqual({ codes: ["é"] });
    expect(await readMemo(full)).toBeNull();
    expect(await readLanded([empty, full])).toHaveLength(2);
  });

  it("leaves nothing behind when it fails", async () => {
    const [broken] = fc.sample(row, 1);
    await expect(
      writeLandingFile(join(folder, "x.parquet"), table, [{ ...broken, text: null } as never]),
    ).rejects.toThrow("a row has no text");
    await writeFile(join(folder, "file"), "");
    await expect(writeLandingFile(join(folder, "file", "x.parquet"), table, [])).rejects.toThrow("ENOTDIR");
    expect(await readdir(folder)).toEqual(["file"]);
  });
});
