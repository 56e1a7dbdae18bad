/** SQL on the start page in a real browser. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

describeInBrowser("SQL in the browser", (opened) => {
  const { text, sees } = opened;

  it("answers SQL in the browser as the server would, fetching only what the statement names", async () => {
    await opened.open();
    // Nothing of the database is fetched before the first statement.
    const isOfDatabase = (path: string) => /duckdb|parquet/.test(path);
    const before = await opened.page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map((one) => one.name)",
    );
    expect(before.filter(isOfDatabase)).toEqual([]);
    const fetched: string[] = [];
    opened.context.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    const run = async (statement: string) => {
      await opened.page.fill("#statement", statement);
      await opened.page.keyboard.press("Control+Enter");
      await opened.page.locator("#sqlBox button[type=submit]:not([disabled])").waitFor({ timeout: 90_000 });
      await opened.page.locator("#sqlBox .scroll, #sqlBox [role=alert]").waitFor({ timeout: 30_000 });
      return text("#sqlBox .scroll, #sqlBox [role=alert]");
    };
    const cells = async () =>
      (await opened.page.locator("#sqlBox .scroll tbody tr").allInnerTexts()).map((row) => row.split("\t"));

    await run("select count(*) as n from grades");
    const served = (await opened.world.json<unknown[]>("/grades/raw")).length;
    expect(await cells()).toEqual([[String(served)]]);
    expect(fetched.filter((path) => path.includes("/grades/"))).toHaveLength(3);
    expect(fetched.filter(isOfDatabase).length).toBeGreaterThan(3);
    expect(fetched.filter((path) => path.includes("/sections/"))).toEqual([]);
    expect(opened.page.url()).toContain("#sql?statement=");

    await run(
      "select sectionCode, maxCapacity::int as seats, meetings[1].bldg[1] as room, finalExam.examStatus as final from sections where year = '2024' and quarter = 'Fall' order by 1",
    );
    expect(await cells()).toEqual([
      ["35730", "150", "ALP 2300", "NO_FINAL"],
      ["35731", "30", "ICS 189", "NO_FINAL"],
    ]);
    expect(fetched.filter((path) => path.includes("/sections/"))).toHaveLength(1);

    // A view reads its tables.
    await run(
      "select sectionCode, deptName from schedule where year = '2024' and quarter = 'Fall' order by sectionCode",
    );
    expect((await cells()).map(([code]) => code)).toEqual(["35730", "35731"]);

    // Types arrive as they are published: decimals, dates, maps, lists of structures.
    await run("select sum(averageGPA) as gpa, typeof(any_value(averageGPA)) as type from grades");
    expect(await cells()).toEqual([["16.5", "DECIMAL(4,2)"]]);
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

    expect(await run("select nothing from grades")).toMatch(/Binder Error.*nothing/);
    expect(await run("selec 1")).toMatch(/Parser Error/);
    expect(await run("select * from read_parquet('https://elsewhere.example/x.parquet')")).toMatch(/Error/);
    await run("select 1 + 1 as two");
    expect(await cells()).toEqual([["2"]]);
  });

  it("asks before it loads much for a statement", async () => {
    await opened.open();
    await opened.context.route("**/v1/data/manifest.json", async (route) => {
      const response = await route.fetch();
      const manifest = (await response.json()) as { tables: { grades: { files: { bytes: number }[] } } };
      for (const file of manifest.tables.grades.files) file.bytes = 3e6;
      await route.fulfill({ response, json: manifest });
    });
    const run = opened.page.locator("#sqlBox button[type=submit]");
    const ask = async (statement: string) => {
      await opened.page.fill("#statement", statement);
      expect(await run.innerText()).toBe("Run");
      await run.click();
    };
    await ask("select count(*) as n from grades");
    await sees("#sqlBox [role=status]", "This reads grades (3 files, 9.0 MB, 6 rows). A condition");
    expect(await run.innerText()).toBe("Load 9.0 MB and run");
    await run.click();
    await opened.page.locator("#sqlBox td", { hasText: "6" }).waitFor({ timeout: 90_000 });
    await ask("select count(*) as n from grades where year = '2023'");
    await opened.page.locator("#sqlBox td", { hasText: "2" }).waitFor();
  });
});
