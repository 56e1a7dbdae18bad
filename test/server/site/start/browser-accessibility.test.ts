/** The start page in a real browser: light and dark, wide and narrow, names and texts. */
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
  ["a person", "/#instructor/ramberley", "#view h2", "Sections"],
  ["a department", "/#department/I%26C%20SCI", "#view caption", "1 course"],
  ["the build report", "/status", "h1", "Status"],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describeInBrowser("what can be seen", (opened) => {
  const { sees } = opened;

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
});
