/** Nine tasks of a student, beside the twelve questions: each takes at most three steps from home, and its answer is compared with the API's. */
import { expect, it } from "vitest";
import type { Meeting } from "../../../../pipeline/contract/rows/section.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serveFolder } from "../../../support/whole-run.ts";
import { rows } from "../../../support/worlds/renamed-courses.ts";
import { courseWorld } from "./course-world.ts";
import { describeInBrowser, type OpenedPage } from "./opened-page.ts";
import { planWorld, type PlanWorld } from "./plan-world.ts";
import { asStudent } from "./student.ts";

const FALL = "year=2024&quarter=Fall&cacheOnly=true";
const COURSE = "department=COMPSCI&courseNumber=161";

/** A plan that the browser keeps. */
const planned = (...codes: string[]) => ({
  plans: { "2024 Fall": { shown: 0, plans: [{ name: "Plan A", courses: [], codes }] } },
});
const foundCodes = async ({ page }: Pick<OpenedPage, "page">) =>
  (await page.locator(".found tbody .code").allInnerTexts()).toSorted();

const minutesOf = (time: Meeting["startTime"]) => (time ? time.hour * 60 + time.minute : Number.NaN);
const daysOf = (days: string | null): string[] => days?.match(/Su|M|Tu|W|Th|F|Sa/g) ?? [];
/** True where two sections meet at the same time. */
const overlap = (a: { meetings: readonly Meeting[] }, b: { meetings: readonly Meeting[] }) =>
  a.meetings.some((one) =>
    b.meetings.some(
      (other) =>
        daysOf(one.days).some((day) => daysOf(other.days).includes(day)) &&
        minutesOf(one.startTime) < minutesOf(other.endTime) &&
        minutesOf(other.startTime) < minutesOf(one.endTime),
    ),
  );

describeInBrowser<PlanWorld>(
  "a student with a plan",
  (opened) => {
    const { sees, text } = opened;
    const { home, step, search, ask, sectionsOf } = asStudent(opened);
    const openPlan = () => step(opened.page.getByRole("link", { name: /^Plan/ }).first().click());

    it("what changed on my plan since yesterday", async () => {
      const yesterday = "2024-09-30T09:30:00.000Z";
      await home({ ...planned("04204", "34130"), "plan-visits": { "2024 Fall": { seen: yesterday } } });
      await openPlan();
      await sees(".plan-changes caption", "1 change in Fall 2024");
      const changes = await ask<Record<"sectionCode" | "field" | "before" | "after", string>[]>(
        `/changes?year=2024&quarter=Fall&sectionCodes=34130,04204&since=${yesterday}`,
      );
      expect(changes).toHaveLength(1);
      const { sectionCode, before, after } = changes[0] ?? {};
      expect(await text(".plan-changes tbody tr")).toContain(`${sectionCode} enrolled ${before} ${after}`);
    });

    it("swap a full discussion for an open one", async () => {
      const offered = await sectionsOf(`${FALL}&department=CHEM&courseNumber=1A&sectionType=Dis`);
      const full = offered.find(({ status }) => status === "FULL");
      const open = offered.find(({ status }) => status === "OPEN");
      const codeOf = (section: typeof full) => section?.sectionCode ?? "";
      await home(planned("40100", codeOf(full)));
      await openPlan();
      await sees(".to-do", "CHEM 1A Dis 1: full");
      await step(opened.page.locator(`.block[data-code="${codeOf(full)}"] .cover`).click());
      const choice = opened.page.getByRole("option", { name: `Dis ${open?.sectionNum}` });
      expect(await choice.innerText()).toMatch(/12 \/ 30, open.*fits$/s);
      await step(choice.click());
      await opened.page.waitForURL(new RegExp(`sections=40100%2C${codeOf(open)}`));
      await expect.poll(() => text(".to-do")).not.toContain("full");
    });

    it("what can I still take in the gaps of my plan", async () => {
      await home(planned("04204", "40100", "40102"));
      await search("what can I still take ge iv");
      await sees("h1", "1 open GE-IV section that fits your plan with prerequisites met");
      const mine = await sectionsOf(`${FALL}&sectionCodes=04204,40100,40102`);
      const open = await sectionsOf(`${FALL}&ge=GE-4&fullCourses=SkipFull`);
      const courses = await ask<{ courseNumber: string; prerequisiteText: string }[]>("/courses?department=DANCE");
      const isFree = ({ courseNumber }: { courseNumber: string }) =>
        courses.find((course) => course.courseNumber === courseNumber)?.prerequisiteText === "";
      const possible = open.filter((section) => isFree(section) && !mine.some((other) => overlap(section, other)));
      expect(open).toHaveLength(3);
      expect(await foundCodes(opened)).toEqual(possible.map(({ sectionCode }) => sectionCode));
    });

    it("which sections are open to a new student", async () => {
      await home();
      await search("open compsci 161");
      await sees("h1", "No open COMPSCI 161 sections");
      await step(opened.page.getByLabel("I am a new student").first().check());
      await sees("h1", "1 open COMPSCI 161 section");
      const open = await sectionsOf(`${FALL}&${COURSE}&fullCourses=SkipFull`);
      expect(open.map(({ status }) => status)).toEqual(["NewOnly"]);
      expect(await foundCodes(opened)).toEqual(open.map(({ sectionCode }) => sectionCode));
    });

    it("which GE-IV course has open seats on Monday, Wednesday and Friday from 10 to 11", async () => {
      await home();
      await search("open ge iv mwf 10-11");
      await sees("h1", "1 open GE-IV section on Monday, Wednesday, and Friday between 10 am and 11 am");
      const open = await sectionsOf(`${FALL}&ge=GE-4&days=MWF&startTime=10:00&endTime=11:00&fullCourses=SkipFull`);
      expect(await foundCodes(opened)).toEqual(open.map(({ sectionCode }) => sectionCode));
    });
  },
  planWorld,
);

