/**
 * Every SQL statement in the READMEs runs as printed, over the sample campus; it agrees with the API if that has the
 * same data.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_ANSWERS, missingValues } from "../engines/example-answers.ts";
import { examplesIn } from "../engines/documented-examples.ts";
import { READMES } from "../support/readmes.ts";
import { runSql } from "../support/run-sql.ts";
import type { SqlFormat } from "../../pipeline/publish/sql/sql-output.ts";
import { openSample } from "../support/sample-build.ts";
import { serve } from "../support/whole-run.ts";

const texts = await Promise.all(READMES.map((name) => readFile(new URL(`../../${name}`, import.meta.url), "utf8")));
const readmes = texts.join("\n");

/** The arguments of `make sql`: `FORMAT=csv Q="select …"`. The statement of an explanation comes from the shell. */
const MAKE_SQL = [...readmes.matchAll(/^(?:\$ )?make (?:-s )?sql (?:FORMAT=(\w+) )?Q="(?!\$)([^"]+)"/gm)].map(
  ([, format = "table", q = ""]) => ({
    format,
    q,
  }),
);
const examples = examplesIn(readmes);
/** The statements that DuckDB runs without an extension, except for HTTP. */
const DUCKDB = examples.find(({ title }) => title === "DuckDB without DuckLake")?.text ?? "";

describe("the READMEs' SQL", () => {
  let folder: Awaited<ReturnType<typeof openSample>>;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    folder = await openSample();
    server = await serve(folder.env);
  }, 600_000);
  afterAll(() => server?.close());

  const averageOf = async (department: string, more = ""): Promise<number> => {
    const path = `/grades/aggregate?department=${encodeURIComponent(department)}${more}`;
    return (await server.json<{ gradeDistribution: { averageGPA: number } }>(path)).gradeDistribution.averageGPA;
  };

  async function makeSql(format: string, q: string): Promise<string> {
    const options = { tempFolder: join(tmpdir(), "readme-sql-spill") };
    let text = "";
    for await (const piece of runSql(folder.artifacts, q, format as SqlFormat, options)) text += piece;
    return text;
  }
  const rowsOf = async (q: string) => parse(await makeSql("csv", q), { columns: true }) as Record<string, string>[];

  it("finds every statement", () => {
    expect(MAKE_SQL).toHaveLength(4);
    expect(DUCKDB.split(";").filter((statement) => statement.trim() !== "")).toHaveLength(2);
    // Those of `make sql`, one over an earlier snapshot, two over a DuckLake, and that of the worked example; `make
    // engines` runs the others.
    const remaining = examples.reduce((rest, { text }) => rest.replace(text, ""), readmes);
    expect(remaining.match(/\bselect\b.*\bfrom\b/gi)).toHaveLength(7);
  });

  it.each(MAKE_SQL)("make sql, $format: $q", async ({ format, q }) => {
    expect((await makeSql(format, q)).split("\n").length).toBeGreaterThan(1);
  });

  it("departments by their average: that of the API", async () => {
    const byAverage = MAKE_SQL.find(({ q }) => q.startsWith("select department, round(avg(averageGPA)"));
    const rows = await rowsOf(byAverage?.q ?? "");
    expect(rows).toHaveLength(2);
    for (const { department = "", gpa } of rows)
      expect(Math.abs(Number(gpa) - (await averageOf(department, "&year=2025")))).toBeLessThan(0.000_500_1);
    // Not the best only, and not rounded.
    const all = await rowsOf("select department, avg(averageGPA) as gpa from grades group by all");
    expect(all.length).toBeGreaterThan(20);
    for (const { department = "", gpa } of all) expect(Number(gpa)).toBeCloseTo(await averageOf(department), 10);
  });

  it("the sections of a term: those of the API", async () => {
    const rows = await rowsOf(MAKE_SQL.find(({ q }) => q.startsWith("select * from sections"))?.q ?? "");
    const tree = await server.json(
      "/schedule?year=2026&quarter=Fall&department=MATH&cacheOnly=true&cancelledCourses=Include",
    );
    const codes = [...JSON.stringify(tree).matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code]) => code);
    expect(rows.map(({ sectionCode }) => sectionCode).sort()).toEqual(codes.sort());
  });

  it("DuckDB over the files of the manifest: the averages of the API", async () => {
    // Without the extension that reads over HTTP, use the same addresses below a folder.
    const mirror = await mkdtemp(join(tmpdir(), "readme-sql-"));
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    try {
      await mkdir(join(mirror, "v1/data"), { recursive: true });
      const text = await (await fetch(`${server.url}/v1/data/manifest.json`)).text();
      const { name } = JSON.parse(text) as { name: string };
      await writeFile(join(mirror, "v1/data/manifest.json"), text);
      await symlink(folder.artifacts, join(mirror, "v1/data", name));
      const statements = await connection.extractStatements(DUCKDB.replaceAll("http://localhost:3000", mirror));
      let rows: unknown[][] = [];
      for (let i = 0; i < statements.count; i++) {
        const prepared = await statements.prepare(i);
        rows = (await prepared.runAndReadAll()).getRowsJS();
      }
      expect(rows).toHaveLength(5);
      for (const [department, gpa] of rows) expect(gpa).toBeCloseTo(await averageOf(String(department)), 10);
    } finally {
      connection.closeSync();
      await rm(mirror, { recursive: true, force: true });
    }
  });

  it("DuckDB over the folder of a view: the rows of `make sql`", async () => {
    const example = examples.find(({ title }) => title.startsWith("DuckDB: who graded best"));
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const current = join(folder.artifacts, "current");
    const read = await connection.runAndReadAll(example?.text.replaceAll("artifacts/current", current) ?? "");
    const printed = read.getRowsJson().join("\n");
    const rows = await rowsOf(EXAMPLE_ANSWERS[example?.title ?? ""] ?? "");
    expect(rows).toHaveLength(5);
    expect(
      missingValues(
        printed,
        rows.map((row) => Object.values(row)),
      ),
    ).toEqual([]);
    connection.closeSync();
  });

  it("departments that ended have their sections, grades and people", async () => {
    const ended = ["PP&D", "PSY BEH"];
    const spring = await server.json<{ schools: { departments: { deptCode: string }[] }[] }>(
      "/schedule?year=2018&quarter=Spring&cacheOnly=true",
    );
    const shown = spring.schools.flatMap(({ departments }) => departments.map(({ deptCode }) => deptCode));
    expect(shown).toEqual(expect.arrayContaining(ended));
    const depts = await server.json<{ deptLabel: string }[]>("/schedule/depts");
    expect(depts.map(({ deptLabel }) => deptLabel)).toEqual(
      expect.arrayContaining(["PP&D: Planning, Policy, and Design", "PSY BEH: Psychology and Social Behavior"]),
    );
    const people = await server.json<{ courseHistory: Record<string, string[]> }[]>("/instructors/all");
    for (const department of ended) {
      const grades = await server.json<{ year: string }[]>(`/grades/raw?department=${encodeURIComponent(department)}`);
      expect(grades.length).toBeGreaterThan(5);
      expect(grades.every(({ year }) => year <= "2019")).toBe(true);
      const taught = people.filter(({ courseHistory }) =>
        Object.keys(courseHistory).some((course) => course.startsWith(`${department} `)),
      );
      expect(taught.length).toBeGreaterThan(0);
    }
  });
});
