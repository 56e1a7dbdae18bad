/**
 * The names that a statement may use, over statements as DuckDB parses them: the names that each query knows, and the
 * refusals for each kind of node.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { VIEWS } from "../../../pipeline/contract/views.ts";
import { createViews, TABLE_LIST, withDescriptions } from "../../../pipeline/publish/sql/described-views.ts";
import { exactJson, finiteJson, replaceNumbers } from "../../../pipeline/publish/sql/json-numbers.ts";
import {
  type Node,
  namesGiven,
  nodesOf,
  parseStatement,
  queryText,
} from "../../../pipeline/publish/sql/parsed-statement.ts";
import { statementProblem } from "../../../pipeline/publish/sql/statement-problem.ts";
import { fileOf } from "../../support/memory-generations.ts";

const table = (table_name: string, more: Node = {}): Node => ({
  ...{ type: "BASE_TABLE", table_name, schema_name: "", catalog_name: "", at_clause: null },
  ...more,
});
const query = (from_table: Node, more: Node = {}): Node => ({
  ...{ type: "SELECT_NODE", select_list: [{ class: "STAR", type: "STAR" }], from_table, cte_map: { map: [] } },
  ...more,
});
const given = (key: string, node: Node) => ({ key, value: { query: { node } } });
const withQueries = (node: Node, ...map: readonly ReturnType<typeof given>[]): Node => ({ ...node, cte_map: { map } });
const problem = (node: Node, aboutTables = true): string | undefined => statementProblem([{ node }], { aboutTables });
const call = (kind: string, function_name: string): Node =>
  query({ type: "EMPTY" }, { select_list: [{ class: kind, function_name }] });
const noTable = (name: string, meant = ""): string => `there is no table "${name}"${meant}`;

describe("a table", () => {
  it.each<[string, Node, string | undefined]>([
    ["is published", table("grades"), undefined],
    ["is written in any case", table("GRADES"), undefined],
    ["is a view", table("seats"), undefined],
    ["is the list of columns", table("columns"), undefined],
    ["is in the main schema", table("grades", { schema_name: "main" }), undefined],
    ["is in another schema", table("grades", { schema_name: "other" }), noTable("grades", ". Did you mean grades?")],
    ["is in a catalog", table("grades", { catalog_name: "system" }), noTable("grades", ". Did you mean grades?")],
    ["is of an earlier time", table("grades", { at_clause: {} }), noTable("grades", ". Did you mean grades?")],
    ["is misspelt", table("gradse"), noTable("gradse", ". Did you mean grades?")],
    ["is a file", table("/etc/passwd"), noTable("/etc/passwd")],
  ])("%s", (_what, from, expected) => expect(problem(query(from))).toBe(expected));
});

describe("a name that WITH gives", () => {
  const own = given("Mine", query(table("grades")));
  it("is known in what follows, in any case, without a schema, and nowhere else", () => {
    expect(problem(withQueries(query(table("mine")), own))).toBeUndefined();
    expect(problem(withQueries(query(table("mine", { schema_name: "main" })), own))).toBe(noTable("mine"));
    expect(
      problem(
        query({
          type: "JOIN",
          left: table("mine"),
          right: { type: "SUBQUERY", node: withQueries(query(table("mine")), own) },
        }),
      ),
    ).toBe(noTable("mine"));
  });

  it("is known to the queries after it, and to itself only where it is recursive", () => {
    const second = given("second", query(table("mine")));
    expect(problem(withQueries(query(table("second")), own, second))).toBeUndefined();
    expect(problem(withQueries(query(table("second")), second, own))).toBe(noTable("mine"));
    const self = (type: string) => given("again", { type, right: query(table("again")) });
    expect(problem(withQueries(query(table("again")), self("RECURSIVE_CTE_NODE")))).toBeUndefined();
    expect(problem(withQueries(query(table("again")), self("SET_OPERATION_NODE")))).toBe(noTable("again"));
  });

  it("is known inside queries below", () => {
    const below = query({ type: "SUBQUERY", subquery: { node: query(table("mine")) } });
    expect(problem(withQueries(below, own))).toBeUndefined();
  });

  it("is checked itself", () => {
    expect(problem(withQueries(query(table("mine")), given("mine", query(table("nothing")))))).toBe(noTable("nothing"));
  });

  it("is any where only the user's database runs it, otherwise none of a file or of DuckDB's own tables", () => {
    for (const name of ["a.csv", "duckdb_settings", "PG_class", "pragma_x", "sqlite_master"]) {
      const statement = withQueries(query(table(name)), given(name, query(table("grades"))));
      expect(problem(statement)).toBeUndefined();
      expect(problem(statement, false)).toBe(`WITH cannot define the name ${JSON.stringify(name)}`);
    }
    expect(problem(withQueries(query(table("mine")), own), false)).toBeUndefined();
    expect(
      problem(withQueries(query(table("my_pg_x")), given("my_pg_x", query(table("grades")))), false),
    ).toBeUndefined();
  });
});

describe("a function", () => {
  it.each<[string, Node, string | undefined]>([
    ["is on the list", call("FUNCTION", "COUNT"), undefined],
    ["is no function of the list", call("FUNCTION", "getenv"), "the function getenv is not allowed"],
    ["is misspelt", call("FUNCTION", "row_numbr"), "the function row_numbr is not allowed. Did you mean row_number?"],
    ["is over a window", call("WINDOW", "row_number"), undefined],
    ["is none over a window", call("WINDOW", "read_text"), "the function read_text is not allowed"],
    [
      "makes rows",
      query({ type: "TABLE_FUNCTION", function: { class: "FUNCTION", function_name: "json_each", children: [] } }),
      undefined,
    ],
    [
      "reads files",
      query({ type: "TABLE_FUNCTION", function: { class: "FUNCTION", function_name: "read_csv", children: [] } }),
      "the table function read_csv is not allowed",
    ],
    [
      "has another one in its arguments",
      query({
        type: "TABLE_FUNCTION",
        function: { function_name: "range", children: [{ class: "FUNCTION", function_name: "getenv" }] },
      }),
      "the function getenv is not allowed",
    ],
  ])("%s", (_what, node, expected) => expect(problem(node)).toBe(expected));
});

describe("a node", () => {
  it.each<[string, Node, string | undefined]>([
    ["a parameter", { class: "PARAMETER" }, "the statement has parameters, but there are no values for them"],
    ["an expression of another kind", { class: "BOUND_REF" }, "BOUND_REF is not allowed"],
    ["a query of another kind", { type: "INSERT_NODE" }, "INSERT_NODE is not allowed"],
    [
      "an order",
      { type: "ORDER_MODIFIER", orders: [{ type: "DESCENDING", expression: { class: "COLUMN_REF" } }] },
      undefined,
    ],
    ["a type", { class: "CAST", cast_type: { type_info: { type: "DECIMAL_TYPE_INFO" } } }, undefined],
    ["what has no type", { any: [null, 1, "text"] }, undefined],
    ["what SHOW lists", { type: "SHOW_REF", table_name: '"tables"', query: null }, undefined],
    ["what DESCRIBE shows of a query", { type: "SHOW_REF", table_name: "", query: query(table("grades")) }, undefined],
    [
      "other lists",
      { type: "SHOW_REF", table_name: '"databases"', query: null },
      "only SELECT statements are allowed; FROM columns describes all",
    ],
  ])("%s", (_what, node, expected) => expect(problem(node)).toBe(expected));

  it("that lists tables is refused where the tables are told otherwise", () => {
    const list = { type: "SHOW_REF", table_name: '"tables"', query: null };
    expect(problem(list, false)).toBe("only SELECT statements are allowed; FROM columns describes all");
    expect(problem({ ...list, query: query(table("grades")) }, false)).toBeUndefined();
  });

  it("comes before what it is made of, with the names that WITH gives as they are written", () => {
    const node = withQueries(query(table("a")), given("Mine", query(table("b"))));
    expect(namesGiven(node)).toEqual(["Mine"]);
    expect([namesGiven({ cte_map: null }), namesGiven({})]).toEqual([[], []]);
    const types = [...nodesOf([{ node }])].map(({ node: inner, scope }) => [
      inner["table_name"] ?? inner["type"] ?? "-",
      [...scope.keys()].join(),
    ]);
    expect(types.filter(([name]) => name !== "-" && name !== "STAR")).toEqual([
      ["SELECT_NODE", ""],
      ["a", "mine"],
      ["SELECT_NODE", ""],
      ["b", ""],
    ]);
  });
});

describe("numbers of JSON", () => {
  it("are those outside of texts", () => {
    const marked = replaceNumbers(
      String.raw`{"a1":[1,-2.5e+3,NaN,-Infinity,"9 \" 8"],"b":null}`,
      (number) => `<${number}>`,
    );
    expect(marked).toBe(String.raw`{"a1":[<1>,<-2.5e+3>,<NaN>,<-Infinity>,"9 \" 8"],"b":null}`);
  });

  it("that are none are null", () => {
    expect(finiteJson('[NaN,-Infinity,Infinity,1,"NaN"]')).toBe('[null,null,null,1,"NaN"]');
    expect(finiteJson("[1.50]")).toBe("[1.50]");
  });

  it.each([
    ["9007199254740991", true],
    ["9007199254740993", false],
    ["-12", true],
    ["0.1", true],
    ["0.10", true],
    ["10.01", true],
    ["00100.5", true],
    ["1003", true],
    ["1.5e-7", true],
    ["-0.001", true],
    ["100.0", true],
    ["1e22", true],
    ["1.5E300", true],
    ["0.12345678901234567890", false],
    ["1e999", false],
  ])("%s stays a number: %s", (number, isHeld) => {
    expect(exactJson(`[${number}]`)).toBe(isHeld ? `[${number}]` : `["${number}"]`);
  });
});

describe("a statement that is parsed", () => {
  const answering = (answer: string | undefined) => {
    const asked: unknown[][] = [];
    const runAndReadAll = async (...given: unknown[]) => {
      asked.push(given);
      return { getRowsJson: () => (answer === undefined ? [] : [[answer]]) };
    };
    return { asked, connection: { runAndReadAll } as unknown as DuckDBConnection };
  };

  it("keeps its numbers exact on the way there and back", async () => {
    const { asked, connection } = answering(
      '{"error":false,"statements":[{"node":{"value":12345678901234567890,"text":"1"}}]}',
    );
    const parsed = await parseStatement(connection, "SELECT 1");
    expect(parsed).toEqual({
      error: false,
      statements: [{ node: { value: "\u000012345678901234567890", text: "1" } }],
    });
    const [{ node }] = parsed.statements as [{ node: Node }];
    const back = answering("SELECT 12345678901234567890");
    expect(await queryText(back.connection, node)).toBe("SELECT 12345678901234567890");
    expect(asked).toEqual([["SELECT json_serialize_sql($1::VARCHAR)", ["SELECT 1"]]]);
    expect(back.asked).toEqual([
      [
        "SELECT json_deserialize_sql($1::JSON)",
        ['{"error":false,"statements":[{"node":{"value":12345678901234567890,"text":"1"},"named_param_map":[]}]}'],
      ],
    ]);
  });
});

describe("DESCRIBE of a table", () => {
  it.each(["DESCRIBE grades", " desc GRADES ", 'describe "grades"', "DESCRIBE\tgrades"])(
    "%s has the descriptions",
    (sql) => {
      expect(withDescriptions(sql)).toBe(
        `SELECT "column" AS column_name, "type" AS column_type, description FROM columns WHERE "table" = 'grades'`,
      );
    },
  );
  it.each(["DESCRIBE other", "DESCRIBE SELECT 1", "SELECT 1", "DESCRIBE grades x", "x DESCRIBE grades"])(
    "%s stays",
    (sql) => {
      expect(withDescriptions(sql)).toBe(sql);
    },
  );
  it("views too, and all are listed", () => {
    expect(withDescriptions("DESCRIBE seats")).toContain(`"table" = 'seats'`);
    for (const name of ["grades", "seats", "columns"]) expect(TABLE_LIST).toContain(`('${name}', '`);
  });
});

it("each table is a view over its files, and is described with its columns and their second names", async () => {
  let sql = "";
  const connection = { run: async (text: string) => void (sql = text) } as unknown as DuckDBConnection;
  const files = [fileOf("grades", { year: "2024" }, "a"), fileOf("sections", { year: "2024" }, "b")];
  await createViews(connection, { folder: "/generation", files });
  const statements = sql.split("\n").filter((line) => line.startsWith("CREATE VIEW"));
  const of = (name: string) => statements.find((line) => line.startsWith(`CREATE VIEW "${name}" AS `)) ?? "";
  expect(statements).toHaveLength(TABLE_NAMES.length + VIEWS.length + 1);
  for (const [name, file] of [
    ["grades", files[0]],
    ["sections", files[1]],
  ] as const)
    expect(of(name).match(/'[^']*\.parquet'/g)).toEqual([`'/generation/${file?.path}'`]);
  expect(of("larc")).not.toContain(".parquet");
  expect(of("sections")).toMatch(/^CREATE VIEW "sections" AS SELECT \*, "deptCode" AS "department" FROM /);
  expect(of("grades")).toContain(`; COMMENT ON VIEW "grades" IS '${TABLES.grades.about.replaceAll("'", "''")}';`);
  const described = sql.slice(sql.indexOf('CREATE VIEW "columns"'));
  expect(described).toMatch(/ AS SELECT table_name AS "table", .*\s+LEFT JOIN \(VALUES \('sections', '/);
  for (const pair of [
    "('grades', 'year', '",
    "('sections', 'department', 'second name of `deptCode`'), (",
    "('seats', '",
  ])
    expect(described).toContain(pair);
});
