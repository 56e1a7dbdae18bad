/** What the tool `sql` reads and refuses (server/RULES.md, Assistants), by DuckDB's own parse. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerStatement } from "../../../server/mcp/sql/answer-statement.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
let snapshot: string;
beforeAll(async () => {
  folder = await openFolder();
  ({ id: snapshot } = await publishRows(folder.artifacts, { sections: [sectionRow()] }));
});
afterAll(() => folder?.remove());

const problemOf = async (sql: string) => ((await answer(sql)) as { problem: string }).problem;
const answer = (sql: string) => answerStatement({ artifactsDir: folder.artifacts, snapshot, sql });

describe("reads", () => {
  it.each([
    "FROM columns WHERE \"table\" = 'sections'",
    "WITH busy AS (SELECT * FROM sections LIMIT 3) SELECT count(*) AS n FROM busy",
    "SELECT unnest([1, 2]) AS n",
    "PIVOT sections ON quarter IN ('Fall') USING count(*) GROUP BY year",
    "DESCRIBE sections",
    "SUMMARIZE terms",
    "SELECT value FROM json_each('[1,2]')",
    "SELECT a.year FROM sections a SEMI JOIN main.sections b USING (sectionCode) LIMIT 1",
    "SELECT '{\n{' AS text FROM range(3);",
  ])("%s", async (statement) => {
    const { rows, total } = (await answer(statement)) as { rows: unknown[]; total: number };
    expect(rows.length).toBe(total);
  });
});

describe("refuses", () => {
  const SECRETS = ["SELECT getenv('SECRET')", "SELECT current_setting('allowed_directories')", "SELECT version()"];
  it.each([
    ...["SELECT * FROM read_csv('/etc/passwd')", "SELECT content FROM read_text('/etc/passwd')", "FROM '/etc/passwd'"],
    ...[
      "FROM glob('/**')",
      "FROM read_blob('/proc/self/environ')",
      "FROM parquet_metadata('x')",
      "FROM sniff_csv('x')",
    ],
    ...["FROM 'http://127.0.0.1:1/x.parquet'", "FROM read_parquet('s3://bucket/x')", "FROM 'x.csv'", 'FROM "x.json"'],
    ...["FROM duckdb_secrets()", "FROM duckdb_settings()", "FROM duckdb_settings", "FROM duckdb_databases()"],
    ...["FROM pg_settings", "FROM pg_catalog.pg_views", "FROM information_schema.tables", "FROM duckdb_views"],
    ...["FROM sqlite_master", "FROM pragma_database_list", "SHOW TABLES", "SHOW DATABASES", "FROM (SHOW ALL TABLES)"],
    ...["SELECT pg_get_viewdef(1)", "SELECT pg_catalog.pg_get_viewdef(1)", "SELECT Current_Setting('threads')"],
    ...["SELECT 'threads'.current_setting()", "SELECT write_log('x')", "SELECT current_query()", "SELECT sleep_ms(9)"],
    ...["FROM query('SELECT 1')", "FROM query_table('sections')", "FROM seq_scan('sections')", "FROM test_all_types()"],
    ...["FROM json_execute_serialized_sql('{}')", "FROM sql_auto_complete('x')", "FROM which_secret('x', 's3')"],
    ...["FROM histogram('sections', 'year')", "FROM other.sections", "FROM arrow_scan(1, 2, 3)", "FROM repeat(1, 2)"],
    ...['WITH "x.csv" AS (SELECT 1) FROM "x.csv"', "WITH duckdb_settings AS (SELECT 1) SELECT 1"],
    ...["SELECT (WITH pg_views AS (SELECT 1) SELECT 1) FROM pg_views", "SELECT (FROM read_text('/etc/passwd'))"],
    ...[
      "COPY sections TO '/tmp/x'",
      "ATTACH '/tmp/x'",
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET threads = 9",
      "PRAGMA version",
    ],
    ...[
      "CREATE TABLE t AS SELECT 1",
      "CALL pragma_version()",
      "EXPLAIN SELECT 1",
      "DROP VIEW sections",
      "EXPORT DATABASE 'x'",
    ],
    ...[
      "SELECT 1; SELECT 2",
      "SELECT 1; DROP VIEW sections",
      "CHECKPOINT",
      "SELECT $1",
      "",
      "-- nothing",
      "PREPARE x AS SELECT 1",
    ],
    ...[
      "INSERT INTO sections VALUES (1)",
      "UPDATE sections SET year = 1",
      "DELETE FROM sections",
      "FROM sections AT (VERSION => 1)",
    ],
    ...SECRETS,
  ])("%s", async (statement) => {
    const message = await problemOf(statement);
    expect(message).not.toMatch(/memory|takes longer|of this process/);
    expect(message).not.toContain(folder.artifacts);
  });
});
