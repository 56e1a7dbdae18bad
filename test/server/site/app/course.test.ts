/** The view of a course in a real browser: each answer is compared with what the API says, and is three steps from home at most. */
import type { Request } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { dayIn, courseWorld } from "./course-world.ts";
import { faultsOf } from "./page-faults.ts";

type World = Awaited<ReturnType<typeof courseWorld>>;

interface Grades {
  readonly averageGPA: number;
  readonly [count: `grade${string}Count`]: number;
}

describeInBrowser<World>(
  "a course",
  (opened) => {
    const { sees, text } = opened;
    const main = () => opened.page.locator("main");

    /** From home, by keyboard alone. */
    async function find(): Promise<void> {
      await opened.visit("/");
      await opened.search("compsci 161");
      await sees("h1", "Design and Analysis");
      expect(await opened.page.evaluate("document.activeElement?.tagName")).toBe("H1");
    }
    /** Charts come when the reader comes near. */
    async function scrollThrough(): Promise<void> {
      await opened.page.locator(".later").first().scrollIntoViewIfNeeded();
      await opened.page.locator("figure svg").nth(1).waitFor();
      await opened.page.locator("h2", { hasText: "How fast it fills" }).scrollIntoViewIfNeeded();
      await opened.page.locator("figure svg").nth(2).waitFor();
    }
    const address = () => new URL(opened.page.url()).searchParams;

    it("says what it is: name, units, division, department, description, numbers", async () => {
      await opened.visit("/courses/COMPSCI161");
      await sees(".heroes", "average grade");
      expect(await text("h1")).toBe("COMPSCI 161 Design and Analysis of Algorithms");
      expect(await opened.page.title()).toContain("COMPSCI 161 · Design and Analysis of Algorithms");
      expect(await text(".facts")).toBe("4 units · Upper division · Computer Science · School of Computing");
      expect(await main().getByRole("link", { name: "Computer Science" }).getAttribute("href")).toContain(
        "/departments/COMPSCI",
      );
      const { gradeDistribution: all } = await opened.world.json<{ gradeDistribution: Grades }>(
        "/grades/aggregate?department=COMPSCI&courseNumber=161",
      );
      const heroes = await text(".heroes");
      expect(heroes).toContain(`${all.averageGPA.toFixed(2)} average grade`);
      const letters = ["A", "B", "C", "D", "F"].map((grade) => all[`grade${grade}Count`] ?? 0);
      const lettered = letters.reduce((sum, one) => sum + one);
      expect(heroes).toContain(`${Math.round((100 * (letters[0] ?? 0)) / lettered)}% of letter grades are A`);
      expect(heroes).toContain(`${lettered} letter grades since 2018`);
      expect(heroes).toContain("Fall usually offered");
      await sees(".heroes", "to fill in Fall 2023");
      expect(await text(".heroes")).toContain("9 days to fill in Fall 2023");
      expect(await text("p.text")).not.toContain("The <b>last sentence.");
      await main().getByRole("button", { name: "more" }).click();
      // Text of a catalogue is text, also where it looks like markup.
      expect(await text("p.text")).toContain("The <b>last</b> sentence.");
    });

    it("5. prerequisites and what the course unlocks, unfolded step by step, circles included", async () => {
      await find();
      const course = await opened.world.json<{ prerequisiteList: string[]; prerequisiteFor: string[] }>(
        "/courses/COMPSCI161",
      );
      const before = main().getByRole("region", { name: "Prerequisites" });
      const after = main().getByRole("region", { name: "Unlocks" });
      const tree = async () => (await before.innerText()).replaceAll(/\s+/g, " ");
      // Both parts may come after the page.
      await expect.poll(() => after.getByRole("link").allInnerTexts()).toEqual(course.prerequisiteFor);
      await expect
        .poll(tree)
        .toMatch(
          /all of COMPSCI 46 min grade C \+ one of MATH 2B \+ AP CALCULUS BC min score 4 COMPSCI 6 corequisite \+ Senior standing only not with COMPSCI H161/,
        );
      for (const name of course.prerequisiteList) expect(await tree()).toContain(name);
      // Exams and conditions have no view of their own.
      expect(await before.getByRole("link", { name: "AP CALCULUS BC" }).count()).toBe(0);

      await after.getByRole("button", { name: "Unlocks: COMPSCI 162" }).focus();
      await opened.page.keyboard.press("Enter");
      const next = after.getByRole("button", { name: "Unlocks: COMPSCI 163" });
      await next.waitFor();
      expect(await after.innerText()).toContain("Title of 162");
      await next.focus();
      await opened.page.keyboard.press("Enter");
      await after.getByText("see above").waitFor();
      expect(await after.getByRole("link", { name: "COMPSCI 161" }).count()).toBe(1);
      await before.getByRole("button", { name: "Prerequisites: COMPSCI 46" }).click();
      await before.getByRole("button", { name: "Prerequisites: COMPSCI 45" }).click();
      await before.getByText("see above").waitFor();
      expect([address().get("after"), address().get("before")]).toEqual([
        "COMPSCI162,COMPSCI163",
        "COMPSCI46,COMPSCI45",
      ]);
      await opened.page.reload();
      await after.getByText("see above").waitFor();
      await after.getByRole("link", { name: "COMPSCI 164" }).click();
      await sees("h1", "Title of 164");
    });

    it("6. how fast it filled: past terms over the running one, the week in words, gaps as gaps", async () => {
      await find();
      await sees(".fill-terms", "Fall 2024");
      const row = async (term: string) =>
        (await opened.page.locator(".fill-terms tr", { hasText: term }).innerText()).replaceAll(/\s+/g, " ");
      const records = await opened.world.json<
        { year: string; sectionCode: number; dates: string[]; totalEnrolledHistory: string[] }[]
      >("/enrollmentHistory?department=COMPSCI&courseNumber=161");
      const firstFull = (year: string) => {
        const record = records.find((one) => one.year === year && one.sectionCode === 34_130);
        return record?.dates[record.totalEnrolledHistory.findIndex((taken) => Number(taken) >= 100)];
      };
      const long = (date = "") =>
        new Date(date).toLocaleDateString("en-US", {
          day: "numeric",
          month: "short",
          year: "numeric",
          timeZone: "UTC",
        });
      expect(firstFull("2023")).toBe(dayIn("2023 Fall", -42));
      expect(await row("Fall 2023")).toContain(
        `filled in 9 days, 6 weeks before instruction (${long(firstFull("2023"))})`,
      );
      expect(await row("Fall 2022")).toContain(`4 weeks before instruction (${long(firstFull("2022"))})`);
      expect(await row("Fall 2022")).toContain(`${long(dayIn("2022 Fall", -49))} to `);
      // The cancelled lecture and the discussion do not count.
      await scrollThrough();
      expect(await row("Fall 2024")).toMatch(/not full yet 90 of 100 seats/);
      const chart = opened.page.locator("figure", { hasText: "Fall 2024: not full yet, 90% of seats taken by" });
      await chart.locator("svg").waitFor();
      expect(await chart.locator("svg").textContent()).toContain("Weeks from the first day of instruction");
      expect(await chart.locator(".full circle").count()).toBe(2);
      // Fall 2022 is two lines.
      const lines = chart.locator("g[fill=none] path");
      expect(await lines.count()).toBe(4);
      await chart.locator(".drawing").focus();
      await opened.page.keyboard.press("Home");
      await opened.page.keyboard.press("ArrowRight");
      // Two lectures with 50 and 4 of 100 seats each.
      await sees("figure [role=status]", "Fall 2024: 27% of seats taken 54 of 200 seats");
      expect(await chart.locator("svg").textContent()).toContain("54 of 200 seats");
      await main().getByRole("button", { name: "Seats" }).click();
      await opened.page.waitForURL(/fill=seats/);
    });

    it("10. every state is an address: the term and the section; only terms with the course are offered", async () => {
      await find();
      const terms = opened.page.getByRole("combobox", { name: "Term of the sections" });
      await terms.locator("option", { hasText: "Spring 2025" }).waitFor({ state: "attached" });
      expect(await terms.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value")))).toEqual([
        "2025 Spring",
        "2025 Winter",
        "2024 Fall",
        "2023 Fall",
        "2022 Fall",
      ]);
      await terms.selectOption("2023 Fall");
      await opened.page.waitForURL(/term=2023\+Fall/);
      await sees(".sections caption", "1 section in Fall 2023");
      await opened.visit("/courses/COMPSCI161?term=2024+Fall&section=34131");
      await opened.page.locator(".sections [aria-current=true]", { hasText: "34131" }).waitFor();
      // A cancelled section is shown, struck through, and never as open.
      const cancelled = opened.page.locator(".sections tr.cancelled", { hasText: "34140" });
      expect(await cancelled.innerText()).toMatch(/cancelled/);
      expect(await cancelled.innerText()).not.toMatch(/open/);
      expect(
        await opened.page.evaluate(
          `getComputedStyle(document.querySelector(".sections tr.cancelled th")).textDecorationLine`,
        ),
      ).toBe("line-through");
      // A term without the course: the next one with it, and a word about that.
      await opened.visit("/courses/COMPSCI161?term=2021+Spring");
      await sees("main", "COMPSCI 161 is not offered in Spring 2021. Showing Winter 2025.");
    });

    it("one menu names the source of every part", async () => {
      await opened.visit("/courses/COMPSCI161");
      await sees(".fill-terms", "Fall 2024");
      await scrollThrough();
      const links = await main()
        .locator(".source a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect([await main().locator(".source").count(), links.length]).toEqual([1, 3 * 6]);
      for (const link of new Set(links))
        expect([link, (await opened.context.request.get(opened.world.url + link)).status()]).toEqual([link, 200]);
    });

    it("a course of which little is known, and one that is not there", async () => {
      await opened.visit("/courses/CRM%2FLAWC7");
      await sees("main", "CRM/LAW C7 is not offered in any published term.");
      for (const words of ["No grades published", "No prerequisites.", "Unlocks no other course."])
        await sees("main", words);
      await sees("main", "No enrollment has been recorded for this course yet.");
      await opened.visit("/courses/NOTHING1");
      await sees("[role=alert]", 'Course "NOTHING1" not found');
      expect(await text("h1")).toBe("NOTHING1");
      opened.allow(404);
    });

    it("everything can be seen, read and hit, light and dark; nothing is scrolled sideways at 320 pixels but tables in their boxes", async () => {
      const page = await opened.open(
        "/courses/COMPSCI161?term=2024+Fall&by-year=AMBERLEY,+R.&after=COMPSCI162&few=all&show=count",
        {
          viewport: { width: 320, height: 640 },
        },
      );
      await page.locator(".fill-terms").waitFor();
      await scrollThrough();
      await page.locator(".few").waitFor();
      await opened.page.locator(".sections tr.cancelled", { hasText: "34140" }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });

    it("a first visit takes at most 160 kB", async () => {
      await opened.open("/health");
      const requests: Request[] = [];
      opened.context.on("requestfinished", (request) => requests.push(request));
      /** Bodies, as they were sent. */
      const bytes = async () => {
        const sizes = await Promise.all(requests.map((request) => request.sizes()));
        return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
      };
      await opened.page.goto(`${opened.world.url}/courses/COMPSCI161`);
      await sees(".fill-terms", "Fall 2024");
      await opened.page.waitForLoadState("networkidle");
      expect(await bytes()).toBeLessThanOrEqual(60_000);
      await scrollThrough();
      await opened.page.waitForLoadState("networkidle");
      const whole = await bytes();
      expect(whole).toBeGreaterThan(90_000);
      expect(whole).toBeLessThanOrEqual(160_000);
      opened.allow(404);
    });
  },
  courseWorld,
);
