/** Sections on the page of a course in a real browser: cancelled ones, codes with leading zeros, and the one that was asked for. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

const PICKER = "#view h2:has-text('Enrollment in') + div select";
const CHART = "#view figure:has-text('recorded:')";

describeInBrowser("sections", (opened) => {
  const { text, sees } = opened;
  const picked = () => opened.page.locator(`${PICKER} option:checked`).innerText();

  it("a cancelled section is shown, struck through and called cancelled", async () => {
    const page = await opened.open("/#course/DANCE10");
    await sees(".sections caption", "3 sections in 2025 Winter");
    expect(await text(".sections tr:has-text('05001')")).toMatch(/ cancelled$/);
    expect(await text(".sections tr:has-text('05000')")).toMatch(/ open$/);
    const lines = await page.evaluate<string[][]>(
      `[...document.querySelectorAll(".sections tbody tr")]
        .map((row) => [...row.children].map((cell) => getComputedStyle(cell).textDecorationLine))`,
    );
    expect(lines.map((cells) => new Set(cells.slice(0, -1)))).toEqual(
      ["none", "line-through", "none"].map((line) => new Set([line])),
    );
    expect(lines.map((cells) => cells.at(-1))).toEqual(["none", "none", "none"]);
  });

  it("the curve begins with the section of most days that is not cancelled", async () => {
    expect(await picked()).toBe("10000 Lec A");
    expect(await opened.page.locator(`${PICKER} option`).allInnerTexts()).toEqual([
      "05000 Lec A",
      "05001 Lec A, cancelled",
      "10000 Lec A",
    ]);
    await opened.page.locator(PICKER).selectOption("05001");
    await sees(CHART, "Section 05001, cancelled 10 days recorded");
    await opened.page.locator(`${CHART} summary`).click();
    expect(await text(`${CHART} tbody`)).not.toContain("open");
    expect(await text(`${CHART} tbody tr:last-child`)).toBe("10 Nov 2024 12 150 0 cancelled");
  });

  it("the section in the address, and one that was searched for, is chosen", async () => {
    await opened.open("/#section/05001?term=2025%20Winter");
    await sees(CHART, "Section 05001, cancelled");
    expect(await picked()).toBe("05001 Lec A, cancelled");
    expect(await text(".sections [aria-current=true]")).toContain("05001");
    await opened.open("/?q=05000");
    await opened.page.locator(".results a", { hasText: "05000" }).click();
    await sees(CHART, "Section 05000 3 days recorded");
    expect(await picked()).toBe("05000 Lec A");
    expect(await text(".sections [aria-current=true]")).toContain("05000");
    const links = opened.page.locator(`${CHART} a`);
    for (const address of await links.evaluateAll((all) => all.map((one) => one.getAttribute("href"))))
      expect((await opened.context.request.get(opened.world.url + address)).status()).toBe(200);
  });
});
