/** Merges the faculty lists of all pages into people, with the schools and departments of the pages that list them. */
import { departmentKey } from "../../contract/vocabulary.ts";
import { nameWords, toFacultyName } from "./person-name.ts";

export interface ListedFaculty {
  readonly school: string;
  readonly departments: readonly string[];
  readonly faculty: readonly string[];
}

export interface FacultyMember {
  name: string;
  schools: string[];
  relatedDepartments: string[];
}

/** Returns an entry for each name; people, schools and departments are in the order of the pages. */
export function toFaculty(pages: readonly ListedFaculty[]): FacultyMember[] {
  const members = new Map<string, FacultyMember>();
  for (const page of pages) {
    for (const printed of page.faculty) {
      const name = toFacultyName(printed);
      const key = nameWords(name).join(" ");
      if (key === "") continue;
      const member = members.get(key) ?? { name, schools: [], relatedDepartments: [] };
      addListing(member, [page.school], page.departments);
      members.set(key, member);
    }
  }
  return [...members.values()];
}

export function addListing(
  to: Pick<FacultyMember, "schools" | "relatedDepartments">,
  schools: readonly string[],
  departments: readonly string[],
): void {
  to.schools = [...new Set([...to.schools, ...schools])];
  const keys = new Set(to.relatedDepartments.map(departmentKey));
  for (const code of departments) {
    if (!keys.has(departmentKey(code))) to.relatedDepartments.push(code);
    keys.add(departmentKey(code));
  }
}
