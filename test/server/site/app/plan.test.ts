/** The plan in a real browser: clashes with finals, where it is kept, whose it is, and how it gets into a calendar. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Time } from "../../../../pipeline/contract/rows/section.ts";
import { eventsIn, seenByCampus } from "../../response/representations/read-calendar.ts";
import { describeInBrowser } from "./opened-page.ts";
import { violationsOf } from "./axe.ts";
import { openPlanWorld, type PlanWorld, servedSections, type ServedSection } from "./plan-world.ts";

const plan = (...codes: string[]) => `/plan?term=2024+Fall&sections=${codes.join(",")}`;
const MINUTES_A_DAY = 1440;

const minutes = ({ hour, minute }: Time) => hour * 60 + minute;

/** Minutes since the beginning of a week, or of December, in which a section meets, or has its final. */
const weekMinutes = ({ meetings }: ServedSection): Set<number> =>
  new Set(
    meetings.flatMap(({ days, startTime, endTime }) =>
      (days?.match(/Su|M|Tu|W|Th|F|Sa/g) ?? []).flatMap((day) => {
        const begin = ["Su", "M", "Tu", "W", "Th", "F", "Sa"].indexOf(day) * MINUTES_A_DAY;
        if (!startTime || !endTime) return [];
        return range(begin + minutes(startTime), begin + minutes(endTime));
      }),
    ),
  );
