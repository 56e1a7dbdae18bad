/** The naive way: for each request one DuckDB query over the Parquet files, rows as objects, grouped in JavaScript, JSON.stringify. */
import http from "node:http";
import { DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import { SNAPSHOT_VALUES } from "../../pipeline/contract/rows/enrollment-history.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import { answerMessages } from "./answer-messages.ts";
import { filesText, readWords, tablePaths, type Words } from "./words.ts";

type Row = Record<string, unknown>;
interface Question {
  readonly text: string;
  readonly values: DuckDBValue[];
  readonly shape?: (rows: Row[]) => unknown;
}

const COUNTS = ["A", "B", "C", "D", "F", "P", "NP", "W"].map((grade) => `grade${grade}Count`);
const SUMS = `${COUNTS.map((name) => `sum(${name})::INTEGER AS ${name}`).join(", ")}, avg(averageGPA)::DOUBLE AS averageGPA`;

function toQuestion(words: Words, path: string, params: URLSearchParams): Question {
  const conditions: string[] = [];
  const values: DuckDBValue[] = [];
  const where = () => (conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`);
  const test = (make: (place: string) => string, value: DuckDBValue | null) => {
    if (value === null) return;
    values.push(value);
    conditions.push(make(`$${values.length}`));
  };
  const equal = (param: string, column = param) => test((place) => `${column} = ${place}`, params.get(param));
  const term = (): Term | undefined =>
    params.has("year") && params.has("quarter")
      ? ({ year: params.get("year"), quarter: params.get("quarter") } as Term)
      : undefined;
  const from = (table: TableName, of?: Term) => filesText(tablePaths(words, table, of));

  if (path.startsWith("/grades/")) {
    for (const name of ["year", "quarter", "department", "courseNumber"]) equal(name);
    const [low, high] =
      { LowerDiv: [0, 99], UpperDiv: [100, 199], Graduate: [200, 9999] }[params.get("division") ?? ""] ?? [];
    if (low !== undefined) conditions.push(`courseNumeric BETWEEN ${low} AND ${high}`);
    if (params.get("excludePNP") === "true")
      conditions.push("gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount > 0");
    const rows = `${from("grades")}${where()}`;
    switch (path) {
      case "/grades/aggregateByCourse":
        return { text: `SELECT department, courseNumber, ${SUMS} FROM ${rows} GROUP BY ALL ORDER BY ALL`, values };
      case "/grades/aggregateByOffering":
        return {
          text: `SELECT department, courseNumber, instructor, ${SUMS} FROM (SELECT *, unnest(instructors) AS instructor FROM ${rows}) GROUP BY ALL ORDER BY ALL`,
          values,
        };
      case "/grades/aggregate":
        return {
          text: `SELECT * FROM ${rows} ORDER BY "year", quarter, sectionCode`,
          values,
          shape: (sectionList) => ({
            sectionList,
            gradeDistribution: COUNTS.map((name) => sectionList.reduce((sum, row) => sum + Number(row[name]), 0)),
          }),
        };
      case "/grades/options":
        return {
          text: `SELECT "year", department, courseNumber, sectionCode, instructors FROM ${rows}`,
          values,
          shape: (all) =>
            ["year", "department", "courseNumber", "sectionCode"].map((name) =>
              [...new Set(all.map((row) => row[name]))].sort(),
            ),
        };
      default:
        return { text: `SELECT * FROM ${rows} ORDER BY "year", quarter, sectionCode`, values };
    }
  }
  if (path === "/schedule") {
    if (params.get("department") !== "ALL") equal("department", "deptCode");
    test((place) => `list_contains(geCategories, ${place})`, params.get("ge"));
    test((place) => `list_contains(instructors, ${place})`, params.get("instructorName"));
    const codes = params.get("sectionCodes");
    if (codes !== null && !codes.includes("-"))
      conditions.push(
        `sectionCode IN (${codes
          .split(",")
          .map((code) => `'${Number(code)}'`)
          .join(", ")})`,
      );
    const numbers = params.get("courseNumber");
    if (numbers !== null && !numbers.includes("-")) equal("courseNumber");
    conditions.push("NOT cancelled");
    return {
      text: `SELECT * FROM ${from("sections", term())}${where()} ORDER BY schoolName, deptCode, courseNumeric, courseNumber, courseTitle, sectionCode`,
      values,
      shape: toTree,
    };
  }
  if (path === "/enrollmentHistory") {
    equal("department");
    equal("courseNumber");
    return {
      text: `SELECT h.*, list({'first': p.first, 'last': p.last, ${SNAPSHOT_VALUES.map((name) => `'${name}': p.${name}`).join(", ")}} ORDER BY p.first) AS periods
        FROM (SELECT * FROM ${from("enrollment_history", term())}${where()}) h
        JOIN ${from("enrollment_periods", term())} p USING (year, quarter, sectionCode) GROUP BY ALL`,
      values,
    };
  }
  if (path === "/courses/all") return { text: `SELECT * FROM ${from("courses")} ORDER BY id`, values };
  if (path.startsWith("/courses/")) {
    values.push(decodeURIComponent(path.slice("/courses/".length)));
    return { text: `SELECT * FROM ${from("courses")} WHERE id = $1`, values, shape: ([one]) => one };
  }
  return { text: `SELECT * FROM ${from("calendar")}`, values };
}

/** School → department → course → section. */
function toTree(rows: Row[]): unknown {
  const schools = new Map<unknown, Map<unknown, Map<string, Row[]>>>();
  for (const row of rows) {
    const departments = schools.get(row["schoolName"]) ?? new Map<unknown, Map<string, Row[]>>();
    schools.set(row["schoolName"], departments);
    const courses = departments.get(row["deptCode"]) ?? new Map<string, Row[]>();
    departments.set(row["deptCode"], courses);
    const key = JSON.stringify([row["courseNumber"], row["courseTitle"]]);
    const sections = courses.get(key) ?? [];
    courses.set(key, sections);
    sections.push(row);
  }
  return [...schools].map(([schoolName, departments]) => ({
    schoolName,
    departments: [...departments].map(([deptCode, courses]) => ({
      deptCode,
      courses: [...courses].map(([key, sections]) => ({ key, sections })),
    })),
  }));
}

const words = await readWords(process.argv[2] ?? "");
const instance = await DuckDBInstance.create(":memory:");
const free = await Promise.all(Array.from({ length: 4 }, () => instance.connect()));
const waiting: (() => void)[] = [];

async function answer({ text, values, shape = (rows) => rows }: Question): Promise<string> {
  while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const connection = free.pop();
  if (!connection) return answer({ text, values, shape });
  try {
    const rows = (await connection.runAndReadAll(text, values)).getRowObjectsJson() as Row[];
    return JSON.stringify(shape(rows));
  } finally {
    free.push(connection);
    waiting.shift()?.();
  }
}

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bench");
  answer(toQuestion(words, pathname.slice("/v1/rest".length), searchParams)).then(
    (body) =>
      response
        .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
        .end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
const listening = new Promise<string>((resolve) =>
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  }),
);
answerMessages(() => listening);
