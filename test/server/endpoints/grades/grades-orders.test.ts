/** Grades (specification §4, server/RULES.md, Grades): every order. */
import { afterAll, expect, it } from "vitest";
import { type Aggregate, EIGHT, type Named, openGrades, ROWS } from "../../../support/worlds/grade-rows.ts";

const { get, codesOf, close } = await openGrades();
afterAll(close);

it("raw and sectionList: year, quarter in calendar order, section code", async () => {
  const expected = [
    "2018 02002",
    "2019 02000",
    "2019 02001",
    "2020 01005",
    ...EIGHT.map(({ sectionCode }) => `2021 ${sectionCode}`),
  ];
  expected.push(
    "2022 01001",
    "2022 01000",
    "2022 01002",
    "2022 01003",
    "2022 01004",
    "2022 01005",
    "2022 35730",
    "2022 35740",
  );
  expect(await codesOf({})).toEqual(expected);
  const { sectionList } = await get<Aggregate>("aggregate");
  expect(sectionList.map(({ sectionCode }) => sectionCode)).toEqual(expected.map((code) => code.slice(5)));
});

it("aggregateByCourse: department, then course number by digits, then text", async () => {
  const rows = await get<Named[]>("aggregateByCourse");
  expect(rows.map(({ department, courseNumber }) => `${department} ${courseNumber}`)).toEqual([
    "ART W",
    "ART 9",
    "ART 100",
    "ART H100W",
    "ART 199",
    "ART 200",
    "ART HIS 99",
    "COMPSCI 111",
    "DANCE 10",
    "DANCE 20",
    "I&C SCI 46",
  ]);
});

it("aggregateByOffering: the same, then instructor", async () => {
  const rows = await get<Named[]>("aggregateByOffering");
  expect(rows.map(({ department, courseNumber, instructor }) => `${department} ${courseNumber} ${instructor}`)).toEqual(
    [
      "ART 9 LEE, K.",
      "ART 100 GREENLEE, K.",
      "ART HIS 99 LEE, KA.",
      "COMPSCI 111 MARLOWE, A.",
      "DANCE 10 LEE, K.",
      "DANCE 20 ONE, A.",
      "I&C SCI 46 GALLOWAY RODRIG, A.",
      "I&C SCI 46 GILES, O.",
      "I&C SCI 46 SHERWOOD, M.",
    ],
  );
});

it("options: years newest first, course numbers by digits then text, the rest ascending", async () => {
  const all = await get<Record<string, string[]>>("options");
  expect(all["years"]).toEqual(["2022", "2021", "2020", "2019", "2018"]);
  expect(all["departments"]).toEqual(["ART", "ART HIS", "COMPSCI", "DANCE", "I&C SCI"]);
  expect(all["courseNumbers"]).toEqual(["W", "9", "10", "20", "46", "99", "100", "H100W", "111", "199", "200"]);
  expect(all["sectionCodes"]).toEqual([...new Set(ROWS.map(({ sectionCode }) => sectionCode))].sort());
  expect(all["instructors"]).toEqual([...new Set(ROWS.flatMap(({ instructors }) => instructors))].sort());
});

it("options under filters: only what the matching rows hold", async () => {
  expect(await get("options?department=I%26CSCI&instructor=sherwood,+m.")).toEqual({
    years: ["2022"],
    departments: ["I&C SCI"],
    courseNumbers: ["46"],
    sectionCodes: ["35730", "35740"],
    instructors: ["GALLOWAY RODRIG, A.", "GILES, O.", "SHERWOOD, M."],
  });
});

it.each(["aggregateByCourse", "aggregateByOffering"])(
  "%s: sort puts averages or students first, in the usual order",
  async (view) => {
    type Group = Named & Readonly<Record<string, number>>;
    const studentsOf = (group: Group) =>
      ["A", "B", "C", "D", "F", "P", "NP", "W"].reduce((sum, letter) => sum + group[`grade${letter}Count`]!, 0);
    const hasAverage = (group: Group) =>
      Number(["A", "B", "C", "D", "F"].some((letter) => group[`grade${letter}Count`]! > 0));
    const usual = await get<Group[]>(view);
    const orders: Record<string, (a: Group, b: Group) => number> = {
      course: () => 0,
      highestGPA: (a, b) => b["averageGPA"]! - a["averageGPA"]!,
      lowestGPA: (a, b) => hasAverage(b) - hasAverage(a) || a["averageGPA"]! - b["averageGPA"]!,
      mostStudents: (a, b) => studentsOf(b) - studentsOf(a),
    };
    for (const [sort, order] of Object.entries(orders))
      expect(await get(`${view}?sort=${sort}`)).toEqual([...usual].sort(order));
  },
);
