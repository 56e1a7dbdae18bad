/** What changed in a plan, in a real browser, as the API has it. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";

describeInBrowser<PlanWorld>(
  "the changes of a plan",
  (opened) => {
    const { sees, text } = opened;

    it("what changed since the last visit is listed, as the API has it, with a feed of the plan", async () => {
      const page = await opened.visit("/");
      await page.evaluate(
        `localStorage.setItem("plans", '{"2024 Fall":["34130","04204"]}'), localStorage.setItem("plan-visits", '{"2024 Fall":{"seen":"2024-09-30T09:30:00.000Z"}}')`,
      );
      await page.goto(`${opened.world.url}/plan?term=2024+Fall`);
      const list = page.locator(".plan-changes");
      await list.getByRole("row").nth(1).waitFor();
      const changes = await opened.world.json<{ at: string; sectionCode: string; before: string; after: string }[]>(
        "/changes?year=2024&quarter=Fall&sectionCodes=34130,04204&since=2024-09-30T09:30:00.000Z",
      );
      expect(changes.length).toBeGreaterThan(0);
      expect(
        await list.locator("tbody time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime"))),
      ).toEqual(changes.map(({ at }) => at).toReversed());
      expect(await text(".plan-changes")).toContain("Since your last visit, Sep 30, 2024, 2:30 am");
      expect(await text(".plan-changes tbody tr")).toMatch(/34130 enrolled 137 138/);
      const feed = (await list.getByRole("link", { name: "Feed of this plan" }).getAttribute("href")) ?? "";
      const entries = await (await opened.context.request.get(opened.world.url + feed)).text();
      expect(entries).toContain("34130");
      await page.reload();
      await sees(".plan-changes", "Since your last visit, Sep 30, 2024");
    });
  },
  planWorld,
);
