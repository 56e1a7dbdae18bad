/** Sums and means over grade rows, one per section. */
import type { ResponseBody } from "../data/response-body.ts";

export type GradeRow = ResponseBody<"RawGrades">[number];

export const LETTERS = ["A", "B", "C", "D", "F"] as const;
const GRADES = [...LETTERS, "P", "NP", "W"] as const;

type Counts = Pick<GradeRow, `grade${(typeof GRADES)[number]}Count`>;

export const gradeSums = (rows: readonly Counts[]) =>
  GRADES.map((name) => ({ name, value: rows.reduce((sum, row) => sum + row[`grade${name}Count`], 0) }));

/** Of fewer people neither bar nor average is shown: it would say more about them than about a course. */
export const LEAST_STUDENTS = 20;
export const TOO_FEW = `fewer than ${LEAST_STUDENTS} students`;

/** Like the API: the plain mean of the averages of sections with a letter grade. */
export function meanOf(rows: readonly GradeRow[]): number | undefined {
  const lettered = rows.filter((row) => LETTERS.some((grade) => row[`grade${grade}Count`] > 0));
  return lettered.length === 0 ? undefined : lettered.reduce((sum, row) => sum + row.averageGPA, 0) / lettered.length;
}

/** A row with several keys is in several groups. */
export function groupBy<Row>(rows: readonly Row[], keysOf: (row: Row) => readonly string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows)
    for (const key of keysOf(row)) {
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
  return groups;
}
