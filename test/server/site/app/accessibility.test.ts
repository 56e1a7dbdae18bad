/** Every view in a real browser: light and dark, wide and narrow, names and texts. */
import { describe, expect, it } from "vitest";
import { SCHEMES, showColours, violationsOf } from "./axe.ts";
import { luminance, POOR_CONTRAST } from "./contrast.ts";
import { describeInBrowser } from "./opened-page.ts";

const VIEWS = [
  ["home", "/"],
  ["results", "/find?q=data"],
  ["no results", "/find?q=qqqqqq"],
  ["a plan", "/plan?term=2024+Fall&sections=35730,35731"],
  ["an empty plan", "/plan?term=2023+Fall"],
  ["a course", "/courses/I%26CSCI46?term=2024+Fall"],
  ["a course with a cancelled section", "/courses/DANCE10?term=2025+Winter"],
  ["a person", "/instructors/ramberley"],
  ["a department", "/departments/I%26C%20SCI"],
  ["a section", "/sections/2024/Fall/35730"],
  ["a cancelled section", "/sections/2025/Winter/05001"],
  ["SQL", "/sql"],
  ["the files", "/data"],
  ["the reference", "/docs"],
  ["the build report", "/status"],
  ["an address that leads nowhere", "/nothing/at/all"],
] as const;

/** Links and controls that a reader of the screen has no words for. */
const NAMELESS = `[...document.querySelectorAll("a, button, input, select, textarea, summary, progress, svg[role=img]")]
  .filter((one) => one.checkVisibility() && !(one.textContent.trim() || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.title || one.labels?.[0]?.textContent.trim()))
  .map((one) => one.outerHTML)`;

describeInBrowser("what can be seen", (opened) => {
  describe.each(VIEWS)("%s", (name, path) => {
    it("has one main heading, names and texts that can be read, in light and dark", async () => {
      const page = await opened.open(path, { viewport: { width: 1280, height: 900 }, colorScheme: "light" });
      if (name === "an address that leads nowhere") opened.allow(404);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.evaluate(NAMELESS)).toEqual([]);
      expect(await page.locator("main table:not(:has(caption))").count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      for (const colorScheme of SCHEMES) {
        await showColours(page, colorScheme);
        const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
        expect(luminance(ground as string) > 0.5).toBe(colorScheme === "light");
        expect([colorScheme, await page.evaluate(POOR_CONTRAST)]).toEqual([colorScheme, []]);
      }
    });

    it("at 320 pixels has nothing to scroll sideways, and controls that a thumb hits", async () => {
      const page = opened.page;
      await page.setViewportSize({ width: 320, height: 640 });
      await page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))");
      await page.waitForLoadState("networkidle");
      expect(await opened.overflow()).toBe(0);
      // An explained word stands in a sentence (WCAG 2.5.8, inline).
      const small: string[] = [];
      for (const target of await page.locator("button:not(.explained):visible, input:visible, select:visible").all()) {
        const box = await target.boundingBox();
        if (box && Math.min(box.width, box.height) < 24)
          small.push(await target.evaluate((one) => (one as unknown as { outerHTML: string }).outerHTML));
      }
      // A box to tick is hit by its label too.
      expect(small.filter((one) => !/type="(?:checkbox|radio)"/.test(one))).toEqual([]);
    });
  });

  it.each([
    ["light", 390],
    ["dark", 1100],
  ] as const)("%s at %i pixels: suggestions can be read, and nothing scrolls sideways", async (colorScheme, width) => {
    const page = await opened.open("/", { colorScheme, viewport: { width, height: 844 } });
    await page.getByRole("search", { name: "Search", exact: true }).getByRole("combobox").fill("da");
    await page.locator(".is-large [role=option]").first().waitFor();
    expect(await opened.overflow()).toBe(0);
    expect(await page.evaluate(POOR_CONTRAST)).toEqual([]);
  });
});
