/** Home in a real browser: the week and its dates, the cards against the API, examples that lead to results, and how many bytes a first visit takes. */
import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../../pipeline/contract/rows/enrollment-history.ts";
import { campusToday } from "../../../../pipeline/contract/campus-time.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, meeting, sectionRow } from "../../../support/worlds/section-rows.ts";
import { describeInBrowser, describeWithOwnCampus, type OpenedPage } from "./opened-page.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number): string => campusToday(new Date(Date.now() + days * DAY_MS));
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const WINTER = { year: "2025", quarter: "Winter" } as const;
const calendar: TermDates[] = [
  {
    ...{ year: "2024", quarter: "Fall", instructionStart: inDays(-60), instructionEnd: inDays(9) },
    ...{ finalsStart: inDays(10), finalsEnd: inDays(16) },
  },
  {
    ...{ ...WINTER, instructionStart: inDays(40), instructionEnd: inDays(110) },
    ...{ finalsStart: inDays(111), finalsEnd: inDays(117) },
  },
];

const sections = [
  ["10000", "OPEN"],
  ["10001", "OPEN"],
  ["10002", "FULL"],
  ["10003", "Waitl"],
  ["10005", "NewOnly"],
].map(([sectionCode = "", status = ""]) => sectionRow({ ...WINTER, sectionCode, status }));
const filledSection = sectionRow({
  ...{ ...WINTER, deptCode: "I&C SCI", courseNumber: "46", sectionCode: "10006", status: "FULL" },
});
const filledHistory: EnrollmentHistory = {
  ...{ ...WINTER, sectionCode: "10006", department: "I&C SCI", courseNumber: "46", courseNumeric: 46 },
  ...{ sectionType: "Lec", sectionNum: "A", units: "4", instructors: [], meetings: [], finalExam: "", imported: false },
};
const filledPeriods = (
  [
    [-4, "OPEN"],
    [-3, "FULL"],
    [-2, "FULL"],
  ] as const
).map(([days, status]): EnrollmentPeriod => ({
  ...{ ...WINTER, month: inDays(days).slice(0, 7), sectionCode: "10006", first: inDays(days), last: inDays(days) },
  ...{ maxCapacity: "30", totalEnrolled: status === "FULL" ? "30" : "12", waitlist: "", waitlistCap: "" },
  ...{ requested: "30", newOnlyReserved: "", status, imported: false },
}));
const cancelled = sectionRow({ ...WINTER, sectionCode: "10004", cancelled: true });
const ofFall = sectionRow({
  sectionCode: "20000",
  geCategories: ["GE-4"],
  meetings: [meeting("TuTh", "14:00", "15:20", "ALP 2300")],
});

const change = (minutes: number, sectionCode: string, row: Partial<Change>): Change => ({
  ...WINTER,
  at: minutesAgo(minutes),
  month: minutesAgo(minutes).slice(0, 7),
  since: minutesAgo(minutes + 60),
  snapshot: "0000000000000003",
  sectionCode,
  department: "DANCE",
  courseNumber: "10",
  instructors: [],
  kind: "status",
  field: "status",
  before: "OPEN",
  after: "FULL",
  ...row,
});
const opened = { before: "FULL", after: "OPEN" } as const;
const changes = [
  change(9000, "10002", {}),
  // More than one response has.
  ...Array.from({ length: 70 }, (_, i) => change(8000 - i, "10000", i % 2 === 0 ? {} : opened)),
  change(90, "10001", opened),
  change(80, "10004", opened),
  change(70, "10004", { kind: "cancelled", field: "cancelled", before: "false", after: "true" }),
  change(60, "10003", { ...opened, after: "Waitl" }),
];

const departments = Array.from({ length: 150 }, (_, i) => ({
  deptCode: `DEPT ${i + 100}`,
  deptName: `Studies of ${i}`,
}));

