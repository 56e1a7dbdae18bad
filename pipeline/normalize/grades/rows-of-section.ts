/** Merges several grade rows of a section (pipeline/RULES.md, Contradictions). */
import { GRADE_COUNTS, type Grade, LETTER_COUNTS } from "../../contract/rows/grade.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { isSamePerson, shareAPerson } from "../people/same-person.ts";

/** A section with the counts of its rows. */
export interface CountedSection {
  readonly grade: Grade;
  /** The name of the row in reports. */
  readonly name: string;
  /** The instructors in the sheet, which the section's may contradict. */
  readonly people: readonly string[];
}

const haveEqualCounts = (a: CountedSection, b: CountedSection): boolean =>
  GRADE_COUNTS.every((count) => a.grade[count] === b.grade[count]);

const isOfOthers = (a: CountedSection, b: CountedSection): boolean =>
  a.people.length > 0 && b.people.length > 0 && !shareAPerson(a.people, b.people);

/** Merges two rows of a delivery: each may count a part, or all, of the students for one of the instructors. */
export function mergeRows(earlier: CountedSection, later: CountedSection, tally: Tally): CountedSection {
  return !haveEqualCounts(earlier, later) && isOfOthers(earlier, later)
    ? add(earlier, later, tally)
    : mergeDeliveries(earlier, later, tally);
}

/**
 * Merges two deliveries, or rows, of a section: with equal counts they complete each other, else the later one is a
 * correction.
 */
export function mergeDeliveries(earlier: CountedSection, later: CountedSection, tally: Tally): CountedSection {
  const [first, second] = [earlier.grade.averageGPA, later.grade.averageGPA];
  const isContradicted = first !== null && second !== null && first !== second;
  if (!haveEqualCounts(earlier, later) || (isContradicted && !isOfOthers(earlier, later))) {
    tally.drop(
      "replaced by a later row of the same section with different figures",
      `${earlier.name}; by ${later.name}`,
    );
    return later;
  }
  const averages = isContradicted ? `; averages ${first} and ${second}, the later is kept` : "";
  tally.note("a section with several rows of equal counts", `${earlier.name}; and ${later.name}${averages}`);
  return withAll(earlier, later, { averageGPA: second ?? first });
}

/** The sum of the counts, and the average of all letter grades: the office's average over both parts is unknown. */
function add(earlier: CountedSection, later: CountedSection, tally: Tally): CountedSection {
  tally.note(
    "a section whose rows count different students of different instructors, added",
    `${earlier.name}; and ${later.name}`,
  );
  const counts = Object.fromEntries(GRADE_COUNTS.map((count) => [count, earlier.grade[count] + later.grade[count]]));
  return withAll(earlier, later, { ...counts, averageGPA: averageOf([earlier.grade, later.grade]) });
}

/** Returns null when a part with letter grades has no average. */
function averageOf(parts: readonly Grade[]): number | null {
  const lettersOf = (grade: Grade) => LETTER_COUNTS.reduce((sum, count) => sum + grade[count], 0);
  const graded = parts.filter((part) => lettersOf(part) > 0);
  if (graded.length === 0 || graded.some(({ averageGPA }) => averageGPA === null)) return null;
  const points = graded.reduce((sum, part) => sum + (part.averageGPA ?? 0) * lettersOf(part), 0);
  return Math.round((points / graded.reduce((sum, part) => sum + lettersOf(part), 0)) * 100) / 100;
}

function withAll(earlier: CountedSection, later: CountedSection, change: Partial<Grade>): CountedSection {
  const instructors = together(earlier.grade.instructors, later.grade.instructors);
  return {
    name: later.name,
    people: together(earlier.people, later.people),
    grade: { ...later.grade, ...change, instructors },
  };
}

/** The people of both lists, without duplicates, with the longer of two spellings. */
function together(some: readonly string[], others: readonly string[]): string[] {
  const people = [...some];
  for (const name of others) {
    const i = people.findIndex((person) => isSamePerson(person, name));
    if (i < 0) people.push(name);
    else if (name.length > (people[i] ?? "").length) people[i] = name;
  }
  return people;
}
