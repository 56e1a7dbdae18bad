/** The search of the header in a real browser: suggestions, the keyboard alone, what is found and what is not, and words that are explained. */
import { describe, expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

describeInBrowser("searching", (opened) => {
  const { text, sees } = opened;
  const field = () => opened.page.getByRole("search", { name: "Search this site" }).getByRole("combobox");
  const found = (q: string) =>
    opened.world.json<{ title: string; kind: string }[]>(`/search?${new URLSearchParams({ q, limit: "50" })}`);

  it("a suggestion leads to its view; the address can be shared, the back button works", async () => {
    const page = await opened.open("/plan");
    await field().fill("data structur");
    await page.getByRole("option").filter({ hasText: "I&C SCI 46" }).click();
    await page.waitForURL(/\/courses\/I%26CSCI46/);
    await sees("h1", "I&C SCI 46");
    const shared = page.url();
    await page.goBack();
    await sees("h1", "plan");
    await page.goForward();
    await sees("h1", "I&C SCI 46");
    await page.goto("about:blank");
    await page.goto(shared);
    await sees("h1", "I&C SCI 46");
  });

  it("keeps the chosen suggestion when suggestions of a longer text come after it", async () => {
    const page = await opened.open("/plan");
    await field().pressSequentially("quille");
    await page.getByRole("option").first().waitFor();
    await page.route(/\/search\?q=quillen&/, async (route) => {
      await page.keyboard.press("ArrowDown");
      await route.continue();
    });
    const loaded = page.waitForResponse(/\/search\?q=quillen&/);
    await field().press("n");
    await loaded;
    await page.waitForLoadState("networkidle");
    const active = await field().getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/instructors\/tquillen/);
  });

  it("works by keyboard alone, and tells a screen reader what happens", async () => {
    const page = await opened.open("/plan");
    await sees("h1", "plan");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("combobox");
    expect(await field().getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.type("quillen");
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
    expect(await field().getAttribute("aria-expanded")).toBe("true");
    await sees("[role=search] [role=status]", "1 suggestion");
    await page.keyboard.press("ArrowDown");
    const active = await field().getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await field().getAttribute("aria-expanded")).toBe("false");
    expect(await field().inputValue()).toBe("quillen");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/instructors\/tquillen/);
    // From anywhere; without a chosen suggestion Enter opens what is called so, and else sends the search.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("i&c sci 46");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/courses\/I%26CSCI46/);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dan");
    await page.keyboard.press("Enter");
    await sees("h1", "Results for “dan”");
    expect(await page.title()).toMatch(/^Results for “dan”/);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Results for “dan”");
    await page.locator(".results a").first().waitFor();
    const titles = (await found("dan")).map(({ title }) => title);
    expect(await page.locator(".results .hit").allInnerTexts()).toEqual(titles);
  });

  it("a section code leads to the section", async () => {
    await opened.visit("/find?q=35731");
    await opened.page.locator(".results a", { hasText: "35731" }).click();
    await opened.page.waitForURL(/\/sections\/2024\/Fall\/35731/);
    await sees("h1", "35731");
  });

  it("nothing found says what to try", async () => {
    expect(await found("qqqqqq")).toEqual([]);
    await opened.visit("/find?q=qqqqqq");
    await sees("main", "No results for “qqqqqq”");
    expect(await opened.page.getByRole("main").getByRole("link", { name: "choose filters" }).count()).toBe(1);
  });

  it("no word of a search is dropped silently, and no word that names the hit is said to be ignored", async () => {
    const page = await opened.visit("/");
    const submit = async (words: string) => {
      await page.locator("h1").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type(words);
      await page.keyboard.press("Enter");
    };
    await submit("i&c sci 46 heindrustru");
    await sees(".ignored", "No match for “heindrustru”. Showing results without it.");
    await sees(".results", "I&C SCI 46");
    await submit("open i&c sci 46 heindrustru");
    await sees("h1", "I&C SCI 46 sections");
    await sees(".ignored", "No match for “heindrustru”. Showing results without it.");
    await submit("ics 46");
    await sees("h1", "I&C SCI 46");
    await page.goto(`${opened.world.url}/find?q=ics+46`);
    await sees(".results", "I&C SCI 46");
    expect(await page.locator(".ignored").count()).toBe(0);
  });

  it("a question suggests the sections it means", async () => {
    const page = await opened.visit("/");
    await field().fill("open ge 4 tuth afternoon");
    await sees("[role=option]", "Open GE-IV sections on Tuesday and Thursday after noon");
    await field().press("ArrowDown");
    await field().press("Enter");
    await page.waitForURL(/\/find\?fullCourses=SkipFull|\/find\?.*ge=GE-4/);
    await sees("h1", "GE-IV");
  });

  describe("what a word of the schedule means", () => {
    it.each([
      ["NewOnly", "reserved for students who are new"],
      ["restriction A", "prerequisite"],
      ["Tap", "Tutors help a small group"],
    ])("“%s”: a suggestion says it, and leads to its explanation", async (word, words) => {
      const page = await opened.visit("/");
      await page.locator("h1").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type(word);
      await page.locator("[role=option]", { hasText: words }).waitFor();
      await page.keyboard.press("Enter");
      await sees(".words", words);
      expect(await text("h1")).toBe(`Results for “${word}”`);
    });
  });
});
