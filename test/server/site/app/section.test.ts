/** The view of one section in a real browser: its words agree with the API, and what is cancelled is never shown as open. */
import { describe, expect, it } from "vitest";
import { someOf } from "../../../support/extent.ts";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";
import { servedSections } from "./served-sections.ts";

const SECTION = "/sections/2024/Fall/34130";

describeInBrowser<PlanWorld>(
  "a section",
  (opened) => {
    const { sees, text } = opened;
    const row = (code: string) => `.sections tbody tr:not(.notes):has-text('${code}')`;

    it("by keyboard: the code is searched for, and everything is there in words", async () => {
      const page = await opened.visit("/");
      await opened.search("34130");
      await page.waitForURL(`**${SECTION}`);
      await sees(".facts", "Seats taken");
      const [section] = await servedSections(opened.world, "34130");
      if (!section) throw new Error("the API has no such section");
      expect(await text("h1")).toBe(
        `${section.deptCode} ${section.courseNumber} · Fall 2024 ${section.sectionType} ${section.sectionNum} 34130`,
      );
      expect(await page.title()).toContain("COMPSCI 161 Lec A (34130) · Fall 2024");
      expect(await text(".verdict")).toContain("○ full Follow this section to hear when a seat opens.");
      const facts = await text(".facts");
      for (const words of [
        "TuTh 2:00–3:20 pm HIB 200",
        // The one of the two people of this name who has taught the course.
        "Aurelio Tavolafort",
        "F. Yararrick",
        "Tue, Dec 10, 1:30–3:30 pm HIB 200",
        `Units ${section.units}`,
        `${section.numCurrentlyEnrolled.totalEnrolled} / ${section.maxCapacity}`,
        `${section.numOnWaitlist} of ${section.numWaitlistCap} on the waitlist`,
        `Asked for ${section.numRequested} times`,
        "See the class site.",
        "Offered by Department of COMPSCI, School of Arts",
      ])
        expect(facts).toContain(words);
      expect(facts).not.toContain("alert(1)");
      expect(await page.getByRole("link", { name: "Aurelio Tavolafort" }).first().getAttribute("href")).toMatch(
        /^\/instructors\/atavolaf/,
      );
      expect(await page.locator(".facts a", { hasText: "class site" }).getAttribute("href")).toBe(
        "https://classes.example.edu/",
      );
      expect(await page.locator("h1 a").getAttribute("href")).toMatch(/^\/courses\/COMPSCI161\?term=2024\+Fall$/);
    });

    it("notes of the department and the school stand below, closed; the title is that of the catalogue", async () => {
      const notes = opened.page.locator("details", { hasText: "Notes of the department and the school" });
      expect(await notes.getByText("comment of COMPSCI").isVisible()).toBe(false);
      await notes.locator("summary").click();
      expect(await notes.getByText("comment of COMPSCI").isVisible()).toBe(true);
      await sees(".lead", "Design and Analysis of Algorithms");
    });

    it("its siblings: each discussion under its lecture, the chosen one marked, seats and status as word and shape", async () => {
      const codes = await opened.page.locator(".sections tbody .code").allInnerTexts();
      expect(codes).toEqual(["34130", "34131", "34140"]);
      expect(await text(".sections caption")).toBe("3 sections in Fall 2024");
      expect(await text(".sections [aria-current=true]")).toContain("34130");
      expect(await text(row("34131"))).toMatch(/F 1:00–1:50 pm SSL 209 staff 12 \/ 30 ◆ new students only/);
      expect(await opened.page.locator(row("34131")).getAttribute("class")).toContain("secondary");
      await opened.page.getByRole("link", { name: "34131" }).click();
      await opened.page.waitForURL("**/sections/2024/Fall/34131");
      await sees(".verdict", "new students only");
      expect(await text(".facts")).toContain("Reserved for new students 5 seats");
    });

    it("a cancelled section is shown, struck through and called cancelled, never open, and cannot be added", async () => {
      const page = opened.page;
      expect(await text(row("34140"))).toContain("✕ cancelled");
      expect(await text(row("34140"))).not.toContain("open");
      const lines = await page.evaluate<[string, string][]>(
        `[...document.querySelectorAll(".sections tr.cancelled:not(.notes) > *")]
          .map((cell) => [cell.dataset.label, getComputedStyle(cell).textDecorationLine])`,
      );
      for (const [label, line] of lines)
        expect([label, line]).toEqual([label, label === "Status" ? "none" : "line-through"]);
      expect(await page.locator(`${row("34140")} button`).count()).toBe(0);
      await page.goto(`${opened.world.url}/sections/2024/Fall/34140`);
      await sees(".verdict", "This section is cancelled; nobody can enroll.");
      expect(await text(".verdict")).toContain("✕ cancelled");
      expect(await page.getByRole("button", { name: /^Add to plan: .*34140/ }).count()).toBe(0);
      // Two meetings, each with its place.
      expect(await text(".facts")).toContain("MW 9:00–9:50 am HIB 100 F 9:00–9:50 am ELH 100");
    });

    it("the rows are a table for screen readers at every width", async () => {
      for (const width of [1100, 320]) {
        await opened.visit(SECTION);
        await opened.page.setViewportSize({ width, height: 700 });
        await sees(".sections", "34140");
        const table = opened.page.getByRole("table", { name: "3 sections in Fall 2024" });
        expect(await table.getByRole("rowheader").count()).toBe(3);
        expect(await table.getByRole("columnheader", { name: "Time and place" }).count()).toBe(1);
      }
      await opened.page.setViewportSize({ width: 1100, height: 800 });
    });

    it("codes keep their zeros; sections without time, person or units are said in words", async () => {
      const page = await opened.visit("/sections/2024/Fall/01099");
      await sees("h1", "01099");
      expect(await text(".facts")).toMatch(/Time and place time TBA online Instructor .*Units 1-4/);
      await page.goto(`${opened.world.url}/sections/2024/Fall/04204`);
      await sees(".facts", "not announced");
      await page.goto(`${opened.world.url}/sections/2024/Fall/04205`);
      await sees(".facts", "none (taken with a lecture)");
    });

    it("a section that does not exist is said, with a way on", async () => {
      for (const path of ["2024/Fall/5120", "2024/Autumn/34130"]) {
        await opened.visit(`/sections/${path}`);
        await sees("h1", `No section ${path.split("/").at(-1)}`);
        opened.allow(404);
      }
      await opened.visit("/sections/2024/Fall/99999");
      await sees("h1", "No section 99999");
      expect(await opened.page.getByRole("link", { name: "Search", exact: true }).getAttribute("href")).toContain(
        "q=99999",
      );
      opened.allow(404);
    });

    it("one part that fails leaves the others alone", async () => {
      await opened.visit("/");
      await opened.context.route("**/v1/rest/changes?*", (route) => route.fulfill({ status: 503, body: "{}" }));
      await opened.page.goto(opened.world.url + SECTION);
      await sees(".problem", "The server responded with status 503. Try again");
      await sees(".sections", "34131");
      await opened.context.unroute("**/v1/rest/changes?*");
      await opened.page.getByRole("button", { name: "Try again" }).click();
      await sees("caption", "1 change in Fall 2024");
      opened.allow(503);
    });

    // One that is cancelled, and one without time and people.
    const SHOWN = [SECTION, "/sections/2024/Fall/01099", "/sections/2024/Fall/34140"];
    describe.each(someOf(SHOWN, 2))("%s", (path) => {
      it("can be seen, read and hit, light and dark, and has cards that fit at 320 and 390 pixels", async () => {
        const page = await opened.visit(path);
        await sees(".sections", "");
        await sees("h2", "Changes");
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 700 });
          expect([width, await opened.overflow()]).toEqual([width, 0]);
          // Rows are cards that fit, not a table in a box that scrolls.
          expect(
            await page.evaluate("document.querySelector('.sections').getBoundingClientRect().width"),
          ).toBeLessThanOrEqual(width);
        }
        await page.setViewportSize({ width: 1100, height: 800 });
        expect(await faultsOf(page)).toEqual([]);
      });
    });
  },
  planWorld,
);

