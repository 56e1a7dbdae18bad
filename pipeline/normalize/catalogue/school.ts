/** Maps departments to schools, from the schools' pages. */
import { departmentKey } from "../../contract/vocabulary.ts";

/** The departments that a school's or a department's page lists. */
export interface ListedDepartments {
  readonly school: string;
  readonly departments: readonly string[];
}

/**
 * Departments of the real catalogue that no school's page lists. Source: notes of earlier readers of the catalogue.
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

/** School by department key. The first page that lists a department wins; pages take precedence over the fixed list. */
export function schoolsByDepartment(pages: readonly ListedDepartments[]): Map<string, string> {
  const schools = new Map<string, string>();
  const listed = pages.flatMap(({ school, departments }) => departments.map((code) => [code, school] as const));
  for (const [code, school] of [...listed, ...UNLISTED]) {
    if (!schools.has(departmentKey(code))) schools.set(departmentKey(code), school);
  }
  return schools;
}
