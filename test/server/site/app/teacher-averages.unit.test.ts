/** Averages are of whoever teaches; a course's first line says who, when, what is left and how they graded. */
import { describe, expect, it } from "vitest";
import { inYears } from "../../../../server/site/app/course/person-grades.ts";
import { verdictWords } from "../../../../server/site/app/course/verdict-words.ts";
import { foldsOf } from "../../../../server/site/app/data/lecture-groups.ts";
import type { SectionLine } from "../../../../server/site/app/data/sections.ts";
import { onlyPerson } from "../../../../server/site/app/data/only-person.ts";
import { averagesFrom, teachersAverage } from "../../../../server/site/app/data/teacher-averages.ts";
import { meeting, sectionRow } from "../../../support/worlds/section-rows.ts";

const counts = (a: number, averageGPA: number) => ({
  ...{ gradeACount: a, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 },
  ...{ gradePCount: 9, gradeNPCount: 0, gradeWCount: 0, averageGPA },
});
const offering = (instructor: string, a: number, averageGPA: number) => ({
  ...{ department: "I&C SCI", courseNumber: "46", instructor },
  ...counts(a, averageGPA),
});

describe("the average of who teaches", () => {
  const averages = averagesFrom(
    [{ department: "I&C SCI", courseNumber: "46", ...counts(130, 3.23) }],
    [offering("LOW, L.", 30, 2.15), offering("HIGH, H.", 90, 3.55), offering("PASS, P.", 0, 0)],
  );
  it.each([
    [["LOW, L."], 2.15, 30, "LOW, L."],
    [["LOW, L.", "HIGH, H."], 3.2, 120, "LOW, L.; HIGH, H."],
    [["LOW, L.", "LOW, L.", "NEW, N.", "STAFF"], 2.15, 30, "LOW, L."],
  ])("%j: the mean by students, named", (names, mean, students, who) => {
    const theirs = teachersAverage(averages, "I&C SCI 46", names);
    expect(theirs?.mean).toBeCloseTo(mean, 9);
    expect([theirs?.students, theirs?.names.join("; ")]).toEqual([students, who]);
  });

  it("is unknown of who gave no letters, who never graded the course, and of another course", () => {
    for (const names of [["PASS, P."], ["NEW, N."], ["STAFF"], []])
      expect(teachersAverage(averages, "I&C SCI 46", names)).toBeUndefined();
    expect(teachersAverage(averages, "I&C SCI 45", ["LOW, L."])).toBeUndefined();
    expect(averages.courses.get("I&C SCI 46")).toEqual({ mean: 3.23, students: 130 });
  });
});

const graded: Parameters<typeof verdictWords>[1][number] = {
  ...{
    year: "2023",
    quarter: "Fall",
    sectionCode: "10000",
    department: "DANCE",
    courseNumber: "10",
    courseNumeric: 10,
  },
  ...{ geCategories: [], instructors: ["AMBERLEY, R."] },
  ...counts(20, 2.5),
};

const line = (change: Parameters<typeof sectionRow>[0], isCancelled = false): SectionLine =>
  ({ ...sectionRow(change), isCancelled }) as unknown as SectionLine;

describe("the first line of a course", () => {
  const lecture = line({ instructors: ["AMBERLEY, R.", "STAFF"], meetings: [meeting("TuTh", "14:00", "15:20")] });
  const discussion = line({ sectionCode: "10001", units: "0", sectionNum: "A1", instructors: ["QUILLEN, T."] });
  it.each([
    [[lecture, discussion], "Fall 2024: R. Amberley · TuTh 2:00–3:20 pm · 18 seats · averages 2.50"],
    [
      [lecture, line({ sectionCode: "10002", sectionNum: "B", instructors: ["QUILLEN, T."], status: "FULL" })],
      "Fall 2024: R. Amberley and T. Quillen · 1 of 2 sections open · 18 seats · these instructors average 2.50",
    ],
    [
      [line({ instructors: ["STAFF"], status: "FULL" })],
      "Fall 2024: Instructor not announced · MWF 10:00–10:50 am · Full",
    ],
    [
      [line({ instructors: ["STAFF"], status: "NewOnly" }), line({ sectionNum: "B", status: "FULL" })],
      "Fall 2024: R. Amberley · 0 of 2 sections open · New students only · averages 2.50",
    ],
    [
      [line({ instructors: ["STAFF"], restrictions: "A and B", numNewOnlyReserved: "5" })],
      "Fall 2024: Instructor not announced · MWF 10:00–10:50 am · 13 seats, code required",
    ],
    [[line({}, true)], undefined],
    [[], undefined],
  ])("%#", (sections, words) => {
    expect(verdictWords(sections, [graded], "2024 Fall", false)).toBe(words);
  });

  it("a table in parts: each lecture with what stands below it", () => {
    const second = line({ sectionCode: "10005", sectionNum: "B" });
    const loose = line({ sectionCode: "10006", sectionNum: "1", units: "0" });
    const codes = foldsOf([lecture, discussion, second, loose]).map((fold) =>
      fold.map(({ sectionCode }) => sectionCode).join(),
    );
    expect(codes).toEqual(["10000,10001", "10005,10006"]);
  });
});

it("a year is that year, a year and a dash also all later ones, anything else every year", () => {
  const rows = ["2022", "2023", "2024"].map((year) => ({ year })) as unknown as Parameters<typeof inYears>[0];
  const years = (text: string) => inYears(rows, text).map(({ year }) => year);
  expect([years("2023"), years("2023-"), years(""), years("x")]).toEqual([
    ["2023"],
    ["2023", "2024"],
    ["2022", "2023", "2024"],
    ["2022", "2023", "2024"],
  ]);
});

it("a name means a person only where it is one person's, by the course if several have it", () => {
  const person = (netid: string, ...courses: string[]) => ({
    netid,
    courseHistory: Object.fromEntries(courses.map((course) => [course, []])),
  });
  const [artist, physicist, dancer] = [
    person("a", "ART 1", "DANCE 1"),
    person("p", "PHYSICS 2"),
    person("d", "DANCE 1"),
  ];
  const meant = (people: readonly (typeof artist)[], course: string) => onlyPerson(people, course)?.netid;
  expect([meant([artist], "MATH 1"), meant([artist, physicist], "ART 1")]).toEqual(["a", "a"]);
  expect([meant([artist, physicist], "MATH 1"), meant([artist, dancer], "DANCE 1"), meant([], "ART 1")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
