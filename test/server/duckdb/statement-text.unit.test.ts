/** Statements written out for people: no value ends early, and none is lost. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { sql, statementText } from "../../../server/duckdb/sql.ts";

it("is one line with every value as a literal", () => {
  const inner = sql`lower(name) = ${"o'neil"}`;
  const statement = sql`SELECT *
      FROM people WHERE ${inner} AND units >= ${1.5}::DOUBLE
      AND list_has_any(codes, ${["A", "it's"]}) AND cancelled = ${false} LIMIT ${10}`;
  expect(statementText(statement)).toBe(
    "SELECT * FROM people WHERE lower(name) = 'o''neil' AND units >= 1.5::DOUBLE AND list_has_any(codes, ['A', 'it''s']::VARCHAR[]) AND cancelled = false LIMIT 10",
  );
});

it("keeps blanks, line breaks and quotes within values", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const [, literal = ""] = /^SELECT '(.*)' AS value$/s.exec(statementText(sql`SELECT   ${text}   AS value`)) ?? [];
      expect(literal.replaceAll("''", "")).not.toContain("'");
      expect(literal.replaceAll("''", "'")).toBe(text);
    }),
  );
});