type Offering = Readonly<Record<"instructor", string> & Record<`grade${string}Count` | "averageGPA", number>>;
const lettersOf = (row: Offering) =>
  ["A", "B", "C", "D", "F"].reduce((sum, letter) => sum + (row[`grade${letter}Count`] ?? 0), 0);

describeInBrowser<Awaited<ReturnType<typeof courseWorld>>>(
  "a student of COMPSCI 161",
  (opened) => {
    const { sees, text } = opened;
    const { home, step, search, ask, sectionsOf } = asStudent(opened);
    const lastName = (name = "") => name.charAt(0) + (name.split(",")[0] ?? "").slice(1).toLowerCase();

    it("which instructor grades highest, of those with 20 letter grades", async () => {
      await home();
      await search("compsci 161");
      await step(opened.page.locator("button.sort", { hasText: "Average" }).click());
      const offerings = await ask<Offering[]>(`/grades/aggregateByOffering?${COURSE}`);
      const [highest] = offerings.filter((row) => lettersOf(row) >= 20).toSorted((a, b) => b.averageGPA - a.averageGPA);
      await expect.poll(() => text(".graders tr.person")).toContain(lastName(highest?.instructor));
      expect(await text(".graders tr.person")).toContain(highest?.averageGPA.toFixed(2));
    });

    it("how do two instructors compare", async () => {
      await home();
      await search("compsci 161");
      await step(opened.page.getByRole("button", { name: "Compare: QUILLEN, T." }).click());
      await step(opened.page.getByRole("button", { name: "Compare: AMBERLEY, R." }).click());
      const chart = opened.page.locator("figure", { hasText: "R. Amberley and T. Quillen" });
      await chart.waitFor();
      const offerings = await ask<Offering[]>(`/grades/aggregateByOffering?${COURSE}`);
      const shareOf = (name: string) => {
        const row = offerings.find(({ instructor }) => instructor === name) as Offering;
        return `${((100 * (row.gradeACount ?? 0)) / lettersOf(row)).toFixed(0)}% (${row.gradeACount})`;
      };
      expect((await chart.locator("tbody tr").first().textContent())?.replaceAll(/\s+/g, " ")).toBe(
        `A${shareOf("AMBERLEY, R.")}${shareOf("QUILLEN, T.")}`,
      );
    });

    it("what does a person teach in the term that I choose", async () => {
      await home();
      await step(opened.page.getByRole("combobox", { name: "Term", exact: true }).selectOption("2025 Winter"));
      await search("tamsin quillen");
      await sees("table.sections caption", "1 section in Winter 2025");
      const taught = await sectionsOf("year=2025&quarter=Winter&cacheOnly=true&netid=tquillen");
      expect(await opened.page.locator("table.sections .code").allInnerTexts()).toEqual(
        taught.map(({ sectionCode }) => sectionCode),
      );
    });
  },
  courseWorld,
);

async function renamedWorld() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, rows);
  return serveFolder(folder);
}

describeInBrowser<Awaited<ReturnType<typeof renamedWorld>>>(
  "a student with an old catalogue",
  (opened) => {
    const { home, search, ask } = asStudent(opened);

    it("which course did IN4MATX 43 become", async () => {
      await home();
      await search("in4matx 43");
      const course = await ask<Record<"department" | "courseNumber", string>>("/courses/IN4MATX43");
      expect(course).toMatchObject({ department: "SWE", courseNumber: "43" });
      await opened.sees("h1", `${course.department} ${course.courseNumber}`);
      await opened.sees(".facts", "Formerly IN4MATX 43 (until Fall 2025)");
    });
  },
  renamedWorld,
);
