/** What the SQL view fetches for a statement: never too little, and of the simplest statements no more than they name. */
import { describe, expect, it } from "vitest";
import { planStatement } from "../../../../server/site/app/sql/sql-plan.ts";

const file = (year?: string, quarter?: string) => ({
  path: `${year}${quarter}`,
  bytes: 10,
  rows: 1,
  partition: { ...(year && { year }), ...(quarter && { quarter }) },
});
const columns = (...names: string[]) => names.map((name) => ({ name, type: "VARCHAR" }));
const manifest = {
  tables: {
    sections: {
      columns: columns("year", "quarter", "sectionCode", "maxCapacity", "schoolName"),
      files: [file("2023", "Fall"), file("2024", "Winter"), file("2024", "Fall")],
    },
    grades: { columns: columns("year", "quarter", "department", "averageGPA"), files: [file("2023"), file("2024")] },
    courses: { columns: columns("id", "title", "terms"), files: [file()] },
    terms: { columns: columns("year", "quarter", "longName"), files: [file()] },
  },
  views: [
    { name: "seats", tables: ["sections"], select: "SELECT year, quarter, maxCapacity FROM sections" },
    { name: "graded", tables: ["sections", "grades"], select: "SELECT s.* FROM sections s JOIN grades USING (year)" },
  ],
};

const plan = (statement: string) => planStatement(statement, manifest);
const filesOf = (statement: string) =>
  plan(statement)[0]?.files.map(({ partition }) => [partition.year, partition.quarter].filter(Boolean).join(" "));
const ALL = ["2023 Fall", "2024 Winter", "2024 Fall"];

describe("tables", () => {
  it.each([
    ["select count(*) from sections", ["sections"]],
    ["SELECT count(*) FROM Sections", ["sections"]],
    ['select count(*) from "sections" s', ["sections"]],
    ["select 1", []],
    ["select 'from sections'", []],
    ["select 1 -- from sections", []],
    ["select 1 /* from sections */", []],
    ["select count(*) as sections from grades", ["grades"]],
    ["select count(*) as sections, terms from courses order by sections", ["courses"]],
    ["select * from grades g, sections s", ["sections", "grades"]],
    ["select * from grades join sections using (year)", ["sections", "grades"]],
    ["select * from (grades join sections using (year))", ["sections", "grades"]],
    ["select * from (select id from courses where id in (select title from courses)), terms", ["courses", "terms"]],
    ["with a as (select * from grades) select * from a, terms", ["grades", "terms"]],
    ["from courses", ["courses"]],
    ["describe sections", ["sections"]],
    ["summarize grades", ["grades"]],
    ["pivot grades on department using avg(averageGPA)", ["grades"]],
    ["pivot (from grades) on department using avg(averageGPA)", ["grades"]],
    ["unpivot terms on longName into name n value v", ["terms"]],
    ["select year from terms order by year desc nulls last", ["terms"]],
    ["select (select count(*) from terms) as n from courses", ["courses", "terms"]],
    ["select count(*) from seats", ["sections"]],
    ["select count(*) from graded, terms", ["sections", "grades", "terms"]],
  ])("%s → %j", (statement, names) => {
    expect(plan(statement).map(({ name }) => name)).toEqual(names);
  });
});

describe("columns", () => {
  it.each([
    ["select count(*) from courses", ["id"]],
    ["select title from courses where id = 'X'", ["id", "title"]],
    ["select TITLE from courses", ["title"]],
    ["select * from courses", ["id", "title", "terms"]],
    ["select c.* from courses c", ["id", "title", "terms"]],
    ["select id, * from courses", ["id", "title", "terms"]],
    ["select count(*), len(terms) * 2 from courses", ["terms"]],
    ["from courses", ["id", "title", "terms"]],
    ["select count(*) from (from courses)", ["id", "title", "terms"]],
    ["summarize courses", ["id", "title", "terms"]],
    ["select columns('t.*') from courses", ["id", "title", "terms"]],
    ["select count(*) from seats", ["year", "quarter", "maxCapacity"]],
    ["select count(*) from graded", ["year", "quarter", "sectionCode", "maxCapacity", "schoolName"]],
  ])("%s → %j", (statement, names) => {
    expect(plan(statement)[0]?.columns.map(({ name }) => name)).toEqual(names);
  });

  it("the column behind a second name", () => {
    const named = [
      { name: "id", type: "VARCHAR" },
      { name: "at", type: "TIMESTAMP", alias: "changedAt" },
    ];
    const [planned] = planStatement("select max(CHANGEDAT) from news", {
      tables: { news: { columns: named, files: [] } },
    });
    expect(planned?.columns.map(({ name }) => name)).toEqual(["at"]);
  });

  it("all of them when a statement did not work with fewer", () => {
    expect(planStatement("select id from courses", manifest, true)[0]?.columns).toHaveLength(3);
  });
});

describe("files", () => {
  it.each([
    ["select count(*) from sections where year = '2024'", ["2024 Winter", "2024 Fall"]],
    ["select count(*) from sections where year = 2024", ["2024 Winter", "2024 Fall"]],
    ["from sections where year = '2024' and quarter = 'Fall'", ["2024 Fall"]],
    ["from seats where year = 2024 and quarter = 'Fall' limit 3", ["2024 Fall"]],
    ["select count(*) from sections where year = '2024' and quarter = 'Fall' group by all", ["2024 Fall"]],
    [
      "select count(*) from sections s where s.year in ('2023', '2024') and s.quarter in ('Fall')",
      ["2023 Fall", "2024 Fall"],
    ],
    ["select count(*) from sections where schoolName = 'or' and year = '2023' limit 3", ["2023 Fall"]],
    ["select count(*) from sections where year = '1999'", []],
    ["select count(*) from graded where year = '2024' and quarter = 'Fall'", ["2024 Fall"]],
    ["select count(*) from sections where year = '2024' and month = '2024-09'", ["2024 Winter", "2024 Fall"]],
    // Everything else needs every file.
    ["select count(*) from sections", ALL],
    ["select count(*) from sections where year >= '2024'", ALL],
    ["select count(*) from sections where year = '2024' or quarter = 'Fall'", ALL],
    ["select count(*) from sections where not year = '2024'", ALL],
    ["select count(*) from sections where not (year = '2024')", ALL],
    ["select count(*) from sections where (year = '2024') = false", ALL],
    ["select count(*) from sections where year = '2024' || ''", ALL],
    ["select count(*) from sections where year = '2024' is null", ALL],
    ["select count(*) from sections where year in ('2024') = false", ALL],
    ["select count(*) from sections where year not in ('2024')", ALL],
    ["select count(*) from sections where year = maxCapacity", ALL],
    ["select count(*) from sections where year = (select max(year) from sections)", ALL],
    ["select year = '2024', count(*) from sections group by all", ALL],
    ["from sections where year = '2024' select count(*)", ALL],
    ["pivot (select * from sections where year = '2024') on quarter using count(*)", ALL],
    ["select count(*) filter (where year = '2024'), count(*) from sections", ALL],
    ["select count(*) from sections having year = '2024'", ALL],
    ["select count(*) from sections where year = '2024' union all select count(*) from sections", ALL],
    ["select count(*) from sections a, sections b where a.year = '2024'", ALL],
    ["select count(*) from sections, grades g where g.year = '2024'", ALL],
    ["with a as (select * from sections) select count(*) from a where year = '2024'", ALL],
    ["select case when year = '2024' then 1 end from sections where quarter = 'Fall'", ALL],
  ])("%s → %j", (statement, names) => {
    expect(filesOf(statement)).toEqual(names);
  });
});
