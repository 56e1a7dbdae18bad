/** Grade rows, one a section, summed. */
import type { Answer } from "./ask.ts";

export type GradeRow = Answer<"RawGrades">[number];

const LETTERS = ["A", "B", "C", "D", "F"] as const;
const GRADES = [...LETTERS, "P", "NP", "W"] as const;

/** How many students have each grade. */
export const gradeSums = (rows: readonly GradeRow[]) =>
  GRADES.map((name) => ({ name, value: rows.reduce((sum, row) => sum + row[`grade${name}Count`], 0) }));

/** The service's own rule: the plain mean of the sections' averages, sections without a letter grade aside. */
export function meanOf(rows: readonly GradeRow[]): number | undefined {
  const lettered = rows.filter((row) => LETTERS.some((grade) => row[`grade${grade}Count`] > 0));
  return lettered.length === 0 ? undefined : lettered.reduce((sum, row) => sum + row.averageGPA, 0) / lettered.length;
}

/** The mean as a cell of a table. */
export const meanText = (rows: readonly GradeRow[]): string => meanOf(rows)?.toFixed(2) ?? "–";

/** A row with several keys stands in several groups. */
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
