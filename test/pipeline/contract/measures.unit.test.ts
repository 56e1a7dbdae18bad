/**
 * The measures of a column of each type. Other tests check that the conditions hold in SQL, with every published table.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formed, vocabulary } from "../../../pipeline/contract/forms.ts";
import { columnMeasures, type Measure } from "../../../pipeline/contract/measures.ts";
import { day, type Table } from "../../../pipeline/contract/table.ts";
import { TABLES } from "../../../pipeline/contract/tables.ts";

const code = formed(z.string(), /[A-Z]+/);
const count = formed(z.number(), /\d+/);
const tableOf = (shape: z.ZodRawShape, given: Partial<Table> = {}): Table => ({
  ...{ name: "things", about: "things", row: z.object(shape), partitionedBy: ["year"], sortedBy: ["id"], key: ["id"] },
  ...given,
});
const measuresOf = (schema: z.ZodType): Measure[] =>
  columnMeasures(tableOf({ id: z.string(), year: z.string(), it: schema }));
const filledOf = (schema: z.ZodType): string[] => measuresOf(schema).map(({ filled }) => filled);
const formedOf = (schema: z.ZodType): (string | undefined)[] => measuresOf(schema).map(({ form }) => form?.formed);

/** SQL: a text has another form. */
const isOther = (text: string, pattern: string) =>
  `coalesce(trim(${text}) <> '' AND NOT regexp_full_match(${text}, '${pattern}'), false)`;

describe("a column has a value", () => {
  it.each([
    ["that is no blank text and no empty JSON", z.string(), `trim("it") NOT IN ('', '{}', '[]')`],
    ["that is not zero", z.number(), '"it" <> 0'],
    ["that is true", z.boolean(), '"it"'],
    ["that is a list of something", z.array(z.string()), 'len("it") > 0'],
    ["that is a record of something", z.record(z.string(), z.number()), 'cardinality("it") > 0'],
    ["that is a day", day(), '"it" IS NOT NULL'],
    ["where there may be none", z.nullable(z.number()), '"it" IS NOT NULL'],
    ["where there may be no text", z.nullable(z.string()), `("it" IS NOT NULL AND trim("it") NOT IN ('', '{}', '[]'))`],
    ["where there may be no list", z.nullable(z.array(z.string())), '("it" IS NOT NULL AND len("it") > 0)'],
  ])("%s", (_what, schema, filled) => {
    expect(measuresOf(schema)).toEqual([{ name: "it", filled, value: '"it"', emptiesByNature: false }]);
  });

  it("and so does each part of it", () => {
    expect(measuresOf(z.object({ a: z.number(), b: z.object({ c: z.number() }) }))).toEqual([
      { name: "it.a", filled: '"it"."a" <> 0', value: '"it"."a"', emptiesByNature: false },
      // Deeper ones are one value.
      { name: "it.b", filled: '"it"."b" IS NOT NULL', value: '"it"."b"', emptiesByNature: false },
    ]);
    expect(measuresOf(z.array(z.object({ a: z.number(), b: z.boolean() })))).toEqual([
      {
        ...{ name: "it.a", value: 'list_transform("it", lambda i: i."a")', emptiesByNature: false },
        filled: 'len(list_filter("it", lambda i: i."a" <> 0)) > 0',
      },
      {
        ...{ name: "it.b", value: 'list_transform("it", lambda i: i."b")', emptiesByNature: false },
        filled: 'len(list_filter("it", lambda i: i."b")) > 0',
      },
    ]);
  });
});

describe("a column is a vocabulary", () => {
  const vocabularyIn = (schema: z.ZodType) => measuresOf(schema).map((measure) => measure.vocabulary);
  const declared = () => vocabulary(z.string()).describe("a word");
  it.each([
    ["when it is an enumeration", z.enum(["a", "b"]), '["it"]'],
    ["when it is declared as one", declared(), '["it"]'],
    ["when the values of its list are", z.array(declared()), 'list_distinct("it")'],
    ["where there may be none", z.nullable(z.array(declared())), 'list_distinct("it")'],
    ["in a part of it", z.object({ a: declared() }), '["it"."a"]'],
    ["in a part of each", z.array(z.object({ a: declared() })), 'list_distinct(list_transform("it", lambda i: i."a"))'],
  ])("%s", (_what, schema, values) => expect(vocabularyIn(schema)).toEqual([{ values, nothing: [] }]));

  it("with values that may vanish, and columns that it follows", () => {
    const shape = { id: z.string(), it: vocabulary(z.string(), { nothing: ["-"], follows: ["a", "b.c"] }) };
    const beside = { a: z.string(), b: z.object({ c: z.string() }) };
    expect(columnMeasures(tableOf({ ...shape, ...beside })).map((measure) => measure.vocabulary)).toEqual([
      { values: '["it"]', nothing: ["-"], facts: 'hash("a", "b"."c")' },
      undefined,
      undefined,
    ]);
  });

  it("and any other is none", () => expect(vocabularyIn(z.array(z.string()))).toEqual([undefined]));
});

