/** What the tool `sql` reads and refuses (server/RULES.md, Assistants), by DuckDB's own parse. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TableFiles, tableFiles } from "../../../pipeline/store/published.ts";
import { answerStatement, openStatementShell } from "../../../server/mcp/sql/answer-statement.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
let tables: TableFiles;
beforeAll(async () => {
  folder = await openFolder();
  const { published } = await publishRows(folder.artifacts, { sections: [sectionRow()] });
  tables = tableFiles(published);
});
afterAll(() => folder?.remove());

const problemOf = async (sql: string) => ((await answer(sql)) as { problem: string }).problem;
const answer = (sql: string) => answerStatement(openStatementShell(tables), sql);

const rowsOf = async (sql: string) => ((await answer(sql)) as unknown as { rows: object[] }).rows;

describe("reads", () => {
  it.each([
    "FROM columns WHERE \"table\" = 'sections'",
    "WITH busy AS (SELECT * FROM sections LIMIT 3) SELECT count(*) AS n FROM busy",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) FROM n",
    "SELECT unnest([1, 2]) AS n",
    "PIVOT sections ON quarter IN ('Fall') USING count(*) GROUP BY year",
    "DESCRIBE sections",
    "SUMMARIZE terms",
    "SELECT value FROM json_each('[1,2]')",
    "SELECT a.year FROM sections a SEMI JOIN main.sections b USING (sectionCode) LIMIT 1",
    "SELECT '{\n{' AS text FROM range(3);",
    "SELECT [x * 2 for x in [1, 2] if x > 1], {'a': 1}.a, '{}'::JSON -> 'a', 5!, COLUMNS('year') FROM sections",
    "SELECT year FROM sections QUALIFY row_number() OVER (PARTITION BY year) = 1",
  ])("%s", async (statement) => {
    const { rows, total } = (await answer(statement)) as { rows: unknown[]; total: number };
    expect(rows.length).toBe(total);
  });

  it("PIVOT … ON, whose columns are the values that it finds", async () => {
    for (const [statement, row] of [
      ["PIVOT sections ON quarter USING count(*) GROUP BY year", { year: "2024", Fall: 1 }],
      [
        "FROM (PIVOT (FROM sections WHERE 9007199254740993 > 1) ON year || quarter USING count(*) GROUP BY quarter)",
        { quarter: "Fall", "2024Fall": 1 },
      ],
      [
        "WITH s AS (FROM sections), p AS (PIVOT s ON quarter, year /* , */ USING count(*) GROUP BY sectionCode) SELECT * EXCLUDE sectionCode FROM p -- x",
        { Fall_2024: 1 },
      ],
      [
        "PIVOT sections ON quarter IN (SELECT 'Fall' UNION ALL SELECT 'Winter') USING count(*) GROUP BY year",
        { year: "2024", Fall: 1, Winter: 0 },
      ],
      ["PIVOT (PIVOT sections ON quarter USING count(*) GROUP BY year) ON year USING any_value(Fall)", { "2024": 1 }],
    ] as const)
      expect(await rowsOf(statement)).toEqual([row]);
  });

  it("exact numbers: as text where a number cannot be; null for what is no number, inside as outside", async () => {
    expect(
      await rowsOf(
        "SELECT 9007199254740991 AS a, -9007199254740993 AS b, [170141183460469231731687303715884105727::HUGEINT] AS c, 12345678901234567.25::DECIMAL(38, 2) AS d, 3.10::DECIMAL(4, 2) AS e, 0.1 + 0.2 AS f, 1e22::DOUBLE AS g",
      ),
    ).toEqual([
      {
        ...{ a: Number.MAX_SAFE_INTEGER, b: "-9007199254740993", c: ["170141183460469231731687303715884105727"] },
        ...{ d: "12345678901234567.25", e: 3.1, f: 0.3, g: 1e22 },
      },
    ]);
    expect(
      await rowsOf(
        "SELECT 'nan'::DOUBLE AS a, {'b': ['inf'::DOUBLE, 1.5], 'c': 'NaN'} AS d, MAP {'NaN': '-inf'::FLOAT} AS e",
      ),
    ).toEqual([{ a: null, d: { b: [null, 1.5], c: "NaN" }, e: { NaN: null } }]);
  });
});

