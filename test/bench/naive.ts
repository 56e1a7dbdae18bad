/**
 * The baseline that anybody would write first: for each request a DuckDB statement over the Parquet files, whose rows
 * are sent as JSON. A parameter that names no column does not filter.
 */
import http from "node:http";
import { DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { serveNeighbour } from "./serve-neighbour.ts";
import { filesText, readWords, tablePaths } from "./words.ts";

const CONNECTIONS = 4;
const COUNTS = ["A", "B", "C", "D", "F", "P", "NP", "W"].map(
  (grade) => `sum(grade${grade}Count)::INTEGER AS grade${grade}`,
);
const SUMS = `${COUNTS.join(", ")}, avg(averageGPA) AS averageGPA`;
const DIVISIONS: Readonly<Record<string, string>> = {
  LowerDiv: "courseNumeric < 100",
  UpperDiv: "courseNumeric BETWEEN 100 AND 199",
  Graduate: "courseNumeric >= 200",
};

/** Below the base: table, columns, grouping. */
const ROUTES: Readonly<Record<string, readonly [table: TableName, select: string]>> = {
  "/grades/raw": ["grades", "*"],
  "/grades/aggregate": ["grades", "*"],
  "/grades/options": ["grades", `DISTINCT "year", department, courseNumber, sectionCode, instructors`],
  "/grades/aggregateByCourse": ["grades", `department, courseNumber, ${SUMS}`],
  "/grades/aggregateByOffering": ["grades", `department, courseNumber, instructors, ${SUMS}`],
  "/schedule": ["sections", "*"],
  "/schedule/terms": ["terms", "*"],
  "/courses/all": ["courses", "*"],
  "/courses": ["courses", "*"],
  "/week": ["calendar", "*"],
  "/enrollmentHistory": ["enrollment_history", "*"],
};

const words = await readWords(process.argv[2] ?? "");
const instance = await DuckDBInstance.create(":memory:");
const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
const waiting: (() => void)[] = [];

function toStatement(path: string, params: URLSearchParams): { text: string; values: DuckDBValue[] } {
  const [, id] = /^\/courses\/(?!all$)(.+)$/.exec(path) ?? [];
  const [table, select] = ROUTES[id === undefined ? path : "/courses"] ?? ["calendar", "*"];
  const isOfTerm = table === "sections" || table === "enrollment_history";
  const term = { year: params.get("year"), quarter: params.get("quarter") } as Term;
  const from = filesText(tablePaths(words, table, isOfTerm && params.has("year") ? term : undefined));
  const conditions: string[] = [];
  const values: DuckDBValue[] = [];
  const where = (condition: (place: string) => string, value: string | null | undefined) => {
    if (value === null || value === undefined) return;
    conditions.push(condition(`$${values.push(value)}`));
  };
  where((place) => `id = ${place}`, id === undefined ? undefined : decodeURIComponent(id));
  if (table === "grades")
    for (const name of ["year", "quarter"]) where((place) => `${name} = ${place}`, params.get(name));
  const department = params.get("department");
  if (department !== "ALL")
    where((place) => `${table === "sections" ? "deptCode" : "department"} = ${place}`, department);
  const number = params.get("courseNumber");
  if (!number?.includes("-")) where((place) => `courseNumber = ${place}`, number);
  where((place) => `list_contains(geCategories, ${place})`, params.get("ge"));
  where((place) => `list_contains(instructors, ${place})`, params.get("instructorName"));
  where((place) => `list_contains(string_split(${place}, ','), sectionCode)`, params.get("sectionCodes"));
  const division = DIVISIONS[params.get("division") ?? ""];
  if (division !== undefined) conditions.push(division);
  const filter = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return {
    text: `SELECT ${select} FROM ${from}${filter}${select.includes("sum(") ? " GROUP BY ALL" : ""} ORDER BY ALL`,
    values,
  };
}

async function respond(path: string, params: URLSearchParams): Promise<string> {
  while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const connection = free.pop() as (typeof free)[number];
  try {
    const { text, values } = toStatement(path, params);
    return JSON.stringify((await connection.runAndReadAll(text, values)).getRowObjectsJson());
  } finally {
    free.push(connection);
    waiting.shift()?.();
  }
}

serveNeighbour(
  http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bench");
    respond(pathname.slice("/v1/rest".length), searchParams).then(
      (body) =>
        response
          .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
          .end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }),
);
