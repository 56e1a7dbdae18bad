/** "One snapshot per section per campus day, taken by our own refresh (the day's latest successful run is that day's value), plus imported older history." */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../pipeline/contract/enrollment-history.ts";
import { runSql } from "../../pipeline/publish/sql-shell.ts";
import { enrolled, FALL, type HistoryDays, openHistoryDays, sectionOf } from "../history-days.ts";
import { openFolder } from "../world.ts";

let folder: Awaited<ReturnType<typeof openFolder>>;
let days: HistoryDays;

beforeEach(async () => {
  folder = await openFolder();
  await mkdir(join(folder.data, "enrollment"), { recursive: true });
  days = await openHistoryDays(folder);
});
afterEach(async () => {
  days.close();
  await folder.remove();
});

const saw = (...sections: ReturnType<typeof sectionOf>[]) => [{ term: FALL, sections }];
const drop = (name: string, text: string) => writeFile(join(folder.data, "enrollment", name), text);

/** `2022-05-17..2022-05-18 12` for a period with twelve enrolled; an imported one ends in `*`. */
const shown = ({ first, last, totalEnrolled, imported }: EnrollmentPeriod) =>
  `${first === last ? first : `${first}..${last}`} ${totalEnrolled}${imported ? "*" : ""}`;
async function history(code = "35730"): Promise<string[] | undefined> {
  const row = (await days.rows(FALL)).find(({ sectionCode }) => sectionCode === code);
  return row?.periods.map(shown);
}
const described = async (code = "35730"): Promise<Partial<EnrollmentHistory & { periods: EnrollmentPeriod[] }>> =>
  (await days.rows(FALL)).find(({ sectionCode }) => sectionCode === code) ?? {};

const HEADER =
  "year,quarter,sectionCode,date,maxCapacity,totalEnrolled,waitlist,waitlistCap,requested,newOnlyReserved,status";

