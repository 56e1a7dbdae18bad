/** The start page in a real browser: search by the keyboard alone. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

describeInBrowser("searching", (opened) => {
  const { sees } = opened;

  it("works by keyboard alone, and tells a screen reader what happens", async () => {
    await opened.open();
    await opened.page.keyboard.press("Tab");
    expect(await opened.page.evaluate("document.activeElement.textContent")).toBe("Skip to the result");
    for (let i = 0; i < 12 && (await opened.page.evaluate("document.activeElement.id")) !== "q"; i++)
      await opened.page.keyboard.press("Tab");
    expect(await opened.page.evaluate("document.activeElement.id")).toBe("q");
    const field = opened.page.getByRole("combobox", { name: "Course, instructor, department or section code" });
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await opened.page.keyboard.type("quillen");
    await opened.page.getByRole("listbox", { name: "Suggestions" }).waitFor();
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await sees("[role=status]", "1 suggestion");
    await opened.page.keyboard.press("ArrowDown");
    const active = await field.getAttribute("aria-activedescendant");
    expect(await opened.page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await opened.page.keyboard.press("Escape");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    expect(await field.inputValue()).toBe("quillen");
    await opened.page.keyboard.press("ArrowDown");
    await opened.page.getByRole("option").first().waitFor();
    await opened.page.keyboard.press("ArrowUp");
    await opened.page.keyboard.press("Enter");
    await sees("#view h1", "Tamsin Quillen");
    expect(await opened.page.evaluate("document.activeElement.textContent")).toBe("Tamsin Quillen");
    expect(await opened.page.title()).toMatch(/^Tamsin Quillen/);
    // Enter without a chosen suggestion sends the search.
    await field.focus();
    await field.fill("dance");
    await opened.page.keyboard.press("Enter");
    await sees("#view h1", "Found for “dance”");
    expect(await opened.page.locator(".results a").first().innerText()).toContain("Dance");
  });
});
