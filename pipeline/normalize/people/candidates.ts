/** Whom a shortened name may mean (pipeline/RULES.md, People). Nothing is guessed: an ambiguous name has several candidates. */
import { nameKey } from "../../contract/name-key.ts";
import type { SectionInstructor } from "../../contract/rows/section-instructor.ts";
import { departmentKey } from "../../contract/vocabulary.ts";

/** A person with a shortened name, and the departments that disambiguate a shared one. */
export interface NamedPerson {
  readonly netid: string;
  readonly shortenedName: string;
  /** Codes of related departments and of the person's own department. */
  readonly departments: readonly string[];
}

export interface Candidates extends Pick<SectionInstructor, "matchedBy"> {
  /** Ascending. */
  readonly netids: readonly string[];
}

export interface People {
  /** Whom a name means in a section of a department. */
  named(name: string, department: string): Candidates;
}

interface Owner {
  readonly netid: string;
  readonly departments: ReadonlySet<string>;
}

const candidates = (matchedBy: Candidates["matchedBy"], owners: readonly Owner[]): Candidates => ({
  matchedBy,
  netids: [...new Set(owners.map(({ netid }) => netid))].sort(),
});

/** A name that several people have means those of the section's department, or all of them where none is. */
export function createPeople(people: readonly NamedPerson[]): People {
  const owners = new Map<string, Owner[]>();
  for (const { netid, shortenedName, departments } of people) {
    const owner = { netid, departments: new Set(departments.map(departmentKey)) };
    const name = nameKey(shortenedName);
    const namesakes = owners.get(name);
    if (namesakes) namesakes.push(owner);
    else owners.set(name, [owner]);
  }
  return {
    named(name, department) {
      const all = owners.get(nameKey(name)) ?? [];
      if (all.length < 2) return candidates(all.length === 0 ? "none" : "name", all);
      const own = all.filter(({ departments }) => departments.has(departmentKey(department)));
      return own.length > 0 ? candidates("department", own) : candidates("name", all);
    },
  };
}
