/** The term and the counts of every page, in week 1, week 9, finals, break and summer: as SQL over the published files has them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import type { CalendarDate, TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import { isWhole } from "../../../support/extent.ts";
import { runSql } from "../../../support/run-sql.ts";
import { termTitle } from "../../../../server/site/app/data/term-names.ts";
import { plural } from "../../../../server/site/app/format.ts";
import { campusToday } from "../../../../pipeline/contract/campus-time.ts";
import { publishRows } from "../../../support/published/published.ts";
import { courseRow } from "../../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { describeWithOwnCampus } from "./opened-page.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number): string => campusToday(new Date(Date.now() + days * DAY_MS));

/** Terms by the days until instruction begins. Enrollment begins 49 days earlier; finals end 78 days later. */
type Begins = Readonly<Record<"Fall" | "Winter" | "Spring" | "Summer1", number>>;
const YEARS = { Fall: "2024", Winter: "2025", Spring: "2025", Summer1: "2025" } as const;
const QUARTERS = ["Fall", "Winter", "Spring", "Summer1"] as const;

/** `walkedBy`: whether the reader is a new student whose pages are looked at. */
const SITUATIONS: readonly (readonly [name: string, walkedBy: boolean | undefined, begins: Begins, term: string])[] = [
  ["week 1", true, { Fall: -4, Winter: 98, Spring: 182, Summer1: 266 }, "2024 Fall"],
  ["week 5", undefined, { Fall: -32, Winter: 70, Spring: 154, Summer1: 238 }, "2024 Fall"],
  ["week 9, the next term enrolls", false, { Fall: -62, Winter: 40, Spring: 124, Summer1: 208 }, "2025 Winter"],
  ["finals", undefined, { Fall: -74, Winter: 28, Spring: 112, Summer1: 196 }, "2025 Winter"],
  ["break", undefined, { Fall: -90, Winter: 12, Spring: 96, Summer1: 180 }, "2025 Winter"],
  ["summer", true, { Fall: -300, Winter: -200, Spring: -116, Summer1: -20 }, "2025 Summer1"],
  ["after the last term", undefined, { Fall: -400, Winter: -300, Spring: -200, Summer1: -100 }, "2025 Summer1"],
];

/** What the schedule says of the seats of each section; every term has a cancelled one beside them. */
const STATUSES = {
  Fall: ["OPEN", "NewOnly", "FULL"],
  Winter: ["OPEN", "NewOnly", "Waitl", "OPEN"],
  Spring: ["OPEN", "FULL", "FULL", "NewOnly", "OPEN"],
  Summer1: ["OPEN", "OPEN", "NewOnly", "OPEN", "Waitl", "FULL"],
} as const;
const CANCELLED = "19999";

const sections = QUARTERS.flatMap((quarter) => {
  const inTerm = { year: YEARS[quarter], quarter, restrictions: "" };
  return [
    ...STATUSES[quarter].map((status, n) =>
      sectionRow({
        ...inTerm,
        sectionCode: String(10_000 + n),
        status,
        numNewOnlyReserved: status === "OPEN" ? "5" : "",
      }),
    ),
    sectionRow({ ...inTerm, sectionCode: CANCELLED, cancelled: true }),
  ];
});
const courses = [courseRow({ terms: QUARTERS.map((quarter) => `${YEARS[quarter]} ${quarter}`) })];

interface Counts {
  readonly held: number;
  /** To the reader. */
  readonly open: number;
  readonly seats: number;
}

