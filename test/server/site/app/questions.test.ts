/** Twelve questions of a student, each answered from home in at most three steps, and as the API answers it. */
import { expect, it } from "vitest";
import type { CalendarDate } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Meeting } from "../../../../pipeline/contract/rows/section.ts";
import { courseWorld } from "./course-world.ts";
import { describeInBrowser } from "./opened-page.ts";
import { asStudent } from "./student.ts";

type Offering = Readonly<Record<"instructor" | "courseNumber", string> & { averageGPA: number; gradeACount: number }>;

const COURSE = "department=COMPSCI&courseNumber=161";
const FALL = "year=2024&quarter=Fall&cacheOnly=true";

describeInBrowser<Awaited<ReturnType<typeof courseWorld>>>(
  "a student asks",
  (opened) => {
    const { sees, text } = opened;
    const { home, step, search, row, ask, sectionsOf } = asStudent(opened);
    const main = () => opened.page.locator("main");

    it("who teaches COMPSCI 161 next term, and how do they grade", async () => {
      await home();
      await search("compsci 161");
      const next = await sectionsOf(`year=2025&quarter=Winter&cacheOnly=true&${COURSE}`);
      expect(next.map(({ instructors }) => instructors[0])).toEqual(["QUILLEN, T."]);
      const offerings = await ask<Offering[]>(`/grades/aggregateByOffering?${COURSE}`);
      const theirs = offerings.find(({ instructor }) => instructor === "QUILLEN, T.")?.averageGPA ?? 0;
      // The name of the directory comes after that of the schedule.
      expect(await row(".ahead div", "Tamsin Quillen")).toContain("Winter 2025");
      expect(await row(".graders tr", "Tamsin Quillen")).toContain(theirs.toFixed(2));
    });

    it("which sections of COMPSCI 162 are open, without a class before 10", async () => {
      await home();
      await search("open compsci 162 after 10am");
      const wanted = await sectionsOf(
        `${FALL}&department=COMPSCI&courseNumber=162&startTime=10:00&fullCourses=SkipFull`,
      );
      await sees("h1", "2 open COMPSCI 162 sections after 10 am");
      const shown = await opened.page.locator(".found tbody .code").allInnerTexts();
      expect(shown).toEqual(wanted.map(({ sectionCode }) => sectionCode));
      expect(shown).toEqual(["34201", "34202"]);
    });

    it("when is the final of COMPSCI 161", async () => {
      await home();
      await search("compsci 161");
      const [lecture] = await sectionsOf(`${FALL}&sectionCodes=34130`);
      expect(lecture?.finalExam).toMatchObject({ month: 11, day: 10, startTime: { hour: 13, minute: 30 } });
      expect(await row(".sections tr", "34130")).toContain("Tue, Dec 10, 1:30–3:30 pm HIB 200");
    });

    it("when is the final of MATH 2B: it is not set, and nothing says that there is none", async () => {
      await home();
      await search("math 2b");
      const [lecture] = await sectionsOf(`${FALL}&sectionCodes=44200`);
      expect(lecture?.finalExam.examStatus).toBe("TBA_FINAL");
      const shown = await row(".sections tr", "44200");
      expect(shown).toContain("final not scheduled yet");
      expect(shown).not.toContain("no final");
      await step(opened.page.getByRole("button", { name: "Plan MATH 2B" }).click());
      await step(opened.page.getByRole("link", { name: /^Plan/ }).first().click());
      await sees(".plan .lead", "1 final not scheduled");
    });

    it("which GE-IV course is easy and has seats", async () => {
      await home();
      await search("open ge iv");
      await sees("h1", "2 open GE-IV sections");
      await step(opened.page.getByRole("combobox", { name: "Sort by" }).selectOption("highest average (20+ grades)"));
      const open = await sectionsOf(`${FALL}&ge=GE-4&fullCourses=SkipFull`);
      const averages = await ask<Offering[]>("/grades/aggregateByCourse?department=DANCE");
      const [best] = averages
        .filter(({ courseNumber }) => open.some((section) => section.courseNumber === courseNumber))
        .toSorted((a, b) => b.averageGPA - a.averageGPA);
      expect(best?.courseNumber).toBe("8");
      await expect.poll(() => text(".found tbody tr")).toContain(`DANCE ${best?.courseNumber}`);
      expect(await text(".found tbody tr")).toContain(best?.averageGPA.toFixed(2));
    });

    it("what must I have taken before COMPSCI 161", async () => {
      await home();
      await search("compsci 161");
      const { prerequisiteList } = await ask<{ prerequisiteList: string[] }>("/courses/COMPSCI161");
      expect(prerequisiteList.length).toBeGreaterThan(2);
      for (const name of prerequisiteList) await sees("section[aria-label=Prerequisites]", name);
    });

    it("do COMPSCI 161 and MATH 2B clash", async () => {
      await home();
      await step(opened.page.getByRole("link", { name: "Plan", exact: true }).click());
      const add = async (words: string) => {
        await opened.page.getByLabel("Add a course or section code").focus();
        await opened.page.keyboard.type(words);
        await opened.page.keyboard.press("Enter");
        await sees(".add-to-plan", `${words.toUpperCase()} added to your plan`);
      };
      await step(add("compsci 161"));
      await step(add("math 2b"));
      const [one, other] = await Promise.all(
        ["34130", "44200"].map(
          async (code) => (await sectionsOf(`${FALL}&sectionCodes=${code}`))[0]?.meetings as Meeting[],
        ),
      );
      expect(one?.map(({ days, startTime }) => [days, startTime])).toEqual(
        other?.map(({ days, startTime }) => [days, startTime]),
      );
      // What does not fit is shown as it would lie, and is not chosen.
      await sees(".block.is-ghost", "overlaps COMPSCI 161 Lec A by 50 minutes (M, W, F)");
      await sees(".to-do", "MATH 2B: choose a");
    });

    it("when does enrollment for the next term open, and until when can I add", async () => {
      await home();
      await step(main().getByText("enrollment and deadlines").click());
      const terms = await ask<{ quarter: string; dates: CalendarDate[] }[]>("/calendar?year=2025");
      const dates = terms.find(({ quarter }) => quarter === "Winter")?.dates ?? [];
      const day = (date: string | null = "") =>
        new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", {
          ...{ weekday: "short", month: "short", day: "numeric", timeZone: "UTC" },
        } as const);
      for (const { event, firstDay } of dates.filter(({ kind }) => kind !== "holiday"))
        expect(await row(".card li", event)).toContain(day(firstDay));
      await sees(".card", "Winter 2025 begins");
    });

    it("how early was COMPSCI 161 full before", async () => {
      await home();
      await search("compsci 161");
      const records = await ask<Record<"dates" | "totalEnrolledHistory", string[]>[]>(
        `/enrollmentHistory?${COURSE}&year=2023&quarter=Fall`,
      );
      const full = records[0]?.dates[records[0].totalEnrolledHistory.indexOf("100")] ?? "";
      const [, month, date] = full.split("-").map(Number);
      const line = await row(".fill-terms tr", "Fall 2023");
      expect(line).toContain("6 weeks before instruction");
      expect(line).toMatch(
        new RegExp(`\\(${"JanFebMarAprMayJunJulAugSepOctNovDec".substr(3 * (month ?? 1) - 3, 3)} ${date}`),
      );
    });

    it("where and when does Amberley teach", async () => {
      await home();
      await search("robin amberley");
      await sees("h1", "Robin Amberley");
      for (const { sectionCode, meetings } of await sectionsOf(`${FALL}&netid=ramberley`)) {
        expect(meetings[0]?.timeIsTBA).toBe(false);
        if (sectionCode === "34130")
          expect(await row(".sections tr", sectionCode)).toMatch(/MWF 10:00–10:50 am ALP 2300/);
      }
    });

    it("is COMPSCI 161 offered in spring", async () => {
      await home();
      await search("compsci 161");
      const spring = await sectionsOf(`year=2025&quarter=Spring&cacheOnly=true&${COURSE}`);
      expect(spring).toHaveLength(1);
      expect(await row(".ahead div", "Spring 2025")).toContain("Newcomer");
    });

    it("what week is it", async () => {
      await home();
      const { display } = await ask<{ display: string }>("/week");
      await opened.page.locator("header .week").waitFor();
      expect((await text("header .week")).trim()).toContain(display.split(" • ")[0]);
    });

    it("what did Quillen's students get in COMPSCI 161 on average", async () => {
      await home();
      await search("tamsin quillen");
      await sees("h1", "Tamsin Quillen");
      const offerings = await ask<Offering[]>(`/grades/aggregateByOffering?${COURSE}`);
      const theirs = offerings.find(({ instructor }) => instructor === "QUILLEN, T.")?.averageGPA ?? 0;
      expect(await row("main table tr", "COMPSCI 161")).toMatch(/./);
      await expect
        .poll(() => text(`main table:has(th:has-text("Course average")) tr:has-text("COMPSCI 161")`))
        .toContain(theirs.toFixed(2));
    });
  },
  courseWorld,
);
