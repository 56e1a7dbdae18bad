/** Swapping and locking sections in the week of a plan, in a real browser, and the back button after it. */
import { describe, expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { faultsOf } from "./page-faults.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";
import { servedSections } from "./served-sections.ts";

describeInBrowser<PlanWorld>(
  "the week of a plan",
  (opened) => {
    const { sees, text } = opened;
    const codes = async () => (await opened.page.locator(".plan-list .name a").allInnerTexts()).toSorted().join();
    const block = (code: string) => opened.page.locator(`.block[data-code="${code}"] .cover`).first();
    const panel = (name: string) => opened.page.getByRole("dialog", { name: `Alternatives to ${name}` });
    const focused = () =>
      opened.page.evaluate<string>("document.activeElement?.closest('[data-code]')?.dataset.code ?? ''");

    async function visitPlan(...planned: string[]): Promise<void> {
      const page = await opened.visit("/");
      const plans = { "2024 Fall": { shown: 0, plans: [{ name: "Plan A", courses: [], codes: planned }] } };
      await page.evaluate(`localStorage.setItem("plans", ${JSON.stringify(JSON.stringify(plans))})`);
      await page.goto(`${opened.world.url}/plan?term=2024+Fall`);
      await expect.poll(codes).toBe(planned.join());
    }

    describe("by keyboard", () => {
      it("a block opens its alternatives of the same kind, as the API has them; Enter swaps; back and forward follow", async () => {
        await visitPlan("04310", "04311", "34130");
        const { page } = opened;
        await block("04311").focus();
        await page.keyboard.press("Enter");
        const list = panel("MATH 2D Dis B1").getByRole("listbox");
        await list.waitFor();
        expect(await list.getByRole("option").count()).toBe(3);
        const [other] = await servedSections(opened.world, "04312");
        const offered = (await list.getByRole("option", { name: "Dis B2" }).innerText()).replaceAll(/\s+/g, " ");
        expect(other?.meetings[0]).toMatchObject({ days: "Th", startTime: { hour: 11, minute: 0 } });
        expect(offered).toContain("Dis B2 Th 11:00–11:50 am");
        expect(offered).toContain(`${other?.numCurrentlyEnrolled.totalEnrolled} / ${other?.maxCapacity}, open`);
        expect(offered).toMatch(/Staff.* fits$/i);
        // The others of the kind are ghosts in the week.
        expect(await page.locator(".block.is-ghost").count()).toBe(2);
        expect(await faultsOf(page)).toEqual([]);
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await expect.poll(codes).toBe("04310,04312,34130");
        await expect.poll(focused).toBe("04312");
        expect(await page.getByRole("dialog").count()).toBe(0);
        await page.waitForURL(/sections=04310%2C04312%2C34130/);
        await page.goBack();
        await expect.poll(codes).toBe("04310,04311,34130");
        expect(await text("h1")).toContain("Your plan");
        await page.goForward();
        await expect.poll(codes).toBe("04310,04312,34130");
        await page.reload();
        await expect.poll(codes).toBe("04310,04312,34130");
        await page.goBack();
        await expect.poll(codes).toBe("04310,04311,34130");
      });

      it("Escape closes the alternatives and leads back to the block; a clash is said where a section does not fit", async () => {
        await visitPlan("04300", "04301", "34130");
        const { page } = opened;
        await block("04300").focus();
        await page.keyboard.press("Enter");
        await sees(".swap [role=option]", "overlaps COMPSCI 161 Lec A by 80 minutes");
        await page.keyboard.press("Escape");
        expect(await page.getByRole("dialog").count()).toBe(0);
        await expect.poll(focused).toBe("04300");
        await block("34130").click();
        await sees(".swap", "No alternative to Lec A");
        await panel("COMPSCI 161 Lec A").getByRole("button", { name: "Close" }).click();
        await expect.poll(focused).toBe("34130");
      });
    });

    it("a locked section stays in every schedule that is found, and the browser remembers it", async () => {
      await visitPlan("04310", "04312");
      const { page } = opened;
      await page.getByRole("button", { name: "Find schedules" }).click();
      await sees(".fitting", "3 schedules.");
      await page.getByRole("button", { name: "Find schedules" }).click();
      await block("04312").click();
      await panel("MATH 2D Dis B2").getByRole("button", { name: "Lock MATH 2D Dis B2 (04312)" }).click();
      await sees(".block", "locked");
      await page.reload();
      await page.getByRole("button", { name: "Find schedules" }).click();
      await sees(".fitting", "1 schedule. 1 locked section stays.");
      await expect.poll(codes).toBe("04310,04312");
      await page.getByRole("button", { name: "Find schedules" }).click();
      const lock = page.locator(".plan-list").getByRole("button", { name: "Lock MATH 2D Dis B2 (04312)" });
      expect(await lock.getAttribute("aria-pressed")).toBe("true");
      await lock.click();
      await expect.poll(() => page.locator(".block .locked").count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
    });

    it("the copied link of a plan has its locks, and a shared plan that is saved keeps them", async () => {
      await visitPlan("04310", "04312");
      const { page } = opened;
      const lock = page.locator(".plan-list").getByRole("button", { name: "Lock MATH 2D Dis B2 (04312)" });
      await lock.click();
      await sees(".block", "locked");
      await page.evaluate("navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }");
      await page.getByRole("button", { name: "Copy link", exact: true }).click();
      const link = await page.evaluate<string>("globalThis.copied");
      expect(new URL(link).searchParams.get("locked")).toBe("04312");
      await page.evaluate("localStorage.clear()");
      await page.goto(link);
      await sees(".notice", "You are viewing a shared plan");
      await sees(".block", "locked");
      await page.getByRole("button", { name: "Save as my plan" }).click();
      await expect.poll(() => lock.getAttribute("aria-pressed")).toBe("true");
    });

    it("what another tab removes is gone here too; there it comes back, until the next change", async () => {
      await visitPlan("04310", "04312", "34130");
      const other = await opened.page.context().newPage();
      await other.goto(opened.page.url());
      const undo = other.getByRole("button", { name: "Undo" });
      await other.getByRole("button", { name: "Remove from plan: COMPSCI 161", exact: true }).click();
      await expect.poll(codes).toBe("04310,04312");
      await undo.click();
      await expect.poll(codes).toBe("04310,04312,34130");
      await expect.poll(() => undo.count()).toBe(0);
      await other.close();
    });

    it("the first course of an empty plan is undone by the back button too", async () => {
      const page = await opened.visit("/plan?term=2024+Fall");
      await page.getByLabel("Add a course or section code").fill("34130");
      await page.keyboard.press("Enter");
      await expect.poll(codes).toBe("34130");
      await page.waitForURL(/sections=34130/);
      await page.goBack();
      await sees("main", "Your Fall 2024 plan is empty");
    });
  },
  planWorld,
);
