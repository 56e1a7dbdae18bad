/** Every column of every published table, emptied or written differently, by the declarations of the contract. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { formOf } from "../../../../pipeline/contract/forms.ts";
import { columnMeasures, type Measure } from "../../../../pipeline/contract/measures.ts";
import { createTally } from "../../../../pipeline/contract/documents/tally.ts";
import type { PublishedFile } from "../../../../pipeline/contract/documents/manifest.ts";
import type { KnownField, UnknownField } from "../../../../pipeline/contract/source-fields.ts";
import { quoteIdentifier } from "../../../../pipeline/contract/sql-text.ts";
import type { Table } from "../../../../pipeline/contract/table.ts";
import { FACT_TABLES, type TableName, TABLES } from "../../../../pipeline/contract/tables.ts";
import { partitionTitle } from "../../../../pipeline/store/layout.ts";
import type { RunContext } from "../../../../pipeline/products/context.ts";
import { reasonsFor } from "../../../../pipeline/products/guard/field-guard.ts";
import type { Database } from "../../../../pipeline/store/database.ts";
import { isWhole, someOf } from "../../../support/extent.ts";
import { publishedCampus } from "../../../support/upstream/hourly-campus.ts";
import { later } from "../../../support/worlds/small-world.ts";

let folder: Awaited<ReturnType<typeof publishedCampus>>["built"];
let database: Database;
let files: readonly PublishedFile[];
let rowsOf: (file: PublishedFile) => string;
let contextWith: (options: {
  damaged?: PublishedFile;
  isRetained?: boolean;
  remembered?: UnknownField[];
}) => RunContext;

beforeAll(async () => {
  ({ built: folder } = await publishedCampus());
  const now = later({});
  const [{ openDatabase }, { readBase }, { createStaging }, { readEarlier }, { readFreshness }, { diskReader }] =
    await Promise.all([
      import("../../../../pipeline/store/database.ts"),
      import("../../../../pipeline/store/open.ts"),
      import("../../../../pipeline/publish/staging.ts"),
      import("../../../../pipeline/store/published.ts"),
      import("../../../../pipeline/store/freshness.ts"),
      import("../../../../pipeline/disk/disk.ts"),
    ]);
  database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder: folder.data });
  const base = await readBase(folder.artifacts);
  const published = base.published as NonNullable<typeof base.published>;
  files = published.manifest.files;
  rowsOf = ({ path }) => `read_parquet('${published.folder}/${path}', hive_partitioning = false)`;
  const freshness = await readFreshness(folder.artifacts);
  const earlier = await readEarlier(published, diskReader);
  contextWith = ({ damaged, isRetained = true, remembered = [] }) =>
    ({
      database,
      now,
      accepted: new Set(),
      freshness: {
        ...freshness,
        remembered: Object.fromEntries(files.map((file) => [partitionTitle(file), remembered])),
      },
      earlier: async () => (isRetained ? earlier : []),
      staging: createStaging(folder.artifacts, {
        ...base,
        lost: damaged ? [{ file: damaged, problem: "the content has another SHA-256" }] : [],
      }),
    }) as unknown as RunContext;
});
afterAll(() => database?.close());

/** A stranger that stands beside every row, in the place of every field. */
const PERMANENT: UnknownField = { kind: "element", place: "row", name: "always_there", count: 1000 };
const fieldOf = (measure: Measure): KnownField => ({
  kind: "element",
  place: "row",
  name: `of_${measure.name}`,
  fills: [measure.name],
});

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; shape?: z.ZodRawShape };
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;
type Change = (schema: z.ZodType, value: string) => string | undefined;

/** The value with one part of it changed; undefined where that cannot be. */
function changed(schema: z.ZodType, value: string, parts: readonly string[], change: Change): string | undefined {
  const [part, ...more] = parts;
  if (part === undefined) return change(schema, value);
  const def = defOf(schema);
  if (def.type === "nullable") return changed(def.innerType as z.ZodType, value, parts, change);
  if (def.type === "array") {
    const inner = changed(def.element as z.ZodType, "m", parts, change);
    return inner && `list_transform(${value}, lambda m: ${inner})`;
  }
  const fields = Object.entries(def.shape ?? {}).map(([name, field]) => {
    const at = `${value}.${quoteIdentifier(name)}`;
    return [name, name === part ? changed(field as z.ZodType, at, more, change) : at];
  });
  return fields.some(([, sql]) => sql === undefined)
    ? undefined
    : `struct_pack(${fields.map(([name, sql]) => `${quoteIdentifier(name as string)} := ${sql}`).join(", ")})`;
}

