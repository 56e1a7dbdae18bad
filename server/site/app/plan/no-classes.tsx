/**
 * Lists the days without classes in a plan's term, which the calendar file leaves out too, or says that the calendar
 * does not have the term.
 */
import { useContext } from "preact/hooks";
import type { CalendarDate, TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import { addressOf } from "../data/addresses.ts";
import { datesOf, SiteContext } from "../data/terms.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { Loaded } from "../parts/loaded.tsx";
import { dateName } from "./problems.ts";

type Term = { readonly dates: readonly Omit<CalendarDate, "year" | "quarter">[] };

const nameOf = (day: string): string => dateName(Date.parse(day) / 86_400_000);

/** `Thu, Nov 26 – Fri, Nov 27: Thanksgiving Holiday`. */
function Holiday({ event, first, last }: { event: string; first: string; last: string }) {
  return (
    <li>
      {nameOf(first)}
      {last !== first && ` – ${nameOf(last)}`}: {event}
    </li>
  );
}

export function NoClasses({ term }: { term: string }) {
  const dates = datesOf(useContext(SiteContext), term);
  if (!dates) return <p class="quiet">{termTitle(term)} has no calendar dates yet, so holidays are not shown.</p>;
  const { year } = termQuery(term);
  return (
    <Loaded<[readonly Term[]]> addresses={[addressOf("/calendar", { year })]} lines={1}>
      {(terms) => {
        const holidays = holidaysIn(terms, dates);
        if (holidays.length === 0) return null;
        return (
          <>
            <p class="quiet">No classes in {termTitle(term)} on</p>
            <ul class="quiet">
              {holidays.map((holiday) => (
                <Holiday {...holiday} />
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

/** By day; of terms that overlap, which share holidays, each once. */
function holidaysIn(terms: readonly Term[], { instructionStart, instructionEnd }: TermDates) {
  const holidays = new Map(
    terms
      .flatMap(({ dates }) => dates)
      .flatMap(({ kind, event, firstDay, lastDay }) => {
        const [first, last] = [firstDay ?? lastDay ?? "", lastDay ?? firstDay ?? ""];
        const isInTerm = kind === "holiday" && first <= instructionEnd && last >= instructionStart;
        return isInTerm ? [[`${first} ${last} ${event}`, { event, first, last }] as const] : [];
      }),
  );
  return [...holidays].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, holiday]) => holiday);
}
