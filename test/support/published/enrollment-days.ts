/**
 * Enrollment of a few weeks as runs saw it, published and served: a term with a file of older days, one with many
 * sections, one that changes.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { enrolled, FALL, openHistoryDays } from "./history-days.ts";
import { openFolder, serve } from "../whole-run.ts";

const WINTER = { year: "2023", quarter: "Winter" } as const;
const SPRING = { year: "2023", quarter: "Spring" } as const;
const MOVING = { year: "2024", quarter: "Summer2" } as const;
/** Enough for several pieces. */
export const MANY = 4000;

const fall = [
  enrolled(1),
  enrolled(2, { sectionCode: "35740", sectionNum: "B", instructors: ["BRISTOW, T.", "AMBERLEY, R.", "MÜLLER, E."] }),
  enrolled(3, { sectionCode: "35741", sectionType: "Dis", courseNumber: "46H", instructors: ["AMBERLEY, R. K."] }),
  enrolled(4, { sectionCode: "02000", deptCode: "ART", courseNumber: "9A", courseNumeric: 9, instructors: [] }),
  enrolled(5, { sectionCode: "01999", deptCode: "ART HIS", courseNumber: "40A", courseNumeric: 40 }),
  enrolled(6, { sectionCode: "02001", deptCode: "ART", courseNumber: "10", courseNumeric: 10, status: 'so "called"' }),
];
export const many = Array.from({ length: MANY }, (_, i) => {
  const sectionCode = String(40000 + i);
  return enrolled(i, { ...SPRING, sectionCode, deptCode: "MANY", courseNumber: "1", courseNumeric: 1 });
});

export async function openEnrollmentDays() {
  const folder = await openFolder();
  const days = await openHistoryDays(folder);
  await mkdir(join(folder.data, "enrollment"), { recursive: true });
  await writeFile(
    join(folder.data, "enrollment", "old.ndjson"),
    JSON.stringify({ ...FALL, sectionCode: "35730", date: "2022-05-10", maxCapacity: 9, totalEnrolled: 0 }),
  );
  await days.run("2022-05-17", [{ term: FALL, sections: fall }]);
  await days.run("2022-05-18", [{ term: FALL, sections: fall.map((section) => ({ ...section, maxCapacity: "400" })) }]);
  await days.run("2022-05-19", [{ term: FALL, sections: fall.map((section) => ({ ...section, maxCapacity: "400" })) }]);
  await days.run("2022-05-21", [
    { term: WINTER, sections: [enrolled(7, WINTER)] },
    { term: SPRING, sections: many },
  ]);
  // A section that moves from one end of the alphabet to the other, and back, from month to month.
  for (const [today, deptCode] of [
    ["2022-05-22", "ZOOLOGY"],
    ["2022-06-30", "ACCTG"],
    ["2022-07-01", "MOVED"],
  ] as const)
    await days.run(today, [{ term: MOVING, sections: [enrolled(8, { ...MOVING, deptCode })] }]);
  const server = await serve(folder.env);
  return {
    server,
    artifacts: folder.artifacts,
    async close() {
      await server.close();
      days.close();
      await folder.remove();
    },
  };
}