describe("refuses", () => {
  it.each([
    ["json_serialize_plan", "SELECT json_serialize_plan('export database ''/tmp/x''')"],
    ["json_serialize_plan", "SELECT json_serialize_plan('SELECT current_setting(''threads'')', optimize := true)"],
    ["json_serialize_plan", "PIVOT (SELECT json_serialize_plan('export database ''x''') AS q) ON q USING count(*)"],
    [
      "json_serialize_plan",
      "PIVOT sections ON year IN (SELECT json_serialize_plan('export database ''x''')) USING count(*)",
    ],
    ["current_setting", "SELECT ('threads').current_setting()"],
    ["read_text", "SELECT (FROM read_text('/etc/passwd'))"],
    ["pg_get_viewdef", "SELECT pg_catalog.pg_get_viewdef(1)"],
  ])("the function %s: %s", async (name, statement) => {
    expect(await problemOf(statement)).toBe(
      `the ${name === "read_text" ? "table " : ""}function ${name} is not allowed`,
    );
  });

  it.each([
    ...["FROM '/etc/passwd'", "FROM 'http://127.0.0.1:1/x.parquet'", "FROM 'x.csv'", 'FROM "x.json"'],
    ...["FROM duckdb_settings", "FROM pg_settings", "FROM pg_catalog.pg_views", "FROM information_schema.tables"],
    ...["FROM sqlite_master", "FROM pragma_database_list", "SHOW TABLES", "SHOW DATABASES", "FROM (SHOW ALL TABLES)"],
    ...['WITH "x.csv" AS (SELECT 1) FROM "x.csv"', "WITH duckdb_settings AS (SELECT 1) SELECT 1"],
    ...["SELECT (WITH pg_views AS (SELECT 1) SELECT 1) FROM pg_views", "SELECT (WITH a AS (SELECT 1) FROM a) FROM a"],
    ...["WITH a AS (FROM b), b AS (SELECT 1) FROM a", "FROM sections AT (VERSION => 1)", "FROM memory.main.sections"],
    ...["FROM other.sections", "COPY sections TO '/tmp/x'", "ATTACH '/tmp/x'", "INSTALL httpfs", "LOAD httpfs"],
    ...["PRAGMA version", "CREATE TABLE t AS SELECT 1", "CALL pragma_version()", "EXPLAIN SELECT 1", "CHECKPOINT"],
    ...["DROP VIEW sections", "EXPORT DATABASE 'x'", "SELECT 1; SELECT 2", "SELECT 1; DROP VIEW sections", "SELECT $1"],
    ...["", "-- nothing", "PREPARE x AS SELECT 1", "INSERT INTO sections VALUES (1)", "UPDATE sections SET year = 1"],
    ...["DELETE FROM sections", "PIVOT sections ON year; SELECT 1", "SELECT 1) AS a(c0), (SELECT 2", "SET threads = 9"],
  ])("%s", async (statement) => {
    const message = await problemOf(statement);
    expect(message).not.toMatch(/memory limit|takes longer|of this process/);
    expect(message).not.toContain(folder.artifacts);
  });

  it("in words that say what is allowed", async () => {
    expect(await problemOf("COPY sections TO 'x'")).toBe("only SELECT statements are allowed");
    expect(await problemOf("SELECT 1; SELECT 2")).toBe("one statement at a time");
  });

  it("with no advice that nobody can take", async () => {
    for (const statement of [
      "SELECT '::1'::INET",
      "SELECT (SELECT unnest([1, 2]))",
      `SELECT ${"NOT ".repeat(2000)}true`,
    ])
      expect(await problemOf(statement)).not.toMatch(/\b(?:SET|INSTALL|LOAD|PRAGMA)\b|install/);
  });
});
