/**
 * Every value of every vocabulary that the contract declares, as rows before and after have it: the product of column,
 * value and what happens to it, so that a new column is guarded by being declared.
 */
import { samePart } from "../../../../pipeline/contract/documents/manifest.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { vocabularyOf } from "../../../../pipeline/contract/forms.ts";
import { columnMeasures, type Measure } from "../../../../pipeline/contract/measures.ts";
import { createTally } from "../../../../pipeline/contract/documents/tally.ts";
import type { Table } from "../../../../pipeline/contract/table.ts";
import { FACT_TABLES, type TableName, TABLES } from "../../../../pipeline/contract/tables.ts";
import type { RunContext } from "../../../../pipeline/products/context.ts";
import { reasonsFor } from "../../../../pipeline/products/guard/field-guard.ts";
import { isRefused, reasonId } from "../../../../pipeline/products/guard/refusals.ts";
import type { PublishedPart } from "../../../../pipeline/products/guard/references.ts";
import { type Database, openDatabase } from "../../../../pipeline/store/database.ts";
import { draws, someOf } from "../../../support/extent.ts";
import { loadRows } from "../../../../pipeline/publish/rows.ts";

let database: Database;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "values-"));
  database = await openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder: folder });
});
afterAll(async () => {
  database?.close();
  await rm(folder, { recursive: true, force: true });
});

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; shape?: z.ZodRawShape; entries?: object };
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** A value of the schema that says nothing; days and times of any kind are the same. */
function plain(schema: z.ZodType): unknown {
  const def = defOf(schema);
  const values: Record<string, () => unknown> = {
    string: () => ["x", "2026-01-01", "2026-01-01T00:00:00.000Z"].find((text) => schema.safeParse(text).success),
    number: () => 1,
    boolean: () => true,
    array: () => [],
    record: () => ({}),
    nullable: () => null,
    enum: () => Object.values(def.entries ?? {})[0],
    object: () =>
      Object.fromEntries(Object.entries(def.shape ?? {}).map(([name, inner]) => [name, plain(inner as z.ZodType)])),
  };
  return values[def.type]?.();
}

interface Column {
  readonly name: TableName;
  readonly table: Table;
  readonly measure: Measure;
  /** The vocabulary's schema, of the elements where the column is a list. */
  readonly schema: z.ZodType;
  readonly isList: boolean;
}

const COLUMNS: Column[] = (FACT_TABLES as TableName[]).flatMap((name) => {
  const table: Table = TABLES[name];
  return columnMeasures(table, []).flatMap((measure) => {
    if (!measure.vocabulary) return [];
    let schema: z.ZodType = table.row;
    for (const part of measure.name.split(".")) schema = defOf(schema).shape?.[part] as z.ZodType;
    const isList = defOf(schema).type === "array";
    return { name, table, measure, isList, schema: isList ? (defOf(schema).element as z.ZodType) : schema };
  });
});

/** Values of the column: those of the enumeration, or invented ones. */
const valuesOf = ({ schema }: Column): string[] =>
  defOf(schema).type === "enum"
    ? Object.values(defOf(schema).entries ?? {})
    : ["FULL", "OPEN", "Alpha (1-99)", "Beta's", 'Ga"mma'];

/** Rows of the column's table with unique keys, so many of them with each value; `seats` are the facts beside them. */
function rowsOf({ table, measure, isList }: Column, counts: ReadonlyMap<string, number>, seats: string): object[] {
  const values = [...counts].flatMap(([value, count]) => Array.from({ length: count }, () => value));
  const [unique = ""] = table.key.filter((name) => name !== "quarter" && name !== measure.name);
  const [column = "", part] = measure.name.split(".");
  return values.map((value, n) => {
    const row = plain(table.row) as Record<string, unknown>;
    if ("maxCapacity" in row) row["maxCapacity"] = seats;
    if (unique !== "" && defOf(table.row.shape[unique] as z.ZodType).type === "string") row[unique] = `key ${n}`;
    const written = isList ? [value] : value;
    row[column] = part === undefined ? written : { ...(row[column] as object), [part]: written };
    return row;
  });
}

