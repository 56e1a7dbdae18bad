/** Departments by their long names. The records office spells them anew in every delivery: `Information & Computer Science`, `Women's Studies`. */

/** Two names are the same when their letters and digits are: case, accents, punctuation and `&` for `and` do not count. */
export function departmentNameKey(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/&(?:amp;)?/g, " and ")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/**
 * A lookup from name to code over pairs of them (a department may come with several names). A code is found under its own spelling as well, for
 * the layouts that give codes; a name that several departments bear finds none, for a guess would publish grades under the wrong one.
 */
export function createDepartmentNames(
  pairs: Iterable<readonly [name: string, code: string]>,
): (name: string) => string | undefined {
  const byName = new Map<string, string | null>();
  const byCode = new Map<string, string>();
  for (const [name, code] of pairs) {
    const key = departmentNameKey(name);
    const known = byName.get(key);
    if (key !== "") byName.set(key, known === undefined || known === code ? code : null);
    byCode.set(departmentNameKey(code), code);
  }
  const answers = new Map<string, string | undefined>();
  return (name) => {
    if (!answers.has(name)) {
      const key = departmentNameKey(name);
      const named = byName.get(key);
      answers.set(name, (named === undefined ? byCode.get(key) : named) ?? undefined);
    }
    return answers.get(name);
  };
}
