/** Rows of enrollment files that operators import: what each value may be, and what a refusal says. */
import { describe, expect, it, test } from "vitest";
import { BadSnapshot } from "../../../pipeline/normalize/enrollment/imported-snapshot.ts";
import { toImportedSnapshot } from "../parse/enrollment-records.ts";

const ROW = {
  ...{
    year: "2024",
    quarter: "Fall",
    sectionCode: "34250",
    date: "2024-09-26",
    maxCapacity: "200",
    totalEnrolled: "10",
  },
  ...{ waitlist: "n/a", waitlistCap: "5", requested: "190", newOnlyReserved: "3", status: "OPEN" },
  ...{ department: "COMPSCI", courseNumber: "H161", sectionType: "Lec", sectionNum: "A", units: "4" },
  ...{ instructors: ["LEE, J."], meetings: ["MWF 8:00- 8:50 @ EH 1200"], finalExam: "TBA" },
};
const MEETING = { days: "MWF", time: "8:00- 8:50", bldg: ["EH 1200"] };
const read = (change: object = {}) => toImportedSnapshot({ ...ROW, ...change }, "2024-09-26");
const refusalOf = (change: object): string => {
  try {
    read(change);
  } catch (error) {
    if (error instanceof BadSnapshot) return error.message;
    throw error;
  }
  return "none";
};
const DESCRIBED = [
  "department",
  "courseNumber",
  "sectionType",
  "sectionNum",
  "units",
  "instructors",
  "meetings",
  "finalExam",
];

test("a row has the day's numbers as text, and what is said of the section", () => {
  expect(read()).toEqual({ ...ROW, courseNumeric: 161, meetings: [MEETING] });
});

test("numbers may be numbers, and blanks around texts are none of them", () => {
  const numbers = {
    year: 2024,
    sectionCode: 34250,
    maxCapacity: 200,
    totalEnrolled: 10,
    waitlistCap: 5,
    requested: 190,
    newOnlyReserved: 3,
    units: 4,
  };
  expect(read(numbers)).toEqual(read());
  const padded = Object.fromEntries(
    Object.entries(ROW).map(([name, value]) => [name, typeof value === "string" ? ` ${value}\n` : value]),
  );
  expect(read({ ...padded, instructors: [" LEE, J. "], meetings: [" MWF  8:00- 8:50 @  EH 1200 "] })).toEqual(read());
});

test("what may be nothing may be absent, null or empty", () => {
  const texts = ["waitlist", "waitlistCap", "requested", "newOnlyReserved", "status"];
  for (const nothing of [undefined, null, "", " "]) {
    const row = read(Object.fromEntries([...texts, ...DESCRIBED].map((name) => [name, nothing])));
    for (const name of texts) expect([name, row[name as "status"]]).toEqual([name, ""]);
    for (const name of [...DESCRIBED, "courseNumeric"]) expect([name, row[name as "units"]]).toEqual([name, null]);
  }
});

test("labels, names and codes are read in other notations, as the schedule's are", () => {
  const row = read({
    status: "wait-listed",
    sectionType: "LECTURE",
    instructors: "Lee, John; TBA;",
    sectionCode: "17",
  });
  expect(row).toMatchObject({
    status: "Waitl",
    sectionType: "Lec",
    instructors: ["LEE, J.", "STAFF"],
    sectionCode: "00017",
  });
});

