/** The start page in a real browser: light and dark, wide and narrow, names and texts. */
import { luminance, POOR_CONTRAST } from "./contrast.ts";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every view, and a text that it shows at its end. */
const VIEWS = [
  ["the start page", "/", "h1", "Classes, grades, people"],
  ["search results", "/?q=data", ".results", "Data Structure"],
  ["no results", "/?q=qqqqqq", "#view p", "Try fewer words"],
  ["a course", "/#course/I%26CSCI46?term=2024%20Fall", "#view h2", "Changes in 2024 Fall"],
  ["a course with a cancelled section", "/#course/DANCE10", "#view h2", "Changes in 2025 Winter"],
  ["a person", "/#instructor/ramberley", "#view h2", "Sections"],
  ["a department", "/#department/I%26C%20SCI", "#view caption", "1 course"],
  ["the build report", "/status", "h1", "Status"],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describeInBrowser("what can be seen", (opened) => {
  const { sees, overflow } = opened;

  describe.each(VIEWS)("%s", (_name, path, selector, words) => {
    // The build report has no icon, which the browser asks for.
    afterEach(() => opened.allow(404));

    it("at 320 pixels has nothing to scroll sideways but tables, each in its own box", async () => {
      await opened.open(path, { viewport: { width: 320, height: 640 } });
      await sees(selector, words);
      for (const details of await opened.page.locator("details > summary").all()) await details.click();
      expect(await opened.page.evaluate("document.scrollingElement.scrollWidth")).toBeLessThanOrEqual(320);
    });

    it("has one main heading, and no fault that axe knows", async () => {
      await opened.open(path);
      await sees(selector, words);
      expect(await opened.page.locator("h1").count()).toBe(1);
      await opened.page.evaluate(AXE);
      const { violations } = await opened.page.evaluate<{ violations: Violation[] }>("axe.run()");
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    });
  });

  it.each([
    ["light", 390],
    ["dark", 1100],
  ] as const)("%s at %i pixels: nothing to scroll sideways, every text can be read", async (colorScheme, width) => {
    await opened.open("/#course/I%26CSCI46", { colorScheme, viewport: { width, height: 844 } });
    await sees("#view h2", "Enrollment");
    expect(await overflow()).toBe(0);
    const ground = await opened.page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(luminance(ground as string) > 0.5).toBe(colorScheme === "light");
    expect(await opened.page.evaluate(POOR_CONTRAST)).toEqual([]);
    await opened.page.goto(`${opened.world.url}/?q=data`);
    await opened.page.fill("#q", "da");
    await opened.page.getByRole("option").first().waitFor();
    expect(await overflow()).toBe(0);
  });

  it("every control has a name, every picture a text", async () => {
    await opened.open("/#course/I%26CSCI46");
    await sees("#view h2", "Enrollment");
    const nameless = await opened.page
      .evaluate(`[...document.querySelectorAll("a, button, input, select, textarea, summary, progress, svg[role=img]")]
      .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.[0]?.textContent.trim()))
      .map((one) => one.outerHTML)`);
    expect(nameless).toEqual([]);
    expect(await opened.page.evaluate(`document.querySelectorAll("table:not(:has(caption))").length`)).toBe(0);
    expect(
      await opened.page
        .getByRole("table", { name: /2 sections in 2024 Fall/ })
        .getByRole("rowheader")
        .count(),
    ).toBe(2);
    for (const target of await opened.page.locator("button, input, select").all()) {
      const box = await target.boundingBox();
      if (box) expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    }
  });
});
