import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { SqlFormat } from "../../../pipeline/publish/sql/sql-output.ts";
import { openSql, runSql } from "../../support/run-sql.ts";
import { once } from "../../support/once.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const artifacts = join(scratch, "it's artifacts");
const options = { tempFolder: join(scratch, "spill") };
mkdirSync(artifacts);
const database = await scratchDatabase();
beforeAll(async () => {
  const publisher = await openPublisher(artifacts, { database, rows: 3000 });
  await publisher.publish();
});

/** One shell for all statements without options of their own. */
const sharedShell = once(() => openSql(artifacts, options));
const ask = async (sql: string, format: SqlFormat = "json", more?: object) => {
  const pieces = more
    ? runSql(artifacts, sql, format, { ...options, ...more })
    : (await sharedShell()).run(sql, { format });
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
};
const rowsOf = async (sql: string) => JSON.parse(await ask(sql)) as Record<string, unknown>[];

describe("runSql", () => {
  test("every published table is there with the contract's types; the year stays text", async () => {
    const types = await rowsOf(`SELECT typeof("year") AS y, typeof("averageGPA") AS g, "year" FROM grades LIMIT 1`);
    expect(types).toEqual([{ y: "VARCHAR", g: "DOUBLE", year: "2023" }]);
    expect(await rowsOf("SELECT count(*) AS n FROM sections")).toEqual([{ n: 3000 }]);
    expect(await rowsOf('SELECT count(*) AS n, count(DISTINCT "year") AS years FROM grades;')).toEqual([
      { n: 6000, years: 2 },
    ]);
  });

  test("a table that was not published is there without rows", async () => {
    expect(await rowsOf('SELECT id, "minUnits" + 1 AS units FROM courses')).toEqual([]);
    expect(await rowsOf("SELECT \"courseHistory\"['I&C SCI 46'] AS h FROM instructors")).toEqual([]);
  });

  test("json: nested values, nulls, exact decimals, large numbers, names that occur twice", async () => {
    const [row] = await rowsOf(`SELECT meetings, "finalExam" FROM sections ORDER BY "sectionCode" LIMIT 1`);
    expect(row).toMatchObject({
      meetings: [{ bldg: ["HALL 100"], startTime: { hour: 9, minute: 0 } }],
      finalExam: { month: null },
    });
    expect(
      await ask(
        `SELECT 3.11625 AS a, 9007199254740993 AS b, NULL AS c, 'nan'::DOUBLE AS d, DATE '2024-02-29' AS e, 1 AS a`,
      ),
    ).toBe('[\n{"a":3.11625,"b":9007199254740993,"c":null,"d":null,"e":"2024-02-29","a_2":1}\n]\n');
  });

  test("nested values are JSON in every format: no NaN and no infinity in them", async () => {
    const sql = "SELECT {'a': ['nan'::DOUBLE, 'inf'], 'b': 'NaN'} AS s, 'nan'::DOUBLE AS n";
    expect(await rowsOf(sql)).toEqual([{ s: { a: [null, null], b: "NaN" }, n: null }]);
    expect(await ask(sql, "line")).toBe('s = {"a":[null,null],"b":"NaN"}\nn = nan\n');
  });

  test("every column has a description: in describe and in the view columns", async () => {
    const described = await rowsOf("describe grades;");
    expect(described[0]).toEqual({
      column_name: "year",
      column_type: "VARCHAR",
      description: "calendar year, four digits",
    });
    const columns = await rowsOf("SELECT * FROM columns");
    expect(columns.filter(({ table }) => table === "grades")).toHaveLength(described.length);
    expect(columns.filter(({ table, description }) => table !== "columns" && !description)).toEqual([]);
    expect(new Set(columns.map(({ table }) => table)).size).toBeGreaterThan(13);
  });

  test("the time of a change has a name that needs no quotes", async () => {
    const described = await rowsOf("describe changes");
    expect(described.find((column) => column["column_name"] === "changedAt")).toEqual({
      column_name: "changedAt",
      column_type: "TIMESTAMP WITH TIME ZONE",
      description: "second name of `at`",
    });
    expect(await rowsOf("SELECT count(*) AS n FROM changes WHERE changedAt > '2000-01-01'")).toEqual([{ n: 0 }]);
  });

  test("seats: the section's numbers as integers", async () => {
    const [row] = await rowsOf("SELECT * FROM seats WHERE sectionCode = '10007'");
    expect(row).toEqual({
      year: "2024",
      quarter: "Fall",
      sectionCode: "10007",
      department: "STAMP",
      courseNumber: "8",
      courseNumeric: 8,
      sectionType: "Lec",
      sectionNum: "A",
      capacity: 1,
      enrolled: 1,
      waiting: null,
      waitlistSeats: null,
      requests: 0,
      newOnlySeats: null,
      sectionEnrolled: 1,
      waitlist: null,
      status: "OPEN",
      cancelled: false,
    });
  });

  test("csv: quoted where it must be; null and the empty text differ; lines end with LF", async () => {
    const row = `'a,b' AS "x,y", 'say "hi"' AS "q""q", NULL AS n, '' AS e, ['p', 'q'] AS l, 1.50 AS d, 3.1::DOUBLE AS f`;
    const lines = `'1' || chr(13) || '2' AS r, '3' || chr(13) || chr(10) || '4' AS "two\nlines"`;
    expect(await ask(`SELECT ${row}, ${lines}`, "csv")).toBe(
      '"x,y","q""q",n,e,l,d,f,r,"two\nlines"\n"a,b","say ""hi""",,"","[""p"",""q""]",1.50,3.1,"1\r2","3\r\n4"\n',
    );
  });

  test("table and line: all rows and whole values, unless a terminal shows them", async () => {
    expect((await ask("SELECT * FROM grades", "table")).split("\n")).toHaveLength(2 + 6000 + 1 + 1);
    expect((await ask(`SELECT "sectionCode" FROM grades`, "csv")).split("\n")).toHaveLength(6000 + 2);
    expect(await ask("SELECT repeat('x', 1000) AS a, ['b'] AS bcd", "line")).toBe(
      `  a = ${"x".repeat(1000)}\nbcd = ["b"]\n`,
    );
    const shell = await openSql(artifacts, options);
    try {
      let shown = "";
      for await (const part of shell.run("FROM grades", { format: "table", screen: 40 })) shown += part;
      expect(shown.split("\n")).toHaveLength(2 + 200 + 1 + 1);
      expect(shown).toMatch(/\n\(the first 200 rows; the formats csv, json and line give all\)\n$/);
    } finally {
      shell.close();
    }
  });

  test.each([
    "FROM terms",
    "WITH t AS (FROM terms) SELECT * FROM t -- comment",
    "DESCRIBE grades",
    "SHOW TABLES",
    "SUMMARIZE terms",
    "SUMMARIZE schedule",
    "SUMMARIZE SELECT department FROM grades",
    "SELECT column_name FROM (SUMMARIZE grades)",
    "SELECT * FROM (DESCRIBE SELECT 1 AS one), (DESCRIBE VALUES (2))",
    "SHOW ALL TABLES",
    "VALUES (1)",
    "TABLE terms",
    "select 1;;  ",
    "-- first\nselect 1 /* ; */; -- and no more;",
    "SELECT ';', $$;$$ AS \";\", E'\\';' -- ;",
    "PIVOT grades ON quarter USING count(*) GROUP BY department",
    "SELECT * FROM (PIVOT grades ON quarter USING count(*) GROUP BY department) JOIN (PIVOT grades ON year USING count(*) GROUP BY department) USING (department)",
    "PIVOT grades ON quarter IN ('Fall') USING count(*) GROUP BY department;",
    "WITH p AS (PIVOT grades ON quarter USING count(*) GROUP BY department) SELECT * FROM p",
    "WITH g AS (FROM grades), p AS (PIVOT g ON quarter USING count(*)) FROM p",
    "FROM grades PIVOT (count(*) FOR quarter IN ('Fall') GROUP BY department)",
    "PIVOT (FROM grades WHERE department <> 'create') ON quarter USING count(*)",
    "SUMMARIZE PIVOT grades ON quarter USING count(*)",
    "UNPIVOT (SELECT sectionCode, gradeACount, gradeBCount FROM grades) ON gradeACount, gradeBCount INTO NAME grade VALUE students",
    "EXPLAIN SELECT * FROM grades",
    "explain analyze select count(*) from grades",
    "EXPLAIN (FORMAT json) FROM terms",
    "EXPLAIN PIVOT grades ON quarter USING count(*)",
    "-- why\nEXPLAIN /* and */ ANALYZE (PIVOT grades ON quarter USING count(*)); -- slow?",
    "EXPLAIN (SELECT 1)",
  ])("reads: %s", async (sql) => {
    expect((await rowsOf(sql)).length).toBeGreaterThan(0);
  });

  test("a plan is printed as DuckDB draws it", async () => {
    const plan = await ask("EXPLAIN SELECT count(*) FROM grades", "table");
    expect(plan).toMatch(/^┌─+┐\n│ +UNGROUPED_AGGREGATE +│\n/);
    expect((await rowsOf("EXPLAIN FROM terms")).map((row) => Object.keys(row))).toEqual([
      ["explain_key", "explain_value"],
    ]);
  });

  test("PIVOT gives a column for each value", async () => {
    const [row] = await rowsOf("PIVOT grades ON year USING count(*) GROUP BY quarter");
    expect(row).toEqual({ quarter: "Fall", "2023": 3000, "2024": 3000 });
  });

  test.each([
    ["selec 1", /^Parser Error: syntax error at or near "selec" \(line 1, column 1\)$/],
    ["/* a ; b */\n\nselect 1; selec 2", /^Parser Error: syntax error at or near "selec" \(line 3, column 11\)$/],
    ["-- plan\nexplain select\n 'é', foo", /^Binder Error: Referenced column "foo" [^\n]*\(line 3, column 7\)$/],
    [
      "select\n  cast(department as int) from grades",
      /^Conversion Error: Could not convert string 'STAMP' to INT32 [^\n]*\(line 2, column 3\)$/,
    ],
    [`select '${"x".repeat(300)}', foo, '${"y".repeat(300)}' from terms`, / \(line 1, column 312\)$/],
    [
      "select nothing from terms",
      /^Binder Error: Referenced column "nothing" not found in FROM clause! Candidate bindings: [^\n]+ \(line 1, column 8\)$/,
    ],
    ["select sum(department) from grades", /^Binder Error: No function matches [^\n]+$/],
  ])("says in one line what is wrong with %s", async (sql, line) => {
    await expect(ask(sql)).rejects.toMatchObject({ message: expect.stringMatching(line) as string });
  });

  test("the order of the statement is kept over many batches", async () => {
    const codes = (
      await rowsOf(`SELECT "sectionCode" FROM grades WHERE "year" = '2024' ORDER BY "sectionCode" DESC`)
    ).map((row) => row["sectionCode"]);
    expect(codes).toEqual(codes.toSorted().toReversed());
    expect(codes).toHaveLength(3000);
  });
});

