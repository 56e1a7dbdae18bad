/** Summarizes the grades of a person's sections of a course. */
import { type GradeRow, gradeSums, groupBy, letterCount, meanOf } from "../charts/grade-sums.ts";

const POINTS: Readonly<Record<string, number>> = { A: 4, B: 3, C: 2, D: 1, F: 0 };

export interface GradeSummary {
  /** In the order A, B, C, D, F, P, NP, W. */
  readonly sums: readonly { readonly name: string; readonly value: number }[];
  /** Students with a letter grade: the number that the mean is of. */
  readonly students: number;
  /** Students with any grade. */
  readonly total: number;
  readonly sections: number;
  readonly mean: number | undefined;
  /** The share of A among letter grades, 0 to 1. */
  readonly shareOfA: number | undefined;
  /** Standard deviation of the letter grades, A = 4 … F = 0. */
  readonly deviation: number | undefined;
  /** The letters between which the middle half of the students is. */
  readonly middleHalf: readonly [string, string] | undefined;
}

export interface PersonGrades extends GradeSummary {
  /** As in the schedule: `TAVOLAFORT, A.`. */
  readonly name: string;
  /** The netids of people whom the name may mean. */
  readonly ids: readonly string[];
  readonly rows: readonly GradeRow[];
}

export function summaryOf(rows: readonly GradeRow[]): GradeSummary {
  const sums = gradeSums(rows);
  const letters = sums.filter(({ name }) => name in POINTS);
  const students = letterCount(sums);
  const average = letters.reduce((sum, { name, value }) => sum + (POINTS[name] ?? 0) * value, 0) / students;
  const variance =
    letters.reduce((sum, { name, value }) => sum + value * ((POINTS[name] ?? 0) - average) ** 2, 0) / students;
  return {
    sums,
    students,
    total: sums.reduce((sum, { value }) => sum + value, 0),
    sections: rows.length,
    mean: meanOf(rows),
    shareOfA: students === 0 ? undefined : (letters[0]?.value ?? 0) / students,
    deviation: students === 0 ? undefined : Math.sqrt(variance),
    middleHalf: students === 0 ? undefined : [letterAt(letters, students / 4), letterAt(letters, (3 * students) / 4)],
  };
}

/** The letter of the student at a place, counted from the best. */
function letterAt(letters: GradeSummary["sums"], place: number): string {
  let seen = 0;
  return letters.find(({ value }) => (seen += value) >= place && value > 0)?.name ?? "";
}

/** A section that two people taught counts for both. */
export const byPerson = (rows: readonly GradeRow[]): PersonGrades[] =>
  [...groupBy(rows, ({ instructors }) => instructors)]
    .filter(([name]) => name !== "STAFF")
    .map(([name, own]) => ({ name, ids: idsOf(name, own), rows: own, ...summaryOf(own) }));

/** Returns the netids of people whom a name may mean, from any rows with names. */
export const idsOf = (
  name: string,
  rows: readonly {
    readonly instructors: readonly string[];
    readonly instructorIds?: readonly (readonly string[])[] | undefined;
  }[],
): string[] => [
  ...new Set(
    rows.flatMap(({ instructors, instructorIds }) =>
      instructors.includes(name) ? (instructorIds?.[instructors.indexOf(name)] ?? []) : [],
    ),
  ),
];

/** Newest first. */
export const byYear = (rows: readonly GradeRow[]): (GradeSummary & { readonly year: string })[] =>
  [...groupBy(rows, ({ year }) => [year])]
    .map(([year, own]) => ({ year, ...summaryOf(own) }))
    .toSorted((a, b) => (a.year < b.year ? 1 : -1));

/** `2024` is that year, `2024-` it and all after it; any other text means all years. */
export function inYears(rows: readonly GradeRow[], years: string): readonly GradeRow[] {
  const [, year, isSince] = /^(\d{4})(-?)$/.exec(years) ?? [];
  if (year === undefined) return rows;
  return rows.filter((row) => (isSince ? row.year >= year : row.year === year));
}
