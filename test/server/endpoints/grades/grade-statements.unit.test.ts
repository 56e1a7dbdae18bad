/** The statements of grades over the published table: what each view has, for JSON and for tables. */
import { describe, expect, it } from "vitest";
import { GRADE_COUNTS } from "../../../../pipeline/contract/rows/grade.ts";
import { sql, statementText, toText } from "../../../../server/duckdb/sql.ts";
import { paramsOf } from "../../../../server/endpoints/filters.ts";
import { gradeFilters, gradeStatement, type GradeView, sortParam } from "../../../../server/endpoints/grades.ts";
import type { EndpointContext, Page } from "../../../../server/response/endpoint.ts";
import { idsOfName } from "../../../../server/endpoints/instructor-ids.ts";
import { publishedPeople } from "../../../../server/snapshot/tables/people.ts";
import { readQuery } from "../../../../server/response/query.ts";

const params = { ...paramsOf(gradeFilters), sort: sortParam };
const valuesOf = (query: string) => {
  const { values, problems } = readQuery(new URLSearchParams(query), params);
  expect(problems).toEqual([]);
  return values as Parameters<typeof gradeStatement>[1];
};
const context = { snapshot: { tables: { grades: { from: sql`loaded_1` } } } } as unknown as EndpointContext;
const statementOf = (view: GradeView, query = "", page?: Page) => gradeStatement(view, valuesOf(query), context, page);
const textOf = (view: GradeView, query = "", page?: Page) => statementText(statementOf(view, query, page).select);

const VIEWS: readonly GradeView[] = ["raw", "aggregate", "options", "aggregateByCourse", "aggregateByOffering"];
const GROUPS = {
  aggregateByCourse: "department, courseNumber",
  aggregateByOffering: "department, courseNumber, instructor",
};

describe.each(VIEWS)("%s", (view) => {
  it("binds what is asked for, and reads the term that it is about", () => {
    const query = "year=2025&department=MATH&ge=GE-2";
    const { reads, select: statement } = statementOf(view, query);
    expect(reads).toEqual([{ table: "grades", term: { year: "2025" } }]);
    expect(statement.values).toEqual(expect.arrayContaining(["2025", "MATH", "GE-2"]));
    expect(toText(statement)).toMatch(/FROM grades\s+WHERE/);
    expect(textOf(view)).not.toContain("WHERE");
    expect(statementOf(view, "netid=ramberle").reads).toHaveLength(2);
  });
  it("is of a page where one is asked for", () => {
    expect(textOf(view, "", { limit: 3, offset: 4 })).toMatch(/ LIMIT 3 OFFSET 4$/);
    expect(textOf(view)).not.toContain("LIMIT");
  });
  it("has sections with letter grades only where Pass/No-Pass ones are left out", () => {
    const counts = "gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount > 0";
    expect(textOf(view, "excludePNP=true")).toContain(`FROM grades WHERE ((${counts}))`);
    expect(textOf(view, "excludePNP=false")).toContain("FROM grades WHERE (TRUE)");
  });
  it("in a table has no average where there are no letter grades, in JSON 0", () => {
    const { flat, select: statement } = statementOf(view);
    const [inTable, inJson] = [statementText(flat ?? sql``), statementText(statement)];
    if (view === "options") {
      expect(inTable).toMatch(
        /^SELECT list, unnest\(value\) AS value FROM \(.*\) UNPIVOT \(value FOR list IN \(\*\)\)$/,
      );
      expect(inTable).toContain(inJson);
      return;
    }
    const averages =
      view === "raw"
        ? [/THEN averageGPA END/, /coalesce\(averageGPA, 0\)/]
        : [/, NULL\) AS averageGPA/, /, 0\) AS averageGPA/];
    expect([inTable, inJson].map((text) => averages.map((average) => average.test(text)))).toEqual([
      ...[
        [true, false],
        [false, true],
      ],
    ]);
  });
  it("is made from the grades that match, of which those of a page are on it", () => {
    const grades = statementText(statementOf(view, "year=2025", { limit: 3, offset: 4 }).grades ?? sql``);
    expect(grades).toMatch(/^SELECT \* FROM grades WHERE .*'2025'.* ORDER BY /);
    expect(grades.endsWith("LIMIT 3 OFFSET 4")).toBe(view === "raw");
    expect(statementText(statementOf(view).grades ?? sql``)).toMatch(
      /^SELECT \* FROM grades ORDER BY year, .*, sectionCode$/,
    );
  });
});

