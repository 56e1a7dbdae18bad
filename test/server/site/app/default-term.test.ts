/** The term of every page, search and assistant, in week 1, week 9, finals, break and summer, by the published calendar. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import type { CalendarDate, TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import { campusToday } from "../../../../pipeline/contract/campus-time.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { describeWithOwnCampus } from "./opened-page.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number): string => campusToday(new Date(Date.now() + days * DAY_MS));

/** Terms by the days until instruction begins. Enrollment begins 49 days earlier; finals end 78 days later. */
type Begins = Readonly<Record<"Fall" | "Winter" | "Spring", number>>;
const YEARS = { Fall: "2024", Winter: "2025", Spring: "2025" } as const;
const QUARTERS = ["Fall", "Winter", "Spring"] as const;

const SITUATIONS: readonly (readonly [name: string, begins: Begins, title: string])[] = [
  ["week 1", { Fall: -4, Winter: 98, Spring: 182 }, "Fall 2024"],
  ["week 5", { Fall: -32, Winter: 70, Spring: 154 }, "Fall 2024"],
  ["week 9, the next term enrolls", { Fall: -62, Winter: 40, Spring: 124 }, "Winter 2025"],
  ["finals", { Fall: -74, Winter: 28, Spring: 112 }, "Winter 2025"],
  ["break", { Fall: -90, Winter: 12, Spring: 96 }, "Winter 2025"],
  ["summer, after the last term", { Fall: -400, Winter: -300, Spring: -200 }, "Spring 2025"],
];

/** The situations of three terms. */
const SEEN = ["week 1", "finals", "summer, after the last term"];

const sections = QUARTERS.flatMap((quarter, i) =>
  Array.from({ length: i + 1 }, (_, n) =>
    sectionRow({ year: YEARS[quarter], quarter, sectionCode: String(10_000 + n), status: n === 0 ? "OPEN" : "FULL" }),
  ),
);

describeWithOwnCampus("the term that students choose classes for", (browser) => {
  async function publishCalendar(begins: Begins): Promise<void> {
    const calendar = QUARTERS.map((quarter): TermDates => {
      const start = begins[quarter];
      return {
        ...{ year: YEARS[quarter], quarter, instructionStart: inDays(start), instructionEnd: inDays(start + 70) },
        ...{ finalsStart: inDays(start + 72), finalsEnd: inDays(start + 78) },
      };
    });
    const calendar_dates = QUARTERS.map((quarter): CalendarDate => {
      const day = inDays(begins[quarter] - 49);
      return {
        year: YEARS[quarter],
        quarter,
        event: "Enrollment begins",
        kind: "enrollment",
        firstDay: day,
        lastDay: day,
      };
    });
    const { id } = await publishRows(browser.world.artifacts, {
      ...{ calendar, calendar_dates, sections, headings: headingsOf(sections) },
    });
    while (((await (await fetch(`${browser.world.url}/`)).json()) as { snapshot: { id: string } }).snapshot.id !== id)
      await setTimeout(50);
  }

  it.each(SITUATIONS)("%s", async (name, begins, title) => {
    await publishCalendar(begins);
    const [quarter = "", year = ""] = title.split(" ");
    const term = `${year} ${quarter}`;
    const { snapshot } = (await (await fetch(`${browser.world.url}/`)).json()) as { snapshot: { term: string } };
    expect(snapshot.term).toBe(term);
    expect(await (await fetch(`${browser.world.url}/llms.txt`)).text()).toContain(
      `Students are choosing classes for ${term}`,
    );

    // The page has the term from the server.
    if (!SEEN.includes(name)) return;
    const page = await browser.visit("/");
    await browser.sees(".card h2", title);
    const open = await browser.world.json<{ rows: number }>(
      `/schedule?year=${year}&quarter=${quarter}&fullCourses=SkipFull&cacheOnly=true&explain=true`,
    );
    await browser.sees(".card", `${open.rows} open`);
    for (const path of ["/find?department=DANCE", "/plan"]) {
      await page.goto(browser.world.url + path);
      const choice = page.getByRole("combobox", { name: "Term", exact: true });
      await choice.waitFor();
      expect(await choice.inputValue()).toBe(term);
    }
    await page.goto(`${browser.world.url}/find?q=${encodeURIComponent("open dance")}`);
    await browser.sees("h1", `${open.rows} open DANCE section`);
    expect(await page.title()).toContain(title);
  });

  it("a search chooses its term, shows it as a chip, and says where matches are if it has none", async () => {
    await publishCalendar(SITUATIONS[2]?.[1] as Begins);
    const page = await browser.visit("/find?q=full+dance+fall");
    const withTerm = page.getByRole("link", { name: "Remove Fall 2024" });
    await withTerm.waitFor();
    expect(new URL(page.url()).searchParams.get("term")).toBe("2024 Fall");
    await page.goto(`${browser.world.url}/find?q=${encodeURIComponent("dance mornings sp25")}`);
    await browser.sees("h1", "3 DANCE sections before noon");
    await page.getByRole("link", { name: "Remove Spring 2025" }).click();
    await browser.sees("h1", "2 DANCE sections before noon");

    await page.goto(`${browser.world.url}/find?department=DANCE&sectionCodes=10002`);
    await browser.sees("main", "No matches in Winter 2025.");
    await page.getByRole("link", { name: "1 section in Spring 2025" }).click();
    await browser.sees("h1", "1 DANCE section");
    await page.locator("header").getByRole("combobox", { name: "Search courses" }).fill("dance 10 fall");
    await page.keyboard.press("Enter");
    await page.waitForURL(/courses\/DANCE10\?term=2024\+Fall/);
  });
});
