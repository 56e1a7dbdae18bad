import { describe, expect, test } from "vitest";
import { toTermDates } from "../../../pipeline/normalize/calendar.ts";
import { toLarcCourses } from "../../../pipeline/normalize/larc.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

describe("calendar", () => {
  const entries = (quarter: Quarter, ...texts: [begins: string, ends: string, finals: string]) =>
    ["Instruction begins", "Instruction ends", "Final examinations"].map((label, i) => ({
      ...{ quarter, label },
      text: texts[i] ?? "",
    }));
  const fall = (...texts: [begins: string, ends: string, finals: string]) => {
    const tally = createTally("calendar");
    const all = [...entries("Fall", ...texts), ...entries("Winter", "TBA", "", "to be announced by May 1")];
    return {
      row: toTermDates({ firstYear: 2023, quarters: ["Fall", "Winter", "Spring"], entries: all }, tally)[0],
      report: tally.report("published", 0),
    };
  };

  test.each([
    ["Dec 9-15", "2023-12-09", "2023-12-15"],
    ["Dec 9–15", "2023-12-09", "2023-12-15"],
    ["Dec 9 - 15", "2023-12-09", "2023-12-15"],
    ["Nov 30-Dec 5", "2023-11-30", "2023-12-05"],
    ["Nov 30 – Dec 5", "2023-11-30", "2023-12-05"],
    ["Nov 30 - Dec 5", "2023-11-30", "2023-12-05"],
    ["December 9-15", "2023-12-09", "2023-12-15"],
    ["Dec. 9", "2023-12-09", "2023-12-09"],
    ["Sat, Dec 9", "2023-12-09", "2023-12-09"],
    ["Sat, Dec 9 – Fri, Dec 15", "2023-12-09", "2023-12-15"],
    ["Saturday, December 9", "2023-12-09", "2023-12-09"],
    ["Mon, Dec 11-15", "2023-12-11", "2023-12-15"],
  ])("finals %s", (text, finalsStart, finalsEnd) => {
    expect(fall("Sep 28", "Nov 29", text).row).toEqual({
      year: "2023",
      quarter: "Fall",
      instructionStart: "2023-09-28",
      instructionEnd: "2023-11-29",
      finalsStart,
      finalsEnd,
    });
  });

  test("Fall is in the first year, all others in the second", () => {
    const quarters = ["Fall", "Winter", "Spring", "Summer1", "Summer10wk", "Summer2"] as const;
    const all = quarters.flatMap((quarter, i) => entries(quarter, `Sep ${i + 1}`, `Oct ${i + 1}`, `Nov ${i + 1}`));
    const rows = toTermDates({ firstYear: 2023, quarters, entries: all }, createTally("calendar"));
    expect(rows.map(({ year, quarter, instructionStart }) => [year, quarter, instructionStart])).toEqual([
      ["2023", "Fall", "2023-09-01"],
      ["2024", "Winter", "2024-09-02"],
      ["2024", "Spring", "2024-09-03"],
      ["2024", "Summer1", "2024-09-04"],
      ["2024", "Summer10wk", "2024-09-05"],
      ["2024", "Summer2", "2024-09-06"],
    ]);
  });

  test("TBA throughout: not yet, which is noted; a date missing or impossible: dropped by name", () => {
    expect(fall("TBA", "TBA", "").report).toMatchObject({ kept: 0, dropped: [], noted: [{ count: 3 }] });
    for (const [begins, ends, finals] of [
      ["Sep 28", "Dec 8", "TBA"],
      ["Sep 31", "Dec 8", "Dec 9"],
      ["Xyz 28", "Dec 8", "Dec 9"],
      ["Sep 28", "Dec 8", "Dec 9 –"],
      ["until Sep 28", "Dec 8", "Dec 9"],
    ] as const) {
      const { row, report } = fall(begins, ends, finals);
      expect(row).toBeUndefined();
      expect(report.dropped[0]?.names[0]).toMatch(/^2023 Fall: /);
    }
  });
});

