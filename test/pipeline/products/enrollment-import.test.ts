/** "… plus imported older history": files that somebody dropped, beside what our own runs recorded. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { departments } from "../../../pipeline/contract/rows/listing.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { enrolled, FALL, sectionOf } from "../../support/published/history-days.ts";
import { csv, days, described, drop, folder, HEADER, history, recordDays, row, saw } from "./recorded-days.ts";

recordDays();

describe("importing older history", () => {
  test("comma-separated: what a section is comes with it where we never saw it", async () => {
    await drop(
      "old.csv",
      `\uFEFF${HEADER},department,courseNumber,sectionType,sectionNum,units,instructors,meetings,finalExam\n` +
        `2022,Fall,5730,2022-05-17,330,1,n/a,0,0,,OPEN,I&C SCI,46,LEC,A,4,"AMBERLEY, R.; BRISTOW, T.","MWF 8:00- 8:50 @ EH 1200, EH 1300; TBA @ ON LINE","Mon, Dec 5, 8:00-10:00am"\n` +
        `2022,Fall,5730,2022-05-18,330,2,n/a,0,0,,OPEN,,,,,,,,\n`,
    );
    const { report } = await days().run("2022-06-01");
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
    const { report } = await days().run("2022-06-01");
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
    await days().run("2022-05-18", saw(enrolled(5)));
    await drop("old.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-19", 1), row("2022-05-20", 1)));
    await days().run("2022-05-20");
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 5", "2022-05-19..2022-05-20 1*"]);
    await days().run("2022-05-20", saw(enrolled(1)));
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 5", "2022-05-19 1*", "2022-05-20 1"]);
  });

  test("what a section is: our own word, then the term's schedule, then the file's", async () => {
    const withCourse = (code: string) =>
      `${HEADER},department,units\n2022,Fall,${code},2022-05-01,330,1,n/a,0,0,,OPEN,OLD,9\n`;
    await drop("a.csv", withCourse("35730"));
    // The term is published, but this run did not crawl it: no snapshot of our own.
    await days().runStaged("2022-05-02", [], async () => {});
    expect(await described()).toMatchObject({ department: "OLD", units: "9" });
    await days().run("2022-05-03", saw(sectionOf()));
    expect(await described()).toMatchObject({ department: "I&C SCI", units: "4" });
    await drop("b.csv", `${withCourse("35730")}2022,Fall,35740,2022-05-01,330,1,n/a,0,0,,OPEN,OLD,9\n`);
    await days().run("2022-05-03");
    expect(await described()).toMatchObject({ department: "I&C SCI", units: "4" });
    expect(await described("35740")).toMatchObject({ department: "OLD", units: "9" });
  });

  test("a section of the term's schedule that was never recorded is what the schedule says", async () => {
    await days().run("2022-05-03", saw(sectionOf()));
    // The history of a term can be younger than its schedule.
    await days().runStaged("2022-05-03", [], async (staging) => {
      staging.replaceTable("enrollment_history", []);
      staging.replaceTable("enrollment_periods", []);
    });
    await drop("a.csv", csv(row("2022-05-01", 1), row("2022-05-01", 1, "35740")));
    await days().run("2022-05-03");
    expect(await described()).toMatchObject({ department: "I&C SCI", finalExam: "Mon, Dec 5, 8:00-10:00am" });
    expect(await described("35740")).toMatchObject({ department: "", instructors: [], meetings: [] });
  });

  test("importing the same file again changes nothing; a gap stays a gap", async () => {
    await drop("old.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-20", 1)));
    const first = await days().run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17..2022-05-18 1*", "2022-05-20 1*"]);
    const again = await days().run("2022-06-01");
    expect(again).toMatchObject({ id: first.id, changed: false });
    expect(again.report.read).toBe(0);
    // Under another name it is read, and says nothing new but its name.
    await drop("copy.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1), row("2022-05-20", 1)));
    const before = await days().rows(FALL);
    expect((await days().run("2022-06-01")).report.read).toBe(6);
    expect(await days().rows(FALL)).toEqual(before);
  });

  test("a later file corrects an earlier one, a changed file itself; what was imported stays when its file is gone", async () => {
    await drop("2.csv", csv(row("2022-05-17", 1), row("2022-05-18", 1)));
    await drop("10.csv", csv(row("2022-05-18", 7)));
    await days().run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-18 7*"]);
    await drop("2.csv", csv(row("2022-05-17", 2), row("2022-05-18", 2)));
    await days().run("2022-06-01");
    expect(await history()).toEqual(["2022-05-17 2*", "2022-05-18 7*"]);
    await rm(join(folder().data, "enrollment", "2.csv"));
    const { changed } = await days().run("2022-06-01");
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
    const { report } = await days().run("2022-06-01");
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
    const later = (await days().run("2022-06-01")).report;
    expect(later.damaged).toEqual([]);
    expect(later.noted[0]?.names).toEqual(["old.csv: 7", "old.ndjson: 3"]);
  });

  test("a damaged file is named in every run and nothing of it is imported; the others and the day's recording go on", async () => {
    await drop("columns.csv", "year,quarter\n2022,Fall\n");
    await drop("empty.csv", "");
    await writeFile(
      join(folder().data, "enrollment", "latin1.csv"),
      Buffer.from(csv(row("2022-05-18", 1).replace("OPEN", "\xfc")), "latin1"),
    );
    await drop("quotes.csv", `${csv(row("2022-05-18", 1))}"2022,Fall\n`);
    await drop("good.csv", csv(row("2022-05-17", 1)));
    await drop("notes.txt", "");
    const { report } = await days().run("2022-05-20", saw(enrolled(4)));
    expect(report.damaged.map((what) => what.split(":")[0])).toEqual([
      "columns.csv",
      "empty.csv",
      "latin1.csv",
      "quotes.csv",
    ]);
    expect(report.damaged[0]).toContain("no column sectionCode, date");
    expect(report.noted[0]?.names).toEqual(["notes.txt"]);
    expect(await history()).toEqual(["2022-05-17 1*", "2022-05-20 4"]);
    expect((await days().run("2022-05-20", saw(enrolled(4)))).report.damaged).toHaveLength(4);
  });

  test("a term that is not crawled any more gets its history too", async () => {
    await drop("old.csv", csv(row("2022-05-17", 1).replace("2022,Fall", "2009,Summer2")));
    await days().run("2022-06-01");
    expect((await days().rows({ year: "2009", quarter: "Summer2" })).map(({ sectionCode }) => sectionCode)).toEqual([
      "35730",
    ]);
  });

  const withFacts = (facts: string, date = "2022-05-01", count = 25) =>
    `${HEADER},department,courseNumber,sectionType,sectionNum\n${row(date, count)},${facts}\n`;

  test.each([
    "OTHER,46,Lec,A",
    "I&C SCI,999,Lec,A",
    "I&C SCI,46,Dis,A",
    "I&C SCI,46,Lec,A7",
    "OTHER,999,Dis,A7",
    "OTHER,,,",
  ])(
    "a day of %s at the code of a section that is none of these is refused by name, and the others stay",
    async (facts) => {
      await drop("a.csv", withFacts(facts));
      await drop("b.csv", csv(row("2022-05-02", 61)));
      const { report } = await days().run("2022-05-03", saw(enrolled(61)));
      expect(report.damaged).toEqual(["a.csv: 1 of 1 rows are of other sections than those with their codes"]);
      const [refused] = report.dropped;
      expect(refused).toMatchObject({ reason: "a day of another section than the one with its code", count: 1 });
      expect(refused?.names[0]).toMatch(/^a\.csv line 2: 2022 Fall 35730 is .*; the day's .* is .*, the section's /);
      expect(await history()).toEqual(["2022-05-02 61*", "2022-05-03 61"]);
      expect(await described()).toMatchObject({ department: "I&C SCI", courseNumber: "46", sectionType: "Lec" });
    },
  );

  test.each(["I&C SCI,46,Lec,A", "i&csci,046,LECTURE,a", ",,,", "I&C SCI,,,", ",46,,"])(
    "a day of %s is the section's in another notation, or as far as the file says",
    async (facts) => {
      await drop("a.csv", withFacts(facts));
      const { report } = await days().run("2022-05-03", saw(enrolled(61)));
      expect([report.damaged, report.dropped]).toEqual([[], []]);
      expect(await history()).toEqual(["2022-05-01 25*", "2022-05-03 61"]);
    },
  );

  test("a department's name, or its code in another spelling, is its code", async () => {
    await drop("a.csv", `${withFacts("Computer Science,46,Lec,A")}${row("2022-05-01", 7, "35740")},i&csci,46,Lec,B\n`);
    await days().runStaged("2022-06-01", [], async (staging) => {
      const { connection } = days().database;
      const listed = [
        { deptCode: "COMPSCI", deptName: "Computer Science" },
        { deptCode: "I&C SCI", deptName: "Information" },
      ];
      const select = `SELECT * FROM ${await loadRows(connection, departments, listed)}`;
      staging.put(await writePartition(connection, staging, { table: departments, partition: {}, select }));
    });
    expect(await described()).toMatchObject({ department: "COMPSCI" });
    expect(await described("35740")).toMatchObject({ department: "I&C SCI" });
  });

  test("lines that contradict each other are not one section, whichever file they are in", async () => {
    await drop("a.csv", withFacts("I&C SCI,46,,"));
    await drop("b.csv", `${withFacts(",,Lec,A", "2022-05-02")}${row("2022-05-03", 7)},I&C SCI,46,Dis,A\n`);
    const { report } = await days().run("2022-06-01");
    expect(report.dropped.flatMap(({ names }) => names)).toEqual([
      "b.csv line 3: 2022 Fall 35730 is I&C SCI 46 Dis A; the day's type is Dis, a.csv line 2's Lec",
    ]);
    expect(await history()).toEqual(["2022-05-01..2022-05-02 25*"]);
  });

  test("days that were imported before their section was seen are left out when it is another one", async () => {
    await drop("a.csv", `${withFacts("OTHER,999,Dis,A7")}${row("2022-06-01", 26)},OTHER,999,Dis,A7\n`);
    await days().run("2022-06-02");
    expect(await history()).toEqual(["2022-05-01 25*", "2022-06-01 26*"]);
    const { report } = await days().run("2022-06-03", saw(enrolled(61)));
    expect(report.damaged).toEqual(["2022 Fall: the imported days of 1 sections belong to others, and are left out"]);
    expect(report.dropped.flatMap(({ names }) => names)).toEqual([
      expect.stringMatching(/^imported before, 2022 Fall 35730 is OTHER 999 Dis A7; the day's department is OTHER, /),
    ]);
    expect(await history()).toEqual(["2022-06-03 61"]);
    expect((await days().run("2022-06-04", saw(enrolled(61)))).report.damaged).toEqual([]);
  });
});