let versions = 0;
/** A file of these rows, as a version of a part. */
async function publish(column: Column, rows: object[]) {
  const path = join(folder, `${++versions}.parquet`);
  const from = await loadRows(database.connection, column.table, rows as never);
  await database.connection.run(`COPY ${from} TO '${path}' (FORMAT parquet)`);
  return { path, sha256: String(versions), rows: rows.length };
}
type Version = Awaited<ReturnType<typeof publish>>;

const NOW = new Date("2026-11-20T20:00:00Z");
const partOf = ({ name, table }: Column): PublishedPart => ({
  table: name,
  partition:
    table.partitionedBy.length === 0
      ? {}
      : { year: "2026", ...(table.partitionedBy.includes("quarter") ? { quarter: "Fall" } : {}) },
});

/** A run after these versions, the published one first. */
function contextAfter(column: Column, published: readonly Version[], acceptedIds: readonly string[] = []): RunContext {
  const part = partOf(column);
  const files = published.map((version) => ({ ...part, ...version, path: version.path.slice(1), bytes: 1 }));
  const context = {
    accepted: new Set(),
    withheld: new Map(),
    config: { allowShrink: false, acceptedIds: new Set(acceptedIds) },
    now: () => NOW,
    database,
    freshness: {},
    earlier: async () =>
      files.map((file, i) => ({
        folder: "/",
        manifest: {
          id: `version ${i}`,
          createdAt: new Date(NOW.getTime() - i * 3_600_000).toISOString(),
          files: [file],
        },
      })),
    staging: {
      files: () => files.slice(0, 1),
      find: (table: string, partition: object) =>
        files.slice(0, 1).find((file) => samePart(file, { table, partition })),
      paths: () => files.slice(0, 1).map(({ path }) => `/${path}`),
      lost: () => [],
    },
  };
  return context as unknown as RunContext;
}

interface Outcome {
  /** The whole column is refused, as when the value is the only one that fills it or has its form. */
  readonly isColumnRefused: boolean;
  /** The columns that are named, those of other measures left out: in invented rows these say nothing. */
  readonly reasons: readonly { column: string; text: string; id: string }[];
  readonly noted: string;
  readonly isRefused: boolean;
}

async function guarded(
  column: Column,
  published: readonly Version[],
  rows: object[],
  ids: readonly string[] = [],
): Promise<Outcome> {
  const context = contextAfter(column, published, ids);
  const tally = createTally("schedule");
  const staged = {
    what: "it",
    table: column.table,
    published: partOf(column),
    from: await loadRows(database.connection, column.table, rows as never, "staged"),
  };
  const { name } = column.measure;
  const all = await reasonsFor(context, staged, tally);
  const reasons = all.filter((reason) => reason.column.startsWith(`${name} `));
  return {
    isColumnRefused: all.some((reason) => reason.column === name),
    reasons: reasons.map((reason) => ({ column: reason.column, text: reason.text, id: reasonId(reason) })),
    noted: JSON.stringify(tally.report("published", 0).noted),
    isRefused: isRefused(context, reasons, tally),
  };
}

it("the contract declares the vocabularies that people filter by", () => {
  expect(COLUMNS.map(({ name, measure }) => `${name}.${measure.name}`)).toEqual(
    expect.arrayContaining(
      (
        "sections.geCategories sections.schoolName sections.sectionType sections.status sections.finalExam.examStatus " +
        "headings.schoolName grades.geCategories grades.quarter courses.geList courses.school courses.courseLevel " +
        "instructors.schools instructors.relatedDepartments terms.quarter calendar.quarter calendar_dates.kind"
      ).split(" "),
    ),
  );
  for (const { schema } of COLUMNS) expect(vocabularyOf(schema)).toBeDefined();
});

