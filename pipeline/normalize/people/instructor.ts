/** Faculty and their directory entries → rows of the contract. **Output:** `directory_instructors`. */
import type { DirectoryInstructor } from "../../contract/rows/instructor.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { addListing, type FacultyMember } from "./faculty.ts";
import { isNobody } from "./nobody.ts";
import { isUpperCase, nameWords, toProperCase } from "./person-name.ts";
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
 * One row for each network id, sorted by id. Spellings of one person are merged; people of exactly one name each get all listings of it. Who is not in
 * the directory is dropped.
 */
export function toDirectoryInstructors(
  found: readonly FoundMember[],
  seen: SeenNames,
  tally: Tally,
): DirectoryInstructor[] {
  const rows = new Map<string, DirectoryInstructor>();
  for (const { member, people: entries } of found) {
    tally.read();
    const people = entries.filter(({ name }) => !isNobody(name));
    if (isNobody(member.name) || (people.length === 0 && entries.length > 0)) {
      tally.drop("a name that stands for nobody", member.name);
      continue;
    }
    if (people.length === 0) tally.drop("the directory does not have the name", member.name);
    if (people.length > 1) tally.note("several people of one name", member.name);
    for (const person of people) {
      const row = rows.get(person.netid) ?? toRow(member, person);
      addListing(row, member.schools, member.relatedDepartments);
      rows.set(person.netid, row);
    }
  }
  tally.keep(rows.size);
  for (const row of rows.values()) row.shortenedName = shortenName(row.name, row.relatedDepartments, seen);
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
