/** Days in a cell of the calendar, in the notations that it is printed in. */
import { describe, expect, it, test } from "vitest";
import { isDay, type PrintedDay, rangesIn, toDays } from "../../../pipeline/normalize/printed-days.ts";

const shown = (day: PrintedDay | null): string =>
  day === null ? "?" : [day.month, day.day, ...(day.year === undefined ? [] : [day.year])].join("/");
/** `9/24`, `9/24–10/3/2026`, `?–10/3`, with semicolons between. */
const told = (text: string): string =>
  rangesIn(text)
    .map(({ first, last }) => [...new Set([shown(first), shown(last)])].join("–"))
    .join("; ");

test.each<[about: string, cells: Readonly<Record<string, string>>]>([
  [
    "one day",
    {
      "Sept. 9": "9/9",
      "September  9": "9/9",
      "9/24": "9/24",
      "9/24/23": "9/24/2023",
      "9/24/2023": "9/24/2023",
      "2023-09-24": "9/24/2023",
      Nov: "",
    },
  ],
  [
    "what stands beside a day",
    { "Sep 9 9:00": "9/9", "5 pm Sep 9 - 6 pm": "9/9", "Sep 5 pm": "", "Nov 10*11": "11/10", "week of Nov 3": "11/3" },
  ],
  [
    "further days of a month",
    {
      "Oct 3rd & 4th": "10/3; 10/4",
      "May 1 or 2": "5/1; 5/2",
      "Nov 1; 3": "11/1; 11/3",
      "Nov 25, 26 Dec 1": "11/25; 11/26; 12/1",
      "; 5, Nov 3": "11/3",
      ", 5 – Nov 3": "?–11/3",
    },
  ],
  [
    "further days of the month that came last",
    {
      "Nov 30 – Dec 2, 4": "11/30–12/2; 12/4",
      "until Oct 3, 5": "?–10/3; 10/5",
      "TBA–Sep 15, 17": "?–9/15; 9/17",
      "Nov 9; until noon, 16": "11/9; 11/16",
      "Nov 1; TBA; 3": "11/1; 11/3",
    },
  ],
  [
    "a day whose month follows the last one",
    {
      "5–11 Dec": "12/5–12/11",
      "5th to 11th December 2026": "12/5/2026–12/11/2026",
      "Sat 5 - Fri 11 Dec; 3 Jan": "12/5–12/11; 1/3",
      "Week 10 – 11 Dec": "?–12/11",
    },
  ],
  [
    "a number that is no day",
    {
      "Nov 1, 2 weeks": "11/1",
      "Nov 1, 1 week": "11/1",
      "Nov 1, 10 UNITS": "11/1",
      "Nov 1 Week 10": "11/1",
      "Nov 1, 2 Holidays": "11/1; 11/2",
      "Nov 1, 2 biweekly": "11/1; 11/2",
    },
  ],
  ["a last day alone", { "by Oct 3": "?–10/3", "ends Oct 3": "?–10/3", "TBA – Sep 15; Oct 1": "?–9/15; 10/1" }],
  [
    "a first day alone",
    {
      "opens on Sep 20": "9/20–?",
      "opens TBA, Nov 3": "11/3–?",
      "Sep 20, onwards": "9/20–?",
      "Sep 20, until further notice": "9/20–?",
      "Sep 20 through finals": "9/20–?",
      "Sep 20 – end of the quarter": "9/20–?",
      "Sep 20 – to": "9/20–?",
    },
  ],
  [
    "a first day alone, and more behind it",
    {
      "Sep 20 –, Oct 3": "9/20–?; 10/3",
      "Sep 20 –; Oct 3": "9/20–?; 10/3",
      "Sep 20 – from Oct 3": "9/20–?; 10/3–?",
      "Sep 20 – TBA, 25": "9/20–?; 9/25",
      "from Nov 1, Nov 3": "11/1–?; 11/3",
    },
  ],
  [
    "a day with an hour or a word behind a dash",
    {
      "Sep 20 – 5 p.m.": "9/20",
      "Sep 20, until noon, 24": "9/20; 9/24",
      "Sep 20 – finals": "9/20",
      "Oct 3 by noon": "10/3",
    },
  ],
  [
    "both ends",
    {
      "Sep 20 by Oct 3": "9/20–10/3",
      "Sep 20 – 5 pm Oct 3": "9/20–10/3",
      "opens Sep 20, closes Oct 3": "9/20–10/3",
      "BETWEEN Sep 20 AND Oct 3": "9/20–10/3",
      "between Sep 20, 8 am, and Oct 3": "9/20–10/3",
      "Sep 20, 8 am, until Oct 3": "9/20–10/3",
      "Sep 20, through Oct 3, noon": "9/20–10/3",
      "Sep 20 to Oct 3, noon, 5": "9/20–10/3; 10/5",
    },
  ],
  [
    "two days that are no ends",
    { "Sep 20 and Oct 3 between noon and 5 pm": "9/20; 10/3", "24 September onward, 30 September": "9/24–?; 9/30" },
  ],
  [
    "nothing of what says when it will be known, up to a semicolon",
    {
      "To be announced; Nov 3": "11/3",
      "Nov 1; TBA by Nov 2; Nov 3": "11/1; 11/3",
      "opens TBA, closes Oct 3": "?–10/3",
      "from noon; Nov 3": "11/3",
    },
  ],
  [
    "a year that is printed once, of both ends",
    {
      "Sep 24 – Oct 1, 2026": "9/24/2026–10/1/2026",
      "Sep 24 – 30, 2026": "9/24/2026–9/30/2026",
      "Dec 24 – Jan 1, 2027": "12/24/2026–1/1/2027",
    },
  ],
  [
    "each its own year",
    { "Sep 24, 2025 – Oct 1, 2026": "9/24/2025–10/1/2026", "Sep 24, 2025 – Oct 1": "9/24/2025–10/1" },
  ],
])("%s", (_, cells) => {
  expect(Object.fromEntries(Object.keys(cells).map((cell) => [cell, told(cell)]))).toEqual(cells);
});

describe("a range in days", () => {
  const [september, october] = [
    { month: 9, day: 24 },
    { month: 10, day: 1 },
  ];
  const days = (first: PrintedDay | null, last: PrintedDay | null) => toDays({ first, last }, (month) => 2000 + month);
  it("has the year that the first day's month is in, up to the new year", () => {
    expect(days(september, october)).toEqual(["2009-09-24", "2009-10-01"]);
    expect(days(october, september)).toEqual(["2010-10-01", "2011-09-24"]);
    expect(days(september, september)).toEqual(["2009-09-24", "2009-09-24"]);
    expect([days(september, null), days(null, october)]).toEqual([
      ["2009-09-24", null],
      [null, "2010-10-01"],
    ]);
  });
  it("has the years that are printed", () => {
    expect(days({ ...september, year: 2024 }, october)).toEqual(["2024-09-24", "2024-10-01"]);
    expect(days(september, { ...october, year: 2024 })).toEqual(["2009-09-24", "2024-10-01"]);
    expect(days(null, { ...october, year: 2024 })).toEqual([null, "2024-10-01"]);
  });
});

test("a day is one that exists, and nothing else", () => {
  const texts = [
    "2024-02-29",
    "2023-02-29",
    "12024-02-28",
    "2024-02-28T00",
    "2024-2-28",
    "2024-13-01",
    "2024-00-10",
    "",
  ];
  expect(texts.filter(isDay)).toEqual(["2024-02-29"]);
});
