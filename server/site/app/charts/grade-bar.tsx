/** The grades of one row of a table as a bar of shares. */
import { share } from "../format.ts";

type Counts = Readonly<Record<`grade${"A" | "B" | "C" | "D" | "F" | "P" | "NP" | "W"}Count`, number>>;

const LETTERS = ["A", "B", "C", "D", "F"] as const;

/** Of fewer people nothing is drawn and no average is told: it would say more about them than about a course. */
export const LEAST_STUDENTS = 20;
export const TOO_FEW = `fewer than ${LEAST_STUDENTS} students`;

export const studentsOf = (row: Counts): number =>
  lettersOf(row) + row.gradePCount + row.gradeNPCount + row.gradeWCount;

export const lettersOf = (row: Counts): number => LETTERS.reduce((sum, letter) => sum + row[`grade${letter}Count`], 0);

export function addCounts(rows: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => rows.reduce((all, row) => all + row[name], 0);
  return {
    gradeACount: sum("gradeACount"),
    gradeBCount: sum("gradeBCount"),
    gradeCCount: sum("gradeCCount"),
    gradeDCount: sum("gradeDCount"),
    gradeFCount: sum("gradeFCount"),
    gradePCount: sum("gradePCount"),
    gradeNPCount: sum("gradeNPCount"),
    gradeWCount: sum("gradeWCount"),
  };
}

/** Letter grades only: their shares add up to the bar's width. */
export function GradeBar({ counts }: { counts: Counts }) {
  const all = lettersOf(counts);
  if (all < LEAST_STUDENTS) return <span class="quiet">{TOO_FEW}</span>;
  const parts = LETTERS.map((letter) => [letter, counts[`grade${letter}Count`]] as const).filter(([, n]) => n > 0);
  const words = parts.map(([letter, n]) => `${letter} ${share(n, all)}`).join(", ");
  return (
    <span class="grade-bar" role="img" aria-label={words} title={words}>
      {parts.map(([letter, n]) => (
        <span class={`grade-${letter.toLowerCase()}`} style={{ width: `${(100 * n) / all}%` }} />
      ))}
    </span>
  );
}