const emptied: Change = (schema) => {
  const { type } = defOf(schema);
  const empty: Record<string, string> = {
    string: "''",
    number: "0",
    boolean: "false",
    array: "[]",
    record: "MAP {}",
    nullable: "NULL",
  };
  return formOf(schema) !== undefined && type === "number" ? undefined : empty[type];
};

/** No form has a tilde, or hours at night. */
const rewritten: Change = (schema, value) => {
  const def = defOf(schema);
  switch (def.type) {
    case "nullable":
      return rewritten(def.innerType as z.ZodType, value);
    case "array": {
      const inner = rewritten(def.element as z.ZodType, "e");
      return inner && `list_transform(${value}, lambda e: ${inner})`;
    }
    case "object": {
      const fields = Object.entries(def.shape ?? {});
      const inner = fields.map(
        ([name, field]) =>
          `${quoteIdentifier(name)} := ${rewritten(field as z.ZodType, `${value}.${quoteIdentifier(name)}`)}`,
      );
      return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${inner.join(", ")}) END`;
    }
    case "string":
      return `CASE WHEN ${value} = '' THEN '' ELSE ${value} || ' ~' END`;
    case "number":
      return "9.87";
    default:
      return value;
  }
};

interface Case {
  readonly file: PublishedFile;
  readonly table: Table;
  readonly key: readonly string[];
  readonly measure: Measure;
  /** The changed column, and the rows with it. */
  readonly column: string;
  readonly from: string;
}

/** Yields the largest part of each table. */
function* cases(change: Change, isWanted: (measure: Measure) => boolean): Generator<Case> {
  for (const name of FACT_TABLES as TableName[]) {
    const [file] = files.filter((file) => file.table === name).toSorted((a, b) => b.rows - a.rows);
    if (!file) continue;
    const table: Table = TABLES[name];
    const key = name === "section_instructors" ? table.key.filter((column) => column !== "netid") : table.key;
    for (const measure of columnMeasures(table, key).filter(isWanted)) {
      const [column = "", ...parts] = measure.name.split(".");
      const schema = table.row.shape[column] as z.ZodType | undefined;
      const value = schema && changed(schema, quoteIdentifier(column), parts, change);
      if (value === undefined) continue;
      const replaced = `${value} AS ${quoteIdentifier(column)}`;
      yield {
        file,
        table,
        key,
        measure,
        column: replaced,
        from: `(SELECT * REPLACE (${replaced}) FROM ${rowsOf(file)})`,
      };
    }
  }
}

/** True when the change is visible, in a column that is guarded there. */
async function isTold({ table, measure, from, file }: Case, condition: string): Promise<boolean> {
  const count = async (relation: string) =>
    (
      await database.connection.runAndReadAll(
        `SELECT count(*) FILTER (WHERE ${condition})::INTEGER, count(*)::INTEGER FROM ${relation}`,
      )
    ).getRowsJS()[0] as [number, number];
  const [before, rows] = await count(rowsOf(file));
  const [now] = await count(from);
  const wide = (table.row.shape as object) && (before >= 20 ? before >= rows * 0.05 : before >= 3 && before > rows / 2);
  return wide && now === 0 && measure.name !== "";
}

const columnsOf = async (
  { file, table, key, measure, from }: Case,
  context: RunContext,
  unknown: UnknownField[] = [],
) => {
  const published = { table: file.table as TableName, partition: file.partition };
  const tally = createTally("schedule");
  const reasons = await reasonsFor(
    context,
    { what: "it", table, key, published, from, known: [fieldOf(measure)], unknown },
    tally,
  );
  return { columns: reasons.map(({ column }) => column), report: tally.report("published", 0) };
};

describe("a column of a published table", () => {
  it("that is emptied is refused, or noted where it empties by its nature", async () => {
    const told: string[] = [];
    const all = [...cases(emptied, () => true)];
    // Fewer would mean that columns were forgotten.
    expect(all.length).toBeGreaterThan(60);
    for (const example of someOf(all, 12)) {
      if (!(await isTold(example, example.measure.filled))) continue;
      const { name, emptiesByNature } = example.measure;
      told.push(`${example.table.name}.${name}`);
      const expected = emptiesByNature ? [] : [name];
      // Beside a field that nobody reads and a damaged published file at once: each of them alone says less.
      const context = contextWith({ damaged: example.file, remembered: [PERMANENT] });
      const { columns, report } = await columnsOf(example, context, [{ ...PERMANENT, count: 1500 }]);
      expect(
        columns.filter((column) => column === name),
        `${example.table.name}.${name}`,
      ).toEqual(expected);
      if (emptiesByNature) expect(JSON.stringify(report.noted)).toContain("a column that emptied");
      const caused = await columnsOf(example, contextWith({}), [{ ...PERMANENT, count: 30 }]);
      expect(caused.columns, `${example.table.name}.${name} beside a new field`).toContain(name);
    }
    expect(told.length).toBeGreaterThan(isWhole ? 60 : 6);
    expect(new Set(told.map((name) => name.split(".")[0])).size).toBeGreaterThan(isWhole ? 8 : 3);
  }, 600_000);

  it("that is written otherwise is refused and counted, whatever its nature", async () => {
    const told: string[] = [];
    for (const example of cases(rewritten, ({ form }) => form !== undefined)) {
      if (!(await isTold(example, example.measure.form?.formed ?? "false"))) continue;
      const { name } = example.measure;
      told.push(`${example.table.name}.${name}`);
      const { columns, report } = await columnsOf(example, contextWith({ damaged: example.file }));
      expect(columns, `${example.table.name}.${name}`).toContain(name);
      const counted = report.noted.find(({ reason }) => reason === "values without the form of their column");
      expect(counted?.names.join("\n")).toMatch(new RegExp(`\`${name}\` of it in \\d+ of \\d+ rows, such as `));
    }
    expect(told).toEqual(
      expect.arrayContaining([
        "sections.status",
        "sections.meetings.startTime",
        "grades.averageGPA",
        "instructors.email",
        "larc.sections.day",
      ]),
    );
  }, 600_000);

  it("that is blank in three times as many new rows lost nothing", async () => {
    const blank = new Map<string, Case & { columns: string[] }>();
    for (const example of cases(emptied, ({ name }) => !name.includes("."))) {
      const known = blank.get(example.table.name) ?? { ...example, columns: [] };
      blank.set(example.table.name, { ...known, columns: [...known.columns, example.column] });
    }
    for (const example of blank.values()) {
      const [first = ""] = example.key.filter(
        (name) => !example.table.partitionedBy.includes(name) && name !== "quarter",
      );
      const key = quoteIdentifier(first);
      const added = `SELECT r.* REPLACE (${[...example.columns, `r.${key} || ' ' || n AS ${key}`].join(", ")}) FROM ${rowsOf(example.file)} r, range(3) AS n(n)`;
      const grown = { ...example, from: `(FROM ${rowsOf(example.file)} UNION ALL ${added})` };
      expect((await columnsOf(grown, contextWith({}))).columns, example.table.name).toEqual([]);
    }
    expect(blank.size).toBeGreaterThan(6);
  }, 600_000);

  it("that is as it was is nothing, and a damaged file without a sound version is named", async () => {
    const first = new Map(
      [
        ...cases(
          (_, value) => value,
          () => true,
        ),
      ].map((example) => [example.table.name, example]),
    );
    for (const example of first.values()) {
      expect((await columnsOf(example, contextWith({}))).columns).toEqual([]);
      const lost = await columnsOf(example, contextWith({ damaged: example.file, isRetained: false }));
      expect(lost.columns).toEqual(["copy"]);
    }
  }, 600_000);
});

it("every published part of what the university says passed the guard", async () => {
  const { readFreshness } = await import("../../../../pipeline/store/freshness.ts");
  const passed = Object.keys((await readFreshness(folder.artifacts)).remembered ?? {});
  const published = files.filter(({ table }) => FACT_TABLES.includes(table)).map(partitionTitle);
  expect(published.filter((title) => !passed.includes(title))).toEqual([]);
});
