/** A listening server over a few rows of every table, with grades enough for large answers. */
import { cp } from "node:fs/promises";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { once } from "../../support/once.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";
import type { Grade } from "../../../pipeline/contract/rows/grade.ts";

/** An hour's run was just done when the tests begin. */
export const CRAWLED = new Date(Math.floor(Date.now() / 1000) * 1000 - 600_000);
export const NEXT_REFRESH = new Date(CRAWLED.getTime() + 3_600_000);

const letters = (n: number) => String.fromCodePoint(65 + (n % 26), 65 + (Math.floor(n / 26) % 26));

function grades(count: number): Grade[] {
  const row = (n: number) =>
    gradeRow({
      sectionCode: String(10_000 + n),
      department: n % 3 === 0 ? "DANCE" : "I&C SCI",
      courseNumber: String(1 + (n % 250)),
      courseNumeric: 1 + (n % 250),
      instructors: [`AMBERLEY${letters(n)}, R.`],
      gradeACount: n % 97,
    });
  return Array.from({ length: count }, (_, n) => row(n));
}

const publishSurface = once(async () => {
  const { artifacts } = await openFolder();
  const sections = Array.from({ length: 40 }, (_, n) => sectionRow({ sectionCode: String(20_000 + n) }));
  const { id } = await publishRows(
    artifacts,
    {
      sections,
      headings: headingsOf(sections),
      departments: [{ deptCode: "DANCE", deptName: "Dance" }],
      terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
      grades: grades(8000),
      courses: [courseRow(), courseRow({ courseNumber: "20", description: "Steps. ".repeat(300) })],
      instructors: [personRow()],
      calendar: [
        {
          year: "2024",
          quarter: "Fall",
          instructionStart: "2024-09-26",
          instructionEnd: "2024-12-06",
          finalsStart: "2024-12-07",
          finalsEnd: "2024-12-13",
        },
      ],
      larc: [
        {
          year: "2024",
          quarter: "Fall",
          courseNumber: "DANCE 10",
          courseName: "Movement",
          sections: [{ day: "MW", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" }],
        },
      ],
    },
    { now: CRAWLED, nextRefresh: NEXT_REFRESH },
  );
  return { artifacts, id };
});

/** `grades/raw` has about 3 MB; the others are small. */
export async function openSurface(env: Record<string, string> = {}) {
  const [folder, { artifacts, id }] = await Promise.all([openFolder(), publishSurface()]);
  await cp(artifacts, folder.artifacts, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const server = await serve({ ...folder.env, ...env });
  return {
    id,
    url: server.url,
    base: `${server.url}/v1/rest`,
    artifacts: folder.artifacts,
    async close() {
      await server.close();
      await folder.remove();
    },
  };
}
