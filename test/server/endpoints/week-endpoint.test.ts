/** GET /week (specification §7, server/RULES.md, Week): the date of the question, today on campus, and how long an answer holds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { openFolder } from "../../support/whole-run.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";

const term = (quarter: Quarter, ...days: [string, string, string, string]): TermDates => {
  const [instructionStart, instructionEnd, finalsStart, finalsEnd] = days.map((day) => `2023-${day}`) as [
    string,
    string,
    string,
    string,
  ];
  return { year: "2023", quarter, instructionStart, instructionEnd, finalsStart, finalsEnd };
};

/** 2023 as the registrar printed it, in no order. */
const CALENDAR = [
  term("Fall", "09-28", "12-08", "12-09", "12-15"),
  term("Summer2", "08-07", "09-11", "09-12", "09-13"),
  term("Spring", "04-03", "06-09", "06-10", "06-15"),
  term("Summer10wk", "06-26", "08-31", "09-01", "09-01"),
  term("Winter", "01-09", "03-17", "03-18", "03-24"),
  term("Summer1", "06-26", "07-31", "08-01", "08-02"),
];

let now = new Date("2023-05-01T19:00:00Z");
let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  const nextRefresh = new Date("2030-01-01T00:00:00Z");
  await publishRows(folder.artifacts, { calendar: CALENDAR }, { now: new Date("2023-01-02T03:04:05Z"), nextRefresh });
  app = await openApp(folder.artifacts, () => now);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

const get = (query: string) => app.get(`/week${query}`);
const on = (date: string) => {
  const [year, month, day] = date.split("-");
  return get(`?year=${year}&month=${month}&day=${day}`);
};
const maxAge = ({ headers }: Response) =>
  Number(/^public, max-age=(\d+)$/.exec(headers.get("cache-control") ?? "")?.[1]);

describe("days whose week is known", () => {
  it.each([
    ["2023-03-25", [-1], ["N/A"], "Enjoy your break! 😎"],
    ["2023-05-01", [5], ["Spring Quarter 2023"], "Week 5 • Spring Quarter 2023"],
    ["2023-06-15", [-1], ["Spring Quarter 2023"], "Finals Week • Spring Quarter 2023. Good luck! 🤞"],
    [
      "2023-06-26",
      [1, 1],
      ["Summer Session I 2023", "Summer Session 10WK 2023"],
      "Week 1 • Summer Session I 2023 | Summer Session 10WK 2023",
    ],
    [
      "2023-08-07",
      [7, 1],
      ["Summer Session 10WK 2023", "Summer Session II 2023"],
      "Week 7 • Summer Session 10WK 2023 | Week 1 • Summer Session II 2023",
    ],
    [
      "2023-09-01",
      [4, -1],
      ["Summer Session II 2023", "Summer Session 10WK 2023"],
      "Finals • Summer Session 10WK 2023. Good luck! 🤞 | Week 4 • Summer Session II 2023",
    ],
    // "1 or more": the predecessor said week 0.
    ["2023-09-28", [1], ["Fall Quarter 2023"], "Week 1 • Fall Quarter 2023"],
    ["2023-10-02", [1], ["Fall Quarter 2023"], "Week 1 • Fall Quarter 2023"],
    ["2023-12-08", [10], ["Fall Quarter 2023"], "Week 10 • Fall Quarter 2023"],
    ["2023-12-09", [-1], ["Fall Quarter 2023"], "Finals Week • Fall Quarter 2023. Good luck! 🤞"],
    // "a date outside the known calendars is the break answer"
    ["1999-01-01", [-1], ["N/A"], "Enjoy your break! 😎"],
    ["9999-12-31", [-1], ["N/A"], "Enjoy your break! 😎"],
    ["0000-01-01", [-1], ["N/A"], "Enjoy your break! 😎"],
  ])("%s", async (date, weeks, quarters, display) => {
    const response = await on(date);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ weeks, quarters, display });
  });

  it("a day and a month of one digit; equal questions have one tag", async () => {
    const [one, two] = [await on("2023-5-1"), await on("2023-05-01")];
    expect(await one.json()).toEqual(await two.json());
    expect(one.headers.get("etag")).toBe(two.headers.get("etag"));
    expect((await on("2023-05-02")).headers.get("etag")).not.toBe(one.headers.get("etag"));
    expect((await on("2024-02-29")).status).toBe(200);
  });
});