describe("LARC", () => {
  const section = { days: "Mon/Wed", time: "9:00 - 10:50 AM", instructor: "Odd Vane", building: "Online" };
  const build = (...sections: (typeof section)[]) =>
    toLarcCourses(
      { year: "2023", quarter: "Fall" },
      { groups: [{ courseNumber: "CHEM 1C", courseName: "General Chemistry", sections }], unreadable: [] },
      createTally("larc"),
    )[0]?.sections;

  test.each([
    ["Mon/Wed", "MW"],
    ["Mon/Tue/Wed", "MTuW"],
    ["Tue/Thu", "TuTh"],
    ["Sun / Sat", "SuSa"],
    ["Friday", "F"],
    ["TBA", "TBA"],
    ["", ""],
  ])("days %s", (days, day) => expect(build({ ...section, days })?.[0]?.day).toBe(day));

  test.each([
    ["9:00 - 10:50 AM", "9:00-10:50a"],
    ["11:00 AM - 12:50 PM", "11:00a-12:50p"],
    ["1:00-2:50 pm", "1:00-2:50p"],
    ["1:00  –  2:50 PM", "1:00-2:50p"],
    ["9:00 - 10:50 am", "9:00-10:50a"],
    ["11:00 a.m. − 12:50 P.M.", "11:00a-12:50p"],
    ["9:00 AM to 2:50 PM", "9:00a-2:50p"],
    ["TBA", "TBA"],
  ])("time %s", (text, time) => expect(build({ ...section, time: text })?.[0]?.time).toBe(time));

  test("building: Online is ON LINE", () => {
    const buildings = ["Online", "ONLINE", "SSL 180", "Online 2", "Not online"];
    expect(build(...buildings.map((building) => ({ ...section, building })))?.map(({ building }) => building)).toEqual([
      "ON LINE",
      "ON LINE",
      "SSL 180",
      "Online 2",
      "Not online",
    ]);
  });

  test("a placeholder instead of a tutor is left out, and named; no tutor at all is not", () => {
    const tally = createTally("larc");
    const sections = ["Odd Vane", "TBA", ""].map((instructor) => ({ ...section, instructor }));
    const page = {
      groups: [{ courseNumber: "CHEM 1C", courseName: "General Chemistry", sections }],
      unreadable: ["x".repeat(81)],
    };
    const [row] = toLarcCourses({ year: "2023", quarter: "Fall" }, page, tally);
    expect(row?.sections.map(({ instructor }) => instructor)).toEqual(["Odd Vane", "", ""]);
    const { noted, dropped } = tally.report("published", 0);
    expect(noted).toEqual([
      { reason: "a placeholder instead of a tutor's name, left out", count: 1, names: ["2023 Fall CHEM 1C: TBA"] },
    ]);
    expect(dropped).toEqual([
      { reason: "the heading names no course", count: 1, names: [`2023 Fall: ${"x".repeat(80)}`] },
    ]);
  });

  test("a course that is printed twice is one row; a heading that cannot be read is dropped by name", () => {
    const tally = createTally("larc");
    const group = { courseNumber: "CHEM 1C", courseName: "General Chemistry", sections: [section] };
    const rows = toLarcCourses(
      { year: "2023", quarter: "Fall" },
      { groups: [group, { ...group, courseName: "Other" }, group], unreadable: ["Welcome"] },
      tally,
    );
    expect(rows.map(({ courseName, sections }) => [courseName, sections.length])).toEqual([
      ["General Chemistry", 2],
      ["Other", 1],
    ]);
    expect(tally.report("published", 0)).toMatchObject({
      read: 4,
      kept: 2,
      dropped: [{ names: ["2023 Fall: Welcome"] }],
      noted: [{ reason: "a course is printed twice", names: ["2023 Fall: CHEM 1C"] }],
    });
  });
});
