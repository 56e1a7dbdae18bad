/** Which school a department belongs to, from the schools' pages. */
import { departmentKey } from "../contract/vocabulary.ts";

/** What a school's or a department's page lists. */
export interface ListedDepartments {
  readonly school: string;
  readonly departments: readonly string[];
}

/**
 * Departments of the real catalogue that no school's page lists, with their schools. Source: what earlier readers of the catalogue wrote down about
 * these eleven; its own pages do not say it.
 */
const UNLISTED: readonly (readonly [department: string, school: string])[] = [
  ["DATA", "Donald Bren School of Information and Computer Sciences"],
  ["GDIM", "Donald Bren School of Information and Computer Sciences"],
  ["ECPS", "Interdisciplinary Studies"],
  ["NET SYS", "Interdisciplinary Studies"],
  ["EHS", "Program in Public Health"],
  ["FIN", "The Paul Merage School of Business"],
  ["SPPS", "School of Social Sciences"],
  ["ROTC", "Division of Undergraduate Education"],
  ["UCDC", "Division of Undergraduate Education"],
  ["UNI AFF", "Division of Undergraduate Education"],
  ["UNI STU", "Division of Undergraduate Education"],
];

/**
 * School by department key. Where several schools list a department's courses, the one that comes first among the pages has it. A page's own word
 * goes before the fixed list.
 */
export function schoolsByDepartment(pages: readonly ListedDepartments[]): Map<string, string> {
  const schools = new Map<string, string>();
  const listed = pages.flatMap(({ school, departments }) => departments.map((code) => [code, school] as const));
  for (const [code, school] of [...listed, ...UNLISTED]) {
    if (!schools.has(departmentKey(code))) schools.set(departmentKey(code), school);
  }
  return schools;
}
