import { afterAll, beforeAll, expect, test } from "vitest";
import { startCampus, type Campus } from "../../../pipeline/campus/listening/server.ts";
import type * as Spawn from "../../../pipeline/campus/listening/spawn.ts";
import { translated } from "../../support/program.ts";

const { spawnCampus } = (await import(translated("pipeline/campus/listening/spawn.ts"))) as typeof Spawn;

const MORNING = new Date("2026-11-21T16:00:00Z");
const SAME_HOUR = new Date("2026-11-21T16:59:59Z");
let first: Campus;
let second: Campus;
let child: Campus;

beforeAll(async () => {
  first = await startCampus({ size: "standard", seed: 7, clock: () => MORNING });
  second = await startCampus({ size: "standard", seed: 7, clock: () => SAME_HOUR });
  child = await spawnCampus({ size: "standard", seed: 7, now: MORNING });
});
afterAll(() => Promise.all([first, second, child].map((campus) => campus.close())));

const XML = "Submit=Display+XML+Results&ShowComments=on&ShowFinals=on&CancelledCourses=Include";
const PAGES: (readonly [keyof Campus["urls"], string])[] = [
  ["SCHEDULE_URL", ""],
  ["SCHEDULE_URL", `?${XML}&YearTerm=2026-92&Dept=COMPSCI`],
  ["SCHEDULE_URL", `?${XML}&YearTerm=2015-03&CourseCodes=00001-97999`],
  ["SCHEDULE_URL", `?${XML}&YearTerm=2021-76&Breadth=GE-2`],
  ["SCHEDULE_URL", "?Submit=Display+Web+Results&YearTerm=2027-03&Dept=CHEM"],
  ["RECORDS_URL", ""],
  ["RECORDS_URL", "UG_Grades_2014-15.xlsx"],
  ["RECORDS_URL", "UG_Grades_2015-16.csv"],
  ["RECORDS_URL", "UG_Grades_2026_Summer.csv"],
  ["CATALOGUE_URL", "allcourses/"],
  ["CATALOGUE_URL", "allcourses/i_c_sci/"],
  ["CATALOGUE_URL", "schoolofhumanities/departmentofenglish/"],
  ["PREREQUISITES_URL", "?dept=CHEM&action=view_all"],
  ["CALENDAR_URL", "2023-2024/quarterly23-24.html"],
  ["LARC_URL", "202392,s1"],
];

async function bytes(campus: Campus, [system, rest]: (typeof PAGES)[number]): Promise<string> {
  const response = await fetch(campus.urls[system] + rest);
  if (response.status !== 200) throw new Error(`${rest}: status ${response.status}`);
  return Buffer.from(await response.arrayBuffer()).toString("base64");
}

test("same seed and same campus hour: the same bytes, in whatever order, in any process, at any minute", async () => {
  for (const page of PAGES) await bytes(first, page);
  for (const page of PAGES.toReversed()) {
    const expected = await bytes(first, page);
    const same = [(await bytes(second, page)) === expected, (await bytes(child, page)) === expected];
    expect([page[1], same]).toEqual([page[1], [true, true]]);
  }
});

test("another seed is another university", async () => {
  const other = await startCampus({ size: "standard", seed: 8, clock: () => MORNING });
  try {
    for (const i of [1, 6, 10])
      expect(await bytes(other, PAGES[i] as (typeof PAGES)[number])).not.toBe(
        await bytes(first, PAGES[i] as (typeof PAGES)[number]),
      );
  } finally {
    await other.close();
  }
});
