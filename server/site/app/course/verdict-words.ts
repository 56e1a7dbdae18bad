/** The first line of a course's page: who teaches it in the term, when, open seats, and the instructors' average. */
import { isSecondary } from "../data/lecture-groups.ts";
import type { SectionLine } from "../data/sections.ts";
import { termTitle } from "../data/term-names.ts";
import { accessNotes } from "../data/glossary.ts";
import { isOpen } from "../data/is-open.ts";
import { seatsLeft } from "../data/seats.ts";
import { count, formatMeeting, plural, spokenName } from "../format.ts";
import type { GradeRow } from "../charts/grade-sums.ts";
import { byPerson } from "./person-grades.ts";

/** More names than a line has room for. */
const MAX_NAMES = 2;

/** The mean of several instructors is weighted by students. */
function instructorsMean(rows: readonly GradeRow[], names: readonly string[]): number | undefined {
  const graded = byPerson(rows).filter(({ name, students }) => names.includes(name) && students > 0);
  const all = graded.reduce((sum, { students }) => sum + students, 0);
  return all === 0 ? undefined : graded.reduce((sum, { mean = 0, students }) => sum + mean * students, 0) / all;
}

/** `18 seats, code required`, `Waitlist only`, `Full`. */
function seatsText(lectures: readonly SectionLine[], isNew: boolean): string {
  const open = lectures.filter((section) => isOpen(section, isNew));
  if (open.length === 0) {
    const has = (status: string) => lectures.some((section) => section.status === status);
    return has("NewOnly") ? "New students only" : has("Waitl") ? "Waitlist only" : "Full";
  }
  const left = open.reduce((sum, section) => sum + (seatsLeft(section, isNew) ?? 0), 0);
  const [first = [], ...others] = open.map(({ restrictions }) => accessNotes(restrictions));
  const shared = first.filter((note) => others.every((notes) => notes.includes(note)));
  return [plural(left, "seat"), ...shared].join(", ");
}

/** `Fall 2026: A. Tavolafort · TuTh 2:00–3:20 pm · 34 seats · averages 3.21`. */
export function verdictWords(
  sections: readonly SectionLine[],
  rows: readonly GradeRow[],
  term: string,
  isNew: boolean,
): string | undefined {
  const held = sections.filter(({ isCancelled }) => !isCancelled);
  const primary = held.filter((section) => !isSecondary(section));
  const lectures = primary.length > 0 ? primary : held;
  const [first] = lectures;
  if (!first) return undefined;
  const names = [...new Set(lectures.flatMap(({ instructors }) => instructors))].filter((name) => name !== "STAFF");
  const open = lectures.filter((section) => isOpen(section, isNew)).length;
  const mean = instructorsMean(rows, names);
  const who =
    names.length === 0
      ? "Instructor not announced"
      : names.length <= MAX_NAMES
        ? names.map(spokenName).join(" and ")
        : `${count(names.length)} instructors`;
  const when =
    lectures.length === 1
      ? first.meetings.map((meeting) => formatMeeting(meeting).at).join(", ")
      : `${open} of ${plural(lectures.length, "section")} open`;
  return [
    `${termTitle(term)}: ${who}`,
    when,
    seatsText(lectures, isNew),
    mean !== undefined && `${names.length === 1 ? "averages" : "these instructors average"} ${mean.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
