/** Snapshots whose files differ here and there share what is made of the others: each answers like a server that has loaded nothing before. */
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { changeRow } from "../../support/published/published-changes.ts";
import { openApp, type OpenedApp } from "../../support/published/opened-app.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";

const PUBLICATIONS = 7;
const folder = await openFolder();
const opened: OpenedApp[] = [];
afterAll(async () => {
  for (const app of opened) await app.close();
  await folder.remove();
});
async function open(): Promise<OpenedApp> {
  const app = await openApp(folder.artifacts, undefined, { judgedEvery: 50 });
  opened.push(app);
  return app;
}

const term = fc.constantFrom(
  { year: "2024", quarter: "Fall" as const },
  { year: "2025", quarter: "Winter" as const },
  { year: "2025", quarter: "Summer10wk" as const },
);
const month = fc.constantFrom("2024-11", "2024-12", "2025-01");
const code = fc.constantFrom("00007", "12000", "12001", "98000");
const name = fc.constantFrom("AMBERLEY, R.", "MÜLLER, E.", "O'NEIL, S.", "STAFF");
const text = fc.constantFrom("0", "7", "n/a", "", 'so "called"', "a\nb\u0001");
const day = fc.integer({ min: 1, max: 20 });

const history = fc
  .record({ term, codes: fc.uniqueArray(code), name, department: fc.constantFrom("ART", "I&C SCI"), number: day })
  .map(({ term, codes, name, department, number }) =>
    codes.map((sectionCode): EnrollmentHistory => {
      const course = { department, courseNumber: String(number), courseNumeric: number, instructors: [name] };
      const rest = { sectionType: "Lec", sectionNum: "A", units: "4", meetings: [], finalExam: "TBA", imported: false };
      return { ...term, sectionCode, ...course, ...rest };
    }),
  );
const periods = fc
  .record({
    term,
    month,
    rows: fc.uniqueArray(fc.tuple(code, day, text, text), { selector: ([one, first]) => `${one} ${first}` }),
  })
  .map(({ term, month, rows }) =>
    rows.map(([sectionCode, first, one, other]): EnrollmentPeriod => {
      const [from, to] = [first, first].map(
        (number, i) => `${month}-${String(number + i * (first % 2)).padStart(2, "0")}`,
      );
      const values = { maxCapacity: one, totalEnrolled: other, waitlist: one, waitlistCap: "", requested: other };
      const rest = { ...values, newOnlyReserved: "", status: "OPEN", imported: false };
      return { ...term, month, sectionCode, first: from as string, last: to as string, ...rest };
    }),
  );
const changes = fc
  .record({
    term,
    month,
    rows: fc.uniqueArray(fc.tuple(code, day, name, text), { selector: ([one, at]) => `${one} ${at}` }),
  })
  .map(({ term, month, rows }) =>
    rows.map(([sectionCode, at, name, after]): Change => {
      const time = `${month}-${String(at).padStart(2, "0")}T10:00:00.000Z`;
      const draft = changeRow({ ...term, at: time, since: time, sectionCode, instructors: [name], after });
      return { ...draft, month, snapshot: `${month.replace("-", "")}${at}`.padEnd(16, "0") };
    }),
  );

const QUESTIONS = [
  "/enrollmentHistory",
  "/enrollmentHistory?department=ART&instructor=AMBERLEY, R.",
  "/enrollmentHistory?year=2025&quarter=Winter",
  "/enrollmentHistory?sectionCode=12000&limit=2&offset=1",
  "/changes",
  "/changes?limit=3&offset=2",
  "/changes?instructorName=müll&limit=3",
  "/changes?instructorName=amberley,&year=2024",
  "/changes?sectionCodes=12000&since=2024-12-05&limit=2",
  "/changes?format=csv&until=2024-12-05",
  "/changes?format=atom",
];

it("answers of snapshots that share parts are those of a server that loads everything afresh", async () => {
  const drawn = fc.sample(fc.tuple(history, history, periods, periods, changes), { numRuns: PUBLICATIONS, seed: 11 });
  const snapshots: string[] = [];
  let shared: OpenedApp | undefined;
  for (const [i, [first, second, ...others]] of drawn.entries()) {
    const [more, less, ofChanges] = others;
    const { id } = await publishRows(
      folder.artifacts,
      {
        enrollment_history: first[0]?.quarter === second[0]?.quarter ? first : [...first, ...second],
        enrollment_periods: more[0]?.month === less[0]?.month ? more : [...more, ...less],
        changes: ofChanges,
      },
      { now: new Date(Date.UTC(2025, 2, 1 + i)) },
    );
    snapshots.push(id);
    shared ??= await open();
    await shared.update();
    const fresh = await open();
    for (const asOf of ["", ...snapshots.slice(-3)])
      for (const question of QUESTIONS) {
        const path = `${question}${asOf && `${question.includes("?") ? "&" : "?"}asOf=${asOf}`}`;
        const [answer, expected] = await Promise.all([shared, fresh].map((app) => app.get(path)));
        expect(await answer?.text(), path).toBe(await expected?.text());
        expect([answer?.status, answer?.headers.get("x-total-count")], path).toEqual([
          200,
          expected?.headers.get("x-total-count"),
        ]);
      }
  }
});