test.each<[given: unknown, meetings: object[] | null]>([
  ["MWF 8:00- 8:50 @ EH 1200; TBA @ ON LINE", [MEETING, { days: "", time: "TBA", bldg: ["ON LINE"] }]],
  [["TuTh 10:00-10:50 @ EH 1200, ,ALP 1"], [{ days: "TuTh", time: "10:00-10:50", bldg: ["EH 1200", "ALP 1"] }]],
  ["MWF", [{ days: "MWF", time: "", bldg: [] }]],
  // No days, as they are not followed by a blank.
  ["MWFx 8:00- 8:50", [{ days: "", time: "MWFx 8:00- 8:50", bldg: [] }]],
  ["Sat 8:00- 8:50", [{ days: "", time: "Sat 8:00- 8:50", bldg: [] }]],
  [[MEETING], [MEETING]],
  [[{}], [{ days: "", time: "", bldg: [] }]],
  [[{ days: null, time: 9, bldg: "EH 1200" }], [{ days: "", time: "9", bldg: [] }]],
  [[{ ...MEETING, bldg: [" EH 1200 ", 7] }], [{ ...MEETING, bldg: ["EH 1200", "7"] }]],
  [[], []],
  [
    "MWF; ;TBA",
    [
      { days: "MWF", time: "", bldg: [] },
      { days: "", time: "TBA", bldg: [] },
    ],
  ],
  [" ; ", null],
])("the meetings %j", (given, meetings) => expect(read({ meetings: given }).meetings).toEqual(meetings));

describe("a row is refused, with the column and what it has", () => {
  it.each<[change: object, message: string]>([
    [{ year: "24" }, "year is 24, not four digits"],
    [{ year: "12024" }, "year is 12024, not four digits"],
    [{ year: "2024x" }, "year is 2024x, not four digits"],
    [{ year: undefined }, "year is nothing, not four digits"],
    [{ year: "" }, "year is empty, not four digits"],
    [{ year: [2024] }, "year is no text"],
    [{ quarter: "Autumn" }, "quarter is Autumn"],
    [{ quarter: "fall" }, "quarter is fall"],
    [{ sectionCode: "342500" }, "sectionCode is 342500, not five digits"],
    [{ sectionCode: "A4250" }, "sectionCode is A4250, not five digits"],
    [{ sectionCode: "3425A" }, "sectionCode is 3425A, not five digits"],
    [{ maxCapacity: "" }, "maxCapacity is empty, not a whole number"],
    [{ maxCapacity: "1.5" }, "maxCapacity is 1.5, not a whole number"],
    [{ maxCapacity: -1 }, "maxCapacity is -1, not a whole number"],
    [{ totalEnrolled: null }, "totalEnrolled is null, not a whole number"],
    [{ totalEnrolled: "5 of 6" }, "totalEnrolled is 5 of 6, not a whole number"],
    [{ requested: "few" }, "requested is few, not a whole number or nothing"],
    [{ requested: "+1" }, "requested is +1, not a whole number or nothing"],
    [{ requested: "1+" }, "requested is 1+, not a whole number or nothing"],
    [{ date: "" }, "date is empty, not a day such as 2024-09-26"],
    [{ date: "2024-9-26" }, "date is 2024-9-26, not a day such as 2024-09-26"],
    [{ date: "12024-09-26" }, "date is 12024-09-26, not a day such as 2024-09-26"],
    [{ date: "2024-09-26T00:00" }, "date is 2024-09-26T00:00, not a day such as 2024-09-26"],
    [{ date: "2024-02-30" }, "date is 2024-02-30, not a day such as 2024-09-26"],
    [{ date: "2024-09-27" }, "date is 2024-09-27, not a day that was"],
    [{ maxCapacity: "x".repeat(41) }, `maxCapacity is ${"x".repeat(40)}, not a whole number`],
    [{ finalExam: "x".repeat(501) }, "finalExam is too long"],
    [{ instructors: "x".repeat(501) }, "instructors is too long"],
    [{ meetings: true }, "meetings is no text"],
    [{ status: true }, "status is no text"],
    [{ instructors: [null] }, "instructors is no text"],
    [{ meetings: [null] }, "meetings is no text"],
    [{ meetings: [{ days: {} }] }, "meetings is no text"],
    [{ meetings: [{ time: [] }] }, "meetings is no text"],
    [{ meetings: [{ bldg: [{}] }] }, "meetings is no text"],
    [{ department: "DR\ufffdAMA" }, "department has the character U+FFFD, as after a wrong conversion"],
  ])("%j", (change, message) => expect(refusalOf(change)).toBe(message));

  it("but not for a text of five hundred characters", () =>
    expect(refusalOf({ finalExam: "x".repeat(500) })).toBe("none"));
});
