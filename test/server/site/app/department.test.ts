/** A department in a real browser: its courses with averages, students and usual terms, filtered and sorted, compared with the API. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { z } from "zod";
import type { SHAPES } from "../../../../server/response/shapes/shapes.ts";
import { describeInBrowser } from "./opened-page.ts";
import { type DepartmentWorld, departmentWorld } from "./department-world.ts";
import { faultsOf } from "./page-faults.ts";

type Courses = z.infer<(typeof SHAPES)["Courses"]["schema"]>;
type Grades = z.infer<(typeof SHAPES)["CourseGrades"]["schema"]>;

describeInBrowser<DepartmentWorld>(
  "a department",
  (opened) => {
    const { sees, text } = opened;
    const cells = async (rows: Locator) => (await rows.allInnerTexts()).map((row) => row.split("\t"));
    const table = () => opened.page.locator("table.sortable tbody tr");

    it("by keyboard: search, four units, upper division: the rows are those of the API", async () => {
      const page = await opened.visit("/");
      await opened.search("computer science");
      await sees("h1", "Computer Science");
      await page.getByLabel("Units").focus();
      await page.keyboard.type("4");
      await page.getByLabel("Division").focus();
      await page.keyboard.type("upper");
      await page.waitForURL(/\?units=4&division=UpperDiv$/);

      const [courses, grades] = await Promise.all([
        opened.world.json<Courses>("/courses?department=COMPSCI&courseLevel=UpperDiv"),
        opened.world.json<Grades>("/grades/aggregateByCourse?department=COMPSCI"),
      ]);
      const expected = courses.filter(({ minUnits, maxUnits }) => minUnits === 4 && maxUnits === 4);
      expect(expected.length).toBeGreaterThan(20);
      await sees("caption", `${expected.length} 4-unit upper-division courses`);
      const rows = await cells(table());
      expect(rows.map(([name]) => name)).toEqual(expected.map(({ courseNumber }) => `COMPSCI ${courseNumber}`));
      for (const [i, { courseNumber, title }] of expected.entries()) {
        const own = grades.find((row) => row.courseNumber === courseNumber);
        const letters = own
          ? own.gradeACount + own.gradeBCount + own.gradeCCount + own.gradeDCount + own.gradeFCount
          : 0;
        const others = own
          ? [`${own.gradePCount} P`, `${own.gradeNPCount} NP`].filter((text) => !text.startsWith("0"))
          : [];
        expect(rows[i]?.slice(1, 5)).toEqual([
          title,
          "4",
          own && letters >= 20 ? own.averageGPA.toFixed(2) : "–",
          own ? [letters, ...others].join(" + ") : "–",
        ]);
      }
      // The quarters of the last four years; what was given up says when.
      expect(rows.find(([name]) => name === "COMPSCI 105")?.[5]).toBe("Fall");
      expect(rows.find(([name]) => name === "COMPSCI 102")?.[5]).toBe("Fall, Winter");
      expect(rows.find(([name]) => name === "COMPSCI 132")?.[5]).toBe("last Fall 2021");
    });

    it("sorts by a press of a column's head, and the address holds it", async () => {
      const page = await opened.visit("/departments/COMPSCI");
      await sees("caption", "300 courses");
      await page.getByRole("button", { name: "Average" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\?sort=-average$/);
      const averages = async () => (await cells(table())).map((row) => Number(row[3])).filter((value) => value >= 0);
      const grades = await opened.world.json<Grades>("/grades/aggregateByCourse?department=COMPSCI");
      const best = Math.max(
        ...grades
          .filter((row) => row.gradeACount + row.gradeBCount + row.gradeCCount + row.gradePCount >= 20)
          .map((row) => row.averageGPA),
      );
      expect((await averages())[0]).toBe(Number(best.toFixed(2)));
      expect(await averages()).toEqual((await averages()).toSorted((a, b) => b - a));
      expect(await page.getByRole("columnheader", { name: "Average" }).getAttribute("aria-sort")).toBe("descending");
      // Courses without an average come last, in both directions.
      expect((await cells(table())).at(-1)?.[3]).toBe("–");
      await page.getByRole("button", { name: "Average" }).click();
      await page.waitForURL(/\?sort=average$/);
      expect(await averages()).toEqual((await averages()).toSorted((a, b) => a - b));
      expect((await cells(table())).at(-1)?.[3]).toBe("–");
      await page.reload();
      await sees("caption", "300 courses");
      await expect.poll(averages).toEqual((await averages()).toSorted((a, b) => a - b));
    });

    it("asks for all courses and all grades at once", async () => {
      await opened.visit("/departments/COMPSCI");
      await sees("main", "Robin Amberley");
      const asked = await opened.page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
      );
      // The header asks for the week.
      expect(asked.filter((path) => path.startsWith("/v1/rest/") && !path.endsWith("/week")).sort()).toEqual(
        ["courses", "grades/aggregateByCourse", "instructors", "schedule"].map((path) => `/v1/rest/${path}`),
      );
    });

    it("a code with a slash, no name, no grades; filters that find nothing; a department that is not there", async () => {
      const page = await opened.visit("/departments/CRM%2FLAW");
      await sees("h1", "CRM/LAW");
      await sees("tbody", "never");
      await page.getByLabel("Division").selectOption("Graduate");
      await sees("main", "No matching courses.");
      await page.getByRole("button", { name: "Show all 1" }).click();
      await sees("caption", "1 course");
      await opened.visit("/departments/NOPE");
      await sees("main", "No courses found for department “NOPE”");
      expect(await text("h1")).toContain("NOPE");
      opened.allow(404);
    });

    it("everything can be seen, read and hit, light and dark, wide and narrow", async () => {
      const page = await opened.visit("/departments/COMPSCI?division=UpperDiv&units=4");
      await sees("main", "Robin Amberley");
      expect(await faultsOf(page)).toEqual([]);
    });
  },
  departmentWorld,
);