describeInBrowser("the enrollment of a section", (opened) => {
  const { sees, text } = opened;

  it("is a curve with a mark for each change, a band of statuses, and the numbers in a table", async () => {
    const page = await opened.visit("/sections/2024/Fall/35730");
    const curve = page.getByRole("img", { name: /Section 35730 30 days recorded/ });
    await curve.waitFor();
    await expect
      .poll(() => curve.locator(".changes title").allTextContents())
      .toEqual([expect.stringMatching(/seats 120 → 150$/), expect.stringMatching(/status open → waitlist$/)]);
    // Open for twenty days, then a waitlist for eight, then full for two.
    const band = await curve
      .locator(".band rect")
      .evaluateAll((all) => all.map((one) => [one.getAttribute("fill"), Number(one.getAttribute("width"))] as const));
    expect(band.map(([fill]) => fill)).toEqual(["var(--good)", "var(--warn-line)", "var(--bad)"]);
    const days = band.map(([, width]) => width / ((band[0]?.[1] ?? 0) / 20));
    [20, 8, 2].forEach((count, i) => expect(Math.abs((days[i] ?? 0) - count)).toBeLessThan(0.5));
    await page.locator("figure summary", { hasText: "Data table" }).click();
    expect(await text("figure tbody tr:last-child")).toMatch(/Sep 30, 2024 150 150 7 full/);
    expect(await text("table:has(caption:has-text('3 changes in Fall 2024')) tbody")).toMatch(
      /Sep 21, 2024, 3:00 am 35730 status open waitlist .+ 35730 enrolled 149 150 .+ 35730 seats 120 150/,
    );
    expect(await faultsOf(page)).toEqual([]);
  });

  it("says where it comes from", async () => {
    const links = await opened.page
      .locator("details.source a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links)
      expect([link, (await opened.context.request.get(opened.world.url + link)).status()]).toEqual([link, 200]);
  });

  it("of a cancelled section never says open", async () => {
    const page = await opened.visit("/sections/2025/Winter/05001");
    await sees("figure", "Section 05001, cancelled 10 days recorded");
    await page.locator("figure summary", { hasText: "Data table" }).click();
    expect(await text("figure tbody")).not.toContain("open");
    expect(await text("figure tbody tr:last-child")).toBe("Nov 10, 2024 12 150 0 cancelled");
  });

  it("has changes where only seats have moved", async () => {
    await opened.visit("/sections/2025/Winter/05000");
    await sees("caption", "1 change in Winter 2025");
    expect(await text("table:has(caption:has-text('1 change in')) tbody tr")).toMatch(/ 05000 enrolled 11 12$/);
    expect(await opened.page.getByText(/^No change/).count()).toBe(0);
  });
});
