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

export function TermDates({ term }: { term: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { year, quarter } = termQuery(term);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{termTitle(term)}: enrollment and deadlines</summary>
      {isOpen && (
        <Loaded<[readonly Term[]]> addresses={[addressOf("/calendar", { year })]}>
          {(terms) => {
            const dates =
              terms.find((term) => term.quarter === quarter)?.dates.filter(({ kind }) => KINDS.has(kind)) ?? [];
            if (dates.length === 0) return <p class="quiet">No dates announced for {termTitle(term)} yet.</p>;
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
      )}
    </details>
  );
}

/** `Mon, Nov 16 – Fri, Nov 27`; of a range of which one end is not known, the other. */
function daysText(first: string | null, last: string | null): string {
  const days = [...new Set([first, last])].filter((day) => day !== null);
  return days.map(weekday).join(" – ");
}
