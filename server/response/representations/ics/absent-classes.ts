/** The note of a calendar file about sections without any class in it. */
import type { Term } from "../../../../pipeline/contract/vocabulary.ts";
import { type Absence, ABSENCES, nameOf, type ShownSection } from "./events.ts";

const WORDS: Readonly<Record<Absence, (term: string) => string>> = {
  time: () => "Without a time",
  weekdays: () => "With a time, but without days of the week",
  dates: (term) =>
    `The academic calendar does not have ${term} yet, so that its days are not known and classes are left out`,
  days: (term) => `Without a day of class in ${term}, holidays and breaks left out`,
};

/** Returns a line per reason, which names the sections; empty if there are none. */
export function noteOfAbsent(
  absent: readonly { readonly section: ShownSection; readonly absence: Absence }[],
  { quarter, year }: Term,
): string {
  return ABSENCES.flatMap((reason) => {
    const names = absent
      .filter(({ absence }) => absence === reason)
      .map(({ section }) => `${nameOf(section)} (${section.sectionCode}${section.cancelled ? ", cancelled" : ""})`);
    return names.length > 0 ? `${WORDS[reason](`${quarter} ${year}`)}: ${names.join(", ")}` : [];
  }).join("\n");
}
