/** SQL in a real browser: as `make sql` answers, and only what a statement needs is fetched. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Download, Page } from "playwright-core";
import { openDatabase } from "../../../../pipeline/store/database.ts";
import { runSql } from "../../../support/run-sql.ts";
import { someOf } from "../../../support/extent.ts";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";

const RUN = "form button[type=submit]";
const RESULT = ".result, main [role=alert]";

describeInBrowser("SQL in the browser", (opened) => {
  const { sees, text } = opened;

  let shared: Page | undefined;
  /** The database takes seconds to start: tests that do not look at its start go on with that of the one before. */
  async function goOn(): Promise<Page> {
    if (shared === undefined || shared !== opened.page) shared = await opened.open("/sql?q=select+1");
    return shared;
  }
  async function start(statement: string): Promise<void> {
    await opened.page.fill("#statement", statement);
    await opened.page.keyboard.press("Control+Enter");
  }
  /** Runs by keyboard. Returns the result, or the problem. */
  async function run(statement: string): Promise<string> {
    await opened.page.evaluate(`document.querySelector("${RESULT}")?.setAttribute("data-former", "")`);
    await start(statement);
    const result = opened.page.locator(RESULT).and(opened.page.locator(":not([data-former])"));
    await result.waitFor({ timeout: 90_000 });
    return (await result.innerText()).replaceAll(/\s+/g, " ");
  }
  const cells = async () =>
    (await opened.page.locator(".result tbody tr").allInnerTexts()).map((row) => row.split("\t"));
  async function saved(name: string): Promise<Download> {
    const [download] = await Promise.all([
      opened.page.waitForEvent("download"),
      opened.page.getByRole("button", { name }).click(),
    ]);
    return download;
  }
  /** What `make sql` prints, or why it prints nothing. */
  async function made(statement: string): Promise<string> {
    const tempFolder = await mkdtemp(join(tmpdir(), "make-sql-"));
    let printed = "";
    try {
      for await (const part of runSql(opened.world.artifacts, statement, "csv", { tempFolder })) printed += part;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await rm(tempFolder, { recursive: true });
    }
    return printed;
  }

  it("by keyboard: SQL starts with a result of the server; an example, run: the answer is the API's, and only what is named is fetched", async () => {
    const page = await opened.open("/");
    const fetched: string[] = [];
    opened.context.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "SQL" }).focus();
    await page.keyboard.press("Enter");
    await sees(".result th", "average");
    // Nobody asked for it: no database, and nothing in the address.
    await page.waitForLoadState("networkidle");
    expect(fetched.filter((path) => /assets\/(?:sql-[0-9A-F]{8}\/|duckdb|parquet)/.test(path))).toEqual([]);
    expect(new URL(page.url()).search).toBe("");
    expect(await text(".result caption")).toBe("3 rows");
    const [, ...rows] = (await made(await page.inputValue("#statement"))).trim().split("\n");
    expect((await cells()).map((row) => row.map(Number))).toEqual(rows.map((row) => row.split(",").map(Number)));
    expect(await page.getByRole("button", { name: "Save Parquet" }).count()).toBe(0);
    await page.getByText("Run it elsewhere").click();
    expect(await text("pre[aria-label='Program for DuckDB']")).toContain("from grades");
    await page.getByRole("button", { name: "Which departments grade lowest?" }).focus();
    await page.keyboard.press("Enter");
    // The example leaves the focus in the statement.
    await page.keyboard.press("Control+Enter");
    await sees(".result figure", "average by department");
    const grades = await opened.world.json<{ department: string; averageGPA: number }[]>("/grades/raw");
    const average = grades.reduce((sum, { averageGPA }) => sum + averageGPA, 0) / grades.length;
    await page.getByRole("button", { name: "Table" }).click();
    expect(await cells()).toEqual([["I&C SCI", average.toFixed(2), String(grades.length)]]);
    // Both statements read the same files, not all of their columns.
    const files = fetched.filter((path) => path.includes("/grades/") && path.endsWith(".parquet"));
    expect(new Set(files).size).toBe(3);
    expect(fetched.filter((path) => path.includes("/sections/"))).toEqual([]);
    expect(new URL(page.url()).searchParams.get("q")).toContain("from grades");

    // The address holds the statement.
    await page.reload();
    expect(await page.inputValue("#statement")).toContain("from grades");
    expect(await page.locator(".result").count()).toBe(0);
  });

  it("an unknown name is told, with names that are like it, before a file is fetched", async () => {
    await goOn();
    const fetched: string[] = [];
    opened.context.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    expect(await run("select count(*) from section")).toMatch(/section does not exist! Did you mean "sections"\?/);
    // Nothing has asked for courses before.
    expect(await run("select titel from courses")).toMatch(/"titel" not found.*"title"/);
    expect(await run("pivot grads on department using count(*)")).toMatch(/Did you mean "grades"\?/);
    expect(fetched.filter((path) => path.endsWith(".parquet"))).toEqual([]);
    // What tells about tables reads no rows.
    await run("describe courses");
    expect(await cells()).toContainEqual(["title", "VARCHAR", expect.any(String)]);
    expect(fetched.filter((path) => path.endsWith(".parquet"))).toEqual([]);
  });

  it("reads partitions, views, and types as they are published", async () => {
    await goOn();
    const fetched: string[] = [];
    opened.context.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await run(
      "select sectionCode, maxCapacity::int as seats, meetings[1].bldg[1] as room, finalExam.examStatus as final from sections where year = '2024' and quarter = 'Fall' order by 1",
    );
    expect(await cells()).toEqual([
      ["35730", "150", "ALP 2300", "NO_FINAL"],
      ["35731", "30", "ICS 189", "NO_FINAL"],
    ]);
    expect(fetched.filter((path) => path.includes("/sections/"))).toHaveLength(1);
    await run(
      "select sectionCode, deptName from schedule where year = '2024' and quarter = 'Fall' order by sectionCode",
    );
    expect((await cells()).map(([code]) => code)).toEqual(["35730", "35731"]);
    await run("select sum(averageGPA) as gpa, typeof(any_value(averageGPA)) as type from grades");
    expect(await cells()).toEqual([["16.5", "DOUBLE"]]);
    await run(`select courseHistory['I&C SCI 46'] as terms from instructors where netid = 'ramberley'`);
    expect((await cells())[0]?.[0]).toContain("2024 Fall");
    await run(
      "select first, totalEnrolled as taken from enrollment_periods where month = '2024-09' order by first limit 2",
    );
    expect(await cells()).toEqual([
      ["2024-09-01", "40"],
      ["2024-09-11", "110"],
    ]);
    // A name that needs no quotes, as in make sql.
    await run("select changedAt, kind from changes where year = '2025'");
    expect(await cells()).toEqual([["2024-11-04 10:00:00", "enrolled"]]);
    await run("select count(changedAt) as n from (from changes)");
    expect(await cells()).toEqual([["4"]]);
    expect(await run("select * from read_parquet('https://elsewhere.example/x.parquet')")).toMatch(/Error/);
  });

  it("answers as make sql does", async () => {
    await goOn();
    const statements = [
      "pivot (select year, department, averageGPA from grades) on year using count(*) group by department",
      "from seats order by all",
      "select * exclude (instructors) from enrollment_days order by all limit 5",
      "select sectionCode, deptComment, schoolComment from schedule order by all",
      "show tables",
      "describe grades",
      `select "column", "type", description from columns where "table" in ('seats', 'schedule', 'week_of_term')`,
      "describe meetings_flat",
      "from meetings_flat order by all",
      "select sectionCode, weekday, building from meetings_flat where year = '2024' order by all",
      "select * from week_of_term order by all limit 20",
      "select department, sum(gpaPoints) / sum(gpaStudents) as gpa from grade_students group by all order by all",
      "select date, sum(enrolled) as enrolled from enrollment_days group by all order by all",
      "select department, count(*) as sections from sections group by all order by all",
      "select * from (values (1, 'a, b'), (2, ''), (3, null)) t(n, s);",
      "with a as (select 1 as x) select x from a -- and no more",
    ];
    for (const statement of someOf(statements, 5)) {
      await run(statement);
      const path = await (await saved("Save CSV")).path();
      // A file that is saved has the line ends of RFC 4180, as over HTTP.
      const lines = (await made(statement)).replaceAll("\n", "\r\n");
      expect([statement, await readFile(path, "utf8")]).toEqual([statement, lines]);
    }
  });

  it("refuses what make sql refuses, in the same words", async () => {
    await goOn();
    await run("select 1");
    for (const statement of [
      "",
      "select 1; select 2",
      " ; ",
      "drop table grades",
      "select nothing from grades",
      "create table x as select 1",
      "selec 1",
      "select 1 from",
      "select year,\n  nothing from grades",
      `select '${"x".repeat(200)}', nothing, '${"y".repeat(200)}' from grades`,
      "set threads = 1",
      "select",
    ]) {
      await start(statement);
      await expect.poll(() => text("main [role=alert]"), { message: statement }).toBe(await made(statement));
    }
  });

  it("results sort, are drawn, and are saved", async () => {
    const page = await goOn();
    await run("select year::int as year, count(*) as n, avg(averageGPA) as gpa from grades group by all order by year");
    await page.getByRole("button", { name: "gpa" }).click();
    expect((await cells()).map(([year]) => year)).toEqual(["2023", "2022", "2021"]);
    await page.waitForURL(/sort=-3/);
    await page.getByRole("button", { name: "Line" }).click();
    await page.getByLabel("Value").selectOption("gpa");
    await sees(".result figure", "gpa by year");
    await page.locator(".result figure svg").first().waitFor();
    expect(new URL(page.url()).searchParams.get("as")).toBe("line");
    await page.getByRole("button", { name: "Bars" }).click();
    await sees(".result figure svg", "2022");

    const folder = await mkdtemp(join(tmpdir(), "saved-"));
    const database = await openDatabase({ memoryLimit: "500MB", threads: 1, tempFolder: folder });
    try {
      const file = join(folder, "result.parquet");
      await (await saved("Save Parquet")).saveAs(file);
      const rows = await database.connection.runAndReadAll(`SELECT * FROM read_parquet('${file}')`);
      expect(rows.getRowsJson()).toEqual([
        [2021, "2", 2.5],
        [2022, "2", 2.75],
        [2023, "2", 3],
      ]);
    } finally {
      database.close();
      await rm(folder, { recursive: true });
    }
    await page.getByText("Run it elsewhere").click();
    expect(await text("pre[aria-label='Program for Python']")).toContain("read_parquet");
  });

  it("a result as a table and drawn can be seen, read and hit, light and dark, wide and narrow", async () => {
    const page = await goOn();
    await run(
      "select year::int as year, count(*) as n, 'a text that is rather long for a narrow screen' as text from grades group by all",
    );
    await page.getByRole("button", { name: "Table" }).click();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Bars" }).click();
    await sees(".result figure", "n by year");
    expect(await faultsOf(page)).toEqual([]);
  });

  it("a statement that takes long can be cancelled, and the next one works", async () => {
    const page = await goOn();
    await page.fill(
      "#statement",
      "select count(*) from range(100000000) a, range(100000000) b where a.range % 7 = b.range % 3",
    );
    await page.keyboard.press("Control+Enter");
    await page.locator("main [role=status]", { hasText: "Running the statement" }).waitFor({ timeout: 90_000 });
    await page.getByRole("button", { name: "Cancel" }).click();
    await sees("main [role=status]", "Cancelled.");
    await run("select 8 as eight");
    expect(await cells()).toEqual([["8"]]);
  });

  it("asks before it loads much for a statement", async () => {
    // The database has been started again, and has nothing yet.
    await goOn();
    await opened.context.route("**/v1/data/manifest.json", async (route) => {
      const response = await route.fetch();
      const manifest = (await response.json()) as { tables: { grades: { files: { bytes: number }[] } } };
      for (const file of manifest.tables.grades.files) file.bytes = 3e6;
      await route.fulfill({ response, json: manifest });
    });
    const button = opened.page.locator(RUN);
    const ask = async (statement: string) => {
      await opened.page.fill("#statement", statement);
      expect(await button.innerText()).toBe("Run");
      await button.click();
    };
    await ask("select count(*) as n from grades");
    await sees("main [role=status]", "This reads grades (3 files, 9.0 MB, 6 rows). A condition");
    expect(await button.innerText()).toBe("Load 9.0 MB and run");
    await button.click();
    await opened.page.locator(".result th", { hasText: "n" }).waitFor({ timeout: 90_000 });
    await opened.page.locator(".result td", { hasText: "6" }).waitFor();
    await ask("select count(*) as n from grades where year = '2023'");
    await opened.page.locator(".result td", { hasText: "2" }).waitFor();
  });
});
