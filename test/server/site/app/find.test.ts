/** Find in a real browser: a question typed or put together from filters, the answer as the API gives it, and the address that holds it. */
import { describe, expect, it } from "vitest";
import { someOf } from "../../../support/extent.ts";
import { describeInBrowser } from "./opened-page.ts";
import { type FindWorld, openFindWorld } from "./find-world.ts";
import { faultsOf } from "./page-faults.ts";

const OPEN = "3 open GE-IV sections on Tuesday and Thursday after noon";
const OPEN_FILTERS = { ge: "GE-4", fullCourses: "SkipFull", days: "TuTh", startTime: "12:00" };
const OPEN_QUERY = new URLSearchParams(OPEN_FILTERS).toString();

describeInBrowser<FindWorld>(
  "find",
  (opened) => {
    const { sees, text } = opened;
    /** In the order of the rows. */
    const shownCodes = () => opened.page.locator(".found tbody .code").allInnerTexts();
    const filtersInAddress = () => Object.fromEntries(new URL(opened.page.url()).searchParams);

    it("which GE-IV courses have open seats on Tuesday and Thursday afternoons: typed at home, by keyboard, as the API has it", async () => {
      const page = await opened.visit("/");
      await page.locator("h1").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("open ge 4 tuth afternoon");
      await page.keyboard.press("Enter");
      await sees("h1", OPEN);
      expect(await page.title()).toMatch(new RegExp(`^${OPEN}`));
      expect(filtersInAddress()).toEqual(OPEN_FILTERS);
      const codes = await opened.world.codes(OPEN_FILTERS);
      expect(codes).toHaveLength(3);
      expect((await shownCodes()).sort()).toEqual(codes);
      expect(await text(".found tr:has-text('02040')")).toMatch(
        /ART HIS 40A Lec A 02040 MOVEMENT Restrictions: prerequisite required \(A\) and majors only \(L\) TuTh 3:30–4:50 pm HIB 110 .* 10 \/ 90 ● open majors only 5 –/,
      );
      expect(await text(".found tr:has-text('03003')")).toMatch(/12 \/ 30 ● open 2 3\.60 n \d+/);
      await page.getByRole("link", { name: "02040" }).click();
      await page.waitForURL(/\/sections\/2024\/Fall\/02040/);
      await page.goBack();
      await sees("h1", OPEN);
    });

    const TYPED = [
      ["GE IV", { ge: "GE-4" }],
      ["open TuTh afternoon", { fullCourses: "SkipFull", days: "TuTh", startTime: "12:00" }],
      ["open dance", { fullCourses: "SkipFull", department: "DANCE" }],
      ["art his 40a open", { fullCourses: "SkipFull", department: "ART HIS", courseNumber: "40A" }],
      ["dance mornings by amberley", { endTime: "12:00", courseTitle: "dance by amberley" }],
      ["open amberley", { fullCourses: "SkipFull", instructorName: "AMBERLEY, R." }],
    ] as const;
    // `read-text.unit.test.ts` has many more, without a page for each.
    it.each(someOf(TYPED, 4))("“%s” fills the filters", async (words, filters) => {
      await opened.visit(`/find?q=${encodeURIComponent(words)}`);
      await opened.page.waitForURL((url) => !url.searchParams.has("q"));
      await sees("h1", "section");
      expect(filtersInAddress()).toEqual(filters);
      await opened.page.locator(".found, .chips").first().waitFor();
      const cancelled =
        "fullCourses" in filters ? [] : await opened.world.codes({ ...filters, cancelledCourses: "Only" });
      // The last seats of one are for new students.
      const isOpen = (code: string) => !("fullCourses" in filters) || code !== "01016";
      const all = [...(await opened.world.codes(filters)).filter(isOpen), ...cancelled];
      expect((await shownCodes()).sort()).toEqual(all.sort().slice(0, 40));
    });

    it("sorts by grade average, seats, time and units", async () => {
      await opened.visit(`/find?${OPEN_QUERY}`);
      await sees("h1", OPEN);
      const sort = opened.page.getByRole("combobox", { name: "Sort by" });
      const averages =
        await opened.world.json<{ department: string; averageGPA: number }[]>("/grades/aggregateByCourse");
      const graded = averages.toSorted((one, other) => other.averageGPA - one.averageGPA);
      expect(graded.map(({ department }) => department)).toEqual(["MUSIC", "DANCE"]);
      for (const [order, codes] of [
        // A course without grades is last.
        ["highest average (20+ grades)", ["03003", "01007", "02040"]],
        ["most seats left", ["02040", "03003", "01007"]],
        ["earliest start", ["01007", "02040", "03003"]],
        ["most units", ["02040", "01007", "03003"]],
        ["course", ["02040", "01007", "03003"]],
      ] as const) {
        await sort.selectOption(order);
        await expect.poll(shownCodes).toEqual(codes);
      }
      expect(filtersInAddress()).toEqual(OPEN_FILTERS);
    });

    it("each filter of the form is in the address, and the answer is the API's", async () => {
      const page = await opened.visit("/find?ge=GE-4");
      await sees("h1", "GE-IV sections");
      const form = page.getByRole("form", { name: "Filters" });
      await form.getByRole("combobox", { name: "Seats" }).selectOption("Open or waitlisted");
      await form.getByRole("button", { name: "Tu" }).focus();
      await page.keyboard.press("Space");
      await page.waitForURL(/days=Tu\b/);
      await form.getByRole("button", { name: "Th" }).focus();
      await page.keyboard.press("Space");
      await page.waitForURL(/days=TuTh/);
      await form.getByLabel("Starts after").selectOption("noon");
      await form.getByLabel("Ends before").selectOption("5 pm");
      await form.getByLabel("Building").fill("hib");
      await page.keyboard.press("Tab");
      await form.getByLabel("Level").selectOption("Lower-division");
      await page.waitForURL(/division=/);
      const filters = {
        ge: "GE-4",
        fullCourses: "SkipFullWaitlist",
        days: "TuTh",
        startTime: "12:00",
        endTime: "17:00",
        building: "hib",
        division: "LowerDiv",
      };
      expect(filtersInAddress()).toEqual(filters);
      await sees(
        "h1",
        "open or waitlisted lower-division GE-IV sections in HIB on Tuesday and Thursday between noon and 5 pm",
      );
      const live = await opened.world.codes(filters);
      const cancelled = await opened.world.codes({ ...filters, cancelledCourses: "Only" });
      expect([live.length, cancelled.length]).toEqual([3, 1]);
      await expect.poll(async () => (await shownCodes()).sort()).toEqual([...live, ...cancelled].sort());

      await form.getByLabel("No restrictions").check();
      await sees("h1", "without restrictions");
      const letters = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(65 + i)).join(",");
      const free = await opened.world.codes({ ...filters, excludeRestrictionCodes: letters });
      expect(free).toEqual(["01007"]);
      await expect.poll(shownCodes).toEqual(free);
      await form.getByRole("link", { name: "Clear all filters" }).click();
      await sees("h1", "Find classes");
    });

    it("fits my plan: what clashes with a section of the plan is left out", async () => {
      const page = await opened.visit(`/find?${OPEN_QUERY}`);
      await page.getByRole("button", { name: "Add to plan: DANCE 7 Lec A (01007)" }).click();
      await page.goto(`${opened.world.url}/find?ge=GE-4&days=TuTh`);
      await sees("h1", "6 GE-IV sections on Tuesday and Thursday, and 1 cancelled");
      await page.getByLabel("Fits my plan (1 section)").check();
      await sees("h1", "4 GE-IV sections on Tuesday and Thursday that fit your plan");
      expect((await shownCodes()).sort()).toEqual(["01007", "01010", "02040", "03003"]);
    });

    it("prerequisites met: by the courses taken, which stay in the browser", async () => {
      const page = await opened.visit(`/find?${OPEN_QUERY}`);
      await sees("h1", OPEN);
      await page.getByLabel("Prerequisites met").check();
      await sees("h1", "2 open GE-IV sections on Tuesday and Thursday after noon with prerequisites met");
      const needing = await opened.world.json<{ id: string; prerequisiteText: string }[]>("/courses?department=DANCE");
      expect(needing.find(({ id }) => id === "DANCE7")?.prerequisiteText).toBe("DANCE 1A");
      expect((await shownCodes()).sort()).toEqual(["02040", "03003"]);
      await page.evaluate("localStorage.setItem('courses-taken', 'dance 1a')");
      await page.reload();
      await sees("h1", "3 open GE-IV sections on Tuesday and Thursday after noon with prerequisites met");
      await page.evaluate("localStorage.clear()");
    });

    it("a cancelled section is struck through at the end, said to be cancelled, and not among those with open seats", async () => {
      await opened.visit("/find?ge=GE-4");
      await sees("h1", "and 1 cancelled");
      expect((await shownCodes()).at(-1)).toBe("01015");
      const row = opened.page.locator(".found tr", { hasText: "01015" });
      expect(await row.innerText()).toMatch(/✕ cancelled/);
      expect(await row.innerText()).not.toMatch(/open/);
      const lines = "getComputedStyle(document.querySelector('.found .cancelled th')).textDecorationLine";
      expect(await opened.page.evaluate(lines)).toBe("line-through");
      expect(await opened.world.codes({ ge: "GE-4", cancelledCourses: "Only" })).toEqual(["01015"]);
      await opened.visit("/find?ge=GE-4&fullCourses=SkipFull");
      await sees("h1", "5 open GE-IV sections");
      expect(await shownCodes()).not.toContain("01015");
    });

    it("a course that is not in the catalogue is found, in its department and has its page", async () => {
      const page = await opened.visit("/find?q=music+3");
      await page.locator(".results a", { hasText: "not in the catalogue" }).click();
      await sees(".facts", "Not in the catalogue");
      await sees(".sections", "03003");
      await sees(".graders", "Amberley");
      await page.getByRole("link", { name: "MUSIC" }).first().click();
      await page.locator("main").getByRole("link", { name: "MUSIC 3" }).waitFor();
      opened.allow(404);
    });

    it("draws many sections a step at a time", async () => {
      await opened.visit("/find?department=MATH");
      await sees("h1", "90 MATH sections");
      expect(await shownCodes()).toHaveLength(40);
      await opened.page.getByRole("button", { name: "Show 40 more of 90" }).click();
      await opened.page.getByRole("button", { name: "Show 10 more of 90" }).click();
      expect((await shownCodes()).sort()).toEqual(await opened.world.codes({ department: "MATH" }));
      // Back finds the rows and the place again.
      const last = opened.page.getByRole("link", { name: "44089" });
      await last.scrollIntoViewIfNeeded();
      const place = () => opened.page.evaluate<number>("scrollY");
      const before = await place();
      expect(before).toBeGreaterThan(1000);
      await last.click();
      await sees("h1", "44089");
      expect(await place()).toBe(0);
      await opened.page.goBack();
      await last.waitFor();
      await expect.poll(place).toBe(before);
    });

    it("what would be most of the term is not asked for; nothing found says what to leave out", async () => {
      const page = await opened.visit("/find?fullCourses=SkipFull");
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await sees("main", "Add one more filter");
      await page.waitForLoadState("networkidle");
      expect(asked.filter((url) => url.includes("/schedule?"))).toEqual([]);
      await opened.visit("/find?department=MATH&days=Su");
      await sees("h1", "No MATH sections on Sunday");
      await sees(".chips li", "on Sunday 90");
      expect((await opened.world.codes({ days: "Su" })).length).toBe(0);
      await sees(".chips li", "MATH 0");
      await opened.page.getByRole("link", { name: "Remove on Sunday" }).click();
      await sees("h1", "90 MATH sections");
      await opened.visit("/find?department=MATH&days=Xy");
      await sees("main [role=alert]", "days");
      opened.allow(400);
    });

    it("a word of the schedule is explained where it stands, by keyboard", async () => {
      const page = await opened.visit("/find?ge=GE-4&building=ON");
      await page.getByRole("button", { name: "new students only" }).focus();
      expect(await page.getByRole("note").filter({ hasText: "reserved for students who are new" }).count()).toBe(0);
      await page.keyboard.press("Enter");
      await page.getByRole("note").filter({ hasText: "NewOnly: new students only" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("note").filter({ hasText: "NewOnly" }).waitFor({ state: "detached" });
    });

    const STATES = [
      ["sections", "/find?ge=GE-4", "and 1 cancelled"],
      ["nothing chosen", "/find", "Find classes"],
      ["nothing found", "/find?department=MATH&days=Su", "No MATH sections"],
      ["a text", "/find?q=dance", "Results for"],
      ["a word", "/find?q=NewOnly", "Results for"],
    ] as const;
    describe.each(someOf(STATES, 2))("%s", (_name, path, heading) => {
      it("can be seen, read and hit, light and dark, wide and narrow", async () => {
        const page = await opened.visit(path);
        await sees("h1", heading);
        await page.waitForLoadState("networkidle");
        expect(await faultsOf(page)).toEqual([]);
      });
    });
  },
  openFindWorld,
);