/** What the pages of the site say of the seats of a term. */
const PAGES: Readonly<Record<string, readonly [selector: string, words: (counts: Counts) => string][]>> = {
  "/": [
    [".card", ({ open }) => `${open} open section`],
    [".card", ({ held }) => `of ${held}`],
  ],
  "/find?q=open+dance": [["h1", ({ open }) => plural(open, "open DANCE section")]],
  "/find?department=DANCE": [["h1", ({ held }) => `${held} DANCE sections, and 1 cancelled`]],
  "/courses/DANCE10": [
    [".course-verdict", ({ open, held }) => `${open} of ${held} sections open`],
    [".course-verdict", ({ seats }) => plural(seats, "seat")],
  ],
};

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
        ...{ year: YEARS[quarter], quarter, event: "Enrollment begins", kind: "enrollment" },
        ...{ firstDay: day, lastDay: day },
      };
    });
    const { id } = await publishRows(browser.world.artifacts, {
      ...{ calendar, calendar_dates, courses, sections, headings: headingsOf(sections) },
    });
    while (((await (await fetch(`${browser.world.url}/`)).json()) as { snapshot: { id: string } }).snapshot.id !== id)
      await setTimeout(50);
  }

  /** Counts in the published files. */
  async function countIn(term: string, isNew: boolean): Promise<Counts> {
    const [year, quarter] = term.split(" ");
    const [left, reserved] = [
      "maxCapacity::int - numCurrentlyEnrolled.totalEnrolled::int",
      "coalesce(try_cast(numNewOnlyReserved as int), 0)",
    ];
    const open = isNew ? "status in ('OPEN', 'NewOnly')" : "status = 'OPEN'";
    const statement = `select count(*) as held, count(*) filter (${open}) as open,
        sum(${left} - ${isNew ? "0" : reserved}) filter (${open}) as seats
      from sections where year = '${year}' and quarter = '${quarter}' and not cancelled`;
    let csv = "";
    const tempFolder = await mkdtemp(join(tmpdir(), "counts-"));
    for await (const part of runSql(browser.world.artifacts, statement, "csv", { tempFolder })) csv += part;
    await rm(tempFolder, { recursive: true });
    const [held = 0, all = 0, seats = 0] = csv.split("\n")[1]?.split(",").map(Number) ?? [];
    return { held, open: all, seats };
  }

  it.each(SITUATIONS)(
    "%s: every page has the term, and the counts that SQL has",
    async (_name, walkedBy, begins, term) => {
      await publishCalendar(begins);
      const { snapshot } = (await (await fetch(`${browser.world.url}/`)).json()) as { snapshot: { term: string } };
      expect(snapshot.term).toBe(term);
      expect(await (await fetch(`${browser.world.url}/llms.txt`)).text()).toContain(
        `Students are choosing classes for ${term}`,
      );
      // Pages have the term from the server: on the other days they look alike.
      const readers = isWhole ? [false, true] : [walkedBy].filter((one) => one !== undefined);
      if (readers.length === 0) return;
      const page = await browser.visit("/");
      await browser.sees("h1", `What do you want to take in ${termTitle(term)}?`);
      for (const isNew of readers) {
        const counts = await countIn(term, isNew);
        await page.evaluate(`localStorage.setItem("new-student", "${Number(isNew)}")`);
        for (const [path, said] of Object.entries(PAGES)) {
          await page.goto(browser.world.url + path);
          for (const [selector, words] of said) await browser.sees(selector, words(counts));
          const choice = page.getByRole("combobox", { name: "Term", exact: true });
          await choice.waitFor();
          expect([path, await choice.inputValue()]).toEqual([path, term]);
        }
      }
    },
  );

  it("a search chooses its term, shows it as a chip, and says where matches are if it has none", async () => {
    await publishCalendar(SITUATIONS[2]?.[2] as Begins);
    const page = await browser.visit("/find?q=full+dance+fall");
    const withTerm = page.getByRole("link", { name: "Remove Fall 2024" });
    await withTerm.waitFor();
    expect(new URL(page.url()).searchParams.get("term")).toBe("2024 Fall");
    await page.goto(`${browser.world.url}/find?q=${encodeURIComponent("dance mornings sp25")}`);
    await browser.sees("h1", `${STATUSES.Spring.length} DANCE sections before noon`);
    await page.getByRole("link", { name: "Remove Spring 2025" }).click();
    await browser.sees("h1", `${STATUSES.Winter.length} DANCE sections before noon`);

    await page.goto(`${browser.world.url}/find?department=DANCE&sectionCodes=10004`);
    await browser.sees("main", "No matches in Winter 2025.");
    await page.getByRole("link", { name: "1 section in Spring 2025" }).click();
    await browser.sees("h1", "1 DANCE section");
    await page.locator("header").getByRole("combobox", { name: "Search courses" }).fill("dance 10 fall");
    await page.keyboard.press("Enter");
    await page.waitForURL(/courses\/DANCE10\?term=2024\+Fall/);
  });
});