describe("recording a day", () => {
  test("a first run begins a history in the schedule's own words", async () => {
    const { report } = await days.run("2022-05-17", saw(sectionOf()));
    expect(report).toMatchObject({ read: 1, kept: 1, damaged: [] });
    expect(await days.rows(FALL)).toEqual([
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
    await days.run("2022-05-17", saw(enrolled(1)));
    await days.run("2022-05-18", saw(enrolled(1)));
    await days.run("2022-05-19", saw(enrolled(2)));
    await days.run("2022-05-20", saw(enrolled(1)));
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
    await days.run("2022-06-01", saw(sectionOf()));
    for (const [i, change] of changes.entries()) {
      await days.run(`2022-06-${String(2 + 2 * i).padStart(2, "0")}`, saw(change));
      await days.run(`2022-06-${String(3 + 2 * i).padStart(2, "0")}`, saw(sectionOf()));
    }
    expect((await described()).periods).toHaveLength(15);
  });

  test("'the day's latest successful run is that day's value'", async () => {
    await days.run("2022-05-17", saw(enrolled(1)));
    await days.run("2022-05-18", saw(enrolled(1)));
    await days.run("2022-05-18", saw(enrolled(5)));
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-18 5"]);
    await days.run("2022-05-18", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1"]);
  });

  test("an unchanged repeat on the same day leaves the snapshot as it is, byte for byte", async () => {
    const other = sectionOf({ sectionCode: "35740", sectionNum: "B" });
    const first = await days.run("2022-05-17", saw(sectionOf(), other));
    const again = await days.run("2022-05-17", saw(other, sectionOf()));
    expect(again).toMatchObject({ id: first.id, changed: false });
    expect((await days.run("2022-05-18", saw(sectionOf(), other))).changed).toBe(true);
  });

  test("a day without a run is an honest gap, also where nothing changed over it", async () => {
    await days.run("2022-05-17", saw(enrolled(1)));
    await days.run("2022-05-19", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17 1", "2022-05-19 1"]);
  });

  test("a month has a file of its own: an hour writes no other", async () => {
    await days.run("2022-05-30", saw(enrolled(1)));
    await days.run("2022-05-31", saw(enrolled(1)));
    const before = await days.paths();
    await days.run("2022-06-01", saw(enrolled(1)));
    await days.run("2022-06-02", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-30..2022-05-31 1", "2022-06-01..2022-06-02 1"]);
    const inMay = (path: string) => path.split("/").slice(-4).join("/").includes("month=2022-05");
    const names = (paths: string[]) => paths.filter(inMay).map((path) => path.split("/").at(-1));
    expect(names(await days.paths())).toEqual(names(before));
    expect(names(before)).toHaveLength(1);
  });

  test("months do not depend on when they were written: importing and recording in any order come to the same bytes", async () => {
    const old = "2022,Fall,35730,2022-05-30,330,1,n/a,0,0,,OPEN";
    const file = `${HEADER},department\n${old},OLD\n${old.replace("30,330", "31,330")},OLD\n${old.replace("05-30", "06-01")},OLD\n`;
    await drop("old.csv", file);
    await days.run("2022-06-01", []);
    await days.run("2022-06-01", saw(enrolled(2)));
    await days.run("2022-06-02", saw(enrolled(2, { deptCode: "COMPSCI" })));
    const first = await days.run("2022-06-03", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-30..2022-05-31 1*", "2022-06-01..2022-06-02 2", "2022-06-03 1"]);

    await rm(folder.artifacts, { recursive: true });
    await rm(join(folder.data, "enrollment", "old.csv"));
    await days.run("2022-06-01", saw(enrolled(9)));
    await days.run("2022-06-01", saw(enrolled(2)));
    await days.run("2022-06-02", saw(enrolled(2)));
    await drop("old.csv", file);
    const second = await days.run("2022-06-03", saw(enrolled(1)));
    expect(second.id).toBe(first.id);
  });

  test("a section that comes later begins later; one that is gone keeps its row", async () => {
    const other = enrolled(3, { sectionCode: "35740" });
    await days.run("2022-05-17", saw(enrolled(1)));
    await days.run("2022-05-18", saw(enrolled(1), other));
    await days.run("2022-05-19", saw(other));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1"]);
    expect(await history("35740")).toEqual(["2022-05-18..2022-05-19 3"]);
    // Back again after two days.
    await days.run("2022-05-20", saw(enrolled(1), other));
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1", "2022-05-20 1"]);
  });

  test("what a section is, is what it was when it was last seen: nothing is frozen at first sight", async () => {
    await days.run("2022-05-17", saw(sectionOf({ instructors: ["STAFF"] })));
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
    await days.run("2022-05-18", saw(sectionOf(now)));
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
    await days.run("2022-05-19", saw(sectionOf({ sectionCode: "35740" })));
    expect(await described()).toMatchObject(latest);
  });

  test("a term that a guard refused records nothing", async () => {
    await days.run("2022-05-17", saw(enrolled(1)));
    const { changed } = await days.run("2022-05-18", [{ term: FALL, sections: [enrolled(9)], refused: true }]);
    expect(changed).toBe(false);
    expect(await history()).toEqual(["2022-05-17 1"]);
  });

  test("with a clock that runs backwards nothing is recorded, and that is noted", async () => {
    await days.run("2022-05-18", saw(enrolled(1)));
    const { report } = await days.run("2022-05-17", saw(enrolled(9)));
    expect(report.noted).toMatchObject([{ count: 1, names: ["2022 Fall: 2022-05-18"] }]);
    expect(report.damaged).toEqual([]);
    expect(await history()).toEqual(["2022-05-18 1"]);
  });

  test("terms stand apart, and one without any section is none", async () => {
    const winter = { year: "2023", quarter: "Winter" } as const;
    await days.run("2022-05-17", [
      { term: FALL, sections: [enrolled(1)] },
      { term: winter, sections: [] },
    ]);
    await days.run("2022-05-18", [{ term: winter, sections: [enrolled(2, winter)] }]);
    expect(await history()).toEqual(["2022-05-17 1"]);
    expect((await days.rows(winter)).map(({ periods }) => periods.map(shown))).toEqual([["2022-05-18 2"]]);
  });
});

const csv = (...rows: string[]) => `${[HEADER, ...rows].join("\n")}\n`;
const row = (date: string, count: number, code = "35730") => `2022,Fall,${code},${date},330,${count},n/a,0,0,,OPEN`;

test("SQL has one row a section and day, with what the section is", async () => {
  await days.run("2022-05-30", saw(enrolled(1), enrolled(5, { sectionCode: "35740", deptCode: "ART" })));
  await days.run("2022-05-31", saw(enrolled(1)));
  await days.run("2022-06-01", saw(enrolled(2)));
  const statement = `SELECT sectionCode, department, date, totalEnrolled, status, imported FROM enrollment_days
    WHERE year = '2022' AND quarter = 'Fall' ORDER BY ALL`;
  let text = "";
  for await (const part of runSql(folder.artifacts, statement, "csv", { tempFolder: join(folder.data, "sql") }))
    text += part;
  expect(text.trim().split("\r\n").slice(1)).toEqual([
    "35730,I&C SCI,2022-05-30,1,OPEN,false",
    "35730,I&C SCI,2022-05-31,1,OPEN,false",
    "35730,I&C SCI,2022-06-01,2,OPEN,false",
    "35740,ART,2022-05-30,5,OPEN,false",
  ]);
});

describe("importing older history", () => {
  test("comma-separated: what a section is comes with it where we never saw it", async () => {
    await drop(
      "old.csv",
      `\uFEFF${HEADER},department,courseNumber,sectionType,sectionNum,units,instructors,meetings,finalExam\n` +
        `2022,Fall,5730,2022-05-17,330,1,n/a,0,0,,OPEN,I&C SCI,46,LEC,A,4,"AMBERLEY, R.; BRISTOW, T.","MWF 8:00- 8:50 @ EH 1200, EH 1300; TBA @ ON LINE","Mon, Dec 5, 8:00-10:00am"\n` +
        `2022,Fall,5730,2022-05-18,330,2,n/a,0,0,,OPEN,,,,,,,,\n`,
    );
    const { report } = await days.run("2022-06-01");
    expect(report).toMatchObject({ read: 2, kept: 2, dropped: [], damaged: [] });
    expect(await history("05730")).toEqual(["2022-05-17 1*", "2022-05-18 2*"]);
    expect(await described("05730")).toMatchObject({
      department: "I&C SCI",
      courseNumber: "46",
      courseNumeric: 46,
      sectionType: "Lec",
      sectionNum: "A",
      units: "4",
      instructors: ["AMBERLEY, R.", "BRISTOW, T."],
      meetings: [
        { days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200", "EH 1300"] },
        { days: "", time: "TBA", bldg: ["ON LINE"] },
      ],
      finalExam: "Mon, Dec 5, 8:00-10:00am",
    });
  });

  test("one JSON object a line: numbers are as good as texts, lists are lists", async () => {
    const snapshot = {
      year: 2022,
      quarter: "Fall",
      sectionCode: 35730,
      date: "2022-05-17",
      maxCapacity: 330,
      totalEnrolled: 12,
      waitlist: "n/a",
      waitlistCap: null,
      status: "OPEN",
      department: "I&C SCI",
      instructors: ["AMBERLEY, R."],
      meetings: [{ days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200"] }],
    };
    await drop("old.ndjson", `${JSON.stringify(snapshot)}\r\n\n${JSON.stringify({ ...snapshot, date: "2022-05-18" })}`);
    const { report } = await days.run("2022-06-01");
    expect(report).toMatchObject({ read: 2, kept: 2, damaged: [] });
    expect(await history()).toEqual(["2022-05-17..2022-05-18 12*"]);
    expect(await described()).toMatchObject({
      instructors: ["AMBERLEY, R."],
      meetings: [{ days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200"] }],
      courseNumber: "",
      finalExam: "",
      periods: [{ waitlistCap: "", requested: "" }],
    });
  });

  test("for one day our own snapshot counts, whichever came first", async () => {
    await days.run("2022-05-18", saw(enrolled(5)));
    await drop("old.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-19", 1), row("2022-05-20", 1)));
    await days.run("2022-05-20");
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 5", "2022-05-19..2022-05-20 1*"]);
    await days.run("2022-05-20", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 5", "2022-05-19 1*", "2022-05-20 1"]);
  });

  test("what a section is: our own word, then the term's schedule, then the file's", async () => {
    const withCourse = (code: string) =>
      `${HEADER},department,units\n2022,Fall,${code},2022-05-01,330,1,n/a,0,0,,OPEN,OLD,9\n`;
    await drop("a.csv", withCourse("35730"));
    // The term is published, but this run did not crawl it: no snapshot of our own.
    await days.runStaged("2022-05-02", [], async () => {});
    expect(await described()).toMatchObject({ department: "OLD", units: "9" });
    await days.run("2022-05-03", saw(sectionOf()));
    expect(await described()).toMatchObject({ department: "I&C SCI", units: "4" });
    await drop("b.csv", `${withCourse("35730")}2022,Fall,35740,2022-05-01,330,1,n/a,0,0,,OPEN,OLD,9\n`);
    await days.run("2022-05-03");
    expect(await described()).toMatchObject({ department: "I&C SCI", units: "4" });
    expect(await described("35740")).toMatchObject({ department: "OLD", units: "9" });
  });

  test("a section of the term's schedule that was never recorded is what the schedule says", async () => {
    await days.run("2022-05-03", saw(sectionOf()));
    // The history of a term can be younger than its schedule.
    await days.runStaged("2022-05-03", [], async (staging) => {
      staging.replaceTable("enrollment_history", []);
      staging.replaceTable("enrollment_periods", []);
    });
    await drop("a.csv", csv(row("2022-05-01", 1), row("2022-05-01", 1, "35740")));
    await days.run("2022-05-03");
    expect(await described()).toMatchObject({ department: "I&C SCI", finalExam: "Mon, Dec 5, 8:00-10:00am" });
    expect(await described("35740")).toMatchObject({ department: "", instructors: [], meetings: [] });
  });

  test("importing the same file again changes nothing; a gap stays a gap", async () => {
    await drop("old.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-20", 1)));
    const first = await days.run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1*", "2022-05-20 1*"]);
    const again = await days.run("2022-06-01");
    expect(again).toMatchObject({ id: first.id, changed: false });
    expect(again.report.read).toBe(0);
    // Under another name it is read, and says nothing new but its name.
    await drop("copy.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-20", 1)));
    const before = await days.rows(FALL);
    expect((await days.run("2022-06-01")).report.read).toBe(6);
    expect(await days.rows(FALL)).toEqual(before);
  });

  test("a later file corrects an earlier one, a changed file itself; what was imported stays when its file is gone", async () => {
    await drop("2.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1)));
    await drop("10.csv", csv(row("2022-05-18", 7)));
    await days.run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 7*"]);
    await drop("2.csv", csv(row("2022-05-17", 2), row("2022-05-18", 2)));
    await days.run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17 2*", "2022-05-18 7*"]);
    await rm(join(folder.data, "enrollment", "2.csv"));
    const { changed } = await days.run("2022-06-01");
    expect(changed).toBe(false);
    expect(await history()).toEqual(["2022-05-17 2*", "2022-05-18 7*"]);
  });

  test("bad rows are named with their line and why; the good ones are imported", async () => {
    await drop(
      "old.csv",
      csv(
        row("2022-05-17", 1),
        row("2022-02-30", 1),
        row("2023-05-17", 1),
        row("2022-05-18", 1).replace("Fall", "Autumn"),
        row("2022-05-18", 1).replace("2022", "22"),
        row("2022-05-18", 1, "357301"),
        row("2022-05-18", 1).replace("330", "many"),
        `${row("2022-05-18", 1)},more`,
        row("2022-05-19", 1),
      ),
    );
    await drop("old.ndjson", '{"year":\n[]\n{"year":"2022","instructors":5}\n');
    const { report } = await days.run("2022-06-01");
    expect(report.damaged).toEqual(["old.csv: 7 of 9 rows cannot be read", "old.ndjson: 3 of 3 rows cannot be read"]);
    const [{ names = [] } = {}] = report.dropped;
    expect(names.slice(0, 7)).toEqual([
      "old.csv line 3: date is 2022-02-30, not a day such as 2024-09-26",
      "old.csv line 4: date is 2023-05-17, not a day that was",
      "old.csv line 5: quarter is Autumn",
      "old.csv line 6: year is 22, not four digits",
      "old.csv line 7: sectionCode is 357301, not five digits",
      "old.csv line 8: maxCapacity is many, not a whole number",
      "old.csv line 9: 12 columns, the header has 11",
    ]);
    expect(names.slice(7)).toHaveLength(3);
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-19 1*"]);
    // It is said once as a fault; later runs remember.
    const later = (await days.run("2022-06-01")).report;
    expect(later.damaged).toEqual([]);
    expect(later.noted[0]?.names).toEqual(["old.csv: 7", "old.ndjson: 3"]);
  });

  test("a damaged file is named in every run and nothing of it is imported; the others and the day's recording go on", async () => {
    await drop("columns.csv", "year,quarter\n2022,Fall\n");
    await drop("empty.csv", "");
    await writeFile(
      join(folder.data, "enrollment", "latin1.csv"),
      Buffer.from(csv(row("2022-05-18", 1).replace("OPEN", "\xfc")), "latin1"),
    );
    await drop("quotes.csv", `${csv(row("2022-05-18", 1))}"2022,Fall\n`);
    await drop("good.csv", csv(row("2022-05-17", 1)));
    await drop("notes.txt", "");
    const { report } = await days.run("2022-05-20", saw(enrolled(4)));
    expect(report.damaged.map((what) => what.split(":")[0])).toEqual([
      "columns.csv",
      "empty.csv",
      "latin1.csv",
      "quotes.csv",
    ]);
    expect(report.damaged[0]).toContain("no column sectionCode, date");
    expect(report.noted[0]?.names).toEqual(["notes.txt"]);
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-20 4"]);
    expect((await days.run("2022-05-20", saw(enrolled(4)))).report.damaged).toHaveLength(4);
  });

  test("a term that is not crawled any more gets its history too", async () => {
    await drop("old.csv", csv(row("2022-05-17", 1).replace("2022,Fall", "2009,Summer2")));
    await days.run("2022-06-01");
    expect((await days.rows({ year: "2009", quarter: "Summer2" })).map(({ sectionCode }) => sectionCode)).toEqual([
      "35730",
    ]);
  });
});
