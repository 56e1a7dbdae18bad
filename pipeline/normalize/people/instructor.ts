/** Converts faculty and their directory entries to rows of the contract. **Output:** `directory_instructors`. */
import type { DirectoryInstructor } from "../../contract/rows/instructor.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { departmentKey } from "../../contract/vocabulary.ts";
import { differencesOf, type Join, reconcile } from "../reconcile.ts";
import { departmentCodes, type NamedDepartment } from "../taught-courses.ts";
import { addListing, type FacultyMember } from "./faculty.ts";
import { isNobody } from "./nobody.ts";
import { isUpperCase, nameWords, toFacultyName, toProperCase } from "./person-name.ts";
import { type SeenNames, shortenName } from "./shortened-name.ts";

export interface DirectoryPerson {
  readonly name: string;
  readonly netid: string;
  readonly title: string;
  readonly department: string;
  readonly email: string;
}

/** A faculty member and the directory's entries for the name. */
export interface FoundMember {
  readonly member: FacultyMember;
  readonly people: readonly DirectoryPerson[];
}

/**
 * A listed name and a person of the directory, joined by name; a listing's departments are codes, a person's department
 * is a name.
 */
export const listingAndPerson = (
  departments: readonly NamedDepartment[],
): Join<FacultyMember, DirectoryPerson, "department"> => {
  const codesOf = departmentCodes(departments);
  return {
    left: "the list",
    right: "the directory",
    facts: {
      department: {
        name: "department",
        left: ({ relatedDepartments }) => relatedDepartments.join(", "),
        right: ({ department }) => department,
        compare: (_, { relatedDepartments }, { department }) => {
          const codes = codesOf(department).map(departmentKey);
          if (codes.length === 0) return "missing";
          return relatedDepartments.some((code) => codes.includes(departmentKey(code))) ? "same" : "other";
        },
        wins: "right",
      },
    },
    isRefused: () => false,
  };
};

/**
 * Returns a row for each network id, sorted by id. Spellings of a person are merged; people of exactly the same name
 * each get all listings of it. Drops people who are not in the directory, and those who only share the name of somebody
 * in a listed department. Somebody of another department is noted. Of several
 * entries of a person, such as for two appointments, the first of a listed department is kept, else the first.
 * @param departments all departments by name
 */
export function toDirectoryInstructors(
  members: readonly FoundMember[],
  seen: SeenNames,
  tally: Tally,
  departments: readonly NamedDepartment[] = [],
): DirectoryInstructor[] {
  const join = listingAndPerson(departments);
  const rows = new Map<string, DirectoryInstructor>();
  for (const { member, people: entries } of members) {
    tally.read();
    const people = entries.filter(({ name }) => !isNobody(name));
    if (isNobody(member.name) || (people.length === 0 && entries.length > 0)) {
      tally.drop("a placeholder name", member.name);
      continue;
    }
    if (people.length === 0) tally.drop("the directory does not have the name", member.name);
    if (new Set(people.map(({ netid }) => netid)).size > 1) tally.note("several people of one name", member.name);
    const agreementOf = (person: DirectoryPerson) => reconcile(join, member, person).agreements.department;
    const own = people.filter((person) => agreementOf(person) === "same");
    const ownIds = new Set(own.map(({ netid }) => netid));
    for (const person of [...own, ...people.filter((person) => !own.includes(person))]) {
      if (agreementOf(person) === "other" && !ownIds.has(person.netid)) {
        const text = `${member.name}: ${differencesOf(join, member, person)}`;
        if (own.length > 0) {
          tally.drop("somebody of another department with the name of a listed person", text);
          continue;
        }
        tally.note("a listed person whom the directory has in another department", text);
      }
      const row = rows.get(person.netid) ?? toRow(member, person);
      const [first, other] = [row, person].map(({ title, department }) => `${title}, ${department}`);
      if (first !== other)
        tally.note("a person with several entries in the directory", `${person.netid}: ${first} is kept; ${other}`);
      addListing(row, member.schools, member.relatedDepartments);
      rows.set(person.netid, row);
    }
  }
  tally.keep(rows.size);
  for (const row of rows.values())
    row.shortenedName = shortenName(toFacultyName(row.name), row.relatedDepartments, seen);
  return [...rows.values()].sort((a, b) => (a.netid < b.netid ? -1 : 1));
}

function toRow(member: FacultyMember, person: DirectoryPerson): DirectoryInstructor {
  return {
    netid: person.netid,
    name: toDisplayName(person.name, member.name),
    shortenedName: "",
    title: person.title,
    email: person.email,
    department: person.department,
    schools: [],
    relatedDepartments: [],
  };
}

/** A name in capitals takes the faculty list's spelling (`McVane`, `van der Lor`), else proper case. */
function toDisplayName(name: string, listed: string): string {
  if (!isUpperCase(name)) return name;
  return nameWords(name).join(" ") === nameWords(listed).join(" ") ? listed : toProperCase(name);
}