const finalMinutes = ({ finalExam: { day, startTime, endTime } }: ServedSection): Set<number> =>
  new Set(
    day === null || !startTime || !endTime
      ? []
      : range(day * MINUTES_A_DAY + minutes(startTime), day * MINUTES_A_DAY + minutes(endTime)),
  );
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describeInBrowser<PlanWorld>(
  "the plan",
  (opened) => {
    const { sees, text } = opened;
    const stored = () => opened.page.evaluate<string | null>("localStorage.getItem('plans')");
    const listed = () => opened.page.locator(".plan-list > li").count();

    describe("clashes", () => {
      it("by keyboard: Plan, and the codes: the verdict agrees with the API, finals included", async () => {
        const page = await opened.open("/");
        await page.getByRole("link", { name: "Plan" }).focus();
        await page.keyboard.press("Enter");
        await sees("main", "Nothing is planned for Fall 2024 yet");
        const codes = ["34130", "34131", "04204", "04205"];
        for (const code of codes) {
          await page.getByLabel("Add a section by its code").focus();
          await page.keyboard.type(code);
          await page.keyboard.press("Enter");
          await sees(".plan-list .name", code);
        }
        const sections = await servedSections(opened.world, ...codes);
        const [clashes, finalClashes] = [weekMinutes, finalMinutes].map((minutesOf) =>
          sections.flatMap((a, i) =>
            sections.slice(i + 1).flatMap((b) => {
              const both = [...minutesOf(a)].filter((minute) => minutesOf(b).has(minute)).length;
              return both > 0 ? [{ names: [a.name, b.name], both }] : [];
            }),
          ),
        );
        expect([clashes?.length, finalClashes?.length]).toEqual([1, 1]);
        expect(await text(".plan .lead")).toBe(
          `4 sections · ${sections.reduce((sum, { units }) => sum + Number(units), 0)} units · 2 clashes`,
        );
        const words = (await page.locator("ul.clashes li").allInnerTexts()).join("\n");
        for (const { names, both } of [...(clashes ?? []), ...(finalClashes ?? [])]) {
          const [line] = words.split("\n").filter((one) => names.every((name) => one.includes(name)));
          expect(line).toContain(`by ${both} minutes`);
        }
        // Beside each of the two sections, in words, and as marks in both grids.
        expect(await text(".plan-list li:has-text('34131')")).toContain("overlaps MATH 2B Dis 4 by 20 minutes (F)");
        expect(await text(".plan-list li:has-text('04205')")).toContain(
          "overlaps COMPSCI 161 Dis A1 by 20 minutes (F)",
        );
        expect(await text(".plan-list li:has-text('34130')")).toContain(
          "final overlaps that of MATH 2B Lec A by 60 minutes",
        );
        expect(await page.getByRole("group", { name: "Week" }).locator(".is-clashing").count()).toBe(2);
        expect(await page.getByRole("group", { name: "Finals" }).locator(".is-clashing").count()).toBe(2);
      });

      it("too little time to walk to another building is pointed out; sections that follow each other do not clash", async () => {
        await opened.open(plan("34130", "04204", "34131", "04206"));
        await sees(".walk", "only 5 minutes to walk from HIB 200 to RH 101 for MATH 2B Lec A (Tu, Th)");
        expect(await opened.page.locator(".walk").count()).toBe(1);
        expect(await text(".walks")).toContain("COMPSCI 161 Lec A: only 5 minutes to walk");
        expect(await text(".plan .lead")).toContain("1 clash");
        await opened.open(plan("34131", "04206"));
        await sees(".plan .lead", "no clashes, finals included");
      });

      it("what is cancelled takes no time and cannot be added; what has no time is named; what does not exist is said", async () => {
        await opened.open(plan("34140", "01099", "34130", "99999"));
        const cancelled = ".plan-list li.cancelled";
        await sees(cancelled, "34140");
        expect(await text(cancelled)).toContain("cancelled");
        expect(
          await opened.page.evaluate(
            `getComputedStyle(document.querySelector("${cancelled} .plan-facts")).textDecorationLine`,
          ),
        ).toBe("line-through");
        expect(await opened.page.locator(`${cancelled} button`).count()).toBe(0);
        expect(await opened.page.locator(".block").allInnerTexts()).not.toContainEqual(
          expect.stringContaining("Lec B"),
        );
        expect(await text(".plan .lead")).toBe(
          "2 sections · 5–8 units · no clashes among the times that are set, finals included",
        );
        await sees(".plan .quiet", "Without a time: DANCE 199 Tut A");
        await sees(".problem", "Section 99999 is not in the schedule of Fall 2024");
        await opened.open(plan("01098"));
        await sees(".plan", "With a time, but without days of the week: DANCE 198 Tut A");
        expect(await text(".plan")).not.toContain("Without a time");
      });

      it("the days without classes are those of the calendar, which its file leaves out", async () => {
        await opened.open(plan("34130"));
        await sees(".plan p", "No classes in Fall 2024 on");
        await sees(".plan li", "Thu, Nov 28 – Fri, Nov 29: Thanksgiving Holiday");
        expect(await text(".plan")).not.toMatch(/Spring Recess|Last day to drop/);
        await opened.open("/plan?term=2023+Fall&sections=10000");
        await sees(".plan", "The academic calendar does not have Fall 2023 yet");
      });
    });

    describe("whose it is", () => {
      it("sections are collected from a section's view and the table of its course; the address and the browser hold them", async () => {
        const page = await opened.open("/");
        await opened.search("34131");
        await page.getByRole("button", { name: "Add to plan: COMPSCI 161 Dis A1 (34131)" }).first().focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Add to plan: COMPSCI 161 Lec A (34130)" }).click();
        await page.getByRole("link", { name: "See the plan" }).click();
        await page.waitForURL(/\/plan\?term=2024\+Fall&sections=34130%2C34131$/);
        await sees(".plan-list", "34130");
        await page.getByRole("button", { name: "Remove from plan: COMPSCI 161 Dis A1 (34131)" }).click();
        await page.waitForURL(/sections=34130$/);
        await expect.poll(listed).toBe(1);
        await page.goto(`${opened.world.url}/plan`);
        await sees(".plan-list", "34130");
        expect(await text("h1")).toContain("Your plan");
        await page.waitForURL(/sections=34130$/);
      });

      it("a plan of someone else is shown, and does not take the place of mine without a click", async () => {
        const page = opened.page;
        const mine = await stored();
        await page.goto(opened.world.url + plan("04204", "04205"));
        await sees("h1", "A shared plan");
        await expect.poll(listed).toBe(2);
        expect(await stored()).toBe(mine);
        await page.getByRole("link", { name: "Show mine" }).click();
        await sees("h1", "Your plan");
        await sees(".plan-list", "34130");
        await page.goBack();
        await sees("h1", "A shared plan");
        await page.getByRole("button", { name: "Make this my plan" }).click();
        await sees("h1", "Your plan");
        expect(JSON.parse((await stored()) ?? "")).toEqual({ "2024 Fall": ["04204", "04205"] });
      });

      it("another term is another plan: codes are not taken along, and a term that is not published is said", async () => {
        await opened.open("/plan?term=2024+Winter&sections=34130");
        await sees("main", "Winter 2024 is not published");
        expect(await opened.page.locator(".plan-list").count()).toBe(0);
        await opened.page.goto(opened.world.url + plan("34130"));
        await sees(".plan-list", "34130");
        await opened.page.getByRole("combobox", { name: "Term" }).selectOption("2023 Fall");
        await sees("main", "Nothing is planned for Fall 2023");
        expect(opened.page.url()).not.toContain("sections");
      });

      it("works where the browser denies storage, and where it holds something else", async () => {
        const page = await opened.open("/");
        await opened.context.addInitScript(
          "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })",
        );
        await page.goto(`${opened.world.url}/plan`);
        await page.getByLabel("Add a section by its code").fill("34130");
        await page.keyboard.press("Enter");
        await sees(".plan-list", "34130");
        for (const other of ["null", "[", '{"2024 Fall":"34130"}', '{"2024 Fall":[34130,null]}']) {
          await opened.open("/");
          await opened.page.evaluate(`localStorage.setItem('plans', ${JSON.stringify(other)})`);
          await opened.page.goto(`${opened.world.url}/plan`);
          await sees("main", "Nothing is planned");
        }
      });
    });

    describe("taken along", () => {
      it("the calendar file has the plan's meetings and finals", async () => {
        const codes = ["34130", "04204", "34131", "34140"];
        const page = await opened.open(plan(...codes));
        const link = page.getByRole("link", { name: "Calendar file" });
        const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
        expect(download.suggestedFilename()).toMatch(/\.ics$/);
        const events = eventsIn(await readFile(await download.path(), "utf8"));
        const sections = await servedSections(opened.world, ...codes);
        expect(sections.map(({ sectionCode }) => sectionCode).sort()).toEqual(["04204", "34130", "34131"]);
        for (const section of sections) {
          const own = events.filter(({ uid }) => uid.includes(section.sectionCode));
          const [weekly, final] = [
            own.filter(({ uid }) => !uid.includes("final")),
            own.filter(({ uid }) => uid.includes("final")),
          ];
          expect(weekly.map(({ summary, location, minutes: length }) => [summary, location, length])).toEqual(
            section.meetings.map(({ startTime, endTime, bldg }) => [
              section.name,
              bldg.join(", "),
              minutes(endTime as Time) - minutes(startTime as Time),
            ]),
          );
          expect(weekly.every(({ starts }) => starts.length >= 10)).toBe(true);
          expect(weekly.flatMap(({ starts }) => starts.map(seenByCampus)).join()).not.toMatch(/2024-11-2[89]/);
          expect(final.length).toBe(section.finalExam.day === null ? 0 : 1);
          if (section.finalExam.startTime)
            expect(seenByCampus(final[0]?.starts[0] as Date)).toBe(
              `2024-12-${section.finalExam.day} ${section.finalExam.startTime.hour}:${section.finalExam.startTime.minute}`,
            );
        }
        expect(events.filter(({ status }) => status === "CANCELLED").every(({ uid }) => uid.includes("34140"))).toBe(
          true,
        );
        expect(events.some(({ uid }) => uid.includes("34140"))).toBe(true);
      });

      it("the calendar's address is the file's, which programs can poll; the link is the plan's", async () => {
        const page = opened.page;
        const file = (await page.getByRole("link", { name: "Calendar file" }).getAttribute("href")) ?? "";
        expect(await page.getByRole("link", { name: "Subscribe in a calendar" }).getAttribute("href")).toBe(
          file.replace("http:", "webcal:"),
        );
        await opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
        const copied = async (name: string) => {
          await page.getByRole("button", { name }).click();
          await sees(`p:has(button[aria-label="${name}"])`, "Copied");
          return page.evaluate<string>("navigator.clipboard.readText()");
        };
        expect(await copied("Copy calendar address")).toBe(file);
        const first = await opened.context.request.get(file);
        expect(first.headers()["content-type"]).toContain("text/calendar");
        const again = await opened.context.request.get(file, {
          headers: { "if-none-match": first.headers()["etag"] ?? "" },
        });
        expect(again.status()).toBe(304);
        const link = await copied("Copy link");
        await opened.open(link.slice(opened.world.url.length));
        await sees("h1", "A shared plan");
        await expect.poll(listed).toBe(4);
      });

      it("on paper there are the grids and the list, without header and buttons", async () => {
        const page = opened.page;
        await page.emulateMedia({ media: "print" });
        expect(await page.getByRole("group", { name: "Week" }).isVisible()).toBe(true);
        expect(
          await page.locator(".site-header, .plan-actions, .plan button, footer").filter({ visible: true }).count(),
        ).toBe(0);
        await page.emulateMedia({ media: "screen" });
      });
    });

    describe.each([
      ["empty", "/plan"],
      ["of someone else, with clashes", plan("34130", "34131", "04204", "04205", "34140", "01099", "99999")],
    ])("%s", (_name, path) => {
      it("has no fault that axe knows, light and dark, and nothing to scroll sideways at 320 pixels", async () => {
        const page = await opened.open(path, { viewport: { width: 320, height: 640 } });
        await sees("main", path === "/plan" ? "Nothing is planned" : "Sections");
        expect(await opened.overflow()).toBe(0);
        await page.setViewportSize({ width: 1100, height: 800 });
        expect(await violationsOf(page)).toEqual([]);
      });
    });
  },
  openPlanWorld,
);
