/** The views without a test of their own, in a real browser: what can be seen, read and hit; and suggestions in both colours. */
import { describe, expect, it } from "vitest";
import { POOR_CONTRAST } from "./contrast.ts";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";

const VIEWS = [
  ["home", "/"],
  ["no results", "/find?q=qqqqqq"],
  ["an empty plan", "/plan?term=2023+Fall"],
  ["the files", "/data"],
  ["the build report", "/status"],
  ["an address that leads nowhere", "/nothing/at/all"],
] as const;

describeInBrowser("what can be seen", (opened) => {
  describe.each(VIEWS)("%s", (name, path) => {
    it("has one main heading, names and texts that can be read, in light and dark, and nothing to scroll sideways", async () => {
      const page = await opened.visit(path);
      if (name === "an address that leads nowhere") opened.allow(404);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
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
