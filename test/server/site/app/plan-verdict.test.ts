/** The verdict of a plan in a real browser: what stands in the way of enrolling, as the API has it; and each part shows the candidate. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";
import { servedSections } from "./served-sections.ts";

const STATUSES: Readonly<Record<string, string>> = {
  FULL: "full",
  Waitl: "waitlist only",
  NewOnly: "new students only",
};
const LETTERS: Readonly<Record<string, string>> = { B: "code required", L: "majors only" };

describeInBrowser<PlanWorld>(
  "the verdict of a plan",
  (opened) => {
    const { sees, text } = opened;
    const listed = () => opened.page.locator(".to-do:not(.prerequisites) li").allInnerTexts();

    const chosen = async () => (await opened.page.locator(".plan-list .name a").allInnerTexts()).toSorted();

    async function visitPlan(...planned: string[]): Promise<void> {
      const page = await opened.visit("/");
      const plans = { "2024 Fall": { shown: 0, plans: [{ name: "Plan A", courses: [], codes: planned }] } };
      await page.evaluate(`localStorage.setItem("plans", ${JSON.stringify(JSON.stringify(plans))})`);
      await page.goto(`${opened.world.url}/plan?term=2024+Fall`);
      await expect.poll(() => page.locator(".plan-list .name").count()).toBe(planned.length);
    }

    /** Names the sections that cannot simply be enrolled in. */
    async function obstacles(isNew: boolean, ...codes: string[]): Promise<string[]> {
      return (await servedSections(opened.world, ...codes)).flatMap(({ name, status, restrictions }) => {
        const words = [
          ...(status in STATUSES && !(isNew && status === "NewOnly") ? [STATUSES[status]] : []),
          ...restrictions.split(/\W+/).flatMap((letter) => LETTERS[letter] ?? []),
        ];
        return words.length === 0 ? [] : [`${name}: ${words.join(", ")}`];
      });
    }
    /** Names the sections with units whose finals are not set. */
    const unset = async (...codes: string[]) =>
      (await servedSections(opened.world, ...codes))
        .filter(({ units, finalExam }) => units !== "0" && finalExam.examStatus === "TBA_FINAL")
        .map(({ name }) => name);

    it("names full, reserved and code-required sections, prerequisites, and each unset final once", async () => {
      const codes = ["04310", "04311", "34130", "34131", "40100", "40101"];
      await visitPlan(...codes);
      const { page } = opened;
      const expected = await obstacles(false, ...codes);
      expect(expected).toHaveLength(4);
      expect((await listed()).toSorted()).toEqual(expected.toSorted());
      const finals = await unset(...codes);
      expect(finals).toEqual(["MATH 2D Lec B"]);
      expect(await text(".plan .lead")).toContain("1 final not scheduled");
      await sees(".unplaced", `Not scheduled yet: ${finals.join(", ")}.`);

      const [course] = await opened.world.json<{ prerequisiteText: string }[]>("/courses?ids=CHEM1A");
      expect(course?.prerequisiteText).toBe("CHEM 1P AND MATH 2B (corequisite)");
      expect(await text(".prerequisites")).toBe(
        "CHEM 1A needs CHEM 1P and MATH 2B: not on your earlier plans or courses taken",
      );
      await page.locator(".taken summary").click();
      await page.locator(".taken textarea").fill("chem 1p");
      await expect.poll(() => text(".prerequisites")).toContain("CHEM 1A needs MATH 2B: not");
      // A corequisite may be on the plan itself.
      await page.getByLabel("Add a course or section code").fill("04204");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator(".prerequisites").count()).toBe(0);

      await page.evaluate(`localStorage.setItem("new-student", "1")`);
      await page.reload();
      await sees(".to-do", "code required");
      const forNew = await obstacles(true, ...codes, "04204");
      expect((await listed()).filter((line) => !line.includes("choose")).toSorted()).toEqual(forNew.toSorted());
    });

    it("with a candidate, each part is about the candidate", async () => {
      await visitPlan("04300", "04301");
      const { page } = opened;
      const codesIn = async (link: string) =>
        new URL(
          (await page.getByRole("link", { name: link, exact: true }).getAttribute("href")) ?? "",
          opened.world.url,
        ).searchParams
          .get("sectionCodes")
          ?.split(",")
          .toSorted();
      await page.getByRole("button", { name: "Find schedules" }).click();
      await sees(".fitting", "3 schedules.");
      const seen = new Set<string>();
      for (let i = 1; i <= 3; i++) {
        await sees(".stepper", `${i} of 3`);
        await expect.poll(async () => seen.has((await chosen()).join())).toBe(false);
        const codes = await chosen();
        seen.add(codes.join());
        const inWeek = await page
          .locator(".block")
          .evaluateAll((all) => all.map((one) => one.getAttribute("data-code")));
        expect([...new Set(inWeek)].toSorted()).toEqual(codes);
        expect(await codesIn("Calendar file")).toEqual(codes);
        expect(await codesIn("Feed of this plan")).toEqual(codes);
        const finals = await unset(...codes);
        expect(await text(".plan .lead")).toContain(
          finals.length === 0 ? "no clashes, finals included" : "1 final not scheduled",
        );
        expect(await listed()).toEqual(await obstacles(false, ...codes));
        if (i < 3) await page.getByRole("button", { name: "Next schedule" }).click();
      }
      expect(seen.size).toBe(3);
      await page.getByRole("button", { name: "Find schedules" }).click();
      await expect.poll(async () => (await chosen()).join()).toBe("04300,04301");
    });
  },
  planWorld,
);
