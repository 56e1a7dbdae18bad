/** Types that every engine reads, and a description of every column, nested ones too. */
import { expect, test } from "vitest";
import { z } from "zod";
import { describedColumns } from "../../../../pipeline/contract/descriptions.ts";
import type { Table } from "../../../../pipeline/contract/table.ts";
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import { type DeltaType, deltaSchema } from "../../../../pipeline/lake/delta/schema.ts";

const tables = Object.values<Table>(TABLES);

/** The fields of a struct, and of those inside it, by their dotted names. */
function fieldsOf(type: DeltaType, prefix: string): { name: string; comment: string | undefined }[] {
  if (typeof type === "string") return [];
  if (type.type === "array") return fieldsOf(type.elementType, prefix);
  if (type.type === "map") return fieldsOf(type.valueType, prefix);
  return type.fields.flatMap(({ name, type, metadata }) => [
    { name: `${prefix}${name}`, comment: metadata.comment },
    ...fieldsOf(type, `${prefix}${name}.`),
  ]);
}

test.each(tables)("$name: every column has a description", (table) => {
  const fields = fieldsOf(deltaSchema(table), "");
  expect(fields.filter(({ comment }) => !comment).map(({ name }) => name)).toEqual([]);
  expect(describedColumns(table).filter(({ description }) => description === "")).toEqual([]);
});

test("names, types and descriptions are the contract's", () => {
  const row = z.object({
    a: z.string().describe("a text").nullable(),
    b: z.array(z.object({ c: z.boolean().describe("a flag") })).describe("flags"),
    d: z.record(z.string(), z.array(z.string())).describe("texts by text"),
  });
  const field = (name: string, type: DeltaType, comment: string) => ({
    name,
    type,
    nullable: true,
    metadata: { comment },
  });
  const struct = { type: "struct" as const, fields: [field("c", "boolean", "a flag")] } as DeltaType;
  const texts: DeltaType = { type: "array", elementType: "string", containsNull: true };
  expect(deltaSchema({ row })).toEqual({
    type: "struct",
    fields: [
      field("a", "string", "a text"),
      field("b", { type: "array", elementType: struct, containsNull: true }, "flags"),
      field("d", { type: "map", keyType: "string", valueType: texts, valueContainsNull: true }, "texts by text"),
    ],
  });
});
