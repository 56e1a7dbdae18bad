/** Two curves on one axis, in a real browser: an instructor beside all, and a course beside another one, as the API has them. */
import { expect, it } from "vitest";
import { courseWorld } from "./course-world.ts";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";

type Counts = Readonly<Record<`grade${string}Count`, number>>;
const LETTERS = ["A", "B", "C", "D", "F"];

describeInBrowser<Awaited<ReturnType<typeof courseWorld>>>(
  "a comparison",
  (opened) => {
    const figure = (words: string) => opened.page.locator("figure", { hasText: words });
    const table = async (words: string) =>
      (await figure(words).locator("tbody tr").allInnerTexts()).map((row) => row.split("\t").slice(1));
    /** Shares of letter grades, with their numbers, from the sums of the API. */
    const sharesOf = async (query: string) => {
      const rows = await opened.world.json<Counts[]>(`/grades/raw?department=COMPSCI&${query}`);
      const sums = LETTERS.map((letter) => rows.reduce((sum, row) => sum + (row[`grade${letter}Count`] ?? 0), 0));
      const all = sums.reduce((a, b) => a + b, 0);
      return sums.map((sum) => `${((100 * sum) / all).toFixed(0)}% (${sum})`);
    };
    const openTable = (words: string) => figure(words).locator("summary", { hasText: "Data table" }).click();
    /** The colours of the lines and their dashes, from the first series. */
    const lines = (words: string) =>
      opened.page.evaluate<string[][]>(`
        [...document.querySelectorAll("figure")]
          .filter((figure) => figure.textContent.includes(${JSON.stringify(words)}))
          .flatMap((figure) => [...figure.querySelectorAll("g[fill=none][stroke-width]")])
          .map((line) => getComputedStyle(line.querySelector("path") ?? line))
          .map(({ stroke, strokeDasharray }) => [stroke, strokeDasharray])`);

    it("one instructor is compared with everyone from the start", async () => {
      const page = await opened.visit("/courses/COMPSCI161");
      await page.getByRole("button", { name: "Compare: AMBERLEY, R." }).click();
      const title = "R. Amberley and Everyone";
      await openTable(title);
      const [theirs, all] = await Promise.all([
        sharesOf("courseNumber=161&instructor=AMBERLEY,%20R."),
        sharesOf("courseNumber=161"),
      ]);
      expect(await table(title)).toEqual(LETTERS.map((_letter, i) => [theirs[i], all[i]]));
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const looks = await lines(title);
        expect(looks.length).toBe(2);
        for (const i of [0, 1]) expect(looks[0]?.[i]).not.toBe(looks[1]?.[i]);
      }
    });

    it("a course is compared with another one, as people type it: grades, and seats of the same term in one unit", async () => {
      const page = await opened.visit("/courses/COMPSCI161?term=2024+Fall");
      await page.locator("#fill").scrollIntoViewIfNeeded();
      await page.getByLabel("Compare with").fill("compsci 162");
      await page.keyboard.press("Enter");
      await page.waitForURL(/with=compsci\+162/);
      const title = "COMPSCI 161 and COMPSCI 162";
      await openTable(title);
      const [mine, theirs] = await Promise.all([sharesOf("courseNumber=161"), sharesOf("courseNumber=162")]);
      expect(await table(title)).toEqual(LETTERS.map((_letter, i) => [mine[i], theirs[i]]));
      const seats = "Seats taken in Fall 2024";
      await openTable(seats);
      const [record] = await opened.world.json<Record<"totalEnrolledHistory" | "maxCapacityHistory", string[]>[]>(
        "/enrollmentHistory?department=COMPSCI&courseNumber=162&year=2024&quarter=Fall",
      );
      const [taken, all] = [record?.totalEnrolledHistory.at(-1), record?.maxCapacityHistory.at(-1)];
      expect((await table(seats)).at(-1)).toEqual(["90% (90 of 100)", `${taken}% (${taken} of ${all})`]);
      expect(await figure(seats).locator("svg").textContent()).toContain("COMPSCI 162");
      const looks = await lines(seats);
      expect(new Set(looks.map(([stroke]) => stroke)).size).toBe(2);
      expect(new Set(looks.map(([, dash]) => dash)).size).toBe(2);
      expect(await faultsOf(page)).toEqual([]);
      // Only the schedule has it.
      expect((await opened.world.get("/courses/DANCE10")).status).toBe(404);
      await page.getByLabel("Compare with").fill("dance 10");
      await page.keyboard.press("Enter");
      await opened.sees("main", "COMPSCI 161 and DANCE 10");
      await opened.sees("main", "DANCE 10: fewer than");
      await page.getByLabel("Compare with").fill("nothing 1");
      await page.keyboard.press("Enter");
      await opened.sees("[role=alert]", "not found");
      opened.allow(404);
    });
  },
  courseWorld,
);
