/** Sums and means over grade rows, one per section. */
import type { ResponseBody } from "../data/response-body.ts";
import { count } from "../format.ts";

export type GradeRow = ResponseBody<"RawGrades">[number];

export const LETTERS = ["A", "B", "C", "D", "F"] as const;
const GRADES = [...LETTERS, "P", "NP", "W"] as const;

type Counts = Pick<GradeRow, `grade${(typeof GRADES)[number]}Count`>;

export const gradeSums = (rows: readonly Counts[]) =>
  GRADES.map((name) => ({ name, value: rows.reduce((sum, row) => sum + row[`grade${name}Count`], 0) }));

type Sums = readonly { readonly name: string; readonly value: number }[];
const isLetter = (name: string): boolean => LETTERS.some((letter) => letter === name);

/** Counts students with a letter grade: those that an average is of. */
export const letterCount = (sums: Sums): number =>
  sums.reduce((sum, { name, value }) => (isLetter(name) ? sum + value : sum), 0);

/** Names the other grades: `40 P, 3 NP`; empty when there are none. */
export const otherGradesText = (sums: Sums): string =>
  sums
    .filter(({ name, value }) => !isLetter(name) && value > 0)
    .map(({ name, value }) => `${count(value)} ${name}`)
    .join(", ");

/** With fewer letter grades neither bar nor average is shown: it would tell more about students than about a course. */
export const LEAST_STUDENTS = 20;
export const TOO_FEW = `fewer than ${LEAST_STUDENTS} letter grades`;

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
