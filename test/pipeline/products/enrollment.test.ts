/** "One snapshot per section per campus day, taken by our own refresh (the day's latest successful run is that day's value)." */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runSql } from "../../support/run-sql.ts";
import { enrolled, FALL, sectionOf } from "../../support/published/history-days.ts";
import { days, described, drop, folder, HEADER, history, recordDays, saw, shown } from "./recorded-days.ts";

recordDays();

describe("recording a day", () => {
  test("a first run begins a history in the schedule's own words", async () => {
    const { report } = await days().run("2022-05-17", saw(sectionOf()));
    expect(report).toMatchObject({ read: 1, kept: 1, damaged: [] });
    expect(await days().rows(FALL)).toEqual([
      {
        year: "2022",
        quarter: "Fall",
        sectionCode: "35730",
        department: "I&C SCI",
        courseNumber: "46",
        courseNumeric: 46,
        sectionType: "Lec",
        sectionNum: "A",
        units: "4",
        instructors: ["AMBERLEY, R."],
        meetings: [{ days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200"] }],
        finalExam: "Mon, Dec 5, 8:00-10:00am",
        imported: false,
        periods: [
          {
            year: "2022",
            quarter: "Fall",
            month: "2022-05",
            sectionCode: "35730",
            first: "2022-05-17",
            last: "2022-05-17",
            maxCapacity: "330",
            totalEnrolled: "0",
            waitlist: "n/a",
            waitlistCap: "0",
            requested: "0",
            newOnlyReserved: "",
            status: "OPEN",
            imported: false,
          },
        ],
      },
    ]);
  });

  test("a later day is appended; days on end that say the same are one period, a changed value begins another", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    await days().run("2022-05-18", saw(enrolled(1)));
    await days().run("2022-05-19", saw(enrolled(2)));
    await days().run("2022-05-20", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-19 2", "2022-05-20 1"]);
  });

  test("each of the seven values begins a period", async () => {
    const changes = [
      sectionOf({ maxCapacity: "331" }),
      enrolled(9),
      sectionOf({ numOnWaitlist: "1" }),
      sectionOf({ numWaitlistCap: "5" }),
      sectionOf({ numRequested: "7" }),
      sectionOf({ numNewOnlyReserved: "3" }),
      sectionOf({ status: "Waitl" }),
    ];
    // A section for each.
    const codeOf = (i: number) => String(35730 + 10 * i);
    const usual = changes.map((_change, i) => sectionOf({ sectionCode: codeOf(i) }));
    const changed = changes.map((change, i) => ({ ...change, sectionCode: codeOf(i) }));
    await days().run("2022-06-01", saw(...usual));
    await days().run("2022-06-02", saw(...changed));
    await days().run("2022-06-03", saw(...usual));
    for (const { sectionCode } of usual) expect((await described(sectionCode)).periods).toHaveLength(3);
  });

  test("'the day's latest successful run is that day's value'", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    await days().run("2022-05-18", saw(enrolled(1)));
    await days().run("2022-05-18", saw(enrolled(5)));
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-18 5"]);
    await days().run("2022-05-18", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1"]);
  });

  test("an unchanged repeat on the same day leaves the snapshot as it is, byte for byte", async () => {
    const other = sectionOf({ sectionCode: "35740", sectionNum: "B" });
    const first = await days().run("2022-05-17", saw(sectionOf(), other));
    const again = await days().run("2022-05-17", saw(other, sectionOf()));
    expect(again).toMatchObject({ id: first.id, changed: false });
    expect((await days().run("2022-05-18", saw(sectionOf(), other))).changed).toBe(true);
  });

  test("a day without a run is an honest gap, also where nothing changed over it", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    await days().run("2022-05-19", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-19 1"]);
  });

  test("a month has a file of its own: an hour writes no other", async () => {
    await days().run("2022-05-30", saw(enrolled(1)));
    await days().run("2022-05-31", saw(enrolled(1)));
    const before = await days().paths();
    await days().run("2022-06-01", saw(enrolled(1)));
    await days().run("2022-06-02", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-30..2022-05-31 1", "2022-06-01..2022-06-02 1"]);
    const inMay = (path: string) => path.includes("enrollment_periods/2022-Fall-2022-05-");
    const names = (paths: string[]) => paths.filter(inMay).map((path) => path.split("/").at(-1));
    expect(names(await days().paths())).toEqual(names(before));
    expect(names(before)).toHaveLength(1);
  });

  test("months do not depend on when they were written: importing and recording in any order come to the same bytes", async () => {
    const old = "2022,Fall,35730,2022-05-30,330,1,n/a,0,0,,OPEN";
    const lines = [old, old.replace("30,330", "31,330"), old.replace("05-30", "06-01")];
    const file = `${HEADER},department\n${lines.map((line) => `${line},I&C SCI\n`).join("")}`;
    await drop("old.csv", file);
    await days().run("2022-06-01", []);
    await days().run("2022-06-01", saw(enrolled(2)));
    await days().run("2022-06-02", saw(enrolled(2, { deptCode: "COMPSCI" })));
    const first = await days().run("2022-06-03", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-30..2022-05-31 1*", "2022-06-01..2022-06-02 2", "2022-06-03 1"]);

    await rm(folder().artifacts, { recursive: true });
    await rm(join(folder().data, "enrollment", "old.csv"));
    await days().run("2022-06-01", saw(enrolled(9)));
    await days().run("2022-06-01", saw(enrolled(2)));
    await days().run("2022-06-02", saw(enrolled(2)));
    await drop("old.csv", file);
    const second = await days().run("2022-06-03", saw(enrolled(1)));
    expect(second.id).toBe(first.id);
  });

  test("a section that comes later begins later; one that is gone keeps its row", async () => {
    const other = enrolled(3, { sectionCode: "35740" });
    await days().run("2022-05-17", saw(enrolled(1)));
    await days().run("2022-05-18", saw(enrolled(1), other));
    await days().run("2022-05-19", saw(other));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1"]);
    expect(await history("35740")).toEqual(["2022-05-18..2022-05-19 3"]);
    // Back again after two days.
    await days().run("2022-05-20", saw(enrolled(1), other));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-20 1"]);
  });

  test("what a section is, is what it was when it was last seen: nothing is frozen at first sight", async () => {
    await days().run("2022-05-17", saw(sectionOf({ instructors: ["STAFF"] })));
    const tba = { timeIsTBA: true, bldg: ["ON LINE"], days: null, startTime: null, endTime: null };
    const none = { dayOfWeek: null, month: null, day: null, startTime: null, endTime: null, bldg: null };
    const now = {
      instructors: ["AMBERLEY, R.", "BRISTOW, T."],
      meetings: [tba],
      finalExam: { examStatus: "TBA_FINAL" as const, ...none },
      units: "2-4",
      sectionType: "Sem",
      deptCode: "COMPSCI",
      courseNumber: "H46",
    };
    const { report } = await days().run("2022-05-18", saw(sectionOf(now)));
    expect(report.noted).toEqual([
      {
        reason: "recorded days of a code that had another course",
        count: 1,
        names: ["2022 Fall 35730: was I&C SCI 46 Lec A, is COMPSCI H46 Sem A"],
      },
    ]);
    const latest = {
      instructors: ["AMBERLEY, R.", "BRISTOW, T."],
      meetings: [{ days: "", time: "TBA", bldg: ["ON LINE"] }],
      finalExam: "TBA",
      units: "2-4",
      sectionType: "Sem",
      department: "COMPSCI",
      courseNumber: "H46",
    };
    expect(await described()).toMatchObject(latest);
    expect(await history()).toEqual(["2022-05-17..2022-05-18 0"]);
    await days().run("2022-05-19", saw(sectionOf({ sectionCode: "35740" })));
    expect(await described()).toMatchObject(latest);
  });

  test("a term that a guard refused records nothing", async () => {
    await days().run("2022-05-17", saw(enrolled(1)));
    const { changed } = await days().run("2022-05-18", [{ term: FALL, sections: [enrolled(9)], refused: true }]);
    expect(changed).toBe(false);
    expect(await history()).toEqual(["2022-05-17 1"]);
  });

  test("terms stand apart, and one without any section is none", async () => {
    const winter = { year: "2023", quarter: "Winter" } as const;
    await days().run("2022-05-17", [
      { term: FALL, sections: [enrolled(1)] },
      { term: winter, sections: [] },
    ]);
    await days().run("2022-05-18", [{ term: winter, sections: [enrolled(2, winter)] }]);
    expect(await history()).toEqual(["2022-05-17 1"]);
    expect((await days().rows(winter)).map(({ periods }) => periods.map(shown))).toEqual([["2022-05-18 2"]]);
  });
});

test("SQL has one row per section and day, with what the section is", async () => {
  await days().run("2022-05-30", saw(enrolled(1), enrolled(5, { sectionCode: "35740", deptCode: "ART" })));
  await days().run("2022-05-31", saw(enrolled(1)));
  await days().run("2022-06-01", saw(enrolled(2)));
  const statement = `SELECT sectionCode, department, date, totalEnrolled, status, imported FROM enrollment_days
    WHERE year = '2022' AND quarter = 'Fall' ORDER BY ALL`;
  let text = "";
  for await (const part of runSql(folder().artifacts, statement, "csv", { tempFolder: join(folder().data, "sql") }))
    text += part;
  expect(text.trim().split("\n").slice(1)).toEqual([
    "35730,I&C SCI,2022-05-30,1,OPEN,false",
    "35730,I&C SCI,2022-05-31,1,OPEN,false",
    "35730,I&C SCI,2022-06-01,2,OPEN,false",
    "35740,ART,2022-05-30,5,OPEN,false",
  ]);
});
