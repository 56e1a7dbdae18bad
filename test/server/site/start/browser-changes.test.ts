/** What changed, on the page of a course in a real browser: timeline, statuses, live updates, and where the numbers come from. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";

const CHANGES = "#view h2:has-text('Changes in')";

describeInBrowser("changes of a course", (opened) => {
  const { text, sees } = opened;

  it("stand beside the curve: a mark for each change of the section, and a band of statuses", async () => {
    const page = await opened.open("/#course/I%26CSCI46?term=2024%20Fall");
    await sees(CHANGES, "2024 Fall");
    const curve = page.getByRole("img", { name: /Section 35730 30 days recorded/ });
    expect(await curve.locator(".changes path").count()).toBe(2);
    expect(await curve.locator(".changes title").allTextContents()).toEqual([
      expect.stringMatching(/capacity 120 → 150$/),
      expect.stringMatching(/status open → waitlist$/),
    ]);
    // Open for twenty days, then a waitlist for eight, then full for two.
    const band = await curve
      .locator(".band rect")
      .evaluateAll((all) => all.map((one) => [one.getAttribute("fill"), Number(one.getAttribute("width"))] as const));
    expect(band.map(([fill]) => fill)).toEqual(["var(--good)", "var(--warn-line)", "var(--bad)"]);
    const days = band.map(([, width]) => width / ((band[0]?.[1] ?? 0) / 20));
    [20, 8, 2].forEach((count, i) => expect(Math.abs((days[i] ?? 0) - count)).toBeLessThan(0.5));
    expect(await text("table:has(caption:has-text('3 changes in 2024 Fall')) tbody")).toMatch(
      /21 Sept? 2024, .+ 35730 status open waitlist .+ 35730 enrolled 149 150 .+ 35730 capacity 120 150/,
    );
    await page.locator("figure:has-text('Section 35730') summary").click();
    expect(await text("figure:has-text('Section 35730') tbody tr:last-child")).toMatch(/30 Sept? 2024 150 150 7 full/);
  });

  it("come from a link of every chart to an explanation", async () => {
    const page = opened.page;
    const links = page.locator("figure a", { hasText: "Where these numbers come from" });
    const count = await page.locator("figure").count();
    expect([count, await links.count()]).toEqual([3, 3]);
    for (const link of await links.all()) {
      const response = await opened.context.request.get(opened.world.url + (await link.getAttribute("href")));
      expect(response.status()).toBe(200);
      expect(await response.json()).toMatchObject({
        sql: expect.stringMatching(/^(SELECT|WITH)/),
        rows: expect.any(Number),
      });
    }
  });

  it("are followed live: the list, the seats and the mark of a change that is published now", async () => {
    const page = opened.page;
    const follow = page.getByRole("button", { name: "Follow" });
    expect(await follow.getAttribute("aria-pressed")).toBe("false");
    await follow.click();
    await sees(".follow [role=status]", "Following");
    expect(await text(".sections tr:has-text('35730')")).toContain("12 / 150");
    await opened.world.publishNext();
    await sees("caption", "4 changes in 2024 Fall");
    await sees(".sections tr:has-text('35730')", "13 / 150");
    expect(await text("table:has(caption:has-text('4 changes')) tbody tr")).toMatch(/ 35730 enrolled 12 13$/);
    // The curve itself shows how many seats are taken.
    expect(await page.locator(".changes path").count()).toBe(2);
    await follow.click();
    expect([await follow.getAttribute("aria-pressed"), await text(".follow [role=status]")]).toEqual(["false", ""]);
    const list = "table:has(caption:has-text('4 changes in 2024 Fall')) tbody";
    const followed = await text(list);
    await page.reload();
    await sees("caption", "4 changes in 2024 Fall");
    expect(await text(list)).toBe(followed);
  });

  it("are listed where only seats have moved", async () => {
    await opened.open("/#course/DANCE10");
    await sees("caption", "1 change in 2025 Winter");
    expect(await text("table:has(caption:has-text('1 change in')) tbody tr")).toMatch(/ 05000 enrolled 11 12$/);
    expect(await opened.page.getByText(/^No change/).count()).toBe(0);
  });

  it("are said to be unavailable where the stream is, and the page goes on", async () => {
    const page = await opened.open("/");
    await opened.context.route("**/v1/rest/changes?*", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`${opened.world.url}/#section/35731?term=2024%20Fall`);
    await sees("#view p", "Changes are not available at the moment.");
    expect(await text(".sections [aria-current=true]")).toContain("35731");
    await opened.context.unroute("**/v1/rest/changes?*");
    await page.goto(`${opened.world.url}/#course/I%26CSCI46`);
    const follow = page.getByRole("button", { name: "Follow" });
    await follow.waitFor();
    await opened.context.route("**/v1/rest/changes?*", (route) => route.fulfill({ status: 503, body: "{}" }));
    await follow.click();
    await sees(".follow [role=status]", "Live updates are not available");
    expect(await follow.getAttribute("aria-pressed")).toBe("false");
    // The browser itself reports the status.
    opened.allow(503);
  });
});