describe.each(["aggregate", "aggregateByCourse", "aggregateByOffering"] as const)("%s", (view) => {
  it("has the sum of every count", () => {
    for (const count of GRADE_COUNTS) expect(textOf(view)).toContain(`0) AS ${count}`);
  });
});

describe.each(Object.entries(GROUPS) as [keyof typeof GROUPS, string][])("%s", (view, keys) => {
  it("has one row for each group, in the order of courses", () => {
    expect(textOf(view).startsWith(`SELECT ${keys}, `)).toBe(true);
    const usual = keys.replace("courseNumber", "courseNumeric, courseNumber");
    expect(textOf(view).endsWith(`GROUP BY courseNumeric, ${keys} ORDER BY ${usual}`)).toBe(true);
    expect(textOf(view, "sort=course")).toBe(textOf(view));
  });
  it("is sorted by what is asked for, and then as usual", () => {
    const [, usual] = textOf(view).split(" ORDER BY ");
    const firstBy = (sort: string) => textOf(view, `sort=${sort}`).split(" ORDER BY ")[1]?.replace(`, ${usual}`, "");
    expect(firstBy("highestGPA")).toMatch(/^avg\(.+\) DESC NULLS LAST$/);
    expect(firstBy("lowestGPA")).toMatch(/^avg\([^)]+\)+ NULLS LAST$|^avg\(.+\) NULLS LAST$/);
    expect(firstBy("lowestGPA")).not.toContain("DESC");
    expect(firstBy("mostStudents")).toMatch(/^0 \+ .* DESC$/);
    expect(firstBy("mostStudents")?.match(/sum/g)).toHaveLength(GRADE_COUNTS.length);
  });
});

describe("offerings", () => {
  it("are those of the instructor who is asked for", () => {
    expect(textOf("aggregateByOffering", "instructor=Müller, E.")).toMatch(/\(instructor\).* = 'muller, e\.'/);
    expect(textOf("aggregateByOffering", "netid=ramberle")).toContain(
      `WHERE (list_contains(${statementText(idsOfName("instructor", "department", publishedPeople))}, 'ramberle'))`,
    );
    expect(textOf("aggregateByOffering")).not.toContain("WHERE");
  });
  it("have ids where these are asked for", () => {
    const idsOf = `, ${statementText(idsOfName("instructor", "department", publishedPeople))} AS instructorIds FROM`;
    expect(textOf("aggregateByOffering", "instructorIds=true")).toContain(idsOf);
    expect(textOf("aggregateByOffering", "instructorIds=false")).not.toContain("instructorIds");
    expect(textOf("raw", "instructorIds=true")).toContain("AS instructorIds");
    expect(textOf("raw")).not.toContain("instructorIds");
  });
});

it("the choices are those of what is in the matching sections, the newest year first", () => {
  const text = textOf("options");
  const choices = ["years", "departments", "courseNumbers", "sectionCodes", "instructors"];
  for (const choice of choices) expect(text).toMatch(new RegExp(` AS ${choice}\\b`));
  for (const column of ["(year)", "(department)", "(sectionCode)", "(instructors)", "courseNumeric", "courseNumber}"])
    expect(text).toContain(column);
  expect(text).toMatch(/SELECT list_reverse\(coalesce\(list_sort\(list_distinct\(list\(year\)\)\), \[\]\)\) AS years/);
});

it.each(VIEWS)("%s over the loaded table is the same statement, without a page", async (view) => {
  const { loaded } = statementOf(view, "year=2025", { limit: 3, offset: 4 });
  const text = statementText((await loaded?.()) ?? sql``);
  expect(text).toContain("FROM loaded_1 WHERE (year = '2025')");
  expect(text).not.toMatch(/FROM grades|LIMIT/);
  if (view !== "raw" && view !== "options") expect(text).toContain(", 0) AS averageGPA");
});
