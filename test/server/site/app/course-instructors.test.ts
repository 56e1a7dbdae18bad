/** Who teaches a course and how they graded, in a real browser: each answer is compared with what the API says. */
import { expect, it } from "vitest";
import { describeInBrowser } from "./opened-page.ts";
import { courseWorld } from "./course-world.ts";

interface Offering {
  readonly instructor: string;
  readonly averageGPA: number;
  readonly [count: `grade${string}Count`]: number;
}

describeInBrowser<Awaited<ReturnType<typeof courseWorld>>>(
  "the instructors of a course",
  (opened) => {
    const { sees, text } = opened;
    const main = () => opened.page.locator("main");
    const rowOf = (name: string) => opened.page.locator(".graders tbody tr", { hasText: name });
    const cells = async (name: string) => (await rowOf(name).first().innerText()).replaceAll(/\s+/g, " ");
    const names = async () =>
      (await opened.page.locator(".graders tr.person th").allInnerTexts()).map((one) => one.split("\n")[0]);
    const address = () => new URL(opened.page.url()).searchParams;
    const find = async () => {
      await opened.visit("/");
      await opened.search("compsci 161");
    };

    it("1. which instructor grades how: on one scale, sortable, by year; the state is in the address", async () => {
      await find();
      const offerings = await opened.world.json<Offering[]>(
        "/grades/aggregateByOffering?department=COMPSCI&courseNumber=161",
      );
      await rowOf("Robin Amberley").waitFor();
      for (const { instructor, averageGPA, ...counts } of offerings) {
        const last = instructor.split(",")[0] ?? "";
        const students = ["A", "B", "C", "D", "F"].reduce(
          (sum, letter) => sum + (counts[`grade${letter}Count`] ?? 0),
          0,
        );
        const shown = last.charAt(0) + last.slice(1).toLowerCase();
        if (students < 20) expect(await rowOf(shown).count()).toBe(0);
        else expect(await cells(shown)).toMatch(new RegExp(` ${averageGPA.toFixed(2)} .* ${students} `));
      }
      expect(await main().locator(".graders a", { hasText: "Robin Amberley" }).getAttribute("href")).toContain(
        "/instructors/ramberley",
      );
      // Two sections of 50 letters each: 50 A, 30 B, 20 C.
      expect(await cells("Robin Amberley")).toContain("50% ±0.78 middle half A–B 100 + 4 P, 2 W 2");
      expect(await rowOf("Robin Amberley").getByRole("img").first().getAttribute("aria-label")).toMatch(
        /^A 47% \(50\), B 28% \(30\), .* 106 grades$/,
      );
      // Who teaches it now comes first, then who does next; few students are not told.
      expect(await names()).toEqual(["Robin Amberley", "Tamsin Quillen", "Noor Newcomer", "E. Easton", "D. Dover"]);
      await opened.page.locator("summary", { hasText: "1 other with fewer than 20 letter grades" }).click();
      await sees(".few", "F. Fewer");

      await opened.page.locator("button.sort", { hasText: "Average" }).focus();
      await opened.page.keyboard.press("Enter");
      await opened.page.locator("th[aria-sort=descending]", { hasText: "Average" }).waitFor();
      expect(await names()).toEqual(["Tamsin Quillen", "D. Dover", "Robin Amberley", "E. Easton", "Noor Newcomer"]);
      await opened.page.keyboard.press("Enter");
      await opened.page.locator("th[aria-sort=ascending]", { hasText: "Average" }).waitFor();
      expect(address().get("sort")).toBe("-average");

      await opened.page.getByRole("button", { name: "By year: AMBERLEY, R." }).click();
      await sees(".graders tr.year", "2022");
      expect(await text(".graders tr.year")).toMatch(/^2022 .* 3\.40 60% .* 50 \+ 2 P, 1 W 1/);
      const width = (name: string) =>
        rowOf(name)
          .locator(".distribution .grade-a")
          .first()
          .evaluate((one) => one.getBoundingClientRect().width);
      const [before] = [await width("Robin Amberley")];
      await main().getByRole("button", { name: "Count", exact: true }).first().click();
      await opened.page.waitForURL(/show=count/);
      // One scale: half as many students as the most that anybody had.
      expect((await width("Robin Amberley")) / (await width("E. Easton"))).toBeCloseTo(0.5, 1);
      expect(await width("Robin Amberley")).toBeLessThan(before);

      const shared = opened.page.url();
      await opened.visit(new URL(shared).pathname + new URL(shared).search);
      await sees(".graders tr.year", "2022");
      // The directory's names come after the schedule's.
      await expect.poll(async () => (await names())[0]).toBe("Noor Newcomer");
      await opened.page.getByRole("combobox", { name: "Years" }).selectOption("2022");
      await opened.page.waitForURL(/years=2022(&|$)/);
      expect(await cells("Robin Amberley")).toContain("3.40 60%");
      expect(await rowOf("E. Easton").count()).toBe(0);
    });

    it("7. who teaches it next, and how they graded before", async () => {
      await find();
      await sees(".graders", "next: Winter 2025");
      expect(await cells("Tamsin Quillen")).toContain("next: Winter 2025");
      expect(await cells("Noor Newcomer")).toMatch(/next: Spring 2025.*No grades for this course yet/);
      expect(await cells("Robin Amberley")).not.toContain("next");
      expect((await text(".ahead")).replaceAll("\n", " ")).toBe("Winter 2025 Tamsin Quillen Spring 2025 Noor Newcomer");
    });
  },
  courseWorld,
);
