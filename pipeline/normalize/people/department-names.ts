/** Departments by their long names, which the records office spells differently in every delivery. */

/** The key for comparing names, without case, accents and punctuation; `&` equals `and`. */
export function departmentNameKey(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/&(?:amp;)?/g, " and ")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/**
 * Creates a lookup from name to code; a department may have several names. A code also finds itself, as some layouts
 * have codes. A name that several departments share finds none: a guess would publish grades under the wrong
 * department.
 */
export function createDepartmentNames(
  pairs: Iterable<readonly [name: string, code: string]>,
): (name: string) => string | undefined {
  const byName = new Map<string, string | null>();
  const byCode = new Map<string, string>();
  for (const [name, code] of pairs) {
    const key = departmentNameKey(name);
    const codes = byName.get(key);
    if (key !== "") byName.set(key, codes === undefined || codes === code ? code : null);
    byCode.set(departmentNameKey(code), code);
  }
  const matches = new Map<string, string | undefined>();
  return (name) => {
    if (!matches.has(name)) {
      const key = departmentNameKey(name);
      const named = byName.get(key);
      matches.set(name, (named === undefined ? byCode.get(key) : named) ?? undefined);
    }
    return matches.get(name);
  };
}
