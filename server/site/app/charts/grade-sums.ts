/** Sums and means over grade rows, one per section. */
import type { ResponseBody } from "../data/response-body.ts";

export type GradeRow = ResponseBody<"RawGrades">[number];

const LETTERS = ["A", "B", "C", "D", "F"] as const;
const GRADES = [...LETTERS, "P", "NP", "W"] as const;

export const gradeSums = (rows: readonly GradeRow[]) =>
  GRADES.map((name) => ({ name, value: rows.reduce((sum, row) => sum + row[`grade${name}Count`], 0) }));

/** Like the API: the plain mean of the averages of sections with a letter grade. */
export function meanOf(rows: readonly GradeRow[]): number | undefined {
  const lettered = rows.filter((row) => LETTERS.some((grade) => row[`grade${grade}Count`] > 0));
  return lettered.length === 0 ? undefined : lettered.reduce((sum, row) => sum + row.averageGPA, 0) / lettered.length;
}

export const meanText = (rows: readonly GradeRow[]): string => meanOf(rows)?.toFixed(2) ?? "–";

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
