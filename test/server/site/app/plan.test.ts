/** The plan in a real browser: courses and their sections, what is said of them, where it is kept, whose it is, and how it gets into a calendar. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { eventsIn } from "../../response/representations/read-calendar.ts";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";
import { expectEvents } from "./plan-calendar.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";
import { servedSections } from "./served-sections.ts";

const plan = (...codes: string[]) => `/plan?term=2024+Fall&sections=${codes.join(",")}`;

describeInBrowser<PlanWorld>(
  "the plan",
  (opened) => {
    const { sees, text } = opened;
    const listed = () => opened.page.locator(".plan-list > li").count();
    const codes = async () => (await opened.page.locator(".plan-list .name a").allInnerTexts()).toSorted().join();
    const block = (name: string) => opened.page.locator(".time-grid .block", { hasText: name });
    const chosen = (name: string) => block(name).and(opened.page.locator(":not(.is-ghost)")).first().innerText();
    const openMenu = () => opened.page.locator(".plan-actions summary", { hasText: "More" }).press("Enter");
    const add = async (words: string) => {
      await opened.page.getByLabel("Add a course or section code").focus();
      await opened.page.keyboard.type(words);
      await opened.page.keyboard.press("Enter");
    };
    const isFocused = (words: string) =>
      expect.poll(() => opened.page.evaluate("document.activeElement?.getAttribute('aria-label')")).toContain(words);

    describe("of courses, by keyboard", () => {
      it("a course comes with its first sections that fit, and the others beside them; arrow keys and Enter swap", async () => {
        const page = await opened.visit("/");
        await page.getByRole("link", { name: "Plan" }).focus();
        await page.keyboard.press("Enter");
        await sees("main", "Your Fall 2024 plan is empty");
        await add("compsci 161");
        await sees(".add-to-plan", "COMPSCI 161 added to your plan");
        await expect.poll(codes).toBe("34130,34131");
        await add("vectors");
        await expect.poll(codes).toBe("04300,04301,34130,34131");
        await page.waitForURL(/sections=04300%2C04301%2C34130%2C34131&courses=COMPSCI\+161%2CMATH\+2D$/);
        expect(await text(".plan .lead")).toBe("4 sections · 8 units · no clashes, finals included");
        const ghosts = page.locator(".block.is-ghost");
        expect(await ghosts.count()).toBe(4);
        expect(await ghosts.first().innerText()).toContain("overlaps COMPSCI 161 Lec A");
        const list = page.getByRole("listbox", { name: "Sections of MATH 2D" });
        expect(await list.innerText()).toContain("average 2.15");
        expect(await text(".plan-list li:has-text('04300')")).toMatch(
          / averages 2\.15 over \d+ letter grades; the course averages 2\.70 over \d+/,
        );
        await list.focus();
        for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowDown");
        await expect.poll(() => page.locator(".block.is-active").innerText()).toContain("Dis B2");
        await page.keyboard.press("Enter");
        await expect.poll(codes).toBe("04310,04312,34130,34131");
        await sees(".plan .lead", "1 clash so far: 1 final not scheduled");
        expect(await text(".clashes")).toContain("COMPSCI 161 Lec A overlaps MATH 2D Lec B by 80 minutes (Tu, Th)");
        expect(await page.getByRole("group", { name: "Week" }).locator(".is-clashing").count()).toBe(4);
        expect(await faultsOf(page)).toEqual([]);
        await page
          .getByRole("button", { name: /^Take MATH 2D Lec A: 10:00/ })
          .first()
          .click();
        await expect.poll(codes).toBe("04300,04301,34130,34131");
      });

      it("what is removed comes back; the focus goes on to the next one", async () => {
        const { page } = opened;
        const remove = (name: string) => page.getByRole("button", { name: `Remove from plan: ${name}` });
        await remove("COMPSCI 161 Lec A (34130)").focus();
        await page.keyboard.press("Enter");
        await sees(".plan", "Choose a lecture for Dis A1.");
        await isFocused("COMPSCI 161 Dis A1");
        expect(await text(".plan .lead")).toContain("no clashes, finals included");
        await sees(".to-do", "COMPSCI 161: choose a lecture for Dis A1");
        await page.keyboard.press("Control+z");
        await expect.poll(codes).toBe("04300,04301,34130,34131");
        await remove("COMPSCI 161").first().focus();
        await page.keyboard.press("Enter");
        await expect.poll(codes).toBe("04300,04301");
        await sees(".undo", "Removed COMPSCI 161.");
        await isFocused("MATH 2D");
        await page.getByRole("button", { name: "Undo" }).press("Enter");
        await expect.poll(codes).toBe("04300,04301,34130,34131");
      });

      it("plans that fit are stepped through in the week, and taken; a worker finds them", async () => {
        const { page } = opened;
        await page.getByRole("button", { name: "Find schedules" }).press("Enter");
        await sees(".fitting", "No schedule works: COMPSCI 161 has no section with these options.");
        await page.getByRole("checkbox", { name: "full", exact: true }).check();
        await sees(".fitting", "COMPSCI 161 has no section");
        await page.locator(".fitting").getByLabel("I am a new student").check();
        await sees(".fitting", "1 schedule.");
        await page.getByRole("button", { name: "Remove from plan: COMPSCI 161", exact: true }).click();
        await sees(".fitting", "3 schedules.");
        await page.getByRole("button", { name: "Next schedule" }).focus();
        await page.keyboard.press("ArrowRight");
        await sees(".stepper", "2 of 3");
        expect(await faultsOf(page)).toEqual([]);
        const shown = await chosen("Dis");
        await page.getByRole("button", { name: "Use this schedule" }).press("Enter");
        await expect.poll(() => page.locator(".fitting").count()).toBe(0);
        expect(await chosen("Dis")).toBe(shown);
        expect(await codes()).toMatch(/^0430.,0430.$|^0431.,0431.$/);
      });

      it("several plans have names; one is copied to another term by its courses, and codes are pasted", async () => {
        const { page } = opened;
        await openMenu();
        await page.getByLabel("Plan name").fill("Early");
        await page.keyboard.press("Enter");
        await expect.poll(() => page.getByLabel("Plan name").inputValue()).toBe("Early");
        await page.getByLabel("Copy courses to").selectOption("2023 Fall");
        await page.getByRole("button", { name: "Copy", exact: true }).click();
        await page.waitForURL(/term=2023\+Fall&sections=04350/);
        await sees("h1", "Your plan");
        await expect.poll(codes).toBe("04350");
        await page.getByRole("combobox", { name: "Term" }).selectOption("2024 Fall");
        await openMenu();
        await page.getByRole("button", { name: "New plan" }).click();
        await sees("main", "This plan is empty");
        await page.getByText("Paste section codes").click();
        await page
          .getByLabel("Section codes, or a list from another planner")
          .fill("COMPSCI 161: 34130, 34131\n99999\nsee you");
        await page.getByRole("button", { name: "Add all" }).click();
        await expect.poll(codes).toBe("34130,34131");
        await sees(".add-to-plan", "2 sections added. Not in the Fall 2024 schedule: 99999. Skipped: “see you”.");
        await page.getByRole("combobox", { name: "Plan", exact: true }).selectOption("Early");
        await expect.poll(codes).not.toContain("34130");
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      });
    });

    describe("no false safety", () => {
      it("what is not known is counted: finals, times, what belongs elsewhere, what vanished", async () => {
        await opened.visit(plan("04310", "34140", "01099", "99999"));
        await sees(
          ".plan .lead",
          "no clashes so far: 1 final not scheduled, 1 class without a time, 1 section no longer in the schedule",
        );
        const cancelled = ".plan-list li.cancelled";
        expect(await text(cancelled)).toContain("cancelled");
        expect(await block("Lec B").count()).toBe(2);
        await sees(".plan", "No set time: DANCE 199 Tut A (online)");
        await sees(".plan", "Not scheduled yet: MATH 2D Lec B");
        await sees(".problem", "Section 99999 is no longer in the schedule of Fall 2024");
        await sees(".plan p", "No classes in Fall 2024 on");
        await sees(".plan li", "Thu, Nov 28 – Fri, Nov 29: Thanksgiving Holiday");
        expect(await text(".plan")).not.toMatch(/Spring Recess|Last day to drop/);
        expect(await faultsOf(opened.page)).toEqual([]);
        await opened.page.setViewportSize({ width: 320, height: 640 });
        expect(await opened.overflow()).toBe(0);
        await opened.page.goto(opened.world.url + plan("04300", "04311", "01098"));
        await sees(".missing", "Dis B1 belongs to Lec B, not to Lec A.");
        await sees(".plan", "Time but no days announced: DANCE 198 Tut A");
      });

      it("sections that vanished have no verdict; walks are pointed out, and what follows at once does not clash", async () => {
        await opened.visit(plan("99998", "99999"));
        await sees(".plan .lead", "No section of this plan is offered.");
        await opened.visit(plan("34130", "04204", "34131", "04206"));
        await sees(".walk", "only 5 minutes to walk from HIB 200 to RH 101 for MATH 2B Lec A (Tu, Th)");
        expect(await opened.page.locator(".walk").count()).toBe(1);
        expect(await text(".plan-list li:has-text('34130')")).toContain(
          "final overlaps that of MATH 2B Lec A by 60 minutes",
        );
        expect(await text(".plan .lead")).toContain("1 clash");
        await opened.visit("/plan?term=2023+Fall&sections=10000");
        await sees(".plan", "Fall 2023 has no calendar dates yet");
      });

      it("storage that fails is said; the plan lives as long as the page", async () => {
        const page = await opened.visit("/");
        await opened.context.addInitScript(
          "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })",
        );
        await page.goto(`${opened.world.url}/plan`);
        await add("34130");
        await sees(".notice", "This browser cannot save your plan");
        await page.getByRole("link", { name: "Find" }).click();
        await sees("h1", "Find classes");
        await page.getByRole("link", { name: /^Plan/ }).click();
        await expect.poll(codes).toBe("34130");
        await opened.visit("/");
        await opened.page.evaluate(
          "localStorage.setItem('plans', '{\"2024 Fall\":[\"34130\"]}'); Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
        );
        await opened.page.getByRole("link", { name: /^Plan/ }).click();
        await expect.poll(codes).toBe("34130");
        await add("04204");
        await expect.poll(codes).toBe("04204,34130");
        await sees(".notice", "storage is blocked or full");
      });
    });

    describe("whose it is", () => {
      it("sections are collected from a section's view and the table of its course; the address and the browser hold them", async () => {
        const page = await opened.visit("/");
        await opened.search("34131");
        await page.getByRole("button", { name: "Add to plan: COMPSCI 161 Dis A1 (34131)" }).first().focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Add to plan: COMPSCI 161 Lec A (34130)" }).click();
        await page.getByRole("link", { name: "View plan" }).click();
        await page.waitForURL(/\/plan\?term=2024\+Fall&sections=34130%2C34131$/);
        await sees(".plan-list", "34130");
        await page.goto(`${opened.world.url}/plan`);
        await sees(".plan-list", "34130");
        expect(await text("h1")).toContain("Your plan");
        await page.waitForURL(/sections=34130%2C34131$/);
      });

      it("a plan of someone else is shown, and does not take the place of mine without a click", async () => {
        const { page } = opened;
        await page.goto(opened.world.url + plan("04204", "04205"));
        await sees("h1", "A shared plan");
        await expect.poll(listed).toBe(2);
        expect(await page.locator(".plan-list button.remove").count()).toBe(0);
        await page.getByRole("link", { name: "Show my plan" }).click();
        await sees("h1", "Your plan");
        await sees(".plan-list", "34130");
        await page.goBack();
        await sees("h1", "A shared plan");
        await page.getByRole("button", { name: "Save as my plan" }).click();
        await sees("h1", "Your plan");
        // Mine is still there, beside it.
        await page.getByRole("combobox", { name: "Plan", exact: true }).selectOption("Plan A");
        await expect.poll(codes).toBe("34130,34131");
      });

      it("another term is another plan: codes are not taken along, and a term that is not published is said", async () => {
        await opened.visit("/plan?term=2024+Winter&sections=34130");
        await sees("main", "Winter 2024 is not published");
        expect(await opened.page.locator(".plan-list").count()).toBe(0);
        await opened.page.goto(opened.world.url + plan("34130"));
        await sees(".plan-list", "34130");
        await opened.page.getByRole("combobox", { name: "Term" }).selectOption("2023 Fall");
        await sees("main", "Your Fall 2023 plan is empty");
        expect(opened.page.url()).not.toContain("sections");
        expect(await faultsOf(opened.page)).toEqual([]);
      });
    });

    describe("taken along", () => {
      it("the calendar file has the plan's meetings and finals", async () => {
        const codes = ["34130", "04204", "34131", "34140"];
        const page = await opened.visit(plan(...codes));
        const link = page.getByRole("link", { name: "Calendar file" });
        const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
        expect(download.suggestedFilename()).toMatch(/\.ics$/);
        const events = eventsIn(await readFile(await download.path(), "utf8"));
        const sections = await servedSections(opened.world, ...codes);
        expect(sections.map(({ sectionCode }) => sectionCode).sort()).toEqual(["04204", "34130", "34131"]);
        for (const section of sections) expectEvents(events, section);
        expect(events.filter(({ status }) => status === "CANCELLED").every(({ uid }) => uid.includes("34140"))).toBe(
          true,
        );
        expect(events.some(({ uid }) => uid.includes("34140"))).toBe(true);
      });

      it("the calendar's address is the file's, which programs can poll; the link is the plan's", async () => {
        const page = opened.page;
        const file = (await page.getByRole("link", { name: "Calendar file" }).getAttribute("href")) ?? "";
        await page.locator(".plan-actions summary", { hasText: "More" }).click();
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
        await opened.visit(link.slice(opened.world.url.length));
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
  },
  planWorld,
);
