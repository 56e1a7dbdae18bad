/** Enrollment and deadlines of a term, as the academic calendar has them; asked for when they are opened. */
import { useState } from "preact/hooks";
import type { CalendarDate } from "../../../../pipeline/contract/rows/calendar.ts";
import { addressOf } from "../data/addresses.ts";
import { termQuery, termTitle } from "../data/term-names.ts";
import { weekday } from "../format.ts";
import { Loaded } from "../parts/loaded.tsx";

interface Term {
  readonly quarter: string;
  readonly dates: readonly Omit<CalendarDate, "year" | "quarter">[];
}

const KINDS: ReadonlySet<string> = new Set(["schedule", "enrollment", "deadline"]);

/** @param from the first day that is listed, `YYYY-MM-DD`; all days without it */
export function TermDateLines({ term, from = "", limit }: { term: string; from?: string; limit?: number }) {
  const { year, quarter } = termQuery(term);
  return (
    <Loaded<[readonly Term[]]> addresses={[addressOf("/calendar", { year })]}>
      {(terms) => {
        const dates = (terms.find((entry) => entry.quarter === quarter)?.dates ?? [])
          .filter(({ kind, firstDay, lastDay }) => KINDS.has(kind) && (lastDay ?? firstDay ?? "") >= from)
          .slice(0, limit);
        if (dates.length === 0)
          return (
            <p class="quiet">
              No {from !== "" && "upcoming "}dates announced for {termTitle(term)}.
            </p>
          );
        return (
          <ul class="lines">
            {dates.map(({ event, firstDay, lastDay }) => (
              <li>
                {event} <small>{daysText(firstDay, lastDay)}</small>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

export function TermDates({ term }: { term: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{termTitle(term)}: enrollment and deadlines</summary>
      {isOpen && <TermDateLines term={term} />}
    </details>
  );
}

/** `Mon, Nov 16 – Fri, Nov 27`; of a range of which one end is not known, the other. */
function daysText(first: string | null, last: string | null): string {
  const days = [...new Set([first, last])].filter((day) => day !== null);
  return days.map(weekday).join(" – ");
}
