/** A department's name, as the directory writes it, → the codes under which it teaches. */

export interface NamedDepartment {
  readonly code: string;
  readonly name: string;
}

/** Names as they are compared: `Criminology, Law & Society` = `Criminology, Law and Society`. */
const nameKey = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/**
 * The codes of all departments of that name; names come from the catalogue and from the search form, whose department codes may differ. The directory
 * puts a unit before some names: `Arts-Dance`, `SOM - Neurology`.
 */
export function departmentCodesOf(name: string, departments: readonly NamedDepartment[]): string[] {
  const wanted = new Set([name, name.replace(/^[^-]*-\s*/, "")].map(nameKey).filter(Boolean));
  return [...new Set(departments.filter((department) => wanted.has(nameKey(department.name))).map(({ code }) => code))];
}
