/** How the database's answers are read, and that each relation is counted once. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { columnMeasures } from "../../../../pipeline/contract/measures.ts";
import { sections } from "../../../../pipeline/contract/rows/section.ts";
import { createCounts } from "../../../../pipeline/products/guard/profile.ts";

/** A database that answers each statement with these rows. */
function open(rows: readonly unknown[][]) {
  const asked: string[] = [];
  const runAndReadAll = async (sql: string) => {
    asked.push(sql);
    return { getRowsJS: () => rows };
  };
  return { asked, counts: createCounts({ runAndReadAll } as unknown as DuckDBConnection, sections, ["sectionCode"]) };
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

it("counts follow each other by column: filled, distinct, written, formed; then the vocabularies", async () => {
  const columns = columnMeasures(sections, []).map(({ name, vocabulary }, i) => [
    name,
    {
      ...{ filled: 4 * i + 1, distinct: 4 * i + 2, written: 4 * i + 3, formed: 4 * i + 4 },
      ...(vocabulary ? { values: new Map([[`of ${name}`, 2]]) } : {}),
    },
  ]);
  const histograms = columnMeasures(sections, []).flatMap(({ name, vocabulary }) =>
    vocabulary ? JSON.stringify({ [`of ${name}`]: 2, " ": 9 }) : [],
  );
  const { counts } = open([["Fall", 900, ...upTo(4 * columns.length), ...histograms]]);
  const { rows, columns: counted } = await counts.profile("a");
  expect([rows, [...counted]]).toEqual([900, columns]);
  expect([...(await counts.quarters("a"))].map(([name, profile]) => [name, profile.rows])).toEqual([["Fall", 900]]);
});

it("losses follow each other by column that is none of the key: held, lost, formed, rewritten", async () => {
  const names = columnMeasures(sections, ["sectionCode"]).map(({ name }) => name);
  const { counts } = open([[70, 80, 60, ...upTo(4 * names.length), '{"Waitl":14}']]);
  const { columns, ...keys } = await counts.losses("a", "b");
  expect(keys).toEqual({ keysBefore: 70, keysNow: 80, common: 60 });
  expect([...columns]).toEqual(
    names.map((name, i) => [
      name,
      {
        ...{ held: 4 * i + 1, lost: 4 * i + 2, formed: 4 * i + 3, rewritten: 4 * i + 4 },
        ...(name === "status" ? { unexplained: new Map([["Waitl", 14]]) } : {}),
      },
    ]),
  );
});

it("each relation is measured once, also when it is asked for again meanwhile", async () => {
  const { asked, counts } = open([]);
  const [first, other] = await Promise.all([counts.profile("a"), counts.profile("a"), counts.profile("b")]);
  expect(first).toBe(other);
  await counts.profile("a");
  expect(asked).toHaveLength(2);
});
