/** GET /larc (specification §8, server/RULES.md, Tutorials and enrollment history) and the two lists of the schedule (server/RULES.md, HTTP and Schedule). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LarcCourse } from "../../../pipeline/contract/rows/larc.ts";
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder } from "../../support/whole-run.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";

const tutorial = (instructor: string) => ({ day: "MW", time: "9:00-10:50a", instructor, building: "ON LINE" });
const larc = (change: Partial<LarcCourse>): LarcCourse => ({
  year: "2023",
  quarter: "Summer1",
  courseNumber: "CHEM 1C",
  courseName: "General Chemistry",
  sections: [
    tutorial("Noel Lambert"),
    { day: "TuTh", time: "11:00a-12:50p", instructor: "Noel Lambert", building: "RH 101" },
  ],
  ...change,
});

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, {
    larc: [
      larc({ courseNumber: "CHEM 51B", courseName: "Organic Chemistry", sections: [tutorial("Ada Shore")] }),
      larc({}),
      larc({ quarter: "Fall" }),
      larc({ year: "2022" }),
      // No such page exists; should one ever come, the specification's word stands.
      larc({ quarter: "Summer10wk" }),
    ],
    departments: [
      { deptCode: "I&C SCI", deptName: "Information and Computer Science" },
      { deptCode: "AC ENG", deptName: "Academic English" },
    ],
    terms: QUARTERS.map((quarter) => ({ year: "2023", quarter, longName: `2023 ${quarter} as the form has it` })),
    grades: [
      gradeRow({ year: "2014", quarter: "Summer1", department: "OLD" }),
      gradeRow({ year: "2023", quarter: "Fall", department: "I&C SCI" }),
      gradeRow({ year: "2014", quarter: "Summer10wk", department: "BOTANY" }),
      gradeRow({ year: "2014", quarter: "Fall", department: "OLD" }),
    ],
  });
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

const get = async (path: string): Promise<unknown> => {
  const response = await app.get(path);
  expect(response.status, path).toBe(200);
  return response.json();
};

describe("/larc", () => {
  it("the term's courses and nobody else's", async () => {
    expect(await get("/larc?year=2023&quarter=Summer1")).toEqual([
      {
        courseInfo: { courseNumber: "CHEM 1C", courseName: "General Chemistry" },
        sections: [
          { day: "MW", time: "9:00-10:50a", instructor: "Noel Lambert", building: "ON LINE" },
          { day: "TuTh", time: "11:00a-12:50p", instructor: "Noel Lambert", building: "RH 101" },
        ],
      },
      {
        courseInfo: { courseNumber: "CHEM 51B", courseName: "Organic Chemistry" },
        sections: [{ day: "MW", time: "9:00-10:50a", instructor: "Ada Shore", building: "ON LINE" }],
      },
    ]);
    expect(await get("/larc?year=2022&quarter=Summer1")).toHaveLength(1);
  });

  it('"unknown term → []; Summer10wk → []"', async () => {
    for (const query of [
      "year=2023&quarter=Winter",
      "year=1999&quarter=Fall",
      "year=9999&quarter=Fall",
      "year=2023&quarter=Summer10wk",
    ])
      expect(await get(`/larc?${query}`)).toEqual([]);
  });

  it.each([
    ["", 'Parameter "year" not provided; Parameter "quarter" not provided'],
    ["year=2023", 'Parameter "quarter" not provided'],
    ["quarter=Fall&year=", 'Parameter "year" not provided'],
    ["year=23&quarter=Fall", "Invalid year provided"],
    ["year=2023&quarter=summer1", "Invalid quarter provided"],
    ["year=2023&quarter=ANY", "Invalid quarter provided"],
  ])("?%s is 400", async (query, words) => {
    const response = await app.get(`/larc?${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(words);
  });
});

describe("the schedule's lists", () => {
  it('depts: "`ALL: Include All Departments`/`ALL` first, then by code; the union of the upstream\'s list and departments seen in grades"', async () => {
    expect(await get("/schedule/depts")).toEqual([
      { deptLabel: "ALL: Include All Departments", deptValue: "ALL" },
      { deptLabel: "AC ENG: Academic English", deptValue: "AC ENG" },
      { deptLabel: "BOTANY", deptValue: "BOTANY" },
      { deptLabel: "I&C SCI: Information and Computer Science", deptValue: "I&C SCI" },
      { deptLabel: "OLD", deptValue: "OLD" },
    ]);
  });

  it('terms: "most recent first (Fall, Summer2, Summer10wk, Summer1, Spring, Winter inside a year)"; grades\' terms get their usual name', async () => {
    const of2023 = ["Fall", "Summer2", "Summer10wk", "Summer1", "Spring", "Winter"].map((quarter) => ({
      shortName: `2023 ${quarter}`,
      longName: `2023 ${quarter} as the form has it`,
    }));
    expect(await get("/schedule/terms")).toEqual([
      ...of2023,
      { shortName: "2014 Fall", longName: "2014 Fall Quarter" },
      { shortName: "2014 Summer10wk", longName: "2014 10-wk Summer" },
      { shortName: "2014 Summer1", longName: "2014 Summer Session 1" },
    ]);
  });
});