describe("nothing but reading", () => {
  const outside = join(scratch, "outside.csv");
  const inside = `${artifacts.replace("'", "''")}/current`;
  const before = () =>
    readdirSync(artifacts, { recursive: true }).length + readdirSync(scratch).filter((name) => name !== "spill").length;
  test.each([
    ["two statements", "SELECT 1; SELECT 2"],
    ["a second statement after PIVOT", "PIVOT grades ON quarter USING count(*); SELECT 1"],
    ["a second statement before PIVOT", "SELECT 1; PIVOT grades ON quarter USING count(*)"],
    ["a type of one's own", "CREATE TYPE mood AS ENUM ('fine'); SELECT 1"],
    ["PIVOT over a file elsewhere", "PIVOT read_csv('/etc/passwd') ON 1 USING count(*)"],
    ["COPY of PIVOT", `COPY (PIVOT grades ON quarter USING count(*)) TO '${outside}'`],
    ["EXPLAIN of COPY", `EXPLAIN COPY grades TO '${outside}'`],
    ["EXPLAIN of a second statement", "EXPLAIN SELECT 1; SELECT 2"],
    ["EXPLAIN alone", "EXPLAIN "],
    ["EXPLAIN behind a comment", `/**/ EXPLAIN ANALYZE COPY grades TO '${inside}/x.csv'`],
    ["a type of one's own before PIVOT", "CREATE TYPE mood AS ENUM ('fine'); PIVOT grades ON quarter"],
    ["a table that PIVOT fills", "CREATE TABLE t AS PIVOT grades ON quarter USING count(*)"],
    [
      "EXPLAIN behind a statement that looks like a comment",
      `/* */ COPY grades TO '${outside}' /* */ EXPLAIN SELECT 1`,
    ],
    ["a log as a table", `FROM enable_logging('QueryLog', storage = 'file', storage_path = '${inside}')`],
    ["a log under a quoted name", `SELECT * FROM system.main."Enable_Logging"('QueryLog')`],
    ["a log by a text that runs", "FROM query('FROM enable_' || 'logging()')"],
    ["a text that runs, hidden", `FROM "query" /* ( */ -- (\n ('FROM enable_' || 'logging()')`],
    ["a plan that runs", "FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))"],
    ["profiles as a table", "FROM enable_profiling()"],
    ["profiles inside PIVOT", "PIVOT (FROM enable_profiling()) ON 1"],
    ["PRAGMA", "PRAGMA disable_progress_bar"],
    ["CALL", "CALL pragma_version()"],
    ["a transaction", "BEGIN"],
    ["no statement", "  ; "],
    ["only a comment", "-- nothing"],
    ["a parameter", "SELECT $1"],
    ["a wrong statement", "SELEC 1"],
    ["an unknown table", "SELECT * FROM gowns"],
    ["COPY out of the folder", `COPY grades TO '${outside}'`],
    ["COPY into the folder", `COPY grades TO '${inside}/x.csv'`],
    ["EXPLAIN ANALYZE, which runs what it explains", `EXPLAIN ANALYZE COPY grades TO '${inside}/x.csv'`],
    ["CREATE", "CREATE TABLE t AS SELECT 1"],
    ["DROP", "DROP VIEW grades"],
    ["SET", "SET enable_external_access = true"],
    ["ATTACH", `ATTACH '${outside}' AS other`],
    ["INSTALL", "INSTALL httpfs"],
    ["a file elsewhere", "SELECT * FROM read_text('/etc/hostname')"],
    ["a file elsewhere, as a table", "SELECT * FROM '/etc/hostname.csv'"],
    ["a folder elsewhere", "SELECT * FROM glob('/etc/*')"],
    ["a closing parenthesis", "SELECT 1) AS t(c0); COPY (SELECT 1"],
  ])("refuses %s", async (_what, sql) => {
    const files = before();
    // A plain line gives the reason.
    await expect(ask(sql)).rejects.toMatchObject({ name: "UsageError", message: expect.stringMatching(/^.{10,}$/) });
    expect(before()).toBe(files);
  });

  test("an error in the middle of the answer ends it with an error too", async () => {
    await expect(
      ask(
        `SELECT CAST("sectionCode" || CASE WHEN "sectionCode" = '12999' THEN 'x' ELSE '' END AS INTEGER) FROM grades`,
      ),
    ).rejects.toMatchObject({ name: "UsageError", message: expect.stringContaining("12999x") as string });
  });

  test("nothing published yet: one clear sentence", async () => {
    const empty = join(scratch, "empty");
    mkdirSync(empty);
    await expect(runSql(empty, "SELECT 1", "csv", options).next()).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining("nothing is published") as string,
    });
  });
});