describe("a column with a declared form has that form where nothing in it has another", () => {
  it.each([
    ["a text", code, `NOT ${isOther('"it"', "[A-Z]+")}`],
    ["a number, as text", count, `NOT ${isOther('"it"::VARCHAR', String.raw`\d+`)}`],
    ["a text that may be absent", z.nullable(code), `NOT ${isOther('"it"', "[A-Z]+")}`],
    [
      "the texts of a list",
      z.array(code),
      `NOT coalesce(len(list_filter("it", lambda e0: ${isOther("e0", "[A-Z]+")})) > 0, false)`,
    ],
    [
      "lists in a list",
      z.array(z.array(code)),
      `NOT coalesce(len(list_filter("it", lambda e0: coalesce(len(list_filter(e0, lambda e1: ${isOther("e1", "[A-Z]+")})) > 0, false))) > 0, false)`,
    ],
  ])("%s", (_what, schema, expected) => {
    const [filled] = filledOf(schema);
    expect(measuresOf(schema)[0]?.form?.written).toBe(filled);
    expect(formedOf(schema)).toEqual([`(${filled} AND ${expected})`]);
  });

  it("each part by itself", () => {
    const parts = z.array(z.object({ a: code, b: z.number() }));
    const [a] = filledOf(parts);
    expect(formedOf(parts)).toEqual([
      ...[`(${a} AND len(list_filter("it", lambda i: ${isOther('i."a"', "[A-Z]+")})) = 0)`, undefined],
    ]);
    const deep = z.object({ a: z.object({ b: code, c: count, d: z.number() }), e: z.object({ f: z.number() }) });
    const [b, c] = [isOther('"it"."a"."b"', "[A-Z]+"), isOther('"it"."a"."c"::VARCHAR', String.raw`\d+`)];
    expect(formedOf(deep)).toEqual([`("it"."a" IS NOT NULL AND NOT (${b} OR ${c}))`, undefined]);
  });

  it.each([z.string(), z.array(z.string()), z.nullable(z.number()), z.object({ a: z.string() })])(
    "and others have none",
    (schema) => expect(formedOf(schema)).toEqual([undefined]),
  );
});

describe("the columns of a table", () => {
  const shape = { id: z.string(), year: z.string(), "a b": z.string(), c: z.number() };
  const namesOf = (table: Table, key?: readonly string[]) => columnMeasures(table, key).map(({ name }) => name);
  it("are all but its key and what it is partitioned by", () => {
    expect(namesOf(tableOf(shape))).toEqual(["a b", "c"]);
    expect(namesOf(tableOf(shape), ["c"])).toEqual(["id", "a b"]);
    expect(namesOf(tableOf(shape, { partitionedBy: [] }))).toEqual(["year", "a b", "c"]);
  });
  it("that are published are all measured, where nothing says why not", () => {
    for (const table of Object.values(TABLES)) {
      const measured = new Set(columnMeasures(table).map(({ name }) => name.split(".")[0]));
      const all = Object.keys(table.row.shape).filter(
        (name) => !table.key.includes(name) && !table.partitionedBy.includes(name),
      );
      const missing = all.filter((name) => !measured.has(name));
      expect(missing).toEqual(table.name === "grades" ? expect.arrayContaining(["exportFile", "exportRow"]) : []);
    }
  });
  it("of sections have conditions of their own, and some of them empty at times", () => {
    const measures = new Map(columnMeasures(TABLES.sections).map((measure) => [measure.name, measure]));
    expect(measures.get("status")).toMatchObject({
      filled: "status NOT IN ('OPEN', 'FULL')",
      emptiesByNature: true,
    });
    expect(measures.get("sectionComment")?.emptiesByNature).toBe(false);
    expect(measures.has("meetings.timeIsTBA")).toBe(false);
    expect(measures.get("meetings.room")?.filled).toContain("contains(b, ' ')");
    expect(namesOf(TABLES.grades)).not.toContain("meetings.room");
  });
});