describe("refused", () => {
  it.each([
    // "Either all three are provided … or none"
    ["?year=2023", '"month"'],
    ["?year=2023&month=5", '"day"'],
    ["?month=5&day=1", '"year"'],
    ["?year=2023&day=1&month=", '"month"'],
    // "An impossible date (31 February) or only part of the three is 400"
    ["?year=2023&month=2&day=31", "there is no day 31 of month 2 in 2023"],
    ["?year=2023&month=2&day=29", "there is no day 29 of month 2"],
    ["?year=1900&month=2&day=29", "there is no day 29"],
    ["?year=2023&month=13&day=1", "there is no day 1 of month 13"],
    ["?year=2023&month=0&day=1", "month 0"],
    ["?year=2023&month=4&day=31", "there is no day 31 of month 4"],
    ["?year=2023&month=1&day=0", "there is no day 0"],
    ["?year=23&month=1&day=1", "Invalid year provided"],
    ["?year=2023&month=May&day=1", "Invalid month provided"],
    ["?year=2023&month=5&day=1.5", "Invalid day provided"],
    ["?year=2023&month=-5&day=1", "Invalid month provided"],
    ["?year=2023&month=005&day=1", "Invalid month provided"],
  ])("%s", async (query, words) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(words);
  });
});

describe("today", () => {
  it("is the campus's day: it turns at midnight there, in summer time and in winter time", async () => {
    for (const [moment, display] of [
      // The last minute of 9 June on campus, when it is the 10th in Greenwich; then finals begin.
      ["2023-06-10T06:59:59.999Z", "Week 10 • Spring Quarter 2023"],
      ["2023-06-10T07:00:00Z", "Finals Week • Spring Quarter 2023. Good luck! 🤞"],
      ["2023-12-09T07:59:59Z", "Week 10 • Fall Quarter 2023"],
      ["2023-12-09T08:00:00Z", "Finals Week • Fall Quarter 2023. Good luck! 🤞"],
      ["2024-01-01T07:59:59Z", "Enjoy your break! 😎"],
    ] as const) {
      now = new Date(moment);
      const response = await get("");
      expect([moment, ((await response.json()) as { display: string }).display]).toEqual([moment, display]);
    }
  });

  it("an answer holds until the campus's midnight at most, and its tag is the day's", async () => {
    now = new Date("2023-06-10T06:30:00Z");
    const before = await get("");
    expect(maxAge(before)).toBe(1800);
    now = new Date("2023-06-10T06:59:59.500Z");
    expect(maxAge(await get(""))).toBe(0);
    expect((await get("")).headers.get("etag")).toBe(before.headers.get("etag"));
    now = new Date("2023-06-10T07:00:00Z");
    const after = await app.get("/week", { headers: { "if-none-match": before.headers.get("etag") ?? "" } });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(maxAge(after)).toBe(3600);
    // A given day's answer does not end with the day.
    now = new Date("2023-06-10T06:59:00Z");
    expect(maxAge(await on("2023-06-09"))).toBe(3600);
    expect(await (await on("2023-06-09")).json()).toEqual(await (await get("")).json());
    // The days of 23 and 25 hours.
    now = new Date("2023-03-13T06:30:00Z");
    expect(maxAge(await get(""))).toBe(1800);
    now = new Date("2023-11-06T07:30:00Z");
    expect(maxAge(await get(""))).toBe(1800);
  });

  it("was last modified at midnight on campus; a given day when the calendar was crawled", async () => {
    for (const [moment, midnight] of [
      ["2023-06-10T06:59:59Z", "Fri, 09 Jun 2023 07:00:00 GMT"],
      ["2023-06-10T07:00:00Z", "Sat, 10 Jun 2023 07:00:00 GMT"],
      // The days of 23 and 25 hours.
      ["2023-03-13T06:30:00Z", "Sun, 12 Mar 2023 08:00:00 GMT"],
      ["2023-11-06T07:30:00Z", "Sun, 05 Nov 2023 07:00:00 GMT"],
      ["2023-01-02T03:30:00Z", "Mon, 02 Jan 2023 03:04:05 GMT"],
    ] as const) {
      now = new Date(moment);
      expect([moment, (await get("")).headers.get("last-modified")]).toEqual([moment, midnight]);
      expect((await on("2023-06-09")).headers.get("last-modified")).toBe("Mon, 02 Jan 2023 03:04:05 GMT");
    }
    now = new Date("2023-06-10T07:00:00Z");
    const since = (text: string) => app.get("/week", { headers: { "if-modified-since": text } });
    expect((await since("Sat, 10 Jun 2023 06:59:59 GMT")).status).toBe(200);
    expect((await since("Sat, 10 Jun 2023 07:00:00 GMT")).status).toBe(304);
  });

  it("empty values mean today", async () => {
    now = new Date("2023-05-01T19:00:00Z");
    expect(await (await get("?year=&month=&day=")).json()).toMatchObject({ weeks: [5] });
  });
});