const enrollment = inDays(-5);
const calendarDates = [
  { ...WINTER, event: "Enrollment begins", kind: "enrollment" as const, firstDay: enrollment, lastDay: enrollment },
];

async function publishTerms({ world }: OpenedPage): Promise<void> {
  const rows = [...sections, filledSection, cancelled, ofFall];
  const { id } = await publishRows(world.artifacts, {
    ...{
      calendar,
      calendar_dates: calendarDates,
      changes,
      departments,
      sections: rows,
      enrollment_history: [filledHistory],
      enrollment_periods: filledPeriods,
      headings: headingsOf(rows),
    },
  });
  while (((await (await fetch(`${world.url}/`)).json()) as { snapshot: { id: string } }).snapshot.id !== id)
    await setTimeout(50);
}

describeWithOwnCampus("home in the middle of a term", (browser) => {
  const { sees, text } = browser;
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(browser.world.url + path)).json()) as T;
  const card = (name: string) => browser.page.locator(".card", { has: browser.page.getByRole("heading", { name }) });
  beforeAll(() => publishTerms(browser));

  it("what week is it: said in the header of every view, with the coming dates of the calendar, by keyboard", async () => {
    const page = await browser.open("/data");
    const { display } = await ask<{ display: string }>("/v1/rest/week");
    const week = page.locator("header .week summary");
    await week.waitFor();
    expect((await week.innerText()).trim()).toBe(display);
    for (let i = 0; i < 10 && (await page.locator("header .week summary:focus").count()) === 0; i++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const { snapshot } = await ask<{ snapshot: { calendar: TermDates[] } }>("/");
    const [fall, winter] = snapshot.calendar;
    const dates = await page
      .locator("header .week time")
      .evaluateAll((all) => all.map((one) => one.getAttribute("datetime")));
    await sees("header .week li", "Winter 2025 begins");
    expect(dates.slice(0, 4)).toEqual([
      fall?.instructionEnd,
      fall?.finalsStart,
      fall?.finalsEnd,
      winter?.instructionStart,
    ]);
    await page.keyboard.press("Escape");
    expect(await page.locator("header .week ul").isVisible()).toBe(false);
    expect(await page.locator("header .week summary:focus").count()).toBe(1);
  });

  it("the cards say what the API says of the next term, and link on", async () => {
    const page = await browser.visit("/");
    const sectionsOf = (query: string) =>
      ask<{ rows: number }>(`/v1/rest/schedule?year=2025&quarter=Winter&cacheOnly=true&explain=true${query}`);
    const [open, all] = [await sectionsOf("&fullCourses=SkipFull"), await sectionsOf("")];
    // One of them is for new students only, and the cancelled one counts nowhere.
    expect([open.rows, all.rows]).toEqual([3, 6]);
    await sees(".card", `${open.rows - 1} open sections`);
    expect(await text(".card:has-text('open sections')")).toContain("33% of 6 · 1 more for new students only");
    await page.getByLabel("I am a new student").check();
    await sees(".card", `${open.rows} open sections`);
    await page.goto(`${browser.world.url}/find?department=DANCE&fullCourses=SkipFull`);
    await sees("h1", `${open.rows} open DANCE sections`);
    await page.getByLabel("I am a new student").uncheck();
    await sees("h1", `${open.rows - 1} open DANCE sections`);
    await browser.visit("/");
    await sees(".card", `${open.rows - 1} open sections`);
    await sees(".card", "Winter 2025 begins");
    await sees(".card", "Finals begin");

    const recorded = await ask<Change[]>("/v1/rest/changes?year=2025&quarter=Winter");
    const last = new Map(recorded.map((one) => [one.sectionCode, one]));
    const opened = [...last.values()]
      .filter(({ after }) => after === "OPEN")
      .toSorted((a, b) => (a.at < b.at ? 1 : -1));
    expect(opened.map(({ sectionCode }) => sectionCode)).toEqual(["10001", "10000"]);
    const links = card("Just opened").getByRole("link");
    await links.first().waitFor();
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(
      opened.map(({ sectionCode }) => `/sections/2025/Winter/${sectionCode}`),
    );
    await sees(".card", "full since");
    expect(await card("First to fill").getByRole("time").first().getAttribute("datetime")).toBe(inDays(-3));
    await card("First to fill").getByRole("link", { name: "I&C SCI 46" }).click();
    await page.waitForURL("**/courses/I%26CSCI46?term=2025+Winter");
  });

  it("a chosen term is that of the cards", async () => {
    await browser.visit("/?term=2024+Fall");
    await sees(".card h2", "Fall 2024");
    // Nothing opened again and nothing filled: dates take the place.
    await sees(".card h2", "Dates");
    expect(await card("Just opened").count()).toBe(0);
  });

  it("examples lead to results", async () => {
    const page = await browser.visit("/?term=2024+Fall");
    await sees(".examples", "Try");
    expect(await text(".examples")).toBe("Try: I&C SCI 46 · open GE-4 on TuTh afternoons · Robin Amberley");
    const { rows } = await ask<{ rows: number }>(
      "/v1/rest/schedule?year=2024&quarter=Fall&ge=GE-4&days=TuTh&startTime=12:00&fullCourses=SkipFull&cacheOnly=true&explain=true",
    );
    expect(rows).toBe(1);
    const addresses = await page
      .locator(".examples a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(addresses[1]).toBe("/find?term=2024+Fall&q=open+GE-4+on+TuTh+afternoons");
    for (const [path, heading] of [
      [addresses[0], "I&C SCI 46"],
      [addresses[2], "Robin Amberley"],
    ]) {
      await page.goto(`${browser.world.url}${path}`);
      await sees("h1", heading ?? "");
    }
  });

  it("departments, by keyboard: all of them, and a campus with 150 of them fits into 320 pixels", async () => {
    const page = await browser.open("/", { viewport: { width: 320, height: 640 } });
    const all = await ask<{ deptValue: string }[]>("/v1/rest/schedule/depts");
    await page
      .locator(".departments li")
      .nth(all.length - 2)
      .waitFor();
    expect(await page.locator(".departments li").count()).toBe(all.length - 1);
    expect(await browser.overflow()).toBe(0);
    await page.getByRole("link", { name: "By department" }).focus();
    await page.keyboard.press("Enter");
    // Past the filter.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/departments/*");
  });

  it("a first visit takes at most 40 kB", async () => {
    const page = await browser.open("/health/live");
    const bodies: Promise<number>[] = [];
    browser.context.on("requestfinished", (request) => {
      bodies.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    });
    await page.goto(`${browser.world.url}/`);
    await page.locator(".departments li").first().waitFor();
    await page.waitForLoadState("networkidle");
    const sizes = await Promise.all(bodies);
    expect(sizes.length).toBeGreaterThan(8);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_000);
    // The browser asks for an icon where a document names none.
    browser.allow(404);
  });
});

describeInBrowser("home at a campus without calendar and changes", (browser) => {
  const { sees } = browser;

  it("shows the newest term, and what it does not know is not there", async () => {
    await browser.open("/");
    await sees(".card", "No upcoming dates.");
    await sees(".card h2", "Winter 2025");
    await sees(".card", "2 open sections");
    await sees(".card h2", "Dates");
    expect(await browser.page.locator(".term-bar, header details").count()).toBe(0);
    await sees(".departments", "Dance");
  });

  it("a failed card says so, and leaves the others alone", async () => {
    const page = await browser.open("/data");
    await page.context().route("**/v1/rest/changes?*", (route) => route.abort());
    await page.getByRole("link", { name: "Academic Data" }).click();
    await sees(".card .problem", "Cannot reach the server");
    await sees(".card", "2 open sections");
    await page.context().unroute("**/v1/rest/changes?*");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await sees(".card h2", "Dates");
    browser.allowAll();
  });
});
