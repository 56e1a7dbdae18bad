/** Which snapshots the rows of an answer are of: the stamped publisher wrote its number into every row. */
import type { TableName } from "../../pipeline/contract/tables.ts";

const numbers = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(([, digits]) => Number(digits));

/** The tables that every publish replaces and that the readers request. */
export const SWAPPED_TABLES: readonly TableName[] = [
  "grades",
  "terms",
  "sections",
  "enrollment_history",
  "enrollment_periods",
];

/** Every stamp of an answer's body; one number when the answer is of one snapshot. */
export function stampsIn(path: string, body: string): Set<number> {
  if (path.startsWith("/schedule/terms")) return new Set(numbers(body, /"longName":"generation (\d+)"/g));
  if (path.startsWith("/schedule"))
    return new Set([
      ...numbers(body, /"(?:courseTitle|deptComment|schoolComment|courseComment)":"generation (\d+)"/gi),
      ...numbers(body, /"maxCapacity":"(\d+)"/g),
      ...numbers(body, /"STAMP (\d+), G\."/g),
    ]);
  const named = numbers(body, /"STAMP (\d+), G\."/g);
  if (path.startsWith("/enrollmentHistory"))
    return new Set([...named, ...numbers(body, /"(?:maxCapacity|totalEnrolled)History":\["(\d+)"\]/g)]);
  if (path.startsWith("/grades/raw")) return new Set([...named, ...numbers(body, /"grade[A-Z]+Count":(\d+)/g)]);
  if (path.startsWith("/grades/aggregate?")) {
    const { sectionList, gradeDistribution } = JSON.parse(body) as {
      sectionList: object[];
      gradeDistribution: Record<string, number>;
    };
    const counts = Object.entries(gradeDistribution).filter(([name]) => name.endsWith("Count"));
    return new Set([...named, ...counts.map(([, count]) => count / sectionList.length)]);
  }
  return new Set(named);
}
