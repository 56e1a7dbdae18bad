/** One person in a real browser: sections by term, and grades, compared with the API. */
import { expect, it } from "vitest";
import type { z } from "zod";
import type { SHAPES } from "../../../../server/response/shapes/shapes.ts";
import { describeInBrowser } from "./opened-page.ts";
import { type DepartmentWorld, departmentWorld } from "./department-world.ts";
import { faultsOf } from "./page-faults.ts";

type Grades = z.infer<(typeof SHAPES)["RawGrades"]["schema"]>;
type CourseGrades = z.infer<(typeof SHAPES)["CourseGrades"]["schema"]>;
type Person = z.infer<(typeof SHAPES)["Instructor"]["schema"]>;

const lettersOf = (row: CourseGrades[number] | Grades[number]) =>
  row.gradeACount + row.gradeBCount + row.gradeCCount + row.gradeDCount + row.gradeFCount;

describeInBrowser<DepartmentWorld>(
  "a person",
  (opened) => {
    const { sees, text } = opened;
    const rowOf = async (course: string) =>
      (await opened.page.locator("table.sortable tbody tr", { hasText: course }).innerText()).split("\t");

    it("by keyboard: who teaches it next, and how did they grade before, beside the course", async () => {
      const page = await opened.visit("/");
      await opened.search("amberley");
      await sees("h1", "Robin Amberley");
      // The term of the site first, with what is cancelled; other terms are a step away.
      await sees("table.sections caption", "in Fall 2024");
      expect(await text("table.sections >> nth=0")).toContain("COMPSCI 101");
      expect(await text("table.sections >> nth=0 >> tr.cancelled")).toContain("cancelled");
      await page.getByRole("list", { name: "Other terms" }).getByRole("link", { name: "Winter 2025" }).click();
      await sees("table.sections caption", "in Winter 2025");
      expect(await text("table.sections >> nth=0")).toContain("COMPSCI 103");
      await page.goBack();

      const [person, grades, courses] = await Promise.all([
        opened.world.json<Person>("/instructors/ramberley"),
        opened.world.json<Grades>("/grades/raw?instructor=AMBERLEY,%20R."),
        opened.world.json<CourseGrades>("/grades/aggregateByCourse?department=COMPSCI"),
      ]);
      const own = grades.filter(({ courseNumber }) => courseNumber === "101");
      const all = courses.find(({ courseNumber }) => courseNumber === "101");
      const mean = (own.reduce((sum, { averageGPA }) => sum + averageGPA, 0) / own.length).toFixed(2);
      // Two requests of their own.
      await expect
        .poll(async () => (await rowOf("COMPSCI 101")).slice(4, 6))
        .toEqual([mean, all?.averageGPA.toFixed(2)]);
      const [name, taught, , students] = await rowOf("COMPSCI 101");
      expect([name, taught]).toEqual(["COMPSCI 101", String(person.courseHistory["COMPSCI 101"]?.length)]);
      const [letters, passes] = [
        own.reduce((sum, row) => sum + lettersOf(row), 0),
        own.reduce((sum, row) => sum + row.gradePCount, 0),
      ];
      expect(students).toBe(`${letters}${passes > 0 ? ` + ${passes} P` : ""}`);
      const given = own.reduce((sum, row) => sum + row.gradeACount, 0);
      const bar = `A ${((100 * given) / (letters + passes)).toFixed(0)}% (${given})`;
      expect(await page.getByRole("img", { name: bar }).count()).toBe(1);
      await sees("figure", "Average by year");
      // Controls of writing direction in a name or a title end with it.
      const directions: unknown = await page.evaluate(
        `[...new Set([...document.querySelectorAll("main p.quiet bdi, main td a, main span")].map((one) => getComputedStyle(one).unicodeBidi))]`,
      );
      expect(directions).toEqual(["isolate"]);
    });

    it("fewer than 20 students are no bar, and courses without grades say so", async () => {
      await opened.visit("/instructors/ramberley?sort=course");
      await sees("table.sortable", "COMPSCI 102");
      expect((await rowOf("COMPSCI 102")).slice(3)).toEqual([
        "9",
        "–",
        expect.any(String),
        "fewer than 20 letter grades",
        "",
      ]);
      expect((await rowOf("COMPSCI 104")).slice(3, 5)).toEqual(["0", "–"]);
      expect((await rowOf("COMPSCI 104")).at(-2)).toBe("no grades");
      expect((await opened.page.locator("table.sortable tbody th").allInnerTexts()).toSorted()).toEqual(
        await opened.page.locator("table.sortable tbody th").allInnerTexts(),
      );
    });

    it("without grades and sections; of a shared name; without a directory entry; unknown", async () => {
      await opened.visit("/instructors/newcomer");
      await sees("h1", "Nora Ålund-Øre");
      await sees("main", "No courses on record.");
      await sees("main", "No sections in Fall 2024.");

      await opened.visit("/instructors/twina");
      await sees("main", "only show “TWIN, T.”, a name that 2 people share. 1 section below may be someone else’s.");
      await sees("table.sortable", "COMPSCI 103");

      // Who is meant follows from the department.
      await opened.visit("/instructors/paira?term=2025+Winter");
      await sees("table.sections", "COMPSCI 106");
      await sees("table.sortable", "COMPSCI 106");
      expect(await text("main")).not.toContain("share");
      await opened.visit("/instructors/pairb");
      await sees("main", "No courses on record.");
      await sees("main", "No sections in Fall 2024.");

      await opened.visit("/instructors/NOBODY%2C%20N.?term=2025+Winter");
      await sees("h1", "N. Nobody");
      await sees("main", "No one with this name is in the directory.");
      await sees("table.sections", "COMPSCI 104");
      await sees("table.sortable", "COMPSCI 103");
      opened.allow(404);

      await opened.visit("/instructors/stranger");
      await sees("h1", "stranger");
      await sees("main", "not found");
      opened.allow(404);
    });

    it("everything can be seen, read and hit, light and dark, wide and narrow", async () => {
      const page = await opened.visit("/instructors/ramberley");
      await sees("figure", "Average by year");
      await sees("[aria-label='Other terms']", "Winter 2025");
      expect(await faultsOf(page)).toEqual([]);
    });
  },
  departmentWorld,
);
