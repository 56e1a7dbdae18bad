import { expect, test } from "vitest";
import { nameValues } from "../../../pipeline/publish/sql/pivot-values.ts";

test.each([
  ["PIVOT t ON a", "PIVOT t ON a IN pivot_values_1"],
  [
    "pivot t on a, b using sum(x, y) group by c;",
    "pivot t on a IN pivot_values_1, b IN pivot_values_2 using sum(x, y) group by c;",
  ],
  [
    "PIVOT t ON f(a, 'ON, x') -- , b\nUSING count(*)",
    "PIVOT t ON f(a, 'ON, x') IN pivot_values_1 -- , b\nUSING count(*)",
  ],
  ["PIVOT t ON a IN (1, 2), b", "PIVOT t ON a IN (1, 2), b IN pivot_values_1"],
  ["PIVOT a JOIN b ON a.x = b.x ON y", "PIVOT a JOIN b ON a.x = b.x ON y IN pivot_values_1"],
  ["FROM (PIVOT (PIVOT t ON a) ON b)", "FROM (PIVOT (PIVOT t ON a IN pivot_values_1) ON b IN pivot_values_2)"],
  ["FROM t PIVOT (sum(x) FOR a IN ('b')) JOIN u ON c", "FROM t PIVOT (sum(x) FOR a IN ('b')) JOIN u ON c"],
  ["PIVOT t ON a UNION ALL FROM u JOIN v ON w", "PIVOT t ON a IN pivot_values_1 UNION ALL FROM u JOIN v ON w"],
  ["SELECT 'PIVOT t ON a'", "SELECT 'PIVOT t ON a'"],
  ["PIVOT t ON", "PIVOT t ON"],
  ["PIVOT_WIDER t ON a", "PIVOT_WIDER t ON a IN pivot_values_1"],
  ["PIVOT t ON a /* b */, c", "PIVOT t ON a IN pivot_values_1 /* b */, c IN pivot_values_2"],
  ["PIVOT t ON a IN", "PIVOT t ON a IN"],
  ["PIVOT t ON a IN (", "PIVOT t ON a IN ("],
  ["PIVOT", "PIVOT"],
  ["PIVOT ON a", "PIVOT ON a IN pivot_values_1"],
])("%s", (sql, text) => {
  expect(nameValues(sql).text).toBe(text);
});

test("values that a query gives", () => {
  expect(nameValues("PIVOT t ON a IN (SELECT b FROM (PIVOT u ON c)) USING count(*)")).toEqual({
    text: "PIVOT t ON a IN pivot_values_1 USING count(*)",
    named: [{ name: "pivot_values_1", query: "SELECT b FROM (PIVOT u ON c)" }],
  });
});

test("a hundred of them get names, further ones none", () => {
  expect(nameValues("PIVOT t ON a; ".repeat(101)).named).toHaveLength(100);
});
