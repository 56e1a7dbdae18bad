/** The first answer of a course's page: who teaches it in the term, when, what is left, and how they graded. */
import { isSecondary } from "../data/lecture-groups.ts";
import type { SectionLine } from "../data/sections.ts";
import { termTitle } from "../data/term-names.ts";
import { seatsLeft } from "../data/seats.ts";
import { count, formatMeeting, plural, spokenName } from "../format.ts";
import type { GradeRow } from "../charts/grade-sums.ts";
import { byPerson } from "./person-grades.ts";

/** More names than a line has room for. */
const MAX_NAMES = 2;

/** `3.21 theirs`; of several the mean by students. */
function theirMean(rows: readonly GradeRow[], names: readonly string[]): number | undefined {
  const own = byPerson(rows).filter(({ name, lettered }) => names.includes(name) && lettered > 0);
  const students = own.reduce((sum, { lettered }) => sum + lettered, 0);
  return students === 0 ? undefined : own.reduce((sum, { mean = 0, lettered }) => sum + mean * lettered, 0) / students;
}

/** `Fall 2026: Aurelio Tavolafort, TuTh 2:00–3:20 pm, 34 seats left, theirs 3.21`. */
export function verdictWords(
  sections: readonly SectionLine[],
  rows: readonly GradeRow[],
  term: string,
): string | undefined {
  const held = sections.filter(({ isCancelled }) => !isCancelled);
  const primary = held.filter((one) => !isSecondary(one));
  const lectures = primary.length > 0 ? primary : held;
  const [first] = lectures;
  if (!first) return undefined;
  const names = [...new Set(lectures.flatMap(({ instructors }) => instructors))].filter((name) => name !== "STAFF");
  const left = lectures.reduce((sum, one) => sum + (seatsLeft(one) ?? 0), 0);
  const open = lectures.filter(({ status }) => status === "OPEN").length;
  const mean = theirMean(rows, names);
  const who =
    names.length === 0
      ? "nobody named yet"
      : names.length <= MAX_NAMES
        ? names.map(spokenName).join(" and ")
        : `${count(names.length)} people`;
  const when =
    lectures.length === 1
      ? first.meetings.map((meeting) => formatMeeting(meeting).at).join(", ")
      : `${plural(lectures.length, "section")} with units, ${open} open`;
  return [
    `${termTitle(term)}: ${who}`,
    when,
    left === 0 ? "no seat left" : `${plural(left, "seat")} left`,
    mean !== undefined && `theirs ${mean.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(", ");
}
