/** Builds the instructions for assistants: how results are structured, and which terms exist. */
import { campusToday } from "../../pipeline/contract/campus-time.ts";
import type { TermDates } from "../../pipeline/contract/rows/calendar.ts";
import { compareTerms, type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import type { CurrentTerm } from "../pages/current-term.ts";

const GENERAL = [
  "A university's public academic data: schedule, grades, courses, instructors, calendar, all read from one published snapshot.",
  "Begin with search where a name is not exact.",
  "A result has `data`, the `snapshot` it is from, `updated` (when this was crawled), `warnings` about what was not understood, `total` (how many elements match) and, where not all of them are shown, `narrow`: why, and the call that brings the next ones.",
  "Case does not count in texts that are looked for. `limit` is the most elements that are wanted, `offset` how many are skipped; `fields` are the fields of `data`, with ALL for everything.",
  "`asOf` answers as an earlier snapshot did: its id, a date (the end of that day on campus) or a time.",
  "Averages have two decimals; 0 means that there is no letter grade.",
].join(" ");

/** The most terms that are listed, one per quarter and session; further ones are counted. */
const MOST_TERMS = 6;

function scheduleLine(published: readonly Term[]): string {
  if (published.length === 0) return "No schedule is published yet.";
  const names = published.map(termName);
  const older = names.length - MOST_TERMS;
  const rest = older > 0 ? ` and ${older} older ones, the oldest ${names.at(-1)}` : "";
  return `Schedules are published of ${names.slice(0, MOST_TERMS).join(", ")}${rest}.`;
}

/**
 * Describes the current date on campus, the terms in session or finals, the next term, the term for questions that name
 * none, and the published schedules.
 * @param published latest first
 * @param chosen such as `2026 Fall`
 */
export function termsLine(
  today: string,
  calendar: readonly TermDates[],
  published: readonly Term[],
  chosen?: string,
): string {
  const terms = [...calendar].sort(compareTerms);
  const current = terms
    .filter(({ instructionStart, finalsEnd }) => instructionStart <= today && today <= finalsEnd)
    .map((term) => `${termName(term)} (instruction until ${term.instructionEnd}, finals until ${term.finalsEnd})`);
  const later = terms.filter(({ instructionStart }) => instructionStart > today);
  const start = later.map(({ instructionStart }) => instructionStart).sort()[0];
  const next = later.filter(({ instructionStart }) => instructionStart === start).map(termName);
  return [
    `Today is ${today} on campus.`,
    current.length > 0 ? `The current term is ${current.join(" and ")}.` : "It is a break between terms.",
    start ? `The next term is ${next.join(" and ")}, from ${start} on.` : "No next term is known.",
    ...(chosen === undefined ? [] : [`Students are choosing classes for ${chosen}: use it if no term is named.`]),
    scheduleLine(published),
  ].join(" ");
}

/** Builds the instructions. If the calendar cannot be loaded, only the terms are omitted. */
export async function instructionsOf(
  store: Pick<Store, "withSnapshot">,
  currentTerm: CurrentTerm,
  now: Date,
): Promise<string> {
  const chosen = await currentTerm();
  const read = async (snapshot: Snapshot) =>
    termsLine(campusToday(now), snapshot.tables.calendar.dates, snapshot.publishedTerms, chosen);
  const terms = await store.withSnapshot(read, ["calendar"])?.catch(() => undefined);
  return [GENERAL, ...(terms === undefined ? [] : [terms])].join(" ");
}
