/**
 * The people whom a shortened name may mean (pipeline/RULES.md, People). Nothing is guessed: an ambiguous name has
 * several candidates.
 */
import { nameKey } from "../../contract/name-key.ts";
import type { SectionInstructor } from "../../contract/rows/section-instructor.ts";
import { departmentKey } from "../../contract/vocabulary.ts";
import { type Join, reconcile } from "../reconcile.ts";

/** A person with a shortened name, and the departments that disambiguate a shared name. */
export interface NamedPerson {
  readonly netid: string;
  readonly shortenedName: string;
  /** Codes of the person's related departments and department. */
  readonly departments: readonly string[];
}

export interface Candidates extends Pick<SectionInstructor, "matchedBy"> {
  /** Network ids, ascending. */
  readonly netids: readonly string[];
  /** The departments of the only person of the name, if none of them is the section's. */
  readonly elsewhere?: readonly string[];
}

export interface People {
  /** Returns the candidates for a name in a section of a department. */
  named(name: string, department: string): Candidates;
}

interface Owner {
  readonly netid: string;
  readonly departments: ReadonlySet<string>;
}

/** A name in a section, by its department, and a person of that name. */
export const NAME_AND_PERSON: Join<string, Pick<Owner, "departments">, "department"> = {
  left: "the section",
  right: "the person",
  facts: {
    department: {
      name: "department",
      left: (department) => department,
      right: ({ departments }) => [...departments].join(", "),
      compare: (_, department, { departments }) => (departments.has(departmentKey(department)) ? "same" : "other"),
      wins: "left",
    },
  },
  isRefused: () => false,
};

const candidates = (matchedBy: Candidates["matchedBy"], owners: readonly Owner[]): Candidates => ({
  matchedBy,
  netids: [...new Set(owners.map(({ netid }) => netid))].sort(),
});

/** A name that several people share means those of the section's department, or all of them if none is in it. */
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
      const [only] = all;
      if (!only) return candidates("none", all);
      if (all.length === 1) {
        const { agreements } = reconcile(NAME_AND_PERSON, department, only);
        const match = candidates("name", all);
        return agreements.department === "other" ? { ...match, elsewhere: [...only.departments] } : match;
      }
      const colleagues = all.filter(({ departments }) => departments.has(departmentKey(department)));
      return colleagues.length > 0 ? candidates("department", colleagues) : candidates("name", all);
    },
  };
}