describe.each(someOf(COLUMNS, 5).map((column) => [`${column.name}.${column.measure.name}`, column] as const))(
  "%s",
  (_title, column) => {
    const { measure } = column;
    const values = valuesOf(column);
    const others = (value: string) => values.filter((other) => other !== value);
    const isGuarded = (value: string) => !measure.vocabulary?.nothing.includes(value);

    it("a value that vanishes is refused by name and id, whatever becomes of its rows", async () => {
      const drawn = fc.record({
        value: fc.constantFrom(...values),
        held: fc.integer({ min: 1, max: 25 }),
        after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 25 })),
        /** The rows are gone, or have another value. */
        isMoved: fc.boolean(),
        areSeatsAsBefore: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(drawn, async ({ value, held, after, isMoved, areSeatsAsBefore }) => {
          // Three others, so that the column never has one value in all rows.
          const [first = "", second = "", third = ""] = others(value);
          const rest = [second, third].filter(Boolean).map((other): [string, number] => [other, 40]);
          const rows = new Map([...rest, [first, 60], [value, held]]);
          const left = Math.min(held, after);
          const next = new Map(
            [...rest, [first, 60 + (isMoved ? held - left : 0)], [value, left]].toReversed() as [string, number][],
          );
          const published = await publish(column, rowsOf(column, rows, "30"));
          const staged = inKeyOrder(column, rows, next, areSeatsAsBefore ? "30" : "31");
          const { reasons, noted, isColumnRefused } = await guarded(column, [published], staged);
          if (isColumnRefused) {
            expect([isMoved && held >= 20 && left * 2 < held, reasons]).toEqual([true, []]);
            return;
          }
          const isGone = left === 0 && isGuarded(value);
          const isNatural = measure.emptiesByNature && !(areSeatsAsBefore && isMoved);
          const isTold = isGone && held >= 10 && !isNatural;
          const text = `\`${measure.name}\` of it no longer has \`${value}\` (in ${held} rows before)`;
          expect(reasons.map((reason) => [reason.column, reason.text])).toEqual(
            isTold ? [[`${measure.name} ${value}`, text]] : [],
          );
          const names = JSON.stringify(text).slice(1, -1);
          if (isGone && !isTold && held >= 3) expect(noted).toContain(names);
          if (!isTold) return;
          const ids = reasons.map(({ id }) => id);
          expect((await guarded(column, [published], staged, ids)).isRefused).toBe(false);
          expect((await guarded(column, [published], staged, ["000000"])).isRefused).toBe(true);
        }),
        { numRuns: draws(30, 3) },
      );
    });

    it("a return to what a retained snapshot held is none", async () => {
      const [value = "", first = "", second = "", third = second] = values.filter(isGuarded);
      if (first === "" || measure.emptiesByNature) return;
      const without = new Map(
        [
          [first, 60],
          [second, 40],
          [third, 40],
        ].filter(([name]) => name !== "") as [string, number][],
      );
      const withValue = new Map<string, number>([...without, [first, 40], [value, 20]]);
      const earlier = await publish(column, inKeyOrder(column, without, without, "30"));
      const mistaken = await publish(column, inKeyOrder(column, without, withValue, "30"));
      const back = inKeyOrder(column, without, without, "30");
      expect((await guarded(column, [mistaken], back)).reasons).toHaveLength(1);
      expect((await guarded(column, [mistaken, earlier], back)).reasons).toEqual([]);
    });
  },
);

/**
 * Rows of the first counts in their order, with the values of the next counts: rows that lost theirs have the first
 * value that grew, or are gone.
 */
function inKeyOrder(
  column: Column,
  rows: ReadonlyMap<string, number>,
  next: ReadonlyMap<string, number>,
  seats: string,
): object[] {
  const left = new Map(next);
  const grown = [...next].find(([value, count]) => count > (rows.get(value) ?? 0))?.[0];
  const previous = [...rows].flatMap(([value, count]) => Array.from({ length: count }, () => value));
  const values = previous.map((value) => {
    const kept = [value, grown].find((text) => text !== undefined && (left.get(text) ?? 0) > 0);
    if (kept !== undefined) left.set(kept, (left.get(kept) ?? 0) - 1);
    return kept;
  });
  const made = rowsOf(column, new Map([["x", values.length]]), seats) as Record<string, unknown>[];
  const [name = "", part] = column.measure.name.split(".");
  return made.flatMap((row, i) => {
    const value = values[i];
    if (value === undefined) return [];
    const written = column.isList ? [value] : value;
    return [{ ...row, [name]: part === undefined ? written : { ...(row[name] as object), [part]: written } }];
  });
}
