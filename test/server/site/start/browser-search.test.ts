/** The start page in a real browser: search, charts, sections, and the keyboard alone. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

describeInBrowser("searching", (opened) => {
  const { text, sees } = opened;

  it("search → result → charts, sections with seats, enrollment; the address can be shared, the back button works", async () => {
    await opened.open();
    await opened.page.fill("#q", "data structur");
    await opened.page.locator("[role=option]", { hasText: "I&C SCI 46" }).click();
    await sees("#view h1", "Data Structure Implementation");
    expect(opened.page.url()).toContain("#course/I%26CSCI46");
    // Six sections of 34 A each, over three years.
    expect(await text("#view figure")).toContain("738 grades in 6 sections, average 2.75");
    const distribution = opened.page.getByRole("img", { name: "Grades 738 grades in 6 sections, average 2.75." });
    expect(await distribution.locator("rect").count()).toBe(8);
    const trend = opened.page.getByRole("img", { name: "Average by year 2.50 in 2021, 3.00 in 2023." });
    expect(await trend.locator("circle").count()).toBe(3);
    await opened.page.locator("#view figure summary").first().click();
    expect(await text("#view figure tbody tr")).toMatch(/A 204 28%/);
    // The newest term has no section of this course: the one before it is shown.
    expect(await opened.page.locator("#view select").first().inputValue()).toBe("2024 Fall");
    const lecture = await text(".sections tr:has-text('35730')");
    expect(lecture).toMatch(/Lec A AMBERLEY, R\. M W F 10:00 am–10:50 am ALP 2300 12 \/ 150 7 waitlist/);
    expect(await text("#view h2:has-text('Enrollment') + div")).toMatch(
      /30 days recorded: 40 of 150 seats on 1 Sept? 2024/,
    );
    // Steps: from one day to the next a curve goes sideways or up and down.
    const steps =
      (await opened.page.locator(".line-enrolled path").getAttribute("d"))?.match(/-?[\d.]+,-?[\d.]+/g) ?? [];
    const corners = steps.map((step) => step.split(",").map(Number));
    expect(corners.length).toBeGreaterThan(30);
    corners.slice(1).forEach(([x, y], i) => expect(x === corners[i]?.[0] || y === corners[i]?.[1]).toBe(true));
    // Text of a catalogue is text, also where it looks like markup.
    expect(await text("#view .text")).toBe("Trees <b>and</b> tables.");
    for (const link of await opened.page.locator("#view .json a").all())
      expect((await opened.context.request.get(opened.world.url + (await link.getAttribute("href")))).status()).toBe(
        200,
      );

    const shared = opened.page.url();
    await opened.page.getByRole("link", { name: "SQL", exact: true }).click();
    expect(await opened.page.evaluate("location.hash")).toBe("#sql");
    await sees("#view h1", "Data Structure Implementation");
    await opened.page.goBack();
    await sees("#view h1", "Data Structure Implementation");
    await opened.page.goBack();
    await opened.page.locator("#view h1").waitFor({ state: "detached" });
    expect(await opened.page.title()).toBe("Academic Data REST Service");
    await opened.page.goForward();
    await sees("#view h1", "Data Structure Implementation");
    await opened.page.goto("about:blank");
    await opened.page.goto(shared);
    await sees("#view h1", "Data Structure Implementation");
  });

  it("a section code leads to its course with the section marked; terms can be chosen; a missing course is said in words", async () => {
    await opened.open("/?q=35731");
    await opened.page.locator(".results a", { hasText: "35731" }).click();
    await sees("#view h1", "Data Structure Implementation");
    expect(await text(".sections [aria-current=true]")).toContain("35731");
    expect(await text("#view h2:has-text('Enrollment') + div")).toMatch(
      /Recorded on one day so far, 30 Sept? 2024: 30 of 150/,
    );
    await opened.page.goto(`${opened.world.url}/#course/I%26CSCI46`);
    await sees("#view h1", "Data Structure Implementation");
    await opened.page.locator("#view select").first().selectOption("2023 Fall");
    await sees(".sections caption", "1 section in 2023 Fall");
    expect(opened.page.url()).toContain("term=2023%20Fall");
    await opened.page.goto(`${opened.world.url}/#course/NOBODY1`);
    await sees("[role=alert]", 'Course "NOBODY1" not found');
    // The browser itself reports the answer 404.
    opened.allow(404);
  });

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
