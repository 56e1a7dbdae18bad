/**
 * Invented people: those in the directory, and those who only teach. As in real lists, some share a short name, and
 * some names are truncated, oddly spelled or shared with a student.
 */
import { withoutDiacritics } from "../contract/name-key.ts";
import type { CampusDepartment } from "./courses/departments.ts";
import {
  FIRST_NAMES,
  LAST_BEGINNINGS,
  LAST_ENDINGS,
  LAST_MIDDLES,
  LAST_NAME_LENGTH,
  NO_ADDRESS_SHARE,
  OTHERS_PER_PERSON,
  SECOND_DEPARTMENT_SHARE,
  SHARED_NAME_SHARE,
  TITLES,
} from "./facts/people.ts";
import { createStream, pick, weighted } from "./random.ts";

export interface Person {
  /** Undefined for people outside the directory. */
  readonly netid: string | undefined;
  readonly first: string;
  /** An initial, or "". */
  readonly middle: string;
  readonly last: string;
  /** As the schedule spells it: `GARZA RODRIGUE, A.` */
  readonly shortName: string;
  readonly title: string;
  readonly email: string;
  readonly department: CampusDepartment;
  /** The departments whose pages name them. */
  readonly departments: readonly CampusDepartment[];
}

export const fullName = ({ first, middle, last }: Person): string => [first, middle, last].filter(Boolean).join(" ");

const titleOf = weighted(TITLES);

/** The people of each department, by the department's index: first those in the directory, then the others. */
export function createPeople(departments: readonly CampusDepartment[], count: number, seed: number): Person[][] {
  const total = departments.reduce((sum, { mainSections }) => sum + Math.sqrt(mainSections), 0);
  const usedNetids = new Set<string>();
  const random = createStream(seed);
  let earlier: Person | undefined;
  return departments.map((department, index) => {
    const members = Math.max(2, Math.round((count * Math.sqrt(department.mainSections)) / total));
    const staff: Person[] = [];
    for (let i = 0; i < members + Math.ceil(members * OTHERS_PER_PERSON); i++) {
      const inDirectory = i < members;
      const double = earlier !== undefined && random() < SHARED_NAME_SHARE ? earlier : undefined;
      const first = double ? sameInitial(double.first, random()) : pick(FIRST_NAMES, random());
      const last = double?.last ?? lastName(random);
      const middle = random() < 0.4 ? pick("ABCDEGHJKLMNPRSTW".split(""), random()) : "";
      const netid = inDirectory ? takeNetid(first, middle, last, usedNetids) : undefined;
      const second =
        random() < SECOND_DEPARTMENT_SHARE
          ? departments[(index + 1 + Math.floor(random() * 3)) % departments.length]
          : undefined;
      const person = {
        netid,
        first,
        middle,
        last,
        shortName: inDirectory ? shortName(first, last) : oddShortName(first, last, random()),
        title: inDirectory ? titleOf(random()) : "",
        email: netid === undefined || random() < NO_ADDRESS_SHARE ? "" : `${netid}@example.edu`,
        department,
        departments: inDirectory && second && second !== department ? [department, second] : [department],
      };
      staff.push(person);
      if (inDirectory) earlier = person;
    }
    return staff;
  });
}

function lastName(random: () => number): string {
  const simple = () => pick(LAST_BEGINNINGS, random()) + pick(LAST_MIDDLES, random()) + pick(LAST_ENDINGS, random());
  const kind = random();
  const name = simple();
  if (kind < 0.04) return `${name} ${simple()}`;
  if (kind < 0.07) return `${name}-${simple()}`;
  if (kind < 0.08) return `O'${name}`;
  if (kind < 0.09) return name.replace(/[aeo]/, (vowel) => ({ a: "á", e: "é", o: "ö" })[vowel] ?? vowel);
  return name;
}

function shortName(first: string, last: string): string {
  const spelled = /[áö]/.test(last) ? last : withoutDiacritics(last);
  return `${spelled.toUpperCase().slice(0, LAST_NAME_LENGTH).trim()}, ${first[0]}.`;
}

/**
 * People outside the directory have odd spellings: two initials, a suffix, no comma, two blanks, nothing after the
 * comma.
 */
function oddShortName(first: string, last: string, x: number): string {
  const regular = shortName(first, last);
  const surname = regular.slice(0, regular.indexOf(","));
  if (x < 0.02) return `${surname}, ${first[0]}.Z.`;
  if (x < 0.03) return `${surname.slice(0, 10)} JR., ${first[0]}.`;
  if (x < 0.035) return surname;
  if (x < 0.04) return `${surname},  ${first[0]}.`;
  if (x < 0.045) return `${surname},`;
  return regular;
}

function sameInitial(first: string, x: number): string {
  const others = FIRST_NAMES.filter((name) => name !== first && name[0] === first[0]);
  return others.length > 0 ? pick(others, x) : first;
}

/** Initials and last name, at most eight characters, with a number if it is already taken. */
function takeNetid(first: string, middle: string, last: string, used: Set<string>): string {
  const stem = withoutDiacritics(`${first[0]}${middle}${last}`)
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .slice(0, 8);
  let netid = stem;
  for (let n = 1; used.has(netid); n++) netid = `${stem.slice(0, 7)}${n}`;
  used.add(netid);
  return netid;
}
