/** A department's name in the directory → its department codes. */

export interface NamedDepartment {
  readonly code: string;
  readonly name: string;
}

/** `Criminology, Law & Society` = `Criminology, Law and Society`. */
const nameKey = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/**
 * The codes of all departments of that name in the catalogue and the search form, which may differ. The directory prefixes some names with a unit:
 * `Arts-Dance`, `SOM - Neurology`.
 */
export function departmentCodesOf(name: string, departments: readonly NamedDepartment[]): string[] {
  const wanted = new Set([name, name.replace(/^[^-]*-\s*/, "")].map(nameKey).filter(Boolean));
  return [...new Set(departments.filter((department) => wanted.has(nameKey(department.name))).map(({ code }) => code))];
}
