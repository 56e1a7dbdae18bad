/** Every endpoint × format × boolean parameter over a university with thousands of people: an answer, and no statement that takes the memory of all. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { everyRequest } from "../../support/every-request.ts";
import { someOf } from "../../support/extent.ts";
import { gradeRow } from "../../support/grade-row.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { changeRow } from "../../support/published/published-changes.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import { historyRow, periodRows } from "../response/representations/history-row.ts";

const MOST_BYTES = 300_000_000;
const [PEOPLE, SECTIONS, DEPARTMENTS] = [2_000, 800, 40];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const nameOf = (n: number) => `PERSON${n % PEOPLE}, A.`;
const departmentOf = (n: number) => `DEPT${n % DEPARTMENTS}`;
const codeOf = (n: number) => String(10_000 + n);

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  const sections = numbers(SECTIONS).map((n) =>
    sectionRow({ sectionCode: codeOf(n), deptCode: departmentOf(n), instructors: [nameOf(n), nameOf(7 * n + 1)] }),
  );
  const years = ["2023", "2024"];
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    grades: years.flatMap((year) =>
      sections.map(({ sectionCode, deptCode, instructors }) =>
        gradeRow({ year, quarter: "Fall", sectionCode, department: deptCode, instructors }),
      ),
    ),
    section_instructors: years.flatMap((year) =>
      sections.flatMap(({ quarter, sectionCode, deptCode, instructors }, n) =>
        instructors.map((name, i) => ({
          ...{ year, quarter, sectionCode, name, department: deptCode },
          ...{ netid: `person${(i === 0 ? n : 7 * n + 1) % PEOPLE}`, matchedBy: "name" as const, candidates: 1 },
        })),
      ),
    ),
    courses: numbers(500).map((n) => courseRow({ courseNumber: String(n + 1) })),
    instructors: numbers(PEOPLE).map((n) => personRow({ netid: `person${n}` })),
    calendar: [
      {
        ...{ year: "2024", quarter: "Fall", instructionStart: "2024-09-26", instructionEnd: "2024-12-06" },
        ...{ finalsStart: "2024-12-07", finalsEnd: "2024-12-13" },
      },
    ],
    changes: numbers(500).map((n) => ({
      ...changeRow({ sectionCode: codeOf(n) }),
      month: "2024-11",
      snapshot: "0".repeat(16),
    })),
    enrollment_history: numbers(500).map((n) => historyRow(codeOf(n))),
    enrollment_periods: numbers(500).flatMap((n) => periodRows(codeOf(n), [["2019-10-01", "2019-10-31", "12"]])),
  });
  app = await openApp(folder.artifacts, undefined, { judgedEvery: 1_000 });
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

it("is answered or refused by name, within 300 MB", async () => {
  const ids = { "/courses/:id": "DANCE1", "/instructors/:id": "person1" };
  const requests = everyRequest({ year: "2024", quarter: "Fall", ids });
  expect(requests.length).toBeGreaterThan(300);
  const wrong: unknown[] = [];
  for (const path of someOf(requests, 150)) {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const response = await app.get(path);
    await response.arrayBuffer();
    clearInterval(watch);
    most = Math.max(most, process.memoryUsage.rss());
    if (![200, 400, 404].includes(response.status) || most - before > MOST_BYTES)
      wrong.push([path, response.status, most - before]);
  }
  expect(wrong).toEqual([]);
});
