/** Months of enrollment history and changes of a few terms, drawn at random, and what is asked of them. */
import * as fc from "fast-check";
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { changeRow } from "../published/published-changes.ts";
import type { PublishedRows } from "../published/published.ts";

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
    rows: fc.uniqueArray(fc.tuple(code, day, text, text), { selector: ([codeOf, first]) => `${codeOf} ${first}` }),
  })
  .map(({ term, month, rows }) =>
    rows.map(([sectionCode, first, instructor, other]): EnrollmentPeriod => {
      const [from, to] = [first, first].map(
        (number, i) => `${month}-${String(number + i * (first % 2)).padStart(2, "0")}`,
      );
      const values = {
        maxCapacity: instructor,
        totalEnrolled: other,
        waitlist: instructor,
        waitlistCap: "",
        requested: other,
      };
      const rest = { ...values, newOnlyReserved: "", status: "OPEN", imported: false };
      return { ...term, month, sectionCode, first: from as string, last: to as string, ...rest };
    }),
  );
const changes = fc
  .record({
    term,
    month,
    rows: fc.uniqueArray(fc.tuple(code, day, name, text), { selector: ([key, at]) => `${key} ${at}` }),
  })
  .map(({ term, month, rows }) =>
    rows.map(([sectionCode, at, name, after]): Change => {
      const time = `${month}-${String(at).padStart(2, "0")}T10:00:00.000Z`;
      const draft = changeRow({ ...term, at: time, since: time, sectionCode, instructors: [name], after });
      return { ...draft, month, snapshot: `${month.replace("-", "")}${at}`.padEnd(16, "0") };
    }),
  );

/** The parts that a run rewrites: some files, while others stay unchanged. */
export const drawParts: fc.Arbitrary<PublishedRows> = fc
  .tuple(history, history, periods, periods, changes)
  .map(([first, second, more, less, ofChanges]) => ({
    enrollment_history: first[0]?.quarter === second[0]?.quarter ? first : [...first, ...second],
    enrollment_periods: more[0]?.month === less[0]?.month ? more : [...more, ...less],
    changes: ofChanges,
  }));

export const QUESTIONS = [
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

/** A question about an earlier snapshot. */
export const askedAsOf = (question: string, asOf: string): string =>
  asOf === "" ? question : `${question}${question.includes("?") ? "&" : "?"}asOf=${asOf}`;
