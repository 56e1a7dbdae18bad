/** The start page in a real browser: light and dark, wide and narrow, names and texts. */
import { luminance, POOR_CONTRAST } from "./contrast.ts";
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

describeInBrowser("what can be seen", (opened) => {
  const { sees, overflow } = opened;

  it.each([
    ["light", 390],
    ["dark", 1100],
  ] as const)("%s at %i pixels: nothing to scroll sideways, every text can be read", async (colorScheme, width) => {
    await opened.open("/#course/I%26CSCI46", { colorScheme, viewport: { width, height: 844 } });
    await sees("#view h3", "Enrollment");
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
    await sees("#view h3", "Enrollment");
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
