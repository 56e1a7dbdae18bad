/** Grades (specification §4, server/RULES.md, Grades): each filter, with a near miss. */
import { afterAll, expect, it } from "vitest";
import { type Aggregate, openGrades, query } from "../../../support/worlds/grade-rows.ts";

const { get, codesOf, close } = await openGrades();
afterAll(close);

it.each<[filters: Record<string, string>, codes: string[]]>([
  [{ year: "2022", sectionCode: "01005" }, ["2022 01005"]],
  [{ sectionCode: "01005" }, ["2020 01005", "2022 01005"]],
  [{ sectionCode: "10050" }, []],
  [{ year: "2023" }, []],
  [{ quarter: "Summer1" }, ["2022 01002"]],
  [{ quarter: "Summer2" }, ["2022 01004"]],
  [{ quarter: "Summer10wk" }, ["2022 01003"]],
  // "instructor equals a shortened name, ignoring case"
  [{ instructor: "LEE, K.", year: "2022" }, ["2022 01000"]],
  [{ instructor: "lee, k.", year: "2022" }, ["2022 01000"]],
  [{ instructor: "LEE, K" }, []],
  [{ instructor: "LEE" }, []],
  [{ instructor: "LEE," }, []],
  // Any of several instructors.
  [{ instructor: "giles, o." }, ["2022 35730"]],
  // "department as in the schedule": equal but for case and blanks, so ART is not ART HIS.
  [{ department: "ART", quarter: "Winter" }, []],
  [{ department: "arthis" }, ["2022 01001"]],
  [{ department: "ART HIS" }, ["2022 01001"]],
  [{ department: "I&CSCI" }, ["2022 35730", "2022 35740"]],
  [{ department: "i&c sci" }, ["2022 35730", "2022 35740"]],
  [{ department: "SCI" }, []],
  // "courseNumber equals, ignoring case"
  [{ courseNumber: "h100w" }, ["2022 01005"]],
  [{ courseNumber: "100" }, ["2022 01002"]],
  [{ courseNumber: "9" }, ["2022 01000"]],
  [{ courseNumber: "100-199" }, []],
  // LowerDiv 0–99, UpperDiv 100–199, Graduate from 200 on; no digits = 0.
  [{ department: "ART", division: "LowerDiv" }, ["2020 01005", "2022 01000"]],
  [{ department: "ART", division: "UpperDiv" }, ["2022 01002", "2022 01003", "2022 01005"]],
  [{ department: "ART", division: "Graduate" }, ["2022 01004"]],
  [{ ge: "GE-8" }, ["2022 01001"]],
  [{ ge: "GE-4" }, ["2022 01001", "2022 01000"]],
  [{ ge: "GE-5A" }, []],
  // "excludePNP=true drops sections in which A–F are all zero"
  [{ department: "DANCE", excludePNP: "true" }, ["2019 02001"]],
  [{ department: "DANCE", excludePNP: "false" }, ["2018 02002", "2019 02000", "2019 02001"]],
  [{ department: "DANCE" }, ["2018 02002", "2019 02000", "2019 02001"]],
  // No filter.
  [{ department: "DANCE", ge: "ANY", division: "ANY", quarter: "ANY" }, ["2018 02002", "2019 02000", "2019 02001"]],
  [{ department: "ALL", courseNumber: "20" }, ["2018 02002"]],
  [{ department: "ANY", courseNumber: "20" }, ["2018 02002"]],
  // Combined.
  [{ department: "ART", ge: "GE-8" }, []],
  [
    {
      department: "ART",
      ge: "GE-4",
      year: "2022",
      quarter: "Spring",
      courseNumber: "9",
      sectionCode: "01000",
      division: "LowerDiv",
      instructor: "LEE, K.",
      excludePNP: "true",
    },
    ["2022 01000"],
  ],
  [
    {
      department: "ART",
      ge: "GE-4",
      year: "2022",
      quarter: "Spring",
      courseNumber: "9",
      sectionCode: "01000",
      division: "UpperDiv",
      instructor: "LEE, K.",
      excludePNP: "true",
    },
    [],
  ],
])("%o", async (filters, codes) => {
  expect(await codesOf(filters)).toEqual(codes);
  // The five views answer the same question.
  const { sectionList } = await get<Aggregate>(`aggregate?${query(filters)}`);
  expect(sectionList.map(({ sectionCode }) => sectionCode)).toEqual(codes.map((code) => code.slice(5)));
  const { sectionCodes } = await get<{ sectionCodes: string[] }>(`options?${query(filters)}`);
  expect(sectionCodes).toEqual([...new Set(codes.map((code) => code.slice(5)))].sort());
});
